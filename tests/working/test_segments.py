"""Sentences and clauses keep their exact places in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.working.segments import clauses, quoted_ranges, sentences

PIECES = st.lists(
    st.sampled_from(
        [
            "I live in Oslo",
            ". ",
            ", but ",
            "我住在上海",
            "，",
            "。",
            "\n",
            '"',
            "“",
            "”",
            "e.g.",
            "3.5",
            "...",
            " and I ",
            "https://a.b/c,d",
            "😀",
            "\u202e",
            "\x00",
            "'",
            " — ",
        ]
    )
    | st.text(max_size=8)
).map("".join)


@given(PIECES)
def test_clauses_are_ordered_spans_that_hold_all_text(text: str) -> None:
    """Clauses and sentences are verbatim, don't overlap, and lose only white space."""
    for cut in (clauses, sentences):
        at, seen = 0, ""
        for part in cut(text, turn=7):
            assert part.turn == 7
            assert text[part.start : part.end] == part.text == part.text.strip() != ""
            assert part.start >= at
            assert not text[at : part.start].strip()
            at, seen = part.end, seen + part.text
        assert not text[at:].strip()


@given(PIECES)
def test_each_clause_lies_in_one_sentence(text: str) -> None:
    """No clause reaches over the end of a sentence."""
    ends = {s.end for s in sentences(text)}
    for clause in clauses(text):
        assert not any(clause.start < end < clause.end for end in ends)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I like tea, but I hate milk.", ["I like tea,", "but I hate milk."]),
        ("I live in Oslo and I love it", ["I live in Oslo", "and I love it"]),
        ("I love tea, jazz and rain", ["I love tea, jazz and rain"]),
        ("Dr. Wu paid 3.5 euros at 9 a.m. on Monday.", None),
        ("See https://x.org/a,b?c=1. Thanks", ["See https://x.org/a,b?c=1.", "Thanks"]),
        ("我住在上海，但是我喜欢北京。真的！", ["我住在上海，", "但是我喜欢北京。", "真的！"]),
        ("我不去了不过他去", ["我不去了", "不过他去"]),
        ('He said "I win. You lose." twice', None),
        ("他说“我赢了。你输了。”然后走了", None),
        ("one\ntwo；三", ["one", "two；", "三"]),
    ],
)
def test_cuts_where_a_new_statement_begins(text: str, parts: list[str] | None) -> None:
    """Commas of lists, abbreviations, numbers, addresses and quotes are not cut."""
    assert [c.text for c in clauses(text)] == (parts or [text])


def test_quoted_ranges_know_english_and_chinese_marks() -> None:
    """Each kind of quotation mark is found; an apostrophe is none."""
    text = "I'm \"a\" “b” 「c」 'd' don't"
    assert [text[a:b] for a, b in quoted_ranges(text)] == ['"a"', "“b”", "「c」", "'d'"]


@pytest.mark.parametrize(
    "unit", [" ", "\n ", ", ", "a", "'", '"', "…", "- ", "and ", "我，", "(\"'"]
)
@pytest.mark.timeout(60)
def test_long_texts_take_linear_time(unit: str) -> None:
    """100,000 characters of anything are cut; quadratic work would take minutes."""
    text = unit * (100_000 // len(unit))
    assert clauses(text) or not text.strip()
