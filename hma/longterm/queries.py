"""Reading one owner's rows. Every query here is bound to an owner id."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, insert, or_, select
from sqlalchemy.exc import IntegrityError

from hma.longterm.codec import to_entry, to_fact, to_question, to_span
from hma.longterm.tables import (
    QuestionState,
    evidence,
    facts,
    ledger,
    owners,
    questions,
)
from hma.records import Fact, LedgerEntry, Owner, Question, Span, Verdict

HELD_LIMIT = 50  # candidates a snapshot carries; older held ones no longer grow


def find_owner(connection: Connection, owner: Owner, *, lock: bool = False) -> Row[Any] | None:
    """The owner's row, locked until the transaction ends where the database locks rows."""
    query = select(owners).where(
        owners.c.tenant == owner.tenant,
        owners.c.user == owner.user,
        owners.c.agent == owner.agent,
        owners.c.group == owner.group,
    )
    return connection.execute(query.with_for_update() if lock else query).one_or_none()


def claim_owner(connection: Connection, owner: Owner, now: datetime) -> Row[Any]:
    """The owner's row for writing; a new owner is inserted at version 0."""
    row = find_owner(connection, owner, lock=True)
    if row is not None:
        return row
    try:
        with connection.begin_nested():
            connection.execute(
                insert(owners).values(
                    tenant=owner.tenant,
                    user=owner.user,
                    agent=owner.agent,
                    group=owner.group,
                    version=0,
                    recorded_at=now,
                )
            )
    except IntegrityError:
        pass  # another writer was first; its row is as good
    row = find_owner(connection, owner, lock=True)
    assert row is not None  # noqa: S101
    return row


def load_facts(
    connection: Connection, owner_id: int, *conditions: ColumnElement[bool]
) -> tuple[Fact, ...]:
    """The owner's facts under `conditions`, oldest first, in two queries."""
    mine = and_(facts.c.owner_id == owner_id, *conditions)
    spans: dict[str, list[Span]] = defaultdict(list)
    for row in connection.execute(
        select(evidence)
        .join(facts, facts.c.id == evidence.c.fact_id)
        .where(evidence.c.owner_id == owner_id, mine)
        .order_by(evidence.c.id)
    ):
        spans[row.fact_id].append(to_span(row))
    rows = connection.execute(select(facts).where(mine).order_by(facts.c.version, facts.c.id))
    return tuple(to_fact(row, spans[row.id]) for row in rows)


def open_questions(connection: Connection, owner_id: int, now: datetime) -> tuple[Question, ...]:
    """Questions that wait for an answer, oldest first."""
    rows = connection.execute(
        select(questions)
        .where(
            questions.c.owner_id == owner_id,
            questions.c.state == QuestionState.OPEN,
            or_(questions.c.expires_at.is_(None), questions.c.expires_at > now),
        )
        .order_by(questions.c.created_at, questions.c.id)
    )
    return tuple(to_question(row) for row in rows)


def held_entries(connection: Connection, owner_id: int) -> tuple[LedgerEntry, ...]:
    """The last candidates that were held and not admitted since, oldest first."""
    rows = connection.execute(
        select(ledger)
        .where(
            ledger.c.owner_id == owner_id,
            ledger.c.verdict == Verdict.HOLD,
            ledger.c.promoted_at.is_(None),
        )
        .order_by(ledger.c.seq.desc())
        .limit(HELD_LIMIT)
    ).all()
    return tuple(to_entry(row) for row in reversed(rows))


def ledger_entries(
    connection: Connection, owner_id: int, *, limit: int, admitted: bool
) -> tuple[LedgerEntry, ...]:
    """The ledger, newest first, with or without what was admitted."""
    query = select(ledger).where(ledger.c.owner_id == owner_id)
    if not admitted:
        query = query.where(ledger.c.verdict != Verdict.ADMIT)
    rows = connection.execute(query.order_by(ledger.c.seq.desc()).limit(limit))
    return tuple(to_entry(row) for row in rows)
