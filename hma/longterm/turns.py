"""The turns of one owner: kept as they come, queued until they are distilled."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from hma.longterm.codec import to_turn
from hma.longterm.tables import TurnState, owners, tombstones, turns
from hma.records import Role, Turn


def keep_turn(connection: Connection, owner_id: int, turn: Turn) -> None:
    """Store a turn, unless one of its id is stored already."""
    known = select(turns.c.seq).where(turns.c.owner_id == owner_id, turns.c.id == turn.id)
    if connection.execute(known).first() is not None:
        return
    spoken = turn.role is Role.USER
    connection.execute(
        insert(turns).values(
            owner_id=owner_id,
            id=turn.id,
            role=turn.role,
            text=turn.text,
            at=turn.at,
            state=TurnState.QUEUED if spoken else TurnState.KEPT,
        )
    )
    if spoken:
        _see(connection, owner_id, turn.at)


def last_turns(connection: Connection, owner_id: int, limit: int) -> tuple[Turn, ...]:
    """The last `limit` turns, oldest first."""
    rows = connection.execute(
        select(turns).where(turns.c.owner_id == owner_id).order_by(turns.c.seq.desc()).limit(limit)
    ).all()
    return tuple(to_turn(row) for row in reversed(rows))


def queued_turns(connection: Connection, owner_id: int) -> tuple[Turn, ...]:
    """The turns that wait to be distilled, oldest first."""
    rows = connection.execute(
        select(turns)
        .where(turns.c.owner_id == owner_id, turns.c.state == TurnState.QUEUED)
        .order_by(turns.c.seq)
    )
    return tuple(to_turn(row) for row in rows)


def stands(connection: Connection, owner_id: int, id: str) -> bool:
    """Whether a turn is stored and nothing was forgotten since it was said."""
    seq = connection.scalar(
        select(turns.c.seq).where(turns.c.owner_id == owner_id, turns.c.id == id)
    )
    if seq is None:
        return False
    later = (tombstones.c.owner_id == owner_id, tombstones.c.turn_seq >= seq)
    return connection.execute(select(tombstones.c.turn_seq).where(*later)).first() is None


def turns_by_id(connection: Connection, owner_id: int, ids: Iterable[str]) -> dict[str, Row[Any]]:
    """The rows of `turns` that have these ids, by id."""
    query = select(turns).where(turns.c.owner_id == owner_id, turns.c.id.in_(set(ids)))
    return {row.id: row for row in connection.execute(query)}


def mark_distilled(connection: Connection, owner_id: int, ids: Iterable[str]) -> None:
    """Take turns out of the queue."""
    connection.execute(
        update(turns)
        .where(
            turns.c.owner_id == owner_id,
            turns.c.id.in_(set(ids)),
            turns.c.state == TurnState.QUEUED,
        )
        .values(state=TurnState.DISTILLED)
    )


def _see(connection: Connection, owner_id: int, at: datetime) -> None:
    """Note that the user spoke."""
    connection.execute(
        update(owners)
        .where(owners.c.id == owner_id)
        .values(
            previous_seen_at=owners.c.last_seen_at,
            last_seen_at=at,
            turns_since_question=owners.c.turns_since_question + 1,
        )
    )
