"""Several writers at once, and processes killed in the middle of their work."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hma.errors import NotFound, StoreError
from hma.longterm.store import SqlStore
from hma.longterm.tables import change_log
from hma.records import Owner, Question

ROOT = Path(__file__).parents[2]


def writer(url: str, name: str, *, threads: int, times: int) -> "subprocess.Popen[str]":
    """A process that counts up in Ana's memory."""
    command = [sys.executable, "-m", "tests.longterm.store_writer", url, name]
    command += [str(threads), str(times)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def check(store: SqlStore) -> None:
    """The file is sound, and every fact has its orders for the index."""
    with store._shared.database.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        orders = connection.execute(change_log.select()).all()
    upserts = [row.fact_id for row in orders if row.kind == "upsert"]
    history = store.of(Owner("ana")).history()
    assert upserts == [fact.id for fact in history]
    assert [fact.value for fact in history] == [str(n + 1) for n in range(len(history))]


def test_writers_in_threads_and_processes_lose_no_update(
    url: str, open_store: Callable[..., SqlStore]
) -> None:
    """Two processes of two threads count to a hundred; nobody sees a locked database."""
    processes = [writer(url, name, threads=2, times=25) for name in ("a", "b")]
    printed = [process.communicate(timeout=120)[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    store = open_store()
    snapshot = store.of(Owner("ana")).snapshot()
    assert [fact.value for fact in snapshot.facts] == ["100"]
    assert snapshot.version == 100
    told = {fact_id for lines in printed for fact_id in lines}
    assert told == {fact.id for fact in store.of(Owner("ana")).history()}
    check(store)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_killed_process_loses_nothing_that_was_acknowledged(
    url: str, open_store: Callable[..., SqlStore], seed: int
) -> None:
    """SIGKILL at a random moment: all printed ids are there, and nothing is half-written."""
    pause = random.Random(seed).uniform(0.05, 0.6)
    process = writer(url, "a", threads=1, times=100_000)
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(pause)
    process.kill()
    acknowledged = (first + process.stdout.read()).split()
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    store = open_store()
    check(store)
    memory = store.of(Owner("ana"))
    assert {*acknowledged} <= {fact.id for fact in memory.history()}
    assert len(memory.queued()) <= 1
    again: Any = memory.snapshot()
    assert again.version == len(memory.history())


def test_a_full_disk_is_a_typed_error_and_leaves_the_store_whole(store: SqlStore, ana: Any) -> None:
    """Nothing is half-written, no word of the user is in the message, and it goes on after."""
    ana.learn("home", "Porto")
    database = store._shared.database
    with database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match="disk is full") as caught:
        ana.memory.save_trace("big", ana.clock(), {"text": "my secret " * 10_000})
    assert "secret" not in str(caught.value)
    with pytest.raises(NotFound):
        ana.memory.trace("big")
    with database.reading() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    ana.memory.save_trace("big", ana.clock(), {"text": "my secret " * 10_000})
    assert ana.values("home") == ["Porto"]


def test_a_row_that_the_database_refuses_is_not_quoted(ana: Any) -> None:
    """Two questions of one id: a fault of a policy, reported without the user's words."""
    candidate = ana.candidate(ana.say("my secret home"), "home", "my secret home")
    question = Question("twice", candidate, (), ana.clock())
    with pytest.raises(StoreError) as caught:
        ana.commit(questions=[question, question])
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert ana.memory.snapshot().version == 0
