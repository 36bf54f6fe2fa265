"""Time as an argument: everything that needs the time is given a `Clock`."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The current time, timezone-aware, in UTC."""
    return datetime.now(UTC)
