"""Names for new rows: 32 hexadecimal digits that sort by the time they were made."""

import secrets
import threading
import time

_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A fresh id, greater than every earlier one of this process.

    >>> new_id() < new_id()
    True
    """
    global _last
    with _lock:
        _last = max(_last + 1, time.time_ns())
        return f"{_last:016x}{secrets.token_hex(8)}"
