"""`hma distil`: dialogues in, distillations out; no store is touched."""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict
from rich.progress import Progress

from hma.bootstrap import open_distiller, open_engine, open_model
from hma.cli.lines import read_lines, write_line
from hma.cli.options import Options, errors
from hma.errors import HmaError, InvalidInput
from hma.meta.base import PolicyEngine
from hma.records import Role, Turn
from hma.slots import Slots
from hma.working.base import Distils
from hma.working.schema import document, schema_text
from hma.working.window import build_window


class _Line(BaseModel):
    role: Role
    text: str
    at: datetime | None = None


class Dialogue(BaseModel):
    """One input line; further keys are ignored."""

    model_config = ConfigDict(extra="ignore")
    id: str
    turns: list[_Line]


def schema(name: Annotated[str, typer.Argument(help="Which schema.")] = "distillation") -> None:
    """Print a published JSON Schema.

    Example:  hma schema distillation
    """
    if name != "distillation":
        raise InvalidInput(f"there is no schema {name!r}; there is: distillation")
    typer.echo(schema_text())


def distil(
    context: typer.Context,
    rules_only: Annotated[
        bool, typer.Option("--rules-only", help="Only the declarative rules, no model.")
    ] = False,
) -> None:
    """Distil dialogues: JSON lines from standard input to standard output.

    In:   {"id": "d1", "turns": [{"role": "user", "text": "I live in Oslo.", "at": "..."}]}
    Out:  {"id": "d1", "distillation": {...}, "ms": 310.2, "tokens": {...}}

    A line that can't be distilled gives {"id", "error"} and exit code 1.

    Example:  hma distil --rules-only < dialogues.jsonl > out.jsonl
    """
    options: Options = context.obj
    settings = options.settings()
    slots = Slots.load(settings.slots)
    engine = open_engine(settings, slots)
    model = None if rules_only else open_model(settings)
    distiller = open_distiller(settings, model, slots)
    failed = 0
    try:
        for result in _results(distiller, engine):
            failed += "error" in result
            write_line(sys.stdout, result)
    finally:
        if model is not None:
            model.close()
    if failed:
        errors.print(f'{failed} lines could not be distilled; see their "error"')
        raise typer.Exit(1)


def _results(distiller: Distils, engine: PolicyEngine) -> Iterator[dict[str, Any]]:
    with Progress(console=errors, transient=True) as progress:
        task = progress.add_task("distilling", total=None)
        for number, line in read_lines(sys.stdin, Dialogue):
            if isinstance(line, InvalidInput):
                yield {"id": f"line {number}", "error": str(line)}
            else:
                yield _result(distiller, engine, line)
            progress.advance(task)


def _result(distiller: Distils, engine: PolicyEngine, line: Dialogue) -> dict[str, Any]:
    start = time.perf_counter()
    try:
        turns, screened = _screened(engine, line)
        report = distiller.distil(build_window(turns, new=len(turns)))
    except HmaError as error:
        return {"id": line.id, "error": f"{type(error).__name__}: {error}"}
    result: dict[str, Any] = {
        "id": line.id,
        "distillation": document(report.distillation),
        "ms": round((time.perf_counter() - start) * 1000, 1),
        "tokens": {"prompt": report.prompt_tokens, "output": report.output_tokens},
    }
    if screened:
        # offsets refer to the text without the identifiers, so the reader must be given it
        result["screened"] = screened
    if report.problems:
        result["problems"] = list(report.problems)
    return result


def _screened(engine: PolicyEngine, line: Dialogue) -> tuple[list[Turn], dict[str, str]]:
    turns, changed = [], {}
    now = datetime.now(UTC)
    said: dict[Role, str] = defaultdict(str)
    for number, one in enumerate(line.turns):
        # with what the same speaker said before: a number may be split over several turns
        text = engine.screen(one.text, before=said[one.role]).text
        said[one.role] += f"{one.text}\n"
        if text != one.text:
            changed[str(number)] = text
        turns.append(Turn(str(number), one.role, text, one.at or now))
    return turns, changed
