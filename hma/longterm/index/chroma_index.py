"""The vector index: derived, disposable, and never waited for.

SQL is the truth. The index is fed from the change log by a thread of its own, and
whatever is wrong with it is mended by building it anew. Any trouble shows as
`IndexUnavailable` to a reader, who goes on from SQL.
"""

import contextlib
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from hma.errors import HmaError, IndexUnavailable, InvalidInput
from hma.longterm.index.collection import Collection, batches
from hma.longterm.index.home import IndexHome
from hma.longterm.index.probe import healthy
from hma.longterm.index.shelf import LocalShelf, ServerShelf, Shelf
from hma.longterm.tables import ChangeKind
from hma.models.base import Vector

log = logging.getLogger(__name__)

_ORDERS = 500
_UNSURE = 100_000
_COUNTED = 10_000
_READ_WAIT = 0.2
_CLOSE_WAIT = 10.0
_POLL = 5.0


class Change(Protocol):
    """One order of the change log. What it says is only: look at this fact again."""

    @property
    def seq(self) -> int:
        """Its number."""
        ...

    @property
    def fact_id(self) -> str:
        """The fact that was opened, changed or closed."""
        ...

    @property
    def kind(self) -> str:
        """`ChangeKind.ERASE`: no byte of the vector may stay. Others: look at the fact."""
        ...


class ChangeFeed(Protocol):
    """What the index needs of the store."""

    def pending(self, limit: int = 1000) -> Sequence[Change]:
        """The oldest orders that are not done."""
        ...

    def done(self, seqs: Sequence[int]) -> None:
        """Mark orders as carried out."""
        ...

    def vector_of(self, fact_ids: Sequence[str]) -> Mapping[str, tuple[str, Vector]]:
        """Partition and vector of those that are current; the others are left out."""
        ...

    def current_ids(self) -> Mapping[str, str]:
        """The partition of every fact that the index must hold, by id."""
        ...


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """`healthy` when searches are answered. `degraded_reason` says why not, else "".
    `count` vectors are held, `pending` changes not applied yet (counted up to 10,000)."""

    healthy: bool
    degraded_reason: str
    count: int
    pending: int


