"""Text functions that every tier relies on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.text import language_of, normal_form, terms


@given(st.text() | st.lists(st.sampled_from(["the", "a", ".", "x", "　", "Ä"])).map(" ".join))
def test_the_normal_form_is_stable(text: str) -> None:
    """Normalising twice changes nothing: equal values stay equal."""
    once = normal_form(text)
    assert normal_form(once) == once


@given(st.text())
def test_terms_never_fail_and_are_never_empty(text: str) -> None:
    """Any Unicode gives terms, none of them empty."""
    assert all(terms(text))


@pytest.mark.parametrize(
    ("text", "language"),
    [("Where do I live?", "en"), ("我住在哪里？", "zh"), ("我 base 在 Berlin", "zh"), ("", "en")],
)
def test_the_language_is_the_one_that_carries_the_text(text: str, language: str) -> None:
    """A borrowed word does not change the language of a sentence."""
    assert language_of(text) == language
