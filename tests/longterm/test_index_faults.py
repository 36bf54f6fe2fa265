"""Damage to the index folder never reaches the caller, and is mended from the store."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hma.errors import IndexUnavailable
from hma.longterm.index.chroma_index import ChromaIndex
from tests.longterm.index_helpers import DIMENSION, ListFeed, filled

# More than Chroma's sync threshold, so that HNSW files are on disk.
MANY = 1_200


def open_index(path: Path, feed: ListFeed, **more: float) -> ChromaIndex:
    """The index of the tests' embedder."""
    return ChromaIndex.open(path, feed=feed, dimension=DIMENSION, embedder_name="e", **more)


def check(path: Path, feed: ListFeed) -> None:
    """Opening succeeds, and the index agrees with the store."""
    index = open_index(path, feed)
    try:
        assert index.wait(60), index.status()
        partition, vector = feed.facts["f7"]
        assert index.search(partition, vector, 1)[0][0] == "f7"
        assert index.status().count == len(feed.facts)
        assert index.agrees()
    finally:
        index.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed index of `MANY` facts, to be copied and damaged."""
    path = tmp_path_factory.mktemp("template") / "index"
    index = open_index(path, filled(MANY))
    assert index.wait(60)
    index.close()
    return path


def fed() -> ListFeed:
    """The store of the template, all orders done."""
    feed = filled(MANY)
    feed.orders.clear()
    return feed


def flip(path: Path) -> None:
    """Invert 4 KB in the middle of the vectors."""
    file = next(path.rglob("data_level0.bin"))
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4096] = bytes(255 - byte for byte in data[middle : middle + 4096])
    file.write_bytes(data)


def cut_pickle(path: Path) -> None:
    """Truncate the pickle to nothing, as a kill inside the flush does."""
    next(path.rglob("index_metadata.pickle")).write_bytes(b"")


def drop_segment(path: Path) -> None:
    """Delete the HNSW segment's folder."""
    shutil.rmtree(next(path.rglob("data_level0.bin")).parent)


def drop_header(path: Path) -> None:
    """Delete the HNSW header."""
    next(path.rglob("header.bin")).unlink()


def scribble(path: Path) -> None:
    """Overwrite Chroma's database."""
    next(path.rglob("chroma.sqlite3")).write_bytes(b"no database" * 1000)


def drop_all(path: Path) -> None:
    """Delete the whole index folder."""
    shutil.rmtree(path)


def bend_pointer(path: Path) -> None:
    """Let the pointer name something outside."""
    (path / "current").write_text("../../etc")


DAMAGES = [flip, cut_pickle, drop_segment, drop_header, scribble, drop_all, bend_pointer]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "killed"])
def test_damage_is_mended_from_the_store(
    template: Path, tmp_path: Path, damage: Callable[[Path], None], sealed: bool
) -> None:
    """Whatever is broken in the folder, found by checksum or by the probe, the index is
    whole again after opening and nobody crashed."""
    path = tmp_path / "index"
    shutil.copytree(template, path)
    if not sealed:
        (path / "clean.json").unlink()
    damage(path)
    check(path, fed())


def test_undamaged_index_of_a_killed_owner_is_kept(template: Path, tmp_path: Path) -> None:
    """Without a seal, the probe finds a whole index fit, and it is not built anew."""
    path = tmp_path / "index"
    shutil.copytree(template, path)
    (path / "clean.json").unlink()
    pointer = (path / "current").read_text()
    check(path, fed())
    assert (path / "current").read_text() == pointer


def test_probe_that_hangs_counts_as_damage(template: Path, tmp_path: Path) -> None:
    """The probe's time limit passes: the index is built anew."""
    path = tmp_path / "index"
    shutil.copytree(template, path)
    (path / "clean.json").unlink()
    pointer = (path / "current").read_text()
    index = open_index(path, fed(), probe_timeout=0.01)
    assert index.wait(60)
    index.close()
    assert (path / "current").read_text() != pointer


def test_owner_killed_between_commit_and_apply(tmp_path: Path) -> None:
    """SIGKILL after facts were committed, some applied and not marked so: the next owner
    ends with just the store's facts, and the lock is free."""
    path = tmp_path / "index"
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from tests.longterm.index_helpers import DIMENSION, filled\n"
        "from hma.longterm.index.chroma_index import ChromaIndex\n"
        "feed = filled(60)\n"
        "index = ChromaIndex.open("
        "Path(sys.argv[1]), feed=feed, dimension=DIMENSION, embedder_name='e')\n"
        "index.wait(60)\n"
        "feed.set('half')\n"
        "feed.done = lambda seqs: os.kill(os.getpid(), signal.SIGKILL)\n"
        "index.wait(60)\n"
    )
    child = subprocess.run(
        [sys.executable, "-c", script, str(path), str(Path(__file__).parents[2])], check=False
    )
    assert child.returncode == -signal.SIGKILL
    feed = filled(60)
    feed.orders.clear()
    feed.set("half")
    feed.set("committed, never applied")
    feed.drop("f3")
    check(path, feed)


def test_damage_seen_by_a_search_is_mended_in_the_background(tmp_path: Path) -> None:
    """A search that fails sends its reader to SQL; the index comes back by itself."""
    feed = filled(20)
    index = open_index(tmp_path / "index", feed)
    assert index.wait(60)
    with index._reading() as collection:
        collection._client.delete_collection("hma-facts")
    partition, vector = feed.facts["f7"]
    with pytest.raises(IndexUnavailable):
        index.search(partition, vector, 1)
    index.rebuild()
    assert index.search(partition, vector, 1)[0][0] == "f7"
    index.close()


def test_folder_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    """A file in the folder's place is said so, without a traceback of the system's."""
    (tmp_path / "index").write_text("in the way")
    with pytest.raises(IndexUnavailable, match="can't be written"):
        open_index(tmp_path / "index", filled(1))


def test_index_that_cannot_be_built_degrades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No space for a new index: status says why, searches are refused, close works."""
    from hma.longterm.index.home import IndexHome

    def full(self: IndexHome) -> Path:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(IndexHome, "fresh", full)
    feed = filled(5)
    index = open_index(tmp_path / "index", feed)
    assert not index.wait(30)
    assert not index.status().healthy
    assert "can't be built" in index.status().degraded_reason
    with pytest.raises(IndexUnavailable):
        index.rebuild()
    index.close()


def test_seal_is_taken_away_while_the_index_is_open(template: Path, tmp_path: Path) -> None:
    """A process that dies without `close` leaves no seal behind."""
    path = tmp_path / "index"
    shutil.copytree(template, path)
    assert json.loads((path / "clean.json").read_text())
    index = open_index(path, fed())
    index.wait(60)
    assert not (path / "clean.json").exists()
    index.close()
    assert (path / "clean.json").exists()
