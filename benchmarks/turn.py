"""How long a turn takes, step by step, without the responder (`hma bench turn`)."""

import json
import statistics
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from hma.agent import Agent, Parts
from hma.bootstrap import wire
from hma.settings import Settings

STEPS = ("screen", "listen", "distil", "judge", "commit", "recall")

TURNS = (
    "Hi, I'm Priya and I live in Leeds with my two kids.",
    "I work as a paramedic, mostly night shifts.",
    "What do you know about me so far?",
    "I'm allergic to penicillin, please keep that in mind.",
    "I love bouldering, but I can't stand early mornings.",
    "We might get a dog next year, not sure yet.",
    "My brother Arun lives in Toronto and works for a bank.",
    "I moved to York last week.",
    "Where do I live now?",
    "Can you suggest something for dinner that is quick and not spicy?",
    "Never call me before ten in the morning.",
    "If I ever get rich I'd buy a boat.",
    "我叫李雷，住在杭州。",
    "我对花生过敏，也不吃香菜。",
    "我在一家小公司做会计，每天七点半起床。",
    "下周三我要去成都出差，帮我想想带什么。",
    "我以前住在南京，现在搬到苏州了。",
    "我住在哪里？",
    "我朋友小王喜欢打羽毛球，我更喜欢游泳。",
    "以后别再给我推荐云方案。",
)


class _Silent(Agent):
    """The responder is the user's own choice, so its time is left out."""

    def respond(self, prompt: object) -> str:
        return ""


def measure(parts: Parts, rounds: int = 3) -> dict[str, list[float]]:
    """Milliseconds by step, one entry a turn, over `rounds` fresh users."""
    spent: dict[str, list[float]] = {step: [] for step in STEPS}
    with _Silent(parts) as agent:
        agent.chat("Hello there.", user="warm-up")
        for number in range(rounds):
            user = f"user-{number}"
            for text in TURNS:
                reply = agent.chat(text, user=user)
                steps = agent.memory(user).trace(reply.trace_id)["steps"]
                for step in STEPS:
                    spent[step].append(steps[step])
    return spent


def run(settings: Settings, out: Path | None) -> None:
    """Measure with an empty store, print a table, write the figures to `out`."""
    with tempfile.TemporaryDirectory() as folder:
        spent = measure(wire(settings.isolated(folder)))
    totals = [sum(values) for values in zip(*spent.values(), strict=True)]
    figures = {
        name: {
            "median_ms": round(statistics.median(values), 1),
            "p95_ms": round(statistics.quantiles(values, n=20)[18], 1),
        }
        for name, values in [*spent.items(), ("turn", totals)]
    }
    table = Table(
        "step", "median ms", "p95 ms", title=f"{len(totals)} turns, {settings.model.name}"
    )
    for name, row in figures.items():
        table.add_row(name, str(row["median_ms"]), str(row["p95_ms"]))
    Console().print(table)
    if out is not None:
        out.write_text(json.dumps({"model": settings.model.name, "steps": figures}, indent=2))
