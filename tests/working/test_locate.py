"""Code finds where the model's words stand."""

from datetime import UTC, datetime

import pytest

from hma.records import Clause, Polarity, Reader, Role, Span, Status, Turn, Window
from hma.working.answer import Row, Rubbish
from hma.working.locate import candidate, evidence_around, locate

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def window(*texts: str) -> Window:
    """New user turns with these texts."""
    return Window(tuple(Turn(f"t{i}", Role.USER, text, NOW) for i, text in enumerate(texts)))


def parts(of: Window) -> list[Clause]:
    """Each turn whole."""
    return [Clause(i, 0, len(t.text), t.text) for i, t in enumerate(of.turns)]


def test_newest_turn_comes_first() -> None:
    """A value that stands in several turns is located in the newest."""
    seen = window("I live in Ghent.", "Yes, Ghent.")
    assert locate("Ghent", parts(seen), seen) == Span(1, 5, 10, "Ghent", "t1")


def test_whole_words_come_before_parts_of_words() -> None:
    """ "art" is not found inside "party", where it stands alone somewhere."""
    seen = window("I hate art.", "The party was fun.")
    assert locate("art", parts(seen), seen) == Span(0, 7, 10, "art", "t0")
    assert locate("part", parts(seen), seen).turn == 1


def test_outer_punctuation_is_left_out() -> None:
    """ "Ghent," is located as "Ghent"; a value of nothing else stays as it is."""
    seen = window("In Ghent, ok?")
    assert locate("Ghent,", parts(seen), seen).quote == "Ghent"
    assert locate("?", parts(seen), seen).quote == "?"


def test_offsets_are_those_of_the_turn() -> None:
    """A part from the middle of a turn gives offsets in the turn."""
    seen = window("First this. 我住在上海。")
    part = Clause(0, 12, 18, "我住在上海。")
    found = locate("上海", [part], seen)
    assert seen.turns[0].text[found.start : found.end] == "上海"


@pytest.mark.parametrize("value", ["Bruges", "ghent", "", "in  Ghent"])
def test_value_that_stands_nowhere_is_rubbish(value: str) -> None:
    """Only the user's own words, letter by letter, have a place."""
    seen = window("I live in Ghent.")
    with pytest.raises(Rubbish, match="no span"):
        locate(value, parts(seen), seen)


def test_evidence_is_the_clause_around() -> None:
    """The quote is the clause that states the value."""
    seen = window("I love tea, but I live in Ghent. Bye!")
    place = locate("Ghent", parts(seen), seen)
    assert evidence_around(place, seen.turns[0]).quote == "but I live in Ghent."


def test_evidence_covers_all_clauses_that_a_value_reaches_over() -> None:
    """A value over a clause border is inside its evidence all the same."""
    seen = window("I love tea, but I hate milk.")
    place = locate("tea, but I hate milk", parts(seen), seen)
    assert evidence_around(place, seen.turns[0]).quote == "I love tea, but I hate milk."


def row(value: str, who: str) -> Row:
    """A row of the model about a home."""
    return Row(value, who, "home", Polarity.POSITIVE, Status.ASSERTED, 0.25)


def test_candidate_carries_place_cues_and_probability() -> None:
    """The model's row becomes a candidate that can be traced to the text."""
    seen = window("Maybe I'll move to Ghent.")
    found = candidate(row("Ghent", "user"), locate("Ghent", parts(seen), seen), parts(seen), seen)
    assert found.value == "Ghent"
    assert found.evidence.quote == "Maybe I'll move to Ghent."
    assert found.confidence == 0.25
    assert found.found_by == (Reader.MODEL,)
    assert "hedge" in found.cues


@pytest.mark.parametrize("who", ["I", "me", "My", "我"])
def test_first_person_is_the_user(who: str) -> None:
    """Where the model names the speaker by pronoun, the subject is the user."""
    seen = window("I live in Ghent with my cat. 我爱它")
    place = locate("Ghent", parts(seen), seen)
    assert candidate(row("Ghent", who), place, parts(seen), seen).subject == "user"


def test_other_subject_must_stand_in_the_text() -> None:
    """Another person is named as in the text, or the answer is rubbish."""
    seen = window("Ida lives in Ghent.")
    place = locate("Ghent", parts(seen), seen)
    assert candidate(row("Ghent", "Ida"), place, parts(seen), seen).subject == "Ida"
    with pytest.raises(Rubbish):
        candidate(row("Ghent", "Eva"), place, parts(seen), seen)
