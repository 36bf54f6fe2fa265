"""Reading an owner's vectors, and making them anew for another embedder."""

from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, insert, select, update

from hma.longterm.base import Vectors
from hma.longterm.codec import unpack
from hma.longterm.queries import find_owner, load_facts
from hma.longterm.shared import Shared
from hma.longterm.tables import ChangeKind, ChangeState, change_log, facts
from hma.longterm.temporal import current
from hma.records import Owner


def read_vectors(shared: Shared, owner: Owner) -> Vectors:
    """Vectors of the owner's current facts under the store's embedder."""
    found, foreign = _read(shared, owner)
    if foreign is not None:
        reembed(shared, foreign)
        found, _ = _read(shared, owner)
    return found


def reembed(shared: Shared, owner_id: int) -> int:
    """Give the owner's current facts vectors of the store's embedder; how many it made."""
    passages = shared.passages
    with shared.database.reading() as connection:
        foreign = load_facts(connection, owner_id, current(), facts.c.embedder != passages.name)
    packed = passages.of_facts(foreign)
    with shared.database.writing() as connection:
        for fact, vector in zip(foreign, packed, strict=True):
            connection.execute(
                update(facts)
                .where(facts.c.owner_id == owner_id, facts.c.id == fact.id, current())
                .values(embedder=passages.name, vector=vector)
            )
            connection.execute(
                insert(change_log).values(
                    owner_id=owner_id,
                    fact_id=fact.id,
                    kind=ChangeKind.UPSERT,
                    version=fact.version,
                    state=ChangeState.PENDING,
                )
            )
    return len(foreign)


def _read(shared: Shared, owner: Owner) -> tuple[Vectors, int | None]:
    """The vectors; and the owner's id when some are of another embedder."""
    with shared.database.reading() as connection:
        row = find_owner(connection, owner)
        if row is None:
            return _vectors(shared, 0, []), None
        cached = shared.vectors.get(row.id, row.version)
        if cached is not None:
            return cached, None
        rows = _rows(connection, row.id)
    ours = [found for found in rows if found.embedder == shared.passages.name]
    vectors = _vectors(shared, row.version, ours)
    if len(ours) < len(rows):
        return vectors, row.id
    shared.vectors.put(row.id, row.version, vectors)
    return vectors, None


def _rows(connection: Connection, owner_id: int) -> list[Row[Any]]:
    query = select(facts.c.id, facts.c.embedder, facts.c.vector).where(
        facts.c.owner_id == owner_id, current()
    )
    return list(connection.execute(query.order_by(facts.c.version, facts.c.id)))


def _vectors(shared: Shared, version: int, rows: list[Row[Any]]) -> Vectors:
    matrix = unpack((row.vector for row in rows), shared.passages.dimension)
    # float16 has rounded the lengths; they are unit vectors again.
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    matrix.setflags(write=False)
    return Vectors(version=version, ids=tuple(row.id for row in rows), rows=matrix)
