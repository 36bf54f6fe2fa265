"""`hma trace`: one turn, front to back."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.markup import escape

from hma.cli.options import Json, User, console, open_memory, print_json


def trace(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="The trace id, from `hma chat --verbose` or a Reply.")],
    user: User,
    json: Json = False,
) -> None:
    """Show a turn: what was said, understood, decided, recalled and answered, and how long it took.

    Example:  hma trace 019ad0c1f2a3b4c5d6e7f80 --user ana
    """
    with open_memory(context, user) as memory:
        document = memory.trace(id)
    if json:
        print_json(document)
    else:
        _show(document)


def _show(doc: Mapping[str, Any]) -> None:
    _head(f"trace {doc['id']}  {doc['at']}  user {doc['user']}")
    _head("screened")
    _line(doc["screened"]["text"])
    for one in doc["screened"]["redactions"]:
        _line(f"taken out: {one['kind']}")
    _head("distilled")
    if "behind" in doc:
        _line(f"not yet: {doc['behind']}")
    _distillation(doc.get("distillation", {}))
    _head("decided")
    for decision in doc["judgement"]["decisions"]:
        one = decision["candidate"]
        what = f"{one['subject']} {one['attribute']} {one['polarity']} “{one['value']}”"
        _line(f"{decision['verdict']} ({decision['effect']}) {what}: {decision['reason']}")
    _line(f"memory is at version {doc['version']}")
    _head("recalled")
    for item in doc["recollection"]["recalled"]:
        fact = item["fact"]
        parts = ", ".join(f"{name} {value:.2f}" for name, value in item["parts"].items())
        _line(
            f"{fact['attribute']} “{fact['value']}” {item['score']:.2f}: {item['reason']} [{parts}]"
        )
    for note in doc["recollection"]["notes"]:
        _line(note)
    _head("prompt")
    for role, text in doc["prompt"]:
        _line(f"{role}: {text}")
    _head("reply")
    _line(doc.get("reply") or f"none: {doc.get('failed', 'the turn was broken off')}")
    if doc["question"]:
        _line(f"asked: {doc['question']}")
    _head("milliseconds")
    _line(", ".join(f"{name} {ms:.1f}" for name, ms in doc["steps"].items()))


def _distillation(doc: Mapping[str, Any]) -> None:
    for one in doc.get("facts", ()):
        readers = "+".join(one.get("found_by", ()))
        _line(
            f"{one['confidence']:.2f} {one['subject']} {one['attribute']} {one['polarity']} "
            f"“{one['value']}” {one['status']} by {readers}, from “{one['evidence']['quote']}”"
        )
    for one in doc.get("constraints", ()):
        _line(f"{one['confidence']:.2f} {one['kind']}: “{one['value']}”")
    if doc.get("intent"):
        _line(f"intent: “{doc['intent']['value']}”")


def _head(text: str) -> None:
    console.print(f"[bold]{escape(text)}[/bold]", highlight=False, soft_wrap=True)


def _line(text: str) -> None:
    console.print(escape(f"  {text}"), highlight=False, soft_wrap=True)
