"""`hma chat`: talk to an agent that remembers."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.markup import escape

from hma.agent import Agent, Reply
from hma.cli.facts import show_table
from hma.cli.options import Options, User, console, errors
from hma.errors import HmaError, InvalidInput

_HELP = "Type a message. /facts shows what I remember, /quit (or Ctrl-D) ends."


def chat(
    context: typer.Context,
    user: User,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print the trace id of each turn.")
    ] = False,
) -> None:
    r"""Talk; each line is a message. Reads lines from a pipe too.

    Example:  printf 'I moved to Lisbon in May.\nWhere do I live?\n' | hma chat --user ana
    """
    options: Options = context.obj
    interactive = sys.stdin.isatty()
    settings = options.settings()
    with console.status("Loading the model ...") if interactive else nullcontext():
        agent = Agent.open(options.config, data=options.data)
    failed = False
    with agent:
        if interactive:
            errors.print(f"Talking as [b]{escape(user)}[/b]; memory in {settings.data}. {_HELP}")
        for line in _lines(interactive):
            failed |= not _take(agent, line, user, verbose)
    if failed and not interactive:
        raise typer.Exit(1)


def _lines(interactive: bool) -> Iterator[str]:
    if not interactive:
        # a byte that is no UTF-8 must reach the agent's own check, not end the program
        stream = open(sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        yield from (line.rstrip("\n") for line in stream if line.strip())
        return
    import readline  # noqa: F401  (gives input() editing and history)

    while True:
        try:
            line = input("you> ").strip()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if line in ("/quit", "/exit"):
            return
        if line:
            yield line


def _take(agent: Agent, line: str, user: str, verbose: bool) -> bool:
    """Handle one line; False when it failed. The conversation goes on either way."""
    if line == "/help":
        errors.print(_HELP)
        return True
    if line == "/facts":
        show_table(agent.memory(user).snapshot().facts)
        return True
    try:
        reply = agent.chat(line, user=user)
    except InvalidInput as error:
        errors.print(f"[red]not taken:[/red] {escape(str(error))}")
        return False
    except HmaError as error:
        errors.print(f"[red]hma:[/red] {escape(str(error))}")
        return False
    _print(reply, verbose)
    return True


def _print(reply: Reply, verbose: bool) -> None:
    if reply.text:
        console.print(f"[green]hma>[/green] {escape(reply.text)}", highlight=False, soft_wrap=True)
    if reply.question:
        console.print(
            f"[yellow]hma?[/yellow] {escape(reply.question)}", highlight=False, soft_wrap=True
        )
    if verbose:
        console.print(f"[dim]trace {reply.trace_id}[/dim]", highlight=False)
