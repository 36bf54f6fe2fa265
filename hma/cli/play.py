"""`hma play`: whole multi-session dialogues, with their times, through an agent."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import AwareDatetime, BaseModel, ConfigDict
from rich.progress import Progress

from hma.agent import Agent, Reply
from hma.bootstrap import wire
from hma.cli.lines import read_lines, write_line
from hma.cli.options import Options, errors
from hma.errors import InvalidInput


class _Session(BaseModel):
    at: AwareDatetime
    turns: list[str]


class _Probe(BaseModel):
    at: AwareDatetime
    ask: str


class Scenario(BaseModel):
    """One input line; further keys (must, must_not, why) are for whoever judges."""

    model_config = ConfigDict(extra="ignore")
    id: str
    user: str
    sessions: list[_Session]
    probes: list[_Probe] = []


class _PlayClock:
    """The dialogues' own time."""

    def __init__(self) -> None:
        self.now = datetime(1970, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def play(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Scenarios, one JSON object a line.")],
    out: Annotated[Path, typer.Option("--out", help="Where the answers to the probes go.")],
) -> None:
    """Play scenarios through an agent and record what it answers to their probes.

    All scenarios share one store, in the order of their times; it is a temporary one unless
    --data names a directory.

    Example:  hma play scenarios.jsonl --out answers.jsonl
    """
    options: Options = context.obj
    scenarios = _read(file)
    clock = _PlayClock()
    with tempfile.TemporaryDirectory() as folder:
        settings = options.settings()
        if options.data is None:
            settings = settings.isolated(folder)
        with Agent(wire(settings, clock=clock)) as agent, out.open("w", encoding="utf-8") as sink:
            for row in _answers(agent, clock, scenarios):
                write_line(sink, row)


def _answers(
    agent: Agent, clock: _PlayClock, scenarios: list[Scenario]
) -> Iterator[dict[str, Any]]:
    steps = sorted(_steps(scenarios), key=lambda step: step[0])
    with Progress(console=errors, transient=True) as progress:
        for at, scenario, number, text in progress.track(steps, description="playing"):
            clock.now = at
            reply = agent.chat(text, user=scenario.user, at=at)
            if number is not None:
                yield {"id": scenario.id, "probe": number, "ask": text, **_answer(reply)}


def _answer(reply: Reply) -> dict[str, Any]:
    return {
        "reply": reply.text,
        "recalled": [
            {
                "value": one.fact.value,
                "attribute": one.fact.attribute,
                "status": "needs_review" if one.note else "current",
                "polarity": str(one.fact.polarity),
                "subject": one.fact.subject,
            }
            for one in reply.recalled
        ],
        "question": reply.question,
        "trace_id": reply.trace_id,
    }


def _read(file: Path) -> list[Scenario]:
    if not file.is_file():
        raise InvalidInput(f"{file}: there is no such file")
    scenarios = []
    with file.open(encoding="utf-8", errors="surrogateescape") as stream:
        for _, line in read_lines(stream, Scenario):
            if isinstance(line, InvalidInput):
                raise InvalidInput(f"{file}: {line}")
            scenarios.append(line)
    return scenarios


def _steps(
    scenarios: list[Scenario],
) -> Iterator[tuple[datetime, Scenario, int | None, str]]:
    """Every message with its time; a probe carries its number."""
    for scenario in scenarios:
        for session in scenario.sessions:
            for number, text in enumerate(session.turns):
                # a session gives one time; its turns follow each other
                at = session.at.astimezone(UTC) + timedelta(seconds=number)
                yield at, scenario, None, text
        for number, probe in enumerate(scenario.probes):
            yield probe.at.astimezone(UTC), scenario, number, probe.ask
