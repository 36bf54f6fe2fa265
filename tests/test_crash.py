"""Killing the process at any moment loses nothing that was acknowledged."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from hma.bootstrap import open_index, open_store
from hma.records import Owner
from hma.settings import Settings

# Talks for ever, and prints each fact once `chat` has returned: that is the acknowledgement.
# The model says nothing and the rules distil, so that many turns fit between two kills; the
# paths that write are the same.
_TALKER = """
import sys
from hma.agent import Agent
from hma.bootstrap import wire
from hma.settings import Settings
from hma.testing.scripted import ScriptedModel

start, data = int(sys.argv[1]), sys.argv[2]
agent = Agent(wire(Settings(data=data), model=ScriptedModel(["[]"] * 200)))
for number in range(start, start + 200):
    agent.chat(f"I love dish{number}.", user="ana")
    print(number, flush=True)
"""


def _talk_and_kill(start: int, data: Path, after: float) -> list[int]:
    """Let the talker run for `after` seconds once it is under way, then SIGKILL it."""
    command = [sys.executable, "-c", _TALKER, str(start), str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as talker:
        assert talker.stdout is not None
        first = talker.stdout.readline()  # the first turn also warms up
        time.sleep(after)
        os.kill(talker.pid, signal.SIGKILL)
        return [int(line) for line in (first + talker.stdout.read()).split()]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_ten_kills_lose_nothing_acknowledged(tmp_path: Path) -> None:
    """After each restart every acknowledged fact is there, and store and index agree."""
    seed = 20261129
    rng = random.Random(seed)
    settings = Settings(data=tmp_path)
    acknowledged: set[int] = set()
    for round_ in range(10):
        start = 1000 * (round_ + 1)
        acknowledged |= set(_talk_and_kill(start, tmp_path, rng.uniform(0.0, 4.0)))
        with open_store(settings) as store:
            memory = store.of(Owner("ana"))
            held = {fact.value for fact in memory.snapshot().facts}
            lost = {n for n in acknowledged if f"dish{n}" not in held}
            assert lost == set(), f"seed {seed}, round {round_}"
            index = open_index(settings, store)
            assert index is not None
            index.catch_up()
            assert index.agrees(), f"seed {seed}, round {round_}"
            index.close()
    assert len(acknowledged) >= 20


@pytest.mark.slow
def test_two_processes_of_one_user_lose_no_update(tmp_path: Path) -> None:
    """Both commands succeed, every fact is there once, and nobody sees a locked database."""
    words = [[f"I love left{n}." for n in range(15)], [f"I love right{n}." for n in range(15)]]
    command = [sys.executable, "-m", "hma", "--data", str(tmp_path), "chat", "--user", "ana"]
    with ExitStack() as stack:
        chats = [
            stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
            )
            for _ in words
        ]
        for chat, lines in zip(chats, words, strict=True):
            assert chat.stdin is not None
            chat.stdin.write("\n".join(lines))
            chat.stdin.close()
        said = [chat.stdout.read() if chat.stdout else "" for chat in chats]
        assert [chat.wait() for chat in chats] == [0, 0], said
    listed = subprocess.run(
        [
            sys.executable,
            "-m",
            "hma",
            "--data",
            str(tmp_path),
            "facts",
            "list",
            "--user",
            "ana",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    values = [fact["value"] for fact in json.loads(listed.stdout)]
    assert sorted(values) == sorted(f"{side}{n}" for side in ("left", "right") for n in range(15))
