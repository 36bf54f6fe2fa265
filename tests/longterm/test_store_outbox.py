"""The outbox: what the vector index is told to do."""

from typing import Any

import pytest

from hma.longterm.store import SqlStore
from hma.longterm.tables import ChangeKind
from hma.records import Effect


def drained(store: SqlStore, into: dict[str, str] | None = None, step: int = 2) -> dict[str, str]:
    """What an index would hold that has carried out all orders."""
    index = {} if into is None else into
    while rows := store.outbox.pending(step):
        vectors = store.outbox.vector_of([row.fact_id for row in rows])
        for row in rows:
            if row.kind is ChangeKind.UPSERT and row.fact_id in vectors:
                index[row.fact_id] = vectors[row.fact_id][0]
            else:
                index.pop(row.fact_id, None)
        store.outbox.done([row.seq for row in rows])
    return index


def test_carrying_out_all_orders_makes_the_index_whole(store: SqlStore, ana: Any, ben: Any) -> None:
    """Supersession, retraction, forgetting and erasure included."""
    home = ana.learn("home", "Porto").opened[0]
    ana.learn("home", "Faro", Effect.SUPERSEDE, [home.id])
    pet = ana.learn("pet", "Bo").opened[0]
    ben.learn("home", "里斯本")
    index = drained(store)
    assert index == store.outbox.current_ids()
    assert set(index.values()) == {ana.memory.partition, ben.memory.partition}
    ana.memory.forget(pet.id)
    ben.memory.erase()
    assert drained(store, index) == store.outbox.current_ids()
    assert len(index) == 1


def test_orders_stay_until_they_are_done(store: SqlStore, ana: Any) -> None:
    """Claimed by state: an order that was skipped comes again, though later ones are done."""
    for value in ("Bo", "Kit", "Tom"):
        ana.learn("pet", value)
    first, second, third = store.outbox.pending()
    store.outbox.done([first.seq, third.seq])
    assert store.outbox.pending() == [second]
    store.outbox.done([])
    store.outbox.done([second.seq])
    assert store.outbox.pending() == []


def test_vectors_are_those_of_the_memory(store: SqlStore, ana: Any) -> None:
    """The index scores what the store would score; closed facts have no vector."""
    home = ana.learn("home", "Porto").opened[0]
    vectors = ana.memory.vectors()
    partition, vector = store.outbox.vector_of([home.id, "unknown"])[home.id]
    assert partition == ana.memory.partition
    assert vector == pytest.approx(vectors.rows[0], abs=1e-3)
    ana.learn("home", "Porto", Effect.RETRACT, [home.id])
    assert store.outbox.vector_of([home.id]) == {}
