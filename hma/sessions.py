"""What an agent keeps in RAM of each conversation. All of it can be made again from the store."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from hma.records import Owner


@dataclass(slots=True)
class Session:
    """One owner's conversation with this process.

    Attributes:
        lock: turns of one owner are taken one after the other.
        heard: the raw tail of the user's last messages, for numbers that are split over
            several; None when this process has heard none yet.
        behind: whether turns may wait in the store that are not distilled yet.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    heard: str | None = None
    behind: bool = True


class Sessions:
    """Sessions by owner, at most `capacity` of them: the longest unused goes first.

    Losing one is safe: the next turn looks into the store again, and the store's version
    check keeps two turns of one owner apart.
    """

    def __init__(self, capacity: int = 10_000) -> None:
        self._capacity = capacity
        self._sessions: OrderedDict[Owner, Session] = OrderedDict()
        self._guard = threading.Lock()

    def of(self, owner: Owner) -> Session:
        """The session of `owner`, a new one if there is none."""
        with self._guard:
            session = self._sessions.setdefault(owner, Session())
            self._sessions.move_to_end(owner)
            if len(self._sessions) > self._capacity:
                self._sessions.popitem(last=False)
            return session
