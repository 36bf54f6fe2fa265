"""The trace of one turn: everything that happened between the text and the reply."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any


def new_id(at: datetime) -> str:
    """An id that sorts by time: 11 hex digits of milliseconds, 12 random ones."""
    return f"{int(at.timestamp() * 1000):011x}{secrets.token_hex(6)}"


class Trace:
    """Collects the facts and the milliseconds of one turn's steps, under one id.

    Only screened text may be put into it: it is stored.
    """

    def __init__(self, at: datetime) -> None:
        self.id = new_id(at)
        self.at = at
        self._steps: dict[str, float] = {}
        self._notes: dict[str, Any] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step; repeated steps (judge and commit, after a conflict) add up."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self._steps[name] = self._steps.get(name, 0.0) + spent

    def note(self, key: str, value: Any) -> None:
        """Record something JSON-ready."""
        self._notes[key] = value

    def document(self) -> dict[str, Any]:
        """The trace as JSON-ready data. `steps` are milliseconds."""
        steps = {name: round(ms, 3) for name, ms in self._steps.items()}
        return {"id": self.id, "at": self.at.isoformat(), **self._notes, "steps": steps}
