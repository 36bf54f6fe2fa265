"""A small cache whose entries are bound to a version, so that it can't serve a stale one."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class VersionCache(Generic[T]):
    """The newest value of each owner, for the owners used last. Safe for many threads.

    >>> cache = VersionCache[str](size=1)
    >>> cache.put(7, 3, "facts at version 3")
    >>> cache.get(7, 3), cache.get(7, 4)
    ('facts at version 3', None)
    """

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._entries: OrderedDict[int, tuple[int, T]] = OrderedDict()

    def get(self, owner_id: int, version: int) -> T | None:
        """The value put under this very version, or None."""
        with self._lock:
            found = self._entries.get(owner_id)
            if found is None or found[0] != version:
                return None
            self._entries.move_to_end(owner_id)
            return found[1]

    def put(self, owner_id: int, version: int, value: T) -> None:
        """Keep a value; the owner unused for longest makes room."""
        with self._lock:
            self._entries[owner_id] = (version, value)
            self._entries.move_to_end(owner_id)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def drop(self, owner_id: int) -> None:
        """Forget an owner's value."""
        with self._lock:
            self._entries.pop(owner_id, None)
