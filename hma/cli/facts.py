"""`hma facts`: the user's own memory, to see, correct and erase."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from hma.bootstrap import open_engine
from hma.cli.options import Json, Options, User, console, open_erasable, open_memory, print_json
from hma.correcting import correct as correct_fact
from hma.errors import InvalidInput, NotFound
from hma.longterm.base import Memory
from hma.records import Fact, LedgerEntry, Receipt, dump
from hma.slots import Slots

facts = typer.Typer(
    help="See, correct and erase what is remembered.\n\nExample:  hma facts list --user ana",
    no_args_is_help=True,
)

FactId = Annotated[str, typer.Argument(help="A fact's id, or the end of it as the tables show.")]

_SHOWN = 8  # characters of an id; the end is the random part


def _day(at: datetime | None) -> str:
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else ""


def _full_id(memory: Memory, id: str) -> str:
    """The id that ends in `id`.

    Raises:
        InvalidInput: `id` is too short to name one fact, or several end in it.
        NotFound: this owner has none.
    """
    if len(id) < _SHOWN:
        raise InvalidInput(f"a fact's id has at least {_SHOWN} characters; see `hma facts list`")
    found = [fact.id for fact in memory.history() if fact.id.endswith(id)]
    if not found:
        raise NotFound("there is no such fact of this user; `hma facts history` lists them")
    if len(found) > 1:
        raise InvalidInput("several facts end in that id; write more of it")
    return found[0]


def show_table(rows: Sequence[Fact], *, closed: bool = False) -> None:
    """Print facts as a table; with `closed` also until when they held and why they ended."""
    if not rows:
        console.print("Nothing is remembered.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold", row_styles=("", "dim"))
    for name in ("id", "since", "sure", "what", "value"):
        table.add_column(name, overflow="fold", no_wrap=name in ("id", "since", "sure"))
    for fact in rows:
        who = "" if fact.subject == "user" else f"{fact.subject}: "
        value = f"not {fact.value}" if fact.polarity == "-" else fact.value
        since = _day(fact.valid_from)
        if closed and fact.closing:
            since += f"\nuntil {_day(fact.valid_to)} ({fact.closing})"
        cells = (fact.id[-_SHOWN:], since, f"{fact.confidence:.2f}", who + fact.attribute, value)
        table.add_row(*(escape(cell) for cell in cells))
    console.print(table)


@facts.command("list")
def list_(context: typer.Context, user: User, json: Json = False) -> None:
    """What is remembered now.

    Example:  hma facts list --user ana
    """
    with open_memory(context, user) as memory:
        rows = memory.snapshot().facts
    if json:
        print_json([dump(fact) for fact in rows])
    else:
        show_table(rows)


@facts.command()
def history(
    context: typer.Context,
    user: User,
    attribute: Annotated[str | None, typer.Argument(help="Only this slot, such as home.")] = None,
    json: Json = False,
) -> None:
    """Everything that was ever remembered and not forgotten, with its times.

    Example:  hma facts history home --user ana
    """
    with open_memory(context, user) as memory:
        rows = memory.history(attribute=attribute)
    if json:
        print_json([dump(fact) for fact in rows])
    else:
        show_table(rows, closed=True)


@facts.command()
def show(context: typer.Context, id: FactId, user: User, json: Json = False) -> None:
    """One fact with the user's own words that it rests on.

    Example:  hma facts show 8ceaa1d3 --user ana
    """
    with open_memory(context, user) as memory:
        fact = memory.fact(_full_id(memory, id))
    if json:
        print_json(dump(fact))
        return
    show_table([fact], closed=True)
    for span in fact.evidence:
        console.print(f"  said: “{escape(span.quote)}” (turn {span.turn_id})", highlight=False)


@facts.command()
def correct(
    context: typer.Context,
    id: FactId,
    value: Annotated[str, typer.Argument(help="What is right instead.")],
    user: User,
) -> None:
    """Replace a fact's value; the old one stays in the history.

    Example:  hma facts correct 8ceaa1d3 Porto --user ana
    """
    options: Options = context.obj
    settings = options.settings()
    slots = Slots.load(settings.slots)
    with open_memory(context, user) as memory:
        committed = correct_fact(memory, _full_id(memory, id), value, open_engine(settings, slots))
    show_table([*committed.closed, *committed.opened], closed=True)


@facts.command()
def refused(context: typer.Context, user: User, json: Json = False) -> None:
    """What was held, asked or refused, and why.

    Example:  hma facts refused --user ana
    """
    with open_memory(context, user) as memory:
        entries = memory.ledger()
    if json:
        print_json([dump(entry) for entry in entries])
    else:
        _show_ledger(entries)


def _show_ledger(entries: Sequence[LedgerEntry]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("when", "verdict", "what", "value", "why"):
        table.add_column(name, overflow="fold")
    for entry in entries:
        one = entry.decision
        what = f"{one.candidate.subject} {one.candidate.attribute}"
        cells = (_day(entry.at), one.verdict, what, one.candidate.value, one.reason)
        table.add_row(*(escape(cell) for cell in cells))
    console.print(table if entries else "Nothing was held or refused.")


@facts.command()
def forget(context: typer.Context, id: FactId, user: User, json: Json = False) -> None:
    """Erase a fact, its versions and the words it came from. It is not learnt again from old text.

    Example:  hma facts forget 8ceaa1d3 --user ana
    """
    with open_erasable(context, user) as memory:
        receipt = memory.forget(_full_id(memory, id))
    _show_receipt(receipt, json)


@facts.command()
def erase(
    context: typer.Context,
    user: User,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    json: Json = False,
) -> None:
    """Erase everything of this user.

    Example:  hma facts erase --user ana --yes
    """
    if not yes and not typer.confirm(f"Erase everything that is remembered of {user}?"):
        raise InvalidInput("nothing was erased")
    with open_erasable(context, user) as memory:
        receipt = memory.erase()
    _show_receipt(receipt, json)


def _show_receipt(receipt: Receipt, json: bool) -> None:
    if json:
        print_json(dump(receipt))
        return
    gone = ", ".join(f"{count} {name}" for name, count in receipt.counts.items() if count)
    console.print(f"Gone: {gone or 'nothing'}. Receipt {receipt.id}.", highlight=False)


@facts.command()
def export(context: typer.Context, user: User) -> None:
    """Print everything remembered of this user as JSON, closed facts too.

    Example:  hma facts export --user ana > ana.json
    """
    with open_memory(context, user) as memory:
        print_json({"owner": dump(memory.owner), "facts": [dump(one) for one in memory.history()]})
