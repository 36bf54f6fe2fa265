"""Between rows and records."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Row

from hma.models.base import Vector
from hma.records import (
    Candidate,
    Closing,
    Decision,
    Fact,
    LedgerEntry,
    Owner,
    Polarity,
    Question,
    Role,
    Source,
    Span,
    Turn,
    load,
)


def to_owner(row: Row[Any]) -> Owner:
    """The owner of a row of `owners`."""
    return Owner(user=row.user, tenant=row.tenant, agent=row.agent, group=row.group)


def to_turn(row: Row[Any]) -> Turn:
    """The turn of a row of `turns`."""
    return Turn(id=row.id, role=Role(row.role), text=row.text, at=row.at)


def to_span(row: Row[Any]) -> Span:
    """The span of a row of `evidence`. Its window is gone: `turn_id` says where it is."""
    return Span(turn=0, start=row.start, end=row.end, quote=row.quote, turn_id=row.turn_id)


def to_fact(row: Row[Any], spans: Sequence[Span]) -> Fact:
    """The fact of a row of `facts`, resting on `spans`."""
    return Fact(
        id=row.id,
        subject=row.subject,
        attribute=row.attribute,
        value=row.value,
        polarity=Polarity(row.polarity),
        confidence=row.confidence,
        source=Source(row.source),
        valid_from=row.valid_from,
        recorded_at=row.recorded_at,
        confirmed_at=row.confirmed_at,
        version=row.version,
        evidence=tuple(spans),
        scope=row.scope,
        valid_to=row.valid_to,
        closed_at=row.closed_at,
        closing=None if row.closing is None else Closing(row.closing),
        superseded_by=row.superseded_by,
        needs_review_since=row.needs_review_since,
    )


def to_question(row: Row[Any]) -> Question:
    """The question of a row of `questions`."""
    return Question(
        id=row.id,
        candidate=load(Candidate, row.candidate),
        against=tuple(row.against),
        created_at=row.created_at,
        asked_at=row.asked_at,
        expires_at=row.expires_at,
    )


def to_entry(row: Row[Any]) -> LedgerEntry:
    """The entry of a row of `ledger`."""
    return LedgerEntry(id=row.id, at=row.at, decision=load(Decision, row.decision))


def pack(vector: Vector) -> bytes:
    """A vector as it is stored: float16, little-endian, two bytes a dimension."""
    return vector.astype("<f2").tobytes()


def unpack(blobs: Iterable[bytes], dimension: int) -> Vector:
    """Stored vectors as float32 of shape `(n, dimension)`."""
    joined = np.frombuffer(b"".join(blobs), dtype="<f2")
    return joined.astype(np.float32).reshape(-1, dimension)
