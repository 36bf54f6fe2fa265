"""What the store promises to the agent. A `Memory` is bound to one owner for life."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from hma.models.base import Vector
from hma.records import (
    Fact,
    Judgement,
    LedgerEntry,
    Owner,
    Receipt,
    Recollection,
    Snapshot,
    Turn,
)


@dataclass(frozen=True, slots=True)
class Committed:
    """The new version, the facts that were opened or confirmed, and those that were closed."""

    version: int
    opened: tuple[Fact, ...] = ()
    closed: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Vectors:
    """Unit vectors of an owner's current facts at one version: `rows[i]` belongs to `ids[i]`."""

    version: int
    ids: tuple[str, ...]
    rows: Vector


class Memory(Protocol):
    """One owner's memory. There is no way to read or write another owner through it."""

    @property
    def owner(self) -> Owner:
        """The partition this handle is bound to."""
        ...

    # reading

    def snapshot(self) -> Snapshot:
        """Current facts, open questions and held candidates at the newest version."""
        ...

    def vectors(self) -> Vectors:
        """Vectors of the current facts, at the newest version."""
        ...

    def fact(self, id: str) -> Fact:
        """One fact, current or closed. Raises `NotFound`."""
        ...

    def history(
        self, *, attribute: str | None = None, subject: str | None = None
    ) -> Sequence[Fact]:
        """All rows, closed ones too, oldest first."""
        ...

    def as_of(
        self, *, valid: datetime | None = None, recorded: datetime | None = None
    ) -> Sequence[Fact]:
        """What was true at `valid`, as far as memory knew at `recorded` (both default to now)."""
        ...

    def ledger(self, *, limit: int = 100) -> Sequence[LedgerEntry]:
        """What was held, asked and refused, newest first."""
        ...

    # turns

    def append(self, turn: Turn) -> None:
        """Keep a screened turn; a user's turn is queued until it is distilled."""
        ...

    def recent(self, limit: int) -> Sequence[Turn]:
        """The last turns, oldest first."""
        ...

    def turn(self, id: str) -> Turn | None:
        """The turn of this id as it stands now; None when it is gone."""
        ...

    def queued(self) -> Sequence[Turn]:
        """Turns that are not distilled yet, oldest first."""
        ...

    # writing

    def commit(self, judgement: Judgement, *, distilled: Sequence[str], at: datetime) -> Committed:
        """Carry out a judgement in one transaction, and mark the turns of `distilled` as done.

        Raises:
            VersionConflict: memory has moved on since `judgement.version`; judge again.
        """
        ...

    def forget(self, fact_id: str) -> Receipt:
        """Erase a fact and its versions, evidence, vectors and the words of its turns. It
        is not learnt again from old text; only from the user saying it anew."""
        ...

    def erase(self) -> Receipt:
        """Erase everything of this owner."""
        ...

    # traces

    def save_trace(
        self,
        id: str,
        at: datetime,
        document: Mapping[str, Any],
        *,
        turn: str | None = None,
        reply: Turn | None = None,
    ) -> bool:
        """Keep the trace of a turn, and the reply to it, in one transaction.

        With `turn`, the id of the user's turn, nothing is kept when that turn is gone or
        something was forgotten since it was said: the document may hold the words. Returns
        whether it was kept.
        """
        ...

    def trace(self, id: str) -> Mapping[str, Any]:
        """The trace of a turn. Raises `NotFound`."""
        ...


class Store(Protocol):
    """Where memories live."""

    def of(self, owner: Owner) -> Memory:
        """The handle bound to `owner`. Raises `InvalidInput` for an empty user."""
        ...

    def owners(self) -> Sequence[Owner]:
        """All owners that have a memory here (for operators, not for agents)."""
        ...

    def close(self) -> None:
        """Close connections and index."""
        ...


class Recaller(Protocol):
    """Finds the facts that matter for a turn."""

    def recall(
        self,
        memory: Memory,
        query: str,
        *,
        weights: Mapping[str, float],
        at: datetime,
        exclude: Sequence[str] = (),
    ) -> Recollection:
        """Few and right, best first; nothing relevant gives nothing."""
        ...
