"""The vector index over the real store: fed by its change log, checked against its facts."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hma.longterm.index.chroma_index import ChromaIndex
from hma.longterm.recall.hybrid import HybridRecaller, RecallOptions
from hma.longterm.store import SqlStore
from hma.records import Effect, Owner
from hma.slots import Slots

Opener = Callable[..., SqlStore]


@pytest.fixture
def index_of(tmp_path: Path) -> Iterator[Callable[[SqlStore], ChromaIndex]]:
    """Opens the index of a store, and closes it before the store."""
    made: list[ChromaIndex] = []

    def opening(store: SqlStore) -> ChromaIndex:
        index = ChromaIndex.open(
            tmp_path / "index",
            feed=store.outbox,
            dimension=store.embedder.dimension,
            embedder_name=store.embedder.name,
        )
        made.append(index)
        return index

    yield opening
    for index in made:
        index.close()


def found(index: ChromaIndex, store: SqlStore, owner: str, query: str) -> set[str]:
    """Ids that the index finds for an owner."""
    assert index.wait(60)
    partition = store.of(Owner(owner)).partition
    assert partition is not None
    return {one for one, _ in index.search(partition, store.embedder.query(query), 10)}


def test_index_follows_commits(
    store: SqlStore, ana: Any, ben: Any, index_of: Callable[[SqlStore], ChromaIndex]
) -> None:
    """New and superseded facts arrive; each owner finds only their own."""
    [lisbon] = ana.learn("home", "Lisbon").opened
    [oslo] = ben.learn("home", "Oslo").opened
    index = index_of(store)
    assert found(index, store, "ana", "It is Lisbon.") == {lisbon.id}
    [porto] = ana.learn("home", "Porto", Effect.SUPERSEDE, [lisbon.id]).opened
    assert found(index, store, "ana", "It is Lisbon.") == {porto.id}
    assert found(index, store, "ben", "It is Lisbon.") == {oslo.id}
    assert index.agrees()


def test_forgetting_leaves_no_vector(
    store: SqlStore, ana: Any, tmp_path: Path, index_of: Callable[[SqlStore], ChromaIndex]
) -> None:
    """Once a fact is forgotten and the index has followed, no file of it holds the vector."""
    [secret] = ana.learn("home", "Lisbon").opened
    ana.learn("pet", "Mochi")
    index = index_of(store)
    assert index.wait(60)
    _, vector = store.outbox.vector_of([secret.id])[secret.id]
    needle = vector.astype("float32").tobytes()
    files = [p for p in (tmp_path / "index").rglob("*") if p.is_file()]
    assert any(needle in p.read_bytes() for p in files)
    ana.memory.forget(secret.id)
    assert index.wait(60)
    files = [p for p in (tmp_path / "index").rglob("*") if p.is_file()]
    assert not any(needle in p.read_bytes() for p in files)
    assert secret.id not in found(index, store, "ana", "It is Lisbon.")


def test_restart_after_commits_without_an_index(
    store: SqlStore, ana: Any, index_of: Callable[[SqlStore], ChromaIndex]
) -> None:
    """What was committed while no index was open is there after the next start."""
    ana.learn("home", "Lisbon")
    index = index_of(store)
    assert index.wait(60)
    index.close()
    [cat] = ana.learn("pet", "Mochi").opened
    again = index_of(store)
    assert cat.id in found(again, store, "ana", "It is Mochi.")
    assert again.agrees()


def test_recall_through_the_index_never_misses_what_was_just_said(
    store: SqlStore, ana: Any, index_of: Callable[[SqlStore], ChromaIndex]
) -> None:
    """With the index lagging, damaged or closed, recall gives the newest facts."""
    ana.learn("home", "Lisbon", text="I live in Lisbon")
    index = index_of(store)
    assert index.wait(60)
    slots = Slots.load()
    recaller = HybridRecaller(
        store.embedder, slots, index=index, options=RecallOptions(exact_up_to=0)
    )

    def home() -> list[str]:
        found = recaller.recall(ana.memory, "Where do I live?", weights={}, at=ana.clock())
        return [one.fact.value for one in found.recalled if one.fact.attribute == "home"]

    assert home() == ["Lisbon"]
    old = ana.memory.snapshot().facts[0]
    ana.learn("home", "Porto", Effect.SUPERSEDE, [old.id], text="I live in Porto")
    assert home() == ["Porto"]
    assert index.wait(60)
    assert home() == ["Porto"]
    index.close()
    assert home() == ["Porto"]


def test_readers_and_writers_at_once(
    open_store: Opener, index_of: Callable[[SqlStore], ChromaIndex], clock: Any
) -> None:
    """Commits wake the index while others search: no error, and both agree at the end."""
    woken: list[Owner] = []
    store = open_store(on_commit=woken.append)
    index = index_of(store)
    failures: list[BaseException] = []

    def reading() -> None:
        try:
            for _ in range(30):
                index.status()
                index.catch_up()
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            failures.append(error)

    readers = [threading.Thread(target=reading) for _ in range(2)]
    for reader in readers:
        reader.start()
    speaker = _speaker(store, clock)
    for number in range(15):
        speaker.learn("likes", f"thing {number}")
    for reader in readers:
        reader.join()
    assert failures == []
    assert len(woken) >= 15
    assert index.wait(60)
    assert index.agrees()
    assert index.status().count == 15


def _speaker(store: SqlStore, clock: Any) -> Any:
    """The conftest's speaker, over another store than the `ana` fixture's."""
    from tests.longterm.conftest import Speaker

    return Speaker(store.of(Owner("cleo")), clock)
