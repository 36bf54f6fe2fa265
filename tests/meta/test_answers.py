"""Understanding what a user answers to a question with an old and a new side."""

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.meta.answers import understand
from hma.records import Answer
from hma.testing.samples import a_candidate, a_fact

LABELS = (*Answer, "none")
QUESTIONS = tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(question, text, str(label), id=f"{question['attribute']}-{label}-{text}")
    for question in QUESTIONS["questions"]
    for label in LABELS
    for text in question.get(label, ())
]


def meaning(text: str, question: dict[str, Any] = QUESTIONS["questions"][0]) -> str:
    """How `text` answers `question`, by default whether home is now Porto and not Lisbon."""
    attribute, (was, becomes) = question["attribute"], question.get("polarities", "++")
    old = [a_fact(value, attribute, value, was) for value in question["old"]]
    value = next((value for value in question["new"] if value in text), question["new"][0])
    answer = understand(text, old, a_candidate(attribute, value, becomes))
    return answer.value if answer else "none"


@pytest.mark.parametrize(("question", "text", "label"), CASES)
def test_labelled_answers(question: dict[str, Any], text: str, label: str) -> None:
    """Each labelled text means what a person reads in it, in English and Chinese."""
    assert meaning(text, question) == label


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("yes", None),
        ("I do", True),
        ("I do like it", True),
        ("I love coffee", True),
        ("no, I like it", True),
        ("我喜欢", True),
        ("我还是喜欢咖啡", True),
        ("I don't", False),
        ("No, I don't like it", False),
        ("yes, I hate it", False),
        ("I can't stand coffee anymore", False),
        ("我不喜欢", False),
        ("我讨厌它", False),
        ("我不讨厌它", True),
    ],
)
@pytest.mark.parametrize("polarity", ["+", "-"])
def test_answers_about_one_object(text: str, affirmed: bool | None, polarity: str) -> None:
    """Where the sides differ in polarity alone, an opinion picks the side that holds it; a
    plain yes is still the second side."""
    opposite = {"+": "-", "-": "+"}[polarity]
    value = "咖啡" if "咖啡" in text else "coffee"
    old = [a_fact("f1", "likes", value, opposite)]
    second = affirmed is None or affirmed is (polarity == "+")
    answer = understand(text, old, a_candidate("likes", value, polarity))
    assert answer is (Answer.SECOND if second else Answer.FIRST)


def test_a_value_inside_the_other_is_told_apart() -> None:
    """ "New York City" is the second side, "New York" the first."""
    old, new = [a_fact("f1", "home", "New York")], a_candidate("home", "New York City")
    assert understand("New York City", old, new) is Answer.SECOND
    assert understand("it's New York", old, new) is Answer.FIRST


def test_a_value_with_a_comma_may_be_cut_short() -> None:
    """ "Porto" answers for "Porto, Portugal"."""
    old, new = [a_fact("f1", "home", "Faro")], a_candidate("home", "Porto, Portugal")
    assert understand("Porto", old, new) is Answer.SECOND
    assert understand("it's Porto, Portugal", old, new) is Answer.SECOND


def test_a_word_that_holds_a_value_is_no_answer() -> None:
    """ "Ana" does not occur in "banana"."""
    old, new = [a_fact("f1", "name", "Bo")], a_candidate("name", "Ana")
    assert understand("banana", old, new) is None
    assert understand("it's Ana", old, new) is Answer.SECOND


def test_invisible_characters_change_nothing() -> None:
    """Zero-width and combining marks don't hide an answer, nor forge one."""
    assert meaning("y\u200bes") == "second"
    assert meaning("\u202eno") == "first"
    assert meaning("\ue002") == "none"


@given(st.text())
def test_any_text_is_an_answer_or_nothing(text: str) -> None:
    """No text raises."""
    assert meaning(text) in {*Answer, "none"}


@given(st.text(alphabet="ab ,.不是第一个yesno\"'()?", max_size=60), st.text(max_size=20))
def test_any_value_can_stand_in_a_question(text: str, value: str) -> None:
    """Values are data, not patterns: brackets, stars and blanks in them are harmless."""
    understand(text, [a_fact("f1", "home", value)], a_candidate("home", f"{value}(+*"))


@pytest.mark.parametrize(
    "text",
    [
        "yes " * 50_000,
        "不" * 100_000,
        "still " * 30_000,
        "right, " * 30_000,
        '"' * 100_000,
        "a " * 50_000,
        "that is not right " * 5_000 + "?",
        "去年" * 50_000 + "波尔图x",
        "no no not right " * 5_000,
    ],
    ids=["yes", "不", "still", "right", "quotes", "words", "not", "去年", "no"],
)
def test_long_text_is_read_fast(text: str) -> None:
    """100,000 characters cost no more than a glance at their head."""
    started = time.perf_counter()
    meaning(text)
    assert time.perf_counter() - started < 0.5
