"""The mood of the new turns, with the words that show it."""

from datetime import UTC, datetime

import pytest

from hma.records import Mood, Role, Turn, Window
from hma.working.sentiment import sentiment_of

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def window(*turns: tuple[Role, str], new: int = 0) -> Window:
    """A window of turns."""
    return Window(tuple(Turn("t", role, text, NOW) for role, text in turns), new)


@pytest.mark.parametrize(
    ("text", "mood", "quote"),
    [
        ("This is urgent and I hate waiting", Mood.URGENT, "urgent"),
        ("I'm so disappointed, it was great before", Mood.NEGATIVE, "disappointed"),
        ("That's wonderful, can't wait!", Mood.POSITIVE, "wonderful"),
        ("I'm not happy with this", Mood.NEGATIVE, "not happy"),
        ("我真的受不了了", Mood.NEGATIVE, "受不了"),
        ("赶紧帮我看看，急死我了", Mood.URGENT, "赶紧"),
        ("太好了，我很开心", Mood.POSITIVE, "太好了"),
        ("我不太满意", Mood.NEGATIVE, "不太满意"),
    ],
)
def test_mood_comes_with_its_words(text: str, mood: Mood, quote: str) -> None:
    """Urgent beats negative beats positive; the evidence is verbatim; denial turns it."""
    found = sentiment_of(window((Role.USER, text)))
    assert found is not None
    assert found.evidence is not None
    assert (found.value, found.evidence.quote) == (mood, quote)
    assert text[found.evidence.start : found.evidence.end] == quote


@pytest.mark.parametrize(
    "text", ["I moved to Ghent.", "It's not urgent.", "我住在上海", "", "lovely"]
)
def test_plain_talk_is_neutral(text: str) -> None:
    """No mood word, a denied urgency, or a mood word inside another word: neutral."""
    found = sentiment_of(window((Role.USER, text)))
    assert found is not None
    assert found.value is Mood.NEUTRAL
    assert found.evidence is None


def test_only_new_user_turns_count() -> None:
    """What the assistant or the context said is not the user's mood now."""
    seen = window((Role.USER, "I hate this"), (Role.ASSISTANT, "Great!"), (Role.USER, "ok"), new=1)
    found = sentiment_of(seen)
    assert found is not None
    assert found.value is Mood.NEUTRAL
    assert sentiment_of(window((Role.ASSISTANT, "Great!"))) is None
