"""What the user wants, in the user's own words."""

from datetime import UTC, datetime

import pytest

from hma.records import Role, Turn, Window
from hma.working.intent import REQUESTED, STATED, intent_of

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def window(*turns: tuple[Role, str], new: int = 0) -> Window:
    """A window of turns."""
    return Window(tuple(Turn("t", role, text, NOW) for role, text in turns), new)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("I just moved. Where can I find a dentist?", "Where can I find a dentist?"),
        ("Book me a table for two, I'm starving.", "Book me a table for two,"),
        ("We have guests tonight. Please suggest a dessert.", "Please suggest a dessert."),
        ("我刚搬家，帮我找个牙医", "帮我找个牙医"),
        ("明天会下雨吗？", "明天会下雨吗？"),
        ("我对花生过敏，以后别再推荐花生酱", "以后别再推荐花生酱"),
        ("Don't call me at work.", "Don't call me at work."),
    ],
)
def test_clause_that_asks_is_the_intent(text: str, intent: str) -> None:
    """A question or a request is found among statements, in both languages."""
    found = intent_of(window((Role.USER, text)))
    assert found is not None
    assert found.value == found.evidence.quote == intent
    assert text[found.evidence.start : found.evidence.end] == intent
    assert found.confidence >= REQUESTED


def test_statement_is_a_weak_intent() -> None:
    """A turn that only tells has its first clause as intent, with low confidence."""
    found = intent_of(window((Role.USER, "I moved to Ghent.")))
    assert found is not None
    assert found.confidence == STATED


def test_last_user_turn_counts() -> None:
    """Earlier turns and other speakers don't."""
    seen = window(
        (Role.USER, "What time is it?"), (Role.USER, "Show me my notes"), (Role.ASSISTANT, "Which?")
    )
    found = intent_of(seen)
    assert found is not None
    assert found.value == "Show me my notes"


@pytest.mark.parametrize("text", ["", "ok thanks", "😀", "嗯嗯"])
def test_noise_has_no_intent(text: str) -> None:
    """Nothing is wanted from a greeting or a laugh."""
    assert intent_of(window((Role.USER, text))) is None


def test_no_user_turn_no_intent() -> None:
    """A tool's result wants nothing."""
    assert intent_of(window((Role.USER, "What time is it?"), (Role.TOOL, "12:00"), new=1)) is None
