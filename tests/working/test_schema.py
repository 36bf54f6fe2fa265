"""The published form of a distillation, and the checks beyond the schema."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hma.errors import DistillationError
from hma.records import (
    Candidate,
    Constraint,
    ConstraintKind,
    Distillation,
    EntityLink,
    Intent,
    Mood,
    Polarity,
    Reader,
    Role,
    Sentiment,
    Span,
    Status,
    Turn,
    Window,
)
from hma.working.schema import check_spans, document, schema_text, validate

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
TEXT = "I moved to 青岛, but never call me before ten 😀"
WINDOW = Window(
    turns=(
        Turn("a", Role.ASSISTANT, "You live in Ghent.", NOW),
        Turn("u", Role.USER, TEXT, NOW),
    ),
    new=1,
)


def span(quote: str, turn: int = 1) -> Span:
    """The span of the first occurrence of `quote`."""
    start = WINDOW.turns[turn].text.index(quote)
    return Span(turn, start, start + len(quote), quote, WINDOW.turns[turn].id)


FACT = Candidate(
    subject="user",
    attribute="home",
    value="青岛",
    polarity=Polarity.POSITIVE,
    status=Status.ASSERTED,
    evidence=span("I moved to 青岛,"),
    confidence=0.9,
    found_by=(Reader.MODEL, Reader.RULES),
    cues=("change",),
    signals={"rules": 0.95, "model": 0.2},
)
FULL = Distillation(
    intent=Intent("I moved to 青岛,", span("I moved to 青岛,"), 0.4),
    constraints=(
        Constraint(
            "never call me before ten",
            ConstraintKind.MUST_NOT,
            span("but never call me before ten"),
            0.9,
        ),
    ),
    entity_links=(EntityLink("place", "青岛", span("青岛"), 0.8),),
    facts=(FACT,),
    sentiment=Sentiment(Mood.POSITIVE, span("😀"), 0.7),
)


def test_full_distillation_conforms() -> None:
    """A distillation with every part is valid and its spans hold."""
    validate(document(FULL))
    check_spans(FULL, WINDOW)


def test_empty_distillation_conforms() -> None:
    """Nothing found is a valid distillation."""
    validate(document(Distillation()))
    check_spans(Distillation(), WINDOW)


def test_document_has_the_published_shape() -> None:
    """A fact is written with the documented keys, evidence as turn, start, end and quote."""
    fact = document(FULL)["facts"][0]
    assert fact == {
        "subject": "user",
        "attribute": "home",
        "value": "青岛",
        "polarity": "+",
        "status": "asserted",
        "scope": "global",
        "confidence": 0.9,
        "evidence": {"turn": 1, "start": 0, "end": 14, "quote": "I moved to 青岛,", "turn_id": "u"},
        "found_by": ["model", "rules"],
        "cues": ["change"],
        "signals": {"rules": 0.95, "model": 0.2},
    }


def test_document_is_plain_json() -> None:
    """The document survives a round trip through JSON unchanged."""
    assert json.loads(json.dumps(document(FULL))) == document(FULL)


def test_empty_ids_are_left_out() -> None:
    """An unknown turn id or entity id is absent, not an empty string."""
    link = EntityLink("place", "青岛", replace(span("青岛"), turn_id=""), 0.8)
    data = document(Distillation(entity_links=(link,)))["entity_links"][0]
    assert "id" not in data
    assert "turn_id" not in data["evidence"]


def test_schema_is_a_closed_and_bounded_json_schema() -> None:
    """Every object is closed, every list and every free string has an upper bound."""
    schema = json.loads(schema_text())
    Draft202012Validator.check_schema(schema)
    for node in _nodes(schema):
        if node.get("type") == "object":
            assert "additionalProperties" in node
        if node.get("type") == "array":
            assert "maxItems" in node
        if node.get("type") == "string":
            assert "maxLength" in node or "pattern" in node


def _nodes(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [inner for item in node for inner in _nodes(item)]
    if not isinstance(node, dict):
        return []
    return [node, *(inner for item in node.values() for inner in _nodes(item))]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("facts", 0, "polarity"), "yes"),
        (("facts", 0, "status"), "sure"),
        (("facts", 0, "confidence"), 1.5),
        (("facts", 0, "value"), ""),
        (("facts", 0, "value"), "x" * 2001),
        (("facts", 0, "attribute"), "Not A Slot"),
        (("facts", 0, "invented"), 1),
        (("facts", 0, "evidence", "start"), -1),
        (("constraints", 0, "kind"), "maybe"),
        (("sentiment", "value"), "hungry"),
        (("intent",), "tea"),
        (("extra",), []),
        (("facts",), [{}] * 513),
    ],
)
def test_broken_document_is_refused_without_its_words(path: tuple[Any, ...], value: Any) -> None:
    """What breaks the schema raises, and the message holds no word of the user."""
    data = document(FULL)
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(DistillationError) as caught:
        validate(data)
    assert "青岛" not in str(caught.value)


def test_missing_key_is_refused() -> None:
    """All five parts are always there."""
    data = document(FULL)
    del data["sentiment"]
    with pytest.raises(DistillationError, match="the document"):
        validate(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evidence": replace(FACT.evidence, start=1)}, "quote is not that span"),
        ({"evidence": replace(FACT.evidence, turn=7)}, "quote is not that span"),
        ({"evidence": replace(FACT.evidence, turn=-1)}, "quote is not that span"),
        ({"value": "Qingdao"}, "value is not inside"),
        ({"value": "Ghent", "evidence": span("You live in Ghent.", 0)}, "not a new turn"),
    ],
)
def test_fact_that_is_not_verbatim_or_not_the_users_is_refused(
    change: dict[str, Any], message: str
) -> None:
    """A moved quote, an invented value and a fact from the assistant's turn all raise."""
    with pytest.raises(DistillationError, match=message):
        check_spans(Distillation(facts=(replace(FACT, **change),)), WINDOW)


def test_fact_from_context_is_refused() -> None:
    """What an earlier turn said was distilled then; it is never extracted again."""
    with pytest.raises(DistillationError, match="not a new turn"):
        check_spans(FULL, replace(WINDOW, new=2))


def test_fact_that_was_taken_back_may_stand_in_an_earlier_user_turn() -> None:
    """ "I meant Porto" takes back what an earlier turn of the user said, never another's."""
    back = replace(FACT, status=Status.RETRACTED)
    check_spans(Distillation(facts=(back,)), replace(WINDOW, new=2))
    said = replace(back, value="Ghent", evidence=span("You live in Ghent.", 0))
    with pytest.raises(DistillationError, match="not a new turn"):
        check_spans(Distillation(facts=(said,)), WINDOW)


def test_other_parts_are_checked_as_well() -> None:
    """Intent, constraints, links and sentiment need true spans too."""
    wrong = replace(span("青岛"), end=14)
    for part in (
        Distillation(intent=Intent("青岛", wrong, 0.5)),
        Distillation(constraints=(Constraint("青岛", ConstraintKind.MUST, wrong, 0.5),)),
        Distillation(entity_links=(EntityLink("place", "青岛", wrong, 0.5),)),
        Distillation(sentiment=Sentiment(Mood.URGENT, wrong, 0.5)),
    ):
        with pytest.raises(DistillationError, match="quote is not that span"):
            check_spans(part, WINDOW)
