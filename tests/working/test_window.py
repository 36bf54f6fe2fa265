"""The window: which turns are looked at, and which are only context."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import InvalidInput
from hma.records import Role, Turn
from hma.working.window import build_window

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
TURNS = st.builds(
    Turn, id=st.just("t"), role=st.sampled_from(Role), text=st.text(max_size=30), at=st.just(NOW)
)


def turn(text: str, role: Role = Role.USER) -> Turn:
    """A turn of today."""
    return Turn(id="t", role=role, text=text, at=NOW)


def test_last_turn_is_new_and_the_rest_is_context() -> None:
    """By default only the last turn is distilled."""
    turns = [turn("I live in Ghent."), turn("Noted: Ghent.", Role.ASSISTANT), turn("I like tea.")]
    window = build_window(turns)
    assert window.turns == tuple(turns)
    assert window.new == 2


def test_context_is_limited_to_the_last_turns() -> None:
    """Older context falls out first."""
    turns = [turn(f"Sentence number {i}") for i in range(20)]
    window = build_window(turns, limit=3)
    assert [item.text for item in window.turns] == [f"Sentence number {i}" for i in range(16, 20)]
    assert window.new == 3


def test_no_context_when_the_limit_is_zero() -> None:
    """A limit of zero leaves the new turns alone."""
    window = build_window([turn("I like tea."), turn("And I bake.")], limit=0)
    assert [item.text for item in window.turns] == ["And I bake."]


def test_noise_and_system_turns_are_no_context() -> None:
    """Greetings, thanks and system text (recalled memory stands there) are left out."""
    turns = [
        turn("You remember: home is Ghent.", Role.SYSTEM),
        turn("ok thanks"),
        turn("嗯嗯 好的"),
        turn("I work nights."),
        turn("I like tea."),
    ]
    window = build_window(turns)
    assert [item.text for item in window.turns] == ["I work nights.", "I like tea."]


def test_new_turns_are_kept_whatever_they_are() -> None:
    """A new turn is never dropped, so offsets and positions stay those of the dialogue."""
    turns = [turn("ok"), turn("Be kind.", Role.SYSTEM), turn("I like tea.")]
    window = build_window(turns, new=3)
    assert window.turns == tuple(turns)
    assert window.new == 0


@pytest.mark.parametrize("new", [0, -1, 3])
def test_impossible_number_of_new_turns_is_an_error(new: int) -> None:
    """Asking for no new turn, or for more than there are, is the caller's mistake."""
    with pytest.raises(InvalidInput, match="new must be"):
        build_window([turn("a"), turn("b")], new=new)


def test_empty_dialogue_is_an_error() -> None:
    """Without turns there is no window."""
    with pytest.raises(InvalidInput):
        build_window([])


@given(st.lists(TURNS, min_size=1, max_size=12), st.integers(0, 5), st.data())
def test_new_turns_survive_in_order(turns: list[Turn], limit: int, data: st.DataObject) -> None:
    """The new turns end the window unchanged, behind at most `limit` others."""
    new = data.draw(st.integers(1, len(turns)))
    window = build_window(turns, limit=limit, new=new)
    assert window.turns[window.new :] == tuple(turns[-new:])
    assert window.new <= limit
