"""Small records for tests: each builder fills in everything that the test does not name."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hma.meta.base import Context
from hma.records import (
    Candidate,
    Decision,
    Effect,
    Fact,
    LedgerEntry,
    Owner,
    Polarity,
    Question,
    Recalled,
    Role,
    Snapshot,
    Source,
    Span,
    Status,
    Turn,
    Verdict,
)
from hma.slots import Slots

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
OWNER = Owner(user="ana")
SLOTS = Slots.load()


def a_turn(text: str, *, id: str = "t9", role: Role = Role.USER, at: datetime = NOW) -> Turn:
    """A turn of the user's."""
    return Turn(id, role, text, at)


def a_candidate(
    attribute: str,
    value: str,
    polarity: str = "+",
    *,
    status: Status = Status.ASSERTED,
    confidence: float = 0.9,
    source: Source = Source.USER,
    cues: Sequence[str] = (),
    subject: str = "user",
    scope: str = "global",
    quote: str = "",
    turn: int = 0,
    start: int = 0,
    turn_id: str = "t9",
) -> Candidate:
    """A confident statement by the user; its evidence is `quote`, or the value alone."""
    text = quote or value
    evidence = Span(turn, start, start + len(text), text, turn_id)
    return Candidate(
        subject=subject,
        attribute=attribute,
        value=value,
        polarity=Polarity(polarity),
        status=status,
        evidence=evidence,
        confidence=confidence,
        scope=scope,
        source=source,
        cues=tuple(cues),
    )


def a_fact(
    id: str,
    attribute: str,
    value: str,
    polarity: str = "+",
    *,
    confidence: float = 0.9,
    source: Source = Source.USER,
    subject: str = "user",
    scope: str = "global",
    at: datetime = NOW - 40 * DAY,
    closed_at: datetime | None = None,
) -> Fact:
    """A current fact that the user stated at `at`."""
    return Fact(
        id=id,
        subject=subject,
        attribute=attribute,
        value=value,
        polarity=Polarity(polarity),
        confidence=confidence,
        source=source,
        valid_from=at,
        recorded_at=at,
        confirmed_at=at,
        version=1,
        scope=scope,
        closed_at=closed_at,
    )


def a_question(
    candidate: Candidate,
    *against: str,
    id: str = "q1",
    created_at: datetime = NOW - DAY,
    asked_at: datetime | None = None,
    expires_at: datetime | None = None,
) -> Question:
    """An open question: `candidate` against the facts with these ids."""
    return Question(id, candidate, against, created_at, asked_at, expires_at)


def held(candidate: Candidate, *, id: str = "l1", at: datetime = NOW - DAY) -> LedgerEntry:
    """The ledger's line for a candidate that was held."""
    decision = Decision(candidate, Verdict.HOLD, Effect.NEW, (), "ThresholdAdmission", "held")
    return LedgerEntry(id, at, decision)


def a_memory(
    *facts: Fact,
    questions: Sequence[Question] = (),
    held: Sequence[LedgerEntry] = (),
    last_seen: datetime | None = NOW - DAY,
    turns_since_question: int | None = None,
    version: int = 7,
) -> Snapshot:
    """A memory that holds `facts`."""
    return Snapshot(
        owner=OWNER,
        version=version,
        facts=facts,
        questions=tuple(questions),
        held=tuple(held),
        last_seen=last_seen,
        turns_since_question=turns_since_question,
    )


def a_context(memory: Snapshot | None = None, *, now: datetime = NOW) -> Context:
    """What a policy is given: `memory` (empty by default), the shipped slots, the time."""
    return Context(memory if memory is not None else a_memory(), SLOTS, now)


def a_recalled(fact: Fact, *, score: float = 0.5, note: str = "", weight: float = 1.0) -> Recalled:
    """A fact as recall found it."""
    return Recalled(fact, score, {"similarity": score, "weight": weight}, "similar words", note)
