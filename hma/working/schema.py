"""The published form of a distillation: its JSON Schema, and the checks a schema can't do."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

from jsonschema import Draft202012Validator

from hma.errors import DistillationError
from hma.records import Candidate, Distillation, Role, Span, Status, Window, dump

_OPTIONAL = ("turn_id", "id")


def schema_text() -> str:
    """The JSON Schema as published: what `hma schema distillation` prints."""
    return files("hma.working").joinpath("distillation.schema.json").read_text(encoding="utf-8")


@cache
def _validator() -> Draft202012Validator:
    schema = json.loads(schema_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def document(distillation: Distillation) -> dict[str, Any]:
    """The JSON document of a distillation, in the published form.

    Empty ids are left out. The trust class is not part of it: the store stamps its own.
    """
    data = cast(dict[str, Any], _tidy(dump(distillation)))
    for fact in data["facts"]:
        del fact["source"]
    return data


def _tidy(data: Any) -> Any:
    if isinstance(data, dict):
        return {
            key: _tidy(value) for key, value in data.items() if value != "" or key not in _OPTIONAL
        }
    return [_tidy(item) for item in data] if isinstance(data, list) else data


def validate(document: Mapping[str, Any]) -> None:
    """Check a document against the published schema.

    Raises:
        DistillationError: it does not conform; the message names the place and the rule.
    """
    error = next(_validator().iter_errors(document), None)
    if error is not None:
        place = "/".join(str(part) for part in error.absolute_path) or "the document"
        # error.message would quote the user's words.
        raise DistillationError(
            f"the distillation breaks its schema at {place}: rule {error.validator!r}; "
            "the turn stays queued"
        )


def check_spans(distillation: Distillation, window: Window) -> None:
    """Check what a schema can't: every quote is the span it names, every value lies inside
    its quote, and every fact rests on a new turn of the user. Only what a new turn takes
    back may point to the earlier turn of the user that said it.

    Raises:
        DistillationError: some span is not what it says; the message names which.
    """
    problem = next(_problems(distillation, window), None)
    if problem is not None:
        raise DistillationError(f"{problem}; the turn stays queued")


def _problems(distillation: Distillation, window: Window) -> Iterator[str]:
    for name, value, span in _spans(distillation):
        if not _is_verbatim(span, window):
            yield f"{name}: the quote is not that span of the turn"
        elif value not in span.quote:
            yield f"{name}: the value is not inside its quote"
    for i, fact in enumerate(distillation.facts):
        if not _by_user(fact, window):
            yield f"facts/{i}: its evidence is not a new turn of the user"


def _spans(distillation: Distillation) -> Iterator[tuple[str, str, Span]]:
    """Each place with its value and evidence."""
    if distillation.intent is not None:
        yield "intent", distillation.intent.value, distillation.intent.evidence
    for i, constraint in enumerate(distillation.constraints):
        yield f"constraints/{i}", constraint.value, constraint.evidence
    for i, link in enumerate(distillation.entity_links):
        yield f"entity_links/{i}", link.name, link.evidence
    for i, fact in enumerate(distillation.facts):
        yield f"facts/{i}", fact.value, fact.evidence
    mood = distillation.sentiment
    if mood is not None and mood.evidence is not None:
        yield "sentiment", "", mood.evidence


def _is_verbatim(span: Span, window: Window) -> bool:
    if not 0 <= span.turn < len(window.turns) or not 0 <= span.start < span.end:
        return False
    return window.turns[span.turn].text[span.start : span.end] == span.quote


def _by_user(fact: Candidate, window: Window) -> bool:
    turn = fact.evidence.turn
    first = 0 if fact.status is Status.RETRACTED else window.new
    return first <= turn < len(window.turns) and window.turns[turn].role is Role.USER
