"""Two readers' facts brought together."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hma.records import Candidate, Polarity, Span, Status
from hma.working.merge import merge, overlap

VALUES = st.sampled_from(["Ghent", "ghent", "old Ghent", "上海", "上海市", "tea", "green tea"])


def fact(value: str, start: int = 0, **changes: Any) -> Candidate:
    """A fact whose evidence starts at `start`."""
    fields: dict[str, Any] = {
        "subject": "user",
        "attribute": "home",
        "polarity": Polarity.POSITIVE,
        "status": Status.ASSERTED,
        "confidence": 0.9,
    }
    evidence = Span(0, start, start + len(value), value)
    return Candidate(value=value, evidence=evidence, **(fields | changes))


FACTS = st.lists(
    st.builds(
        fact,
        VALUES,
        st.integers(0, 50),
        attribute=st.sampled_from(["home", "likes"]),
        subject=st.sampled_from(["user", "Ida"]),
        polarity=st.sampled_from(Polarity),
    ),
    max_size=8,
)


def test_overlapping_values_of_one_slot_are_one_fact() -> None:
    """The rules' reading stands, the model's is kept beside it."""
    (pair,) = merge([fact("Ghent")], [fact("old Ghent")])
    assert pair.fact.value == "Ghent"
    assert pair.model is not None
    assert pair.model.value == "old Ghent"


def test_different_slots_subjects_and_values_stay_apart() -> None:
    """Only the same subject, slot and nearly the same words make a pair."""
    model = [fact("Ghent", attribute="likes"), fact("Ghent", subject="Ida"), fact("Bruges")]
    assert len(merge([fact("Ghent")], model)) == 4


def test_chinese_values_overlap_by_characters() -> None:
    """Chinese values have no words to count."""
    assert len(merge([fact("上海")], [fact("上海市")])) == 1
    assert len(merge([fact("上海")], [fact("北京")])) == 2


def test_repeated_fact_counts_its_places() -> None:
    """The same words at two places are one fact, at the last place."""
    (pair,) = merge([fact("Ghent", 3), fact("ghent", 40)], [])
    assert pair.times == 2
    assert pair.fact.evidence.start == 40


def test_same_place_read_twice_is_no_repetition() -> None:
    """A reader that says the same thing twice about one place adds nothing."""
    (pair,) = merge([], [fact("Ghent", 3), fact("Ghent", 3)])
    assert pair.times == 1


def test_opposite_polarity_of_one_reader_stays_two_facts() -> None:
    """ "I like tea. I don't like tea" is for the conflict policy to settle."""
    facts = [fact("tea", 0), fact("tea", 20, polarity=Polarity.NEGATIVE)]
    assert len(merge(facts, [])) == 2


def test_order_is_that_of_the_text() -> None:
    """Whoever found it, facts come in the order in which they were said."""
    pairs = merge([fact("b", 20)], [fact("a", 10), fact("c", 30)])
    assert [pair.fact.value for pair in pairs] == ["a", "b", "c"]


def test_overlap_is_symmetric_and_bounded() -> None:
    """Token F1 of nothing in common is 0, of equals 1."""
    assert overlap("a cup of tea", "tea") == overlap("tea", "a cup of tea")
    assert overlap("", "tea") == 0.0
    assert overlap("我喜欢茶", "我喜欢茶") == 1.0


@given(FACTS, FACTS)
def test_no_fact_is_lost_or_used_twice(rules: list[Candidate], model: list[Candidate]) -> None:
    """Every value of either reader is in exactly one pair (repeats fold into one)."""
    pairs = merge(rules, model)
    key = ["subject", "attribute", "value", "polarity"]
    for found, given_facts in (
        ([pair.rules for pair in pairs if pair.rules], rules),
        ([pair.model for pair in pairs if pair.model], model),
    ):
        before = {tuple(str(getattr(f, k)).casefold() for k in key) for f in given_facts}
        after = [tuple(str(getattr(f, k)).casefold() for k in key) for f in found]
        assert set(after) == before
        assert len(after) == len(before)
