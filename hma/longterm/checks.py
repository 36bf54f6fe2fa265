"""What may enter the store: owners, texts, times and judgements that it can keep and find."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from datetime import UTC, datetime
from typing import Any

from hma.errors import InvalidInput
from hma.longterm.words import strings
from hma.records import Candidate, Judgement, Owner, Turn

MAX_KEY = 256
MAX_ID = 64
MAX_TEXT = 1_000_000


def checked_owner(owner: Owner) -> Owner:
    """`owner` itself.

    Raises:
        InvalidInput: user or tenant is missing, or a part can't be a key.
    """
    for name, part in zip(("user", "tenant", "agent", "group"), astuple(owner), strict=True):
        checked_text(f"owner.{name}", part, limit=MAX_KEY)
        if name in {"user", "tenant"} and not part.strip():
            raise InvalidInput(f"owner.{name} is empty; every memory belongs to somebody")
    return owner


def checked_turn(turn: Turn) -> Turn:
    """`turn` itself, when it can be stored; else `InvalidInput`."""
    checked_id("turn.id", turn.id)
    checked_text("turn.text", turn.text)
    utc("turn.at", turn.at)
    return turn


def checked_judgement(judgement: Judgement) -> Judgement:
    """`judgement` itself, when all its candidates can be stored; else `InvalidInput`."""
    for question in judgement.questions:
        checked_id("question.id", question.id)
        utc("question.created_at", question.created_at)
        utc("question.expires_at", question.expires_at or question.created_at)
    for candidate in _candidates(judgement):
        checked_text("attribute", candidate.attribute, limit=MAX_ID)
        checked_text("subject", candidate.subject, limit=MAX_KEY)
        for name, text in (
            ("value", candidate.value),
            ("scope", candidate.scope),
            ("quote", candidate.evidence.quote),
        ):
            checked_text(name, text)
        if not (math.isfinite(candidate.confidence) and 0 <= candidate.confidence <= 1):
            raise InvalidInput("confidence must lie between 0 and 1")
    return judgement


def checked_document(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """`document` itself, when it is JSON that every database can keep; else `InvalidInput`."""
    try:
        for text in strings(document):
            checked_text("trace", text)
    except TypeError as error:
        raise InvalidInput("the trace holds something that is not JSON; dump it first") from error
    return document


def checked_id(name: str, id: str) -> str:
    """`id` itself, when it can be a key; else `InvalidInput`."""
    if not checked_text(name, id, limit=MAX_ID):
        raise InvalidInput(f"{name} is empty")
    return id


def checked_text(name: str, text: str, *, limit: int = MAX_TEXT) -> str:
    """`text` itself, when every database can keep it; else `InvalidInput`."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be a string")
    if len(text) > limit:
        raise InvalidInput(f"{name} is longer than {limit} characters; split it")
    if "\0" in text:
        raise InvalidInput(f"{name} holds a NUL character; remove it")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidInput(f"{name} holds half a character (a lone surrogate); decode it again")
    return text


def utc(name: str, at: datetime) -> datetime:
    """`at` in UTC; `InvalidInput` when it carries no time zone."""
    if at.tzinfo is None:
        raise InvalidInput(f"{name} has no time zone; use datetime.now(UTC)")
    return at.astimezone(UTC)


def _candidates(judgement: Judgement) -> Iterator[Candidate]:
    yield from (decision.candidate for decision in judgement.decisions)
    yield from (question.candidate for question in judgement.questions)
    if judgement.ask is not None:
        yield judgement.ask.candidate