class ChromaIndex:
    """An index over the current facts of all owners. Safe for many threads."""

    def __init__(self, shelf: Shelf, *, feed: ChangeFeed, dimension: int) -> None:
        self._shelf = shelf
        self._feed = feed
        self._dimension = dimension
        self._collection: Collection | None = None
        self._reason = "the index is being opened"
        self._damaged = False
        self._ready = threading.Event()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._turn = threading.RLock()  # one change of the index at a time
        self._gate = threading.Lock()  # one call into Chroma at a time
        self._worker = threading.Thread(target=self._work, name="hma-index", daemon=True)
        self._worker.start()

    @classmethod
    def open(
        cls,
        where: str | Path,
        *,
        feed: ChangeFeed,
        dimension: int,
        embedder_name: str,
        probe_timeout: float = 60.0,
    ) -> "ChromaIndex":
        """Own the index at a folder, or use the Chroma server at an http:// address.

        Returns at once; opening, probing and mending go on in the background.

        Raises:
            IndexUnavailable: another process owns the folder, or it can't be written.
        """
        kind = f"{embedder_name}/{dimension}"
        if str(where).startswith(("http://", "https://")):
            shelf: Shelf = ServerShelf(str(where), kind=kind)
        else:
            home = IndexHome.claim(Path(where), kind=kind)
            shelf = LocalShelf(home, probe_timeout=probe_timeout)
        return cls(shelf, feed=feed, dimension=dimension)

    # reading

    def search(self, partition: str, vector: Vector, k: int) -> list[tuple[str, float]]:
        """Up to `k` fact ids of one partition and their cosines, best first.

        Check every hit against SQL: it may have been closed a moment ago.

        Raises:
            IndexUnavailable: the index is not open, damaged, busy, or behind the store.
            InvalidInput: `vector` has the wrong shape or is not finite.
        """
        if vector.shape != (self._dimension,) or not np.isfinite(vector).all():
            raise InvalidInput(f"a finite vector of shape ({self._dimension},) is needed")
        if self._feed.pending(1):
            self._wake.set()
            raise IndexUnavailable("the index has not caught up with the last changes")
        try:
            with self._reading() as collection:
                return collection.nearest(vector, k, partition)
        except HmaError:
            raise
        except Exception as error:  # chromadb raises anything; the index is disposable
            self._degrade(error)
            raise IndexUnavailable("the index failed; it is being built anew") from error

    def status(self) -> IndexStatus:
        """How the index stands. Never raises because of the index itself."""
        pending = len(self._feed.pending(_COUNTED))
        try:
            with self._reading() as collection:
                count = collection.count()
        except IndexUnavailable as error:
            return IndexStatus(False, str(error), 0, pending)
        except Exception as error:  # noqa: BLE001 - as in `search`
            self._degrade(error)
            return IndexStatus(False, self._reason, 0, pending)
        return IndexStatus(True, "", count, pending)

    def agrees(self) -> bool:
        """Whether the index holds just what SQL wants, and finds its own vectors."""
        if not self.wait(30.0):
            return False
        with self._turn:
            unsure = {order.fact_id for order in self._feed.pending(_UNSURE)}
            try:
                with self._reading() as collection:
                    return healthy(collection, self._feed.current_ids(), unsure)
            except Exception as error:  # noqa: BLE001 - as in `search`
                log.warning("the index can't be compared with the store: %s", type(error).__name__)
                return False

    def wait(self, timeout: float) -> bool:
        """Wait until the index has been opened and all pending changes are applied.

        Returns False when that did not happen within `timeout` seconds, or failed.
        """
        if not self._ready.wait(timeout) or self._collection is None:
            return False
        try:
            self._drain()
        except Exception as error:  # noqa: BLE001 - as in `search`
            self._degrade(error)
            return False
        return True

    # changing

    def catch_up(self) -> None:
        """Have pending changes applied soon, by the index's own thread. Never raises."""
        self._wake.set()

    def rebuild(self) -> None:
        """Fill a new index from SQL, put it in the place of the old one, delete that.

        Raises:
            IndexUnavailable: it could not be built. What there was is dropped: it may be
                damaged or hold what must be gone.
        """
        self._ready.wait()
        with self._turn:
            self._build()

    def close(self) -> None:
        """Apply what is pending, mark an orderly end, and let others own the folder."""
        if self._closing.is_set():
            return
        if self._ready.is_set():
            self.wait(0)  # an erasure builds anew, which `_closing` would cut short
        self._closing.set()
        self._wake.set()
        self._worker.join(_CLOSE_WAIT)
        with self._turn:
            if self._collection is not None:
                with contextlib.suppress(Exception):  # what is not applied stays pending in SQL
                    self._drain()
                self._shut()
                with contextlib.suppress(OSError):  # without a seal the next start probes
                    self._shelf.seal()
            self._reason = "the index is closed"
            self._shelf.release()

    # the index's own thread

    def _work(self) -> None:
        """Open, then follow the change log. Every failure is contained here: the thread
        serves a cache, and must not take the agent down."""
        while not self._closing.is_set():
            self._wake.clear()
            self._follow()
            self._ready.set()
            self._wake.wait(_POLL)  # other processes write too, and can't wake this thread
        self._ready.set()

    def _follow(self) -> None:
        with self._turn:
            try:
                if self._collection is None:
                    self._open_or_build()
                self._drain()
            except IndexUnavailable as error:
                self._reason = str(error)
            except HmaError as error:
                log.warning("the index stays behind: %s", error)
            except Exception as error:  # noqa: BLE001 - see `_work`
                self._degrade(error)

    def _open_or_build(self) -> None:
        if not self._damaged:
            unsure = {order.fact_id for order in self._feed.pending(_UNSURE)}
            self._collection = self._shelf.open(self._feed.current_ids(), unsure)
        if self._collection is None:
            self._build()

    def _drain(self) -> None:
        """Apply pending changes. Each is read as "look at this fact again", so that twice,
        late or in any order come to the same."""
        with self._turn:
            while orders := self._feed.pending(_ORDERS):
                ids = list(dict.fromkeys(order.fact_id for order in orders))
                current = self._feed.vector_of(ids)
                with self._gate:
                    if self._collection is None:
                        return
                    self._collection.put(current)
                    self._collection.remove([one for one in ids if one not in current])
                if any(order.kind == ChangeKind.ERASE for order in orders):
                    # Chroma keeps the bytes of what it deleted; a new folder does not
                    self._replace()
                self._feed.done([order.seq for order in orders])

    def _build(self) -> None:
        self._replace()
        self._drain()

    def _replace(self) -> None:
        """Fill a new collection from SQL and put it in the place of the old one."""
        fresh: Collection | None = None
        try:
            fresh = self._shelf.fresh()
            for ids in batches(list(self._feed.current_ids())):
                if self._closing.is_set():
                    raise IndexUnavailable("the index was closed while it was being built")
                fresh.put(self._feed.vector_of(ids))
            self._shut()
            self._shelf.adopt()
        except Exception as error:
            self._shut()
            with contextlib.suppress(Exception):  # the first error is the one to tell
                if fresh is not None:
                    fresh.close()
                self._shelf.drop()
            raise IndexUnavailable(
                f"the index can't be built ({type(error).__name__}); look at the disk or the "
                "server, then run `hma reindex`"
            ) from error
        self._collection = fresh
        self._damaged = False

    # states

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Collection]:
        """The open collection, for one short call."""
        if not self._gate.acquire(timeout=_READ_WAIT):
            raise IndexUnavailable("the index is busy")
        try:
            if self._collection is None:
                raise IndexUnavailable(self._reason)
            yield self._collection
        finally:
            self._gate.release()

    def _degrade(self, error: Exception) -> None:
        """Take the index out of use, and have it built anew by its own thread."""
        log.warning("the index is taken out of use: %s", type(error).__name__)
        self._reason = f"the index is damaged ({type(error).__name__}) and is being built anew"
        self._damaged = True
        self._shut()
        self._wake.set()

    def _shut(self) -> None:
        with self._gate:
            collection, self._collection = self._collection, None
        if collection is not None:
            with contextlib.suppress(Exception):  # a damaged one may fail to close
                collection.close()
