"""Turns: kept, queued, never changed."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from hma.errors import InvalidInput
from hma.records import (
    Role,
    Turn,
)


def test_a_turn_waits_until_it_is_distilled(ana: Any) -> None:
    """The user's turns are queued; the assistant's are only kept."""
    first = ana.say("I moved to Porto.")
    ana.say("Noted.", role=Role.ASSISTANT)
    second = ana.say("搬到波尔图了")
    assert ana.memory.queued() == (first, second)
    assert [turn.role for turn in ana.memory.recent(2)] == [Role.ASSISTANT, Role.USER]
    ana.commit(distilled=[first.id])
    assert ana.memory.queued() == (second,)
    assert ana.memory.snapshot().version == 0


def test_a_turn_appended_twice_is_kept_once(ana: Any, clock: Any) -> None:
    """A retry after a crash changes nothing, neither the text nor when the user was seen."""
    turn = ana.say("hello")
    clock.move(hours=1)
    ana.say("again")
    ana.memory.append(replace(turn, text="other"))
    assert [turn.text for turn in ana.memory.recent(9)] == ["hello", "again"]
    assert ana.memory.snapshot().last_seen == turn.at


@pytest.mark.parametrize(
    "text", ["", "x" * 100_000, "👩‍👩‍👧‍👦 \u202eabc\u202c \x07", "é" * 10_000, "\r\n"]
)
def test_odd_but_storable_text_comes_back_as_it_was(ana: Any, text: str) -> None:
    """Length, emoji, control and direction marks are no trouble."""
    ana.say(text)
    assert ana.memory.recent(1)[0].text == text


@pytest.mark.parametrize("text", ["a\0b", "half \ud83d", "x" * 1_000_001])
def test_text_that_cannot_be_stored_is_refused_whole(ana: Any, text: str) -> None:
    """A clear error, and the store as it was."""
    with pytest.raises(InvalidInput):
        ana.say(text)
    with pytest.raises(InvalidInput):
        ana.memory.save_trace("t", ana.clock(), {"deep": [{"er": text}]})
    assert ana.memory.recent(9) == ()


def test_a_time_without_a_zone_is_refused(ana: Any) -> None:
    """Nobody can say when it was."""
    with pytest.raises(InvalidInput):
        ana.memory.append(Turn("t", Role.USER, "hi", datetime(2026, 1, 1)))


def test_last_seen_is_the_turn_before_the_newest(ana: Any, clock: Any) -> None:
    """So the turn being answered does not count as the user's last sign of life."""
    ana.say("one")
    assert ana.memory.snapshot().last_seen is None
    before = clock()
    clock.move(days=40)
    ana.say("reply", role=Role.ASSISTANT)
    ana.say("two")
    assert ana.memory.snapshot().last_seen == before
