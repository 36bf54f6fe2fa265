"""Asking: when, what, and in which words."""

from datetime import timedelta, timezone

import pytest

from hma.meta.asking import PatientAsking
from hma.meta.wording import question_text
from hma.records import Answer, Fact, Question, Snapshot, Source
from hma.testing.policies import AskingConformance
from hma.testing.samples import (
    DAY,
    NOW,
    SLOTS,
    a_candidate,
    a_context,
    a_fact,
    a_memory,
    a_question,
)

LISBON = a_fact("lisbon", "home", "Lisbon", at=NOW.replace(month=5, day=3))
COFFEE = a_fact("coffee", "likes", "coffee")
HOME = a_question(a_candidate("home", "Porto"), "lisbon", id="home")
LIKES = a_question(a_candidate("likes", "coffee", "-"), "coffee", id="likes")


class TestPatientAsking(AskingConformance):
    """The shipped policy keeps what every asking policy must keep."""

    def policy(self) -> PatientAsking:
        """With its defaults."""
        return PatientAsking()


def memory(since: int | None = None) -> Snapshot:
    """A memory in which the last question was asked `since` turns ago."""
    return a_memory(LISBON, COFFEE, turns_since_question=since)


# --- when and what -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "asks"), [(None, True), (0, False), (1, False), (2, False), (3, True), (50, True)]
)
def test_at_most_one_question_every_few_turns(since: int | None, asks: bool) -> None:
    """A new clash is asked at once only when none was asked just before."""
    chosen = PatientAsking().choose([HOME], a_context(memory(since)))
    assert (chosen == HOME) is asks


def test_the_most_valuable_comes_first() -> None:
    """Where someone lives matters more than whether he likes coffee."""
    assert PatientAsking().choose([LIKES, HOME], a_context(memory())) == HOME


def test_among_equals_the_surer_then_the_older() -> None:
    """Confidence decides, then age, whatever the order of the list."""
    old = a_question(a_candidate("home", "Porto"), "lisbon", id="a", created_at=NOW - 3 * DAY)
    sure = a_question(a_candidate("home", "Faro", confidence=0.99), "lisbon", id="b")
    for questions in ([old, HOME, sure], [sure, HOME, old]):
        assert PatientAsking().choose(questions, a_context(memory())) == sure
    for questions in ([old, HOME], [HOME, old]):
        assert PatientAsking().choose(questions, a_context(memory())) == old


def test_an_asked_question_is_never_repeated() -> None:
    """Without an answer it stays open in silence."""
    asked = a_question(a_candidate("home", "Porto"), "lisbon", asked_at=NOW - DAY)
    assert PatientAsking().choose([asked], a_context(memory(20))) is None


def test_a_question_expires() -> None:
    """After two weeks, or as many days as the option says."""
    assert PatientAsking().expires(NOW) == NOW + 14 * DAY
    assert PatientAsking(expires_days=15).expires(NOW) == NOW + 15 * DAY


def test_a_question_must_be_worth_it() -> None:
    """Below `min_worth` nobody is bothered."""
    assert PatientAsking(min_worth=0.5).choose([LIKES], a_context(memory())) is None
    assert PatientAsking(min_worth=0.3).choose([LIKES], a_context(memory())) == LIKES


def test_a_question_of_an_unknown_slot_is_not_asked() -> None:
    """The slot left the table since."""
    gone = a_question(a_candidate("shoe_size", "43"), "lisbon")
    assert PatientAsking().choose([gone], a_context(memory())) is None


@pytest.mark.parametrize(
    ("since", "answer"),
    [(0, Answer.SECOND), (1, Answer.SECOND), (None, Answer.SECOND), (2, None), (9, None)],
)
def test_only_the_next_turns_can_answer(since: int | None, answer: Answer | None) -> None:
    """A "yes" ten turns later is about something else."""
    assert PatientAsking().interpret("yes", HOME, a_context(memory(since))) is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I live in Porto", Answer.SECOND),
        ("I still live in Lisbon", Answer.FIRST),
        ("我住在Porto", Answer.SECOND),
        ("Porto", None),
        ("the second", None),
        ("My aunt lives in Porto", None),
        ("Flights to Porto, please", None),
    ],
)
def test_a_side_that_is_stated_later_answers_too(text: str, answer: Answer | None) -> None:
    """What needs no question to be understood settles it, however late."""
    assert PatientAsking().interpret(text, HOME, a_context(memory(5))) is answer


