"""The cues that plain code sees in a clause."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.working.cues import CUES, cues, has_cue


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("change", "I moved to Porto"),
        ("change", "we switched to tea"),
        ("change", "我换了工作"),
        ("correction", "no wait, I meant Porto"),
        ("correction", "我说错了，应该是周五"),
        ("hedge", "maybe I'll go"),
        ("hedge", "我可能去"),
        ("negation", "I don't eat fish"),
        ("negation", "我不吃鱼"),
        ("condition", "if I lived there"),
        ("condition", "除非我主动问"),
        ("quote", 'she said "hi there"'),
        ("quote", "他说住在北京"),
        ("question", "do I like it?"),
        ("question", "我喜欢吗"),
        ("third_party", "my friend lives there"),
        ("third_party", "我朋友住那儿"),
        ("fiction", "in my novel I am king"),
        ("fiction", "小说里我是国王"),
        ("joke", "just kidding"),
        ("joke", "开玩笑的"),
        ("past", "I used to smoke"),
        ("past", "我以前抽烟"),
        ("temporary", "I'm in Rome today"),
        ("temporary", "我这周在罗马"),
        ("weak", "I've been drinking oat lattes lately"),
        ("weak", "最近在跑步"),
    ],
)
def test_each_cue_in_both_languages(name: str, text: str) -> None:
    """Every kind of cue is seen in English and in Chinese."""
    assert name in cues(text, text)


@pytest.mark.parametrize(
    "text", ["I live in Oslo", "My cat is called Miso", "In May we met", "我叫陈思远", "我住在杭州"]
)
def test_plain_statements_have_no_cue(text: str) -> None:
    """A plain statement is free of cues; the month May is no hedge."""
    assert cues(text, text) == ()


def test_conditions_reach_over_clauses() -> None:
    """A condition in the sentence is a cue of its other clauses too; a hedge is not."""
    assert cues("I live in Oslo", "If I may guess, I live in Oslo") == ("condition",)


def test_a_clause_inside_quotation_marks_is_quoted() -> None:
    """Where the sentence quotes, the clause within is quoted."""
    assert "quote" in cues("I win", 'It says "well, I win" there')


@given(st.text(max_size=200), st.text(max_size=200))
def test_cues_are_known_names_in_order(clause: str, sentence: str) -> None:
    """For any text the answer is a sorted selection of `CUES`."""
    found = cues(clause, sentence)
    assert list(found) == sorted(set(found))
    assert set(found) <= set(CUES)


def test_has_cue_asks_for_one() -> None:
    """One cue can be asked for by name."""
    assert has_cue("joke", "lol jk")
    assert not has_cue("joke", "lol")
