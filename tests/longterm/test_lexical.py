"""Words in two languages, and how well a few short documents match them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.longterm.recall.lexical import TermIndex
from hma.longterm.recall.lexicon import Lexicon, mentions, stem

LEXICON = Lexicon.load()

texts = st.text(alphabet=st.sampled_from("ab cat 我的猫爱吃鱼，。Ａ’é\u200b🙂\n"), max_size=40)


@pytest.mark.parametrize(
    ("one", "other"),
    [("cats", "cat"), ("running", "run"), ("allergies", "allergy"), ("café", "cafe")],
)
def test_word_forms_share_a_stem(one: str, other: str) -> None:
    """Plurals, -ing forms and accents don't keep words apart."""
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other", "concept"),
    [
        ("my cat", "我的猫", "@cat"),
        ("shrimp", "我对虾过敏", "@seafood"),
        ("my older sister", "我姐姐", "@sister"),
        ("coffee", "咖啡", "@coffee"),
    ],
)
def test_words_of_two_languages_meet_in_a_concept(one: str, other: str, concept: str) -> None:
    """A question in one language finds what was said in the other."""
    assert concept in LEXICON.terms(one)
    assert concept in LEXICON.terms(other)


def test_grammar_is_no_content() -> None:
    """Questions made of grammar alone have no terms, in either language."""
    assert LEXICON.terms("What do I have?") == []
    assert LEXICON.terms("我喜欢什么？") == []


def test_full_width_letters_are_letters() -> None:
    """Full-width and mixed text gives the same terms as plain text."""
    assert LEXICON.terms("Ｌｉｓｂｏｎ的天气") == LEXICON.terms("lisbon的天气")


@given(texts)
def test_any_text_gives_terms(text: str) -> None:
    """Terms are never empty strings, whatever the text."""
    assert all(LEXICON.terms(text))


@given(texts, st.text(alphabet="cat猫 ", max_size=4))
def test_a_value_in_its_own_sentence_is_mentioned(text: str, value: str) -> None:
    """A value between spaces stands there; an empty one never does."""
    assert mentions(f"{text} {value.strip()} {text}", value) == bool(value.strip())


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=8))
def test_scores_lie_between_0_and_1(documents: list[list[str]]) -> None:
    """Every document that shares a term scores in (0, 1]; the others are left out."""
    scores = TermIndex(documents).scores(["a", "b"])
    assert set(scores) == {n for n, words in enumerate(documents) if {"a", "b"} & set(words)}
    assert all(0 < score <= 1 for score in scores.values())


def test_rare_words_count_more() -> None:
    """Of two documents with one shared word each, the rarer word wins."""
    index = TermIndex([["plan", "oslo"], ["plan", "rome"], ["plan", "gym"]])
    scores = index.scores(["plan", "oslo"])
    assert scores[0] > 2 * scores[1]


def test_nothing_is_found_in_nothing() -> None:
    """No documents and no query are fine."""
    assert TermIndex([]).scores(["a"]) == {}
    assert TermIndex([["a"]]).scores([]) == {}
