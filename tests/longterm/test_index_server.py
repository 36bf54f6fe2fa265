"""The vector index at a Chroma server on loopback."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hma.errors import IndexUnavailable
from hma.longterm.index.chroma_index import ChromaIndex
from hma.longterm.tables import ChangeKind
from tests.longterm.index_helpers import DIMENSION, ListFeed, filled, vector_for


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listening(port: int) -> bool:
    """Whether somebody answers at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    port = free_port()
    folder = tmp_path_factory.mktemp("server")
    chroma = Path(sys.executable).with_name("chroma")
    process = subprocess.Popen(
        [chroma, "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not listening(port) and time.monotonic() < deadline:
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    process.kill()  # a graceful stop waits for every connection
    process.wait()


def at(url: str, feed: ListFeed, embedder: str = "e") -> ChromaIndex:
    """An index there."""
    return ChromaIndex.open(
        url,
        feed=feed,
        dimension=DIMENSION,
        embedder_name=embedder,
    )


def test_server_index_follows_the_store(server: str) -> None:
    """Filled, searched, erased from and opened again, by two users at once."""
    feed = filled(20)
    index = at(server, feed)
    assert index.wait(60)
    assert index.search("1", vector_for("f1"), 1)[0][0] == "f1"
    feed.drop("f1", ChangeKind.ERASE)
    assert index.agrees()
    second = at(server, feed)
    assert second.wait(60)
    assert second.status().count == 19
    second.close()
    index.close()


def test_server_keeps_embedders_apart(server: str) -> None:
    """Another embedder gets a collection of its own."""
    feed = filled(5)
    one = at(server, feed, "one")
    assert one.wait(60)
    feed.facts["f1"] = ("1", vector_for("changed"))
    two = at(server, feed, "two")
    assert two.wait(60)
    assert two.search("1", vector_for("changed"), 1)[0][1] == pytest.approx(1.0, abs=1e-3)
    two.close()
    one.close()


def test_server_that_is_away_degrades() -> None:
    """Nobody listens: readers go on from SQL, and the status says what to do."""
    feed = filled(3)
    index = at(f"http://127.0.0.1:{free_port()}", feed)
    assert not index.wait(30)
    feed.orders.clear()
    with pytest.raises(IndexUnavailable, match="start it"):
        index.search("1", vector_for("f1"), 1)
    assert "does not answer" in index.status().degraded_reason
    index.close()
