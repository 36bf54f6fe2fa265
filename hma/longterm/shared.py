"""What all handles of one store share."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from hma.clock import Clock
from hma.longterm.base import Committed, Vectors
from hma.longterm.cache import VersionCache
from hma.longterm.commit import Rules
from hma.longterm.engine import Database
from hma.longterm.passages import Passages
from hma.records import Fact, Owner

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shared:
    """Connections, rules and caches of a store. Safe for many threads."""

    database: Database
    passages: Passages
    rules: Rules
    clock: Clock
    on_commit: Callable[[Owner], object] | None = None
    facts: VersionCache[tuple[Fact, ...]] = field(default_factory=VersionCache)
    vectors: VersionCache[Vectors] = field(default_factory=VersionCache)

    def now(self, after: datetime | None = None) -> datetime:
        """The clock's time in UTC, but never before `after`: a clock that was set back
        must not put a new fact before an old one."""
        now = self.clock().astimezone(UTC)
        return now if after is None else max(now, after)

    def announce(self, owner: Owner) -> None:
        """Tell the listener that there are new orders for the index."""
        if self.on_commit is None:
            return
        try:
            self.on_commit(owner)
        except Exception as error:  # noqa: BLE001  the commit stands; the listener may catch up
            log.warning("the listener for commits failed: %s", type(error).__name__)

    def carry(self, owner_id: int, committed: Committed, reviewed: Mapping[str, datetime]) -> None:
        """Carry the cached facts over to the version that a commit has just made.

        Nothing else can have changed between the two: the commit compared the version.
        """
        before = self.facts.get(owner_id, committed.version - 1)
        if before is None:
            return
        gone = {fact.id for fact in committed.closed}
        fresh = {fact.id: fact for fact in committed.opened}
        kept = [fresh.pop(fact.id, fact) for fact in before if fact.id not in gone]
        doubted = (
            replace(fact, needs_review_since=reviewed[fact.id]) if fact.id in reviewed else fact
            for fact in kept
        )
        self.facts.put(owner_id, committed.version, (*doubted, *fresh.values()))

    def drop(self, owner_id: int) -> None:
        """Take an owner's facts and vectors out of memory."""
        self.facts.drop(owner_id)
        self.vectors.drop(owner_id)
