"""Finding forgotten words: as whole words, in both scripts, however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.longterm.words import Words, strings
from hma.text import normal_form


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Lisbon", "I live in LISBON."),
        ("Lisbon", "Ｌｉｓｂｏｎ！"),
        ("Lisbon", "我住在Lisbon呢"),
        ("Lisbon", "Lisbon's weather"),
        ("the  Green Café", "a green café on the corner"),
        ("New York", "new\n york"),
        ("里斯本", "她搬到里斯本了"),
        ("C++", "writes C++, mostly"),
        ("42", "I am 42"),
        ("!?", "what!?"),
    ],
)
def test_a_value_is_found_however_it_is_written(value: str, text: str) -> None:
    """Case, width, spacing, articles and the script around it don't matter."""
    assert Words([value]).occur_in(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Lisbon", "a Lisbonite"),
        ("42", "in 1942"),
        ("Ana", "banana"),
        ("里斯本", "里斯"),
        ("", "x"),
    ],
)
def test_a_part_of_another_word_is_not_it(value: str, text: str) -> None:
    """Forgetting an age does not blank every number."""
    assert not Words([value]).occur_in(text)


def test_a_document_is_searched_to_its_leaves() -> None:
    """Keys, lists and numbers too."""
    document = {"a": [{"b": ["in Porto"]}], "porto": None, "c": [0.5, 7, True]}
    assert list(strings(document)) == ["a", "b", "in Porto", "porto", "c", "0.5", "7", "true"]


@given(st.text(min_size=1), st.text())
def test_any_value_is_found_between_spaces(value: str, around: str) -> None:
    """No value can break the search or hide from it."""
    found = Words([value]).occur_in(f"{around} {value} {around}")
    assert found or not normal_form(value)
