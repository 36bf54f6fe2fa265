"""A change feed in memory, with the rules of the real one, for the index tests."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hma.longterm.tables import ChangeKind
from hma.models.base import Vector

DIMENSION = 16


@dataclass(frozen=True)
class Order:
    """One change: look at this fact again."""

    seq: int
    fact_id: str
    kind: str = ChangeKind.UPSERT


class ListFeed:
    """Facts as `id -> (partition, vector)` and the orders that tell the index of changes."""

    def __init__(self) -> None:
        self.facts: dict[str, tuple[str, Vector]] = {}
        self.orders: list[Order] = []
        self.applied: list[int] = []
        self._next = 1
        self._lock = threading.RLock()

    def set(self, id: str, *, partition: str = "1", seed: int | None = None) -> None:
        """Open or change a fact; its vector is random but fixed by its id."""
        with self._lock:
            self.facts[id] = (partition, vector_for(id if seed is None else str(seed)))
            self.order(id)

    def drop(self, id: str, kind: str = ChangeKind.DELETE) -> None:
        """Close or erase a fact."""
        with self._lock:
            del self.facts[id]
            self.order(id, kind)

    def order(self, id: str, kind: str = ChangeKind.UPSERT) -> None:
        """Put an order without a change: delivered twice."""
        with self._lock:
            self.orders.append(Order(self._next, id, kind))
            self._next += 1

    def pending(self, limit: int = 1000) -> Sequence[Order]:
        """See `ChangeFeed`."""
        with self._lock:
            return self.orders[:limit]

    def done(self, seqs: Sequence[int]) -> None:
        """See `ChangeFeed`."""
        with self._lock:
            self.applied += seqs
            self.orders = [order for order in self.orders if order.seq not in set(seqs)]

    def vector_of(self, fact_ids: Sequence[str]) -> Mapping[str, tuple[str, Vector]]:
        """See `ChangeFeed`."""
        with self._lock:
            return {one: self.facts[one] for one in fact_ids if one in self.facts}

    def current_ids(self) -> Mapping[str, str]:
        """See `ChangeFeed`."""
        with self._lock:
            return {one: partition for one, (partition, _) in self.facts.items()}


def vector_for(text: str) -> Vector:
    """A unit vector that depends on `text` alone."""
    seed = int.from_bytes(text.encode(), "little") % 2**32
    row = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
    return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def filled(count: int) -> ListFeed:
    """A feed of `count` facts in two partitions."""
    feed = ListFeed()
    for number in range(count):
        feed.set(f"f{number}", partition=str(number % 2))
    return feed
