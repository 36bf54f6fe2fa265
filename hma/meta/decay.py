"""Decay policies: what is a fact worth today?

All are functions of the clock at read time, so nothing needs to run in between. Only
preferences fade; identity, instructions, states and events keep their worth. A fact of
weight 0 is dormant, not lost, and revives when the user says it again.
"""

from datetime import datetime, timedelta

from hma.meta.base import Context
from hma.records import Fact
from hma.slots import SlotKind

_DAY = timedelta(days=1)


class NoDecay:
    """Facts keep their full worth."""

    def weight(self, fact: Fact, context: Context) -> float:
        """Always 1."""
        return 1.0


class InactivityDecay:
    """Preferences fade while the user is away.

    Args:
        grace_days: days without the user before anything fades.
        daily: share of the full weight that is lost each day after that, 0 to 1.
        dormant_days: days after the grace at which nothing is left.

    Raises:
        ValueError: an option is negative, or `daily` is above 1.
    """

    def __init__(
        self, *, grace_days: float = 30, daily: float = 0.05, dormant_days: float = 10
    ) -> None:
        if grace_days < 0 or dormant_days < 0 or not 0 <= daily <= 1:
            raise ValueError("needs grace_days >= 0, dormant_days >= 0 and 0 <= daily <= 1")
        self._grace_days = grace_days
        self._daily = daily
        self._dormant_days = dormant_days

    def weight(self, fact: Fact, context: Context) -> float:
        """From 1 down to 0, by the days since the user was here or confirmed the fact."""
        if not _fades(fact, context):
            return 1.0
        seen = fact.confirmed_at
        if context.memory.last_seen is not None:
            seen = max(seen, context.memory.last_seen)
        over = _days(seen, context.now) - self._grace_days
        if over <= 0:
            return 1.0
        if over >= self._dormant_days:
            return 0.0
        return max(0.0, 1.0 - self._daily * over)


class HalfLifeDecay:
    """Preferences lose half their worth each `half_life` of their slot since they were
    last confirmed; a slot without one does not fade.

    Args:
        dormant_below: weight under which a fact is dormant (0), 0 to 1.

    Raises:
        ValueError: `dormant_below` is out of range.
    """

    def __init__(self, *, dormant_below: float = 0.05) -> None:
        if not 0 <= dormant_below <= 1:
            raise ValueError("needs 0 <= dormant_below <= 1")
        self._dormant_below = dormant_below

    def weight(self, fact: Fact, context: Context) -> float:
        """From 1 down to 0, by the days since the fact was confirmed."""
        if not _fades(fact, context):
            return 1.0
        half_life = context.slots[fact.attribute].half_life
        if half_life <= 0:
            return 1.0
        weight: float = 0.5 ** (_days(fact.confirmed_at, context.now) / half_life)
        return weight if weight >= self._dormant_below else 0.0


def _fades(fact: Fact, context: Context) -> bool:
    slot = context.slots.get(fact.attribute)
    return slot is not None and slot.kind is SlotKind.PREFERENCE


def _days(since: datetime, now: datetime) -> float:
    """Days from `since` to `now`; a clock that was set back counts as no time."""
    return max(0.0, (now - since) / _DAY)