def test_options_out_of_range() -> None:
    """Negative options are refused when the policy is made."""
    with pytest.raises(ValueError, match="negative"):
        PatientAsking(min_turns_between=-1)


# --- in which words ------------------------------------------------------------------


def ask(question: Question, *facts: Fact, language: str = "en") -> str:
    """The question in words."""
    return question_text(question, facts, SLOTS, language)


def test_english_wording() -> None:
    """Both sides with date and number, and how to answer."""
    assert ask(HOME, LISBON, COFFEE) == (
        "You told me on 3 May 2026 that you live in Lisbon (1), but now I hear that you live "
        "in Porto (2). Is (2) right now: yes, no, both or neither?"
    )


def test_chinese_wording() -> None:
    """The same, in Chinese."""
    home = a_fact("lisbon", "home", "里斯本", at=LISBON.confirmed_at)
    question = a_question(a_candidate("home", "波尔图"), "lisbon")
    assert ask(question, home, language="zh") == (
        "2026年5月3日你告诉我你住在里斯本（1），而现在我听到的是你住在波尔图（2）。"
        "现在（2）对吗？（是、不是、都对、都不对）"
    )


def test_wording_of_a_polarity() -> None:
    """Likes read like a sentence, with and without the not."""
    assert "that you like coffee (1), but now I hear that you don't like coffee (2)" in ask(
        LIKES, COFFEE
    )
    assert "你不喜欢coffee（2）" in ask(LIKES, COFFEE, language="zh")


def test_wording_about_somebody_else() -> None:
    """A friend's fact names the friend; what was not said by the user is not put into his
    mouth."""
    age = a_fact("age", "age", "38", subject="Maria", source=Source.TOOL)
    question = a_question(a_candidate("age", "39", subject="Maria"), "age")
    text = ask(question, age)
    assert text.startswith("I noted on ")
    assert "that Maria's age is 38 (1), but now I hear that Maria's age is 39 (2)" in text
    assert "Maria的年龄是39（2）" in ask(question, age, language="zh")


def test_wording_against_two_facts() -> None:
    """Several old values stand together on the first side."""
    other = a_fact("faro", "home", "Faro", at=LISBON.confirmed_at)
    question = a_question(a_candidate("home", "Porto"), "lisbon", "faro")
    text = ask(question, LISBON, other)
    assert "live in Lisbon and on 3 May 2026 that you live in Faro (1)" in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("attribute", [*SLOTS, "shoe_size"])
@pytest.mark.parametrize("polarity", ["+", "-"])
def test_every_slot_can_be_worded(attribute: str, language: str, polarity: str) -> None:
    """Both values stand in the question, whatever the slot."""
    question = a_question(a_candidate(attribute, "Bravo", polarity), "f1")
    text = ask(question, a_fact("f1", attribute, "Alpha"), language=language)
    assert 0 < text.index("Alpha") < text.index("Bravo")


def test_values_are_shown_as_data() -> None:
    """A value is one line, not endless, and never a template or a format."""
    value = "{{ 7 * 7 }}\n%s " + "x" * 500
    text = ask(a_question(a_candidate("home", value), "lisbon"), LISBON)
    assert "{{ 7 * 7 }} %s xxx" in text
    assert "\n" not in text
    assert len(text) < 400


def test_dates_are_in_the_users_zone() -> None:
    """Late in the evening in UTC it is the next day in Shanghai."""
    late = a_fact("lisbon", "home", "Lisbon", at=NOW.replace(hour=23))
    zone = timezone(timedelta(hours=8))
    assert "16 June 2026" in question_text(HOME, [late], SLOTS, "en", zone=zone)
