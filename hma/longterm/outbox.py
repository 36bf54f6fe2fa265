"""The change log as an outbox: what the vector index has still to do, and from what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select, update

from hma.longterm.chunks import chunks
from hma.longterm.codec import unpack
from hma.longterm.engine import Database
from hma.longterm.passages import Passages
from hma.longterm.tables import ChangeKind, ChangeState, change_log, facts
from hma.longterm.temporal import current
from hma.models.base import Vector


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One order to the index. `owner` is the owner's partition key: a number as text."""

    seq: int
    owner: str
    fact_id: str
    kind: ChangeKind


class Outbox:
    """Orders are claimed by their state, never by "greater than the last seen": a
    transaction may commit after one that got a greater number.

    Orders may be delivered twice and late. An upsert means "as the fact stands now": ask
    `vector_of`, and delete what it does not return.
    """

    def __init__(self, database: Database, passages: Passages) -> None:
        self._database = database
        self._passages = passages

    def pending(self, limit: int = 1000) -> list[ChangeRow]:
        """The oldest orders that are not done."""
        with self._database.reading() as connection:
            rows = connection.execute(
                select(change_log)
                .where(change_log.c.state == ChangeState.PENDING)
                .order_by(change_log.c.seq)
                .limit(limit)
            )
            return [
                ChangeRow(row.seq, partition_of(row.owner_id), row.fact_id, ChangeKind(row.kind))
                for row in rows
            ]

    def done(self, seqs: Sequence[int]) -> None:
        """Mark orders as carried out."""
        with self._database.writing() as connection:
            for some in chunks(seqs):
                connection.execute(
                    update(change_log)
                    .where(change_log.c.seq.in_(some))
                    .values(state=ChangeState.DONE)
                )

    def vector_of(self, fact_ids: Sequence[str]) -> Mapping[str, tuple[str, Vector]]:
        """Partition and vector (float32, shape `(dimension,)`) of those that are current."""
        found: dict[str, tuple[str, Vector]] = {}
        with self._database.reading() as connection:
            for some in chunks(fact_ids):
                rows = connection.execute(
                    select(facts.c.id, facts.c.owner_id, facts.c.vector).where(
                        facts.c.id.in_(some), *self._indexed()
                    )
                )
                for row in rows:
                    vector = unpack([row.vector], self._passages.dimension)[0]
                    found[row.id] = (partition_of(row.owner_id), vector)
        return found

    def current_ids(self) -> Mapping[str, str]:
        """The partition of every fact that the index must hold, by fact id."""
        with self._database.reading() as connection:
            rows = connection.execute(select(facts.c.id, facts.c.owner_id).where(*self._indexed()))
            return {row.id: partition_of(row.owner_id) for row in rows}

    def _indexed(self) -> tuple[ColumnElement[bool], ...]:
        """Vectors of another embedder are never compared with ours."""
        return current(), facts.c.embedder == self._passages.name


def partition_of(owner_id: int) -> str:
    """The key that keeps owners apart in the index. It says nothing about them."""
    return str(owner_id)
