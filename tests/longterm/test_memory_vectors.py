"""Vectors, and traces."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from hma.errors import InvalidInput, NotFound
from hma.longterm.store import SqlStore
from hma.records import (
    Effect,
    Judgement,
    Owner,
)


def test_vectors_are_of_current_facts_at_the_newest_version(ana: Any) -> None:
    """Unit length, read-only, in the facts' order; a write is seen at once."""
    old = ana.learn("home", "Porto").opened[0]
    ana.learn("pet", "a dog")
    before = ana.memory.vectors()
    assert before is ana.memory.vectors()
    ana.learn("home", "Faro", Effect.SUPERSEDE, [old.id])
    after = ana.memory.vectors()
    facts = ana.memory.snapshot().facts
    assert (before.version, after.version) == (2, 3)
    assert after.ids == tuple(fact.id for fact in facts)
    assert after.rows.dtype == np.float32
    assert np.linalg.norm(after.rows, axis=1) == pytest.approx(1, abs=1e-5)
    with pytest.raises(ValueError, match="read-only"):
        after.rows[0] = 0


def test_vectors_of_two_embedders_never_meet(
    open_store: Callable[..., SqlStore], ana: Any, another_embedder: Any
) -> None:
    """Another embedder makes them anew when they are first read, and orders the index."""
    ana.learn("home", "Porto")
    old = ana.memory.vectors()
    store = open_store(embedder=another_embedder)
    assert store.outbox.current_ids() == {}
    new = store.of(Owner("ana")).vectors()
    assert new.ids == old.ids
    assert not np.allclose(new.rows, old.rows, atol=0.01)
    assert list(store.outbox.current_ids()) == list(new.ids)
    assert [row.fact_id for row in store.outbox.pending()] == [*new.ids, *new.ids]
    assert store.reembed() == 0


def test_all_vectors_can_be_made_anew_at_once(
    open_store: Callable[..., SqlStore], ana: Any, ben: Any, another_embedder: Any
) -> None:
    """`reembed` does it for every owner, and counts."""
    ana.learn("home", "Porto")
    ben.learn("home", "里斯本")
    assert open_store(embedder=another_embedder).reembed() == 2


def test_an_empty_judgement_on_a_new_owner_is_no_version(store: SqlStore, clock: Any) -> None:
    """A stranger's idle talk leaves memory at version 0."""
    memory = store.of(Owner("new"))
    assert memory.commit(Judgement(0), distilled=[], at=clock()).version == 0
    assert memory.snapshot().version == 0


def test_a_trace_must_be_json(ana: Any, clock: Any) -> None:
    """What can't be read back is not written."""
    with pytest.raises(InvalidInput, match="JSON"):
        ana.memory.save_trace("x", clock(), {"at": clock()})


def test_a_trace_is_replaced_and_found_by_its_owner_alone(ana: Any, ben: Any) -> None:
    """Ids of traces are the owner's own."""
    ana.memory.save_trace("x", datetime.now(UTC), {"n": 1})
    ana.memory.save_trace("x", datetime.now(UTC), {"n": 2, "quote": '"里"\n'})
    ben.say("hi")
    assert ana.memory.trace("x") == {"n": 2, "quote": '"里"\n'}
    with pytest.raises(NotFound):
        ben.memory.trace("x")
