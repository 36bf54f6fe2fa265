"""Where the index keeps its collection: a local folder of generations, or a Chroma server."""

import zlib
from collections.abc import Collection as Ids
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from hma.longterm.index.collection import NAME, Collection
from hma.longterm.index.home import IndexHome
from hma.longterm.index.probe import probe


class Shelf(Protocol):
    """A place that holds one live collection and can start another."""

    def open(self, expected: Mapping[str, str], unsure: Ids[str]) -> Collection | None:
        """The live collection, proved fit to be read; None when it must be built anew.

        `expected` is the partition by id that SQL wants; `unsure` are ids whose changes
        may be applied or not.
        """
        ...

    def fresh(self) -> Collection:
        """An empty collection, not live yet. Raises what Chroma or the file system raises."""
        ...

    def adopt(self) -> None:
        """Make the last fresh collection the live one and delete all others. Nobody may
        have another one open."""
        ...

    def drop(self) -> None:
        """Delete everything; nothing is live then."""
        ...

    def seal(self) -> None:
        """Mark an orderly end; the collection is closed."""
        ...

    def release(self) -> None:
        """Let others own the place."""
        ...


class LocalShelf:
    """Generations in an `IndexHome`. What has no valid seal is probed in a child process."""

    def __init__(self, home: IndexHome, *, probe_timeout: float) -> None:
        self._home = home
        self._timeout = probe_timeout
        self._next: Path | None = None

    def open(self, expected: Mapping[str, str], unsure: Ids[str]) -> Collection | None:
        """See `Shelf`. An index that was closed in order is not probed: its checksums hold."""
        sealed = self._home.unseal()
        folder = self._home.current()
        if folder is None:
            return None
        if not sealed and not probe(folder, expected, unsure=unsure, timeout=self._timeout):
            return None
        collection = Collection.at_path(folder)
        if (collection.ids() ^ set(expected)) - set(unsure):
            collection.close()
            return None
        self._home.sweep()
        return collection

    def fresh(self) -> Collection:
        """See `Shelf`."""
        self._next = self._home.fresh()
        return Collection.at_path(self._next)

    def adopt(self) -> None:
        """See `Shelf`."""
        if self._next is not None:
            self._home.adopt(self._next)

    def drop(self) -> None:
        """See `Shelf`."""
        self._home.drop()

    def seal(self) -> None:
        """See `Shelf`."""
        self._home.seal()

    def release(self) -> None:
        """See `Shelf`."""
        self._home.release()


class ServerShelf:
    """One collection at a Chroma server. The server minds its own files: what was deleted
    may stay in them until its operator compacts them. `kind` names what the vectors are."""

    def __init__(self, url: str, *, kind: str) -> None:
        self._url = url
        self._name = f"{NAME}-{zlib.crc32(kind.encode()):08x}"

    def open(self, expected: Mapping[str, str], unsure: Ids[str]) -> Collection | None:
        """See `Shelf`."""
        collection = Collection.at_server(self._url, self._name)
        if (collection.ids() ^ set(expected)) - set(unsure):
            collection.close()
            return None
        return collection

    def fresh(self) -> Collection:
        """See `Shelf`. It replaces the live one at once: a server has no second place."""
        return Collection.at_server(self._url, self._name, fresh=True)

    def adopt(self) -> None:
        """See `Shelf`. Nothing to swap."""

    def drop(self) -> None:
        """See `Shelf`."""
        Collection.at_server(self._url, self._name, fresh=True).close()

    def seal(self) -> None:
        """See `Shelf`. Nothing to mark."""

    def release(self) -> None:
        """See `Shelf`. Nothing is held."""
