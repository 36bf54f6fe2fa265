"""A process of its own that counts upwards in one user's memory until it is stopped.

Usage: python -m tests.longterm.store_writer URL NAME THREADS COUNT
It prints a line for each commit that the store has acknowledged: the fact's id.
"""

import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from hma.errors import VersionConflict
from hma.longterm.memory import SqlMemory
from hma.longterm.store import SqlStore
from hma.models.base import Vector
from hma.records import (
    Candidate,
    Decision,
    Effect,
    Judgement,
    Owner,
    Polarity,
    Role,
    Span,
    Status,
    Turn,
    Verdict,
)
from hma.slots import Slots


class FlatEmbedder:
    """The same vector for everything: these tests don't compare."""

    name = "flat"
    dimension = 8

    def query(self, text: str) -> Vector:
        """The vector."""
        rows = self.passages([text])
        return np.asarray(rows[0])

    def passages(self, texts: Sequence[str]) -> Vector:
        """The vector, for each text."""
        return np.full((len(texts), 8), 8**-0.5, dtype=np.float32)


def count_up(memory: SqlMemory, name: str, times: int) -> None:
    """Read the number, add one, commit; judge again when somebody was faster."""
    for number in range(times):
        turn = Turn(f"{name}-{number}", Role.USER, "one more", datetime.now(UTC))
        memory.append(turn)
        while not _commit(memory, turn):
            pass


def _commit(memory: SqlMemory, turn: Turn) -> bool:
    snapshot = memory.snapshot()
    old = snapshot.facts[0] if snapshot.facts else None
    value = str(int(old.value) + 1 if old else 1)
    span = Span(0, 0, len(turn.text), turn.text, turn.id)
    candidate = Candidate("user", "age", value, Polarity.POSITIVE, Status.CORRECTED, span, 0.9)
    against = (old.id,) if old else ()
    decision = Decision(candidate, Verdict.ADMIT, Effect.SUPERSEDE, against, "p", "r")
    judgement = Judgement(snapshot.version, (decision,))
    try:
        done = memory.commit(judgement, distilled=[turn.id], at=turn.at)
    except VersionConflict:
        return False
    # one write: print() writes the line's end by itself, and threads share the stream
    sys.stdout.write(f"{done.opened[0].id}\n")
    sys.stdout.flush()
    return True


def main(url: str, name: str, threads: str, times: str) -> None:
    """Run the threads to their end; a failure in one fails the process."""
    failures: list[BaseException] = []
    with SqlStore.open(url, embedder=FlatEmbedder(), slots=Slots.load()) as store:
        memory = store.of(Owner("ana"))

        def run(thread: int) -> None:
            try:
                count_up(memory, f"{name}-{thread}", int(times))
            except BaseException as error:
                failures.append(error)
                raise

        workers = [threading.Thread(target=run, args=(n,)) for n in range(int(threads))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    sys.exit(len(failures))


if __name__ == "__main__":
    main(*sys.argv[1:])
