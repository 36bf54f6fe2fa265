"""The model's answer, parsed strictly."""

import pytest

from hma.models.base import Generation, Token
from hma.records import Polarity, Status
from hma.working.answer import Row, Rubbish, parse

SLOTS = ("home", "likes")


def answer(text: str, *tokens: tuple[str, float], finished: bool = True) -> Generation:
    """A generation of `text`, with tokens if they matter."""
    made = tuple(Token(piece.encode(), chance) for piece, chance in tokens)
    return Generation(text, made, 10, 10, finished)


def test_rows_are_read_with_their_types() -> None:
    """The compact form gives typed rows."""
    text = '[["上海","user","home","+","asserted"],["tea","Ida","likes","-","tentative"]]'
    assert parse(answer(text), SLOTS) == [
        Row("上海", "user", "home", Polarity.POSITIVE, Status.ASSERTED, 0.0),
        Row("tea", "Ida", "likes", Polarity.NEGATIVE, Status.TENTATIVE, 0.0),
    ]


def test_empty_list_is_an_answer() -> None:
    """The model may find nothing."""
    assert parse(answer("[]"), SLOTS) == []


def test_probability_is_the_product_of_a_facts_own_tokens() -> None:
    """Tokens count for the fact they lie in; one that reaches over a border counts for both."""
    rows = parse(
        answer(
            '[["茶","user","likes","+","asserted"],["é","user","home","+","asserted"]]',
            ("[", 0.1),
            ('["茶","user","likes"', 0.5),
            (',"+","asserted"', 0.5),
            ('],["', 0.8),
            ('é","user","home","+","asserted"]', 0.5),
            ("]", 0.1),
        ),
        SLOTS,
    )
    assert [row.probability for row in rows] == pytest.approx([0.2, 0.4])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I think the user lives in Ghent.", "no JSON"),
        ("", "no JSON"),
        ('[["Ghent","user","home","+","asser', "no JSON"),
        ('[["Ghent","user","home","+","asserted"]] and more', "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"facts": []}', "no list"),
        ("[" + ",".join(['["x","user","home","+","asserted"]'] * 1000) + "]", "no list"),
        ('["Ghent"]', "list of 5 strings"),
        ('[["Ghent","user","home","+"]]', "list of 5 strings"),
        ('[["Ghent","user","home","+",1]]', "list of 5 strings"),
        ('[["Ghent","user","hat","+","asserted"]]', "no slot"),
        ('[["Ghent","user","home","~","asserted"]]', "unknown polarity or status"),
        ('[["Ghent","user","home","+","sure"]]', "unknown polarity or status"),
    ],
)
def test_rubbish_is_refused_without_its_words(text: str, message: str) -> None:
    """Prose, cut JSON, wrong shapes and endless lists raise, and no word of them is told."""
    with pytest.raises(Rubbish, match=message) as caught:
        parse(answer(text), SLOTS)
    assert "Ghent" not in str(caught.value)


def test_answer_that_was_cut_is_refused() -> None:
    """A list that the token limit cut is rubbish even where it parses."""
    with pytest.raises(Rubbish, match="token limit"):
        parse(answer("[]", finished=False), SLOTS)
