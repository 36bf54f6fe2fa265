"""The vector index follows the store, whatever happens in between."""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hma.errors import IndexUnavailable, InvalidInput
from hma.longterm.index.chroma_index import ChromaIndex
from hma.longterm.tables import ChangeKind
from tests.longterm.index_helpers import DIMENSION, ListFeed, filled, vector_for

Opener = Callable[..., ChromaIndex]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    """Opens indexes in one folder, and closes them at the end."""
    made: list[ChromaIndex] = []

    def opener(feed: ListFeed, embedder: str = "e") -> ChromaIndex:
        index = ChromaIndex.open(
            tmp_path / "index", feed=feed, dimension=DIMENSION, embedder_name=embedder
        )
        made.append(index)
        return index

    yield opener
    for index in made:
        index.close()


def held(index: ChromaIndex, feed: ListFeed) -> bool:
    """Whether every fact finds itself, and nothing else is there."""
    assert index.wait(30)
    found = all(
        index.search(partition, vector, 1)[0][0] == one
        for one, (partition, vector) in feed.facts.items()
    )
    return found and index.status().count == len(feed.facts) and index.agrees()


def test_new_index_is_filled_from_the_store(opened: Opener) -> None:
    """An index that did not exist holds all facts soon after opening."""
    feed = filled(40)
    index = opened(feed)
    assert held(index, feed)
    status = index.status()
    assert (status.healthy, status.degraded_reason, status.pending) == (True, "", 0)


def test_search_stays_in_its_partition(opened: Opener) -> None:
    """A vector that another partition holds exactly is not found there."""
    feed = filled(20)
    index = opened(feed)
    index.wait(30)
    found = index.search("0", vector_for("f1"), 20)
    assert len(found) == 10
    assert all(feed.facts[one][0] == "0" for one, _ in found)
    assert found == sorted(found, key=lambda hit: -hit[1])


def test_changes_are_followed(opened: Opener) -> None:
    """Opened, replaced and closed facts arrive through `catch_up`, in the background."""
    feed = filled(10)
    index = opened(feed)
    index.wait(30)
    feed.set("new")
    feed.set("f1", partition="1", seed=99)
    feed.drop("f2")
    index.catch_up()
    deadline = time.monotonic() + 20
    while feed.pending() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert held(index, feed)


def test_search_behind_the_store_is_refused(opened: Opener) -> None:
    """With changes not applied a reader is sent to SQL rather than served the past."""
    feed = filled(5)
    index = opened(feed)
    index.wait(30)
    feed.set("late")
    with pytest.raises(IndexUnavailable, match="caught up"):
        index.search("1", vector_for("late"), 1)
    assert held(index, feed)


def test_orders_twice_and_shuffled_come_to_the_same(opened: Opener) -> None:
    """The index equals the store after each order was delivered twice, in any order."""
    feed = filled(30)
    index = opened(feed)
    index.wait(30)
    for number in range(0, 30, 3):
        feed.drop(f"f{number}")
    for number in range(0, 30, 6):
        feed.set(f"f{number}", seed=number + 1000)
    feed.orders += [feed.orders[0].__class__(o.seq + 500, o.fact_id) for o in feed.orders]
    random.Random(7).shuffle(feed.orders)
    assert held(index, feed)


def test_second_owner_is_refused_at_once(opened: Opener, tmp_path: Path) -> None:
    """Another process that opens the folder gets a typed error within a second, and
    changes no file."""
    feed = filled(5)
    index = opened(feed)
    index.wait(30)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}
    script = (
        "import sys, time; from pathlib import Path; from hma.errors import IndexUnavailable\n"
        "from hma.longterm.index.home import IndexHome\n"
        "start = time.monotonic()\n"
        "try: IndexHome.claim(Path(sys.argv[1]), kind='x')\n"
        "except IndexUnavailable: sys.exit(0 if time.monotonic() - start < 10 else 3)\n"
    )
    child = subprocess.run([sys.executable, "-c", script, str(tmp_path / "index")], check=False)
    assert child.returncode == 0
    with pytest.raises(IndexUnavailable, match="another process owns"):
        opened(feed)
    assert before == {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}


def test_orderly_restart_keeps_the_files(opened: Opener, tmp_path: Path) -> None:
    """A sealed index is opened as it is: same generation, no probe, no rebuild."""
    feed = filled(20)
    index = opened(feed)
    index.wait(30)
    index.close()
    pointer = (tmp_path / "index" / "current").read_text()
    again = opened(feed)
    assert held(again, feed)
    assert (tmp_path / "index" / "current").read_text() == pointer


def test_changes_of_a_closed_time_are_caught_up(opened: Opener) -> None:
    """What was committed without the index is applied at its next start."""
    feed = filled(10)
    index = opened(feed)
    index.wait(30)
    index.close()
    feed.set("meanwhile")
    feed.drop("f3")
    assert held(opened(feed), feed)


def test_store_restored_from_a_backup_wins(opened: Opener) -> None:
    """An index that disagrees with the store, without any order, is built anew."""
    feed = filled(10)
    index = opened(feed)
    index.wait(30)
    index.close()
    for one in ("f1", "f2", "f3"):
        del feed.facts[one]
    assert held(opened(feed), feed)


def test_another_embedder_starts_a_new_index(opened: Opener, tmp_path: Path) -> None:
    """Vectors of another embedder are never compared: its generation is left and deleted."""
    feed = filled(8)
    index = opened(feed, "one")
    index.wait(30)
    index.close()
    pointer = (tmp_path / "index" / "current").read_text()
    again = opened(feed, "two")
    assert held(again, feed)
    assert not (tmp_path / "index" / pointer).exists()


def test_an_erasure_leaves_no_bytes_of_a_vector(opened: Opener, tmp_path: Path) -> None:
    """No file under the folder holds the erased vector, as float32."""
    feed = filled(10)
    feed.set("secret", seed=4242)
    index = opened(feed)
    index.wait(30)
    needle = vector_for("4242").tobytes()
    assert any(needle in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    feed.drop("secret", ChangeKind.ERASE)
    assert index.wait(30)
    assert not any(needle in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert held(index, feed)


def test_bad_query_vectors_are_refused(opened: Opener) -> None:
    """A wrong shape or a NaN is the caller's mistake, not damage."""
    index = opened(filled(3))
    index.wait(30)
    for bad in (np.zeros(3, dtype=np.float32), np.full(DIMENSION, np.nan, dtype=np.float32)):
        with pytest.raises(InvalidInput):
            index.search("1", bad, 1)
    assert index.status().healthy


def test_closed_index_sends_readers_to_sql(opened: Opener) -> None:
    """After `close`, which may come twice, a search raises the typed error."""
    index = opened(filled(3))
    index.close()
    index.close()
    with pytest.raises(IndexUnavailable):
        index.search("1", vector_for("f1"), 1)


def test_text_never_reaches_chroma(opened: Opener) -> None:
    """Chroma's own embedding is replaced by one that refuses, so no model is fetched."""
    index = opened(filled(3))
    index.wait(30)
    with index._reading() as collection, pytest.raises(Exception, match="handed in"):
        collection._collection.add(ids=["x"], documents=["some text"])


def test_agrees_sees_a_missing_vector(opened: Opener) -> None:
    """The comparison with the store finds what the index lost."""
    feed = filled(6)
    index = opened(feed)
    index.wait(30)
    with index._reading() as collection:
        collection.remove(["f1"])
    assert not index.agrees()
    index.rebuild()
    assert index.agrees()
