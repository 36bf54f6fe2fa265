"""Recall: what it returns, in which order, with which words."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import IndexUnavailable
from hma.longterm.base import Memory
from hma.longterm.recall.hybrid import HybridRecaller, RecallOptions
from hma.models.base import Vector
from hma.records import Closing, Fact, Owner, Recollection, Source
from tests.longterm.recall_helpers import NOW, SLOTS, FixedMemory, a_fact, e5, memory_of

HOME = a_fact("home", "Porto", "I live in Porto now", valid_from=datetime(2026, 5, 3, tzinfo=UTC))
OLD_HOME = a_fact(
    "home",
    "Lisbon",
    "I live in Lisbon",
    valid_to=datetime(2026, 5, 3, tzinfo=UTC),
    closed_at=datetime(2026, 5, 3, tzinfo=UTC),
    closing=Closing.SUPERSEDED,
    superseded_by=HOME.id,
)
CAT = a_fact("pet", "Mochi", "my cat is called Mochi")
MINE = a_fact("allergy", "penicillin", "I'm allergic to penicillin")
HERS = a_fact("allergy", "shellfish", "my sister is allergic to shellfish", subject="sister")
RULE = a_fact("instruction", "answer in French", "please answer in French")


@pytest.fixture(scope="module")
def recaller() -> HybridRecaller:
    """A recaller with the shipped options."""
    return HybridRecaller(e5(), SLOTS)


def ask(recaller: HybridRecaller, memory: Memory, query: str, **weights: float) -> Recollection:
    """Recall now, all facts at full weight unless said otherwise."""
    return recaller.recall(memory, query, weights=weights, at=NOW)


def values(found: Recollection) -> list[str]:
    """The values recalled, in order."""
    return [one.fact.value for one in found.recalled]


def test_reason_and_parts_explain_the_score(recaller: HybridRecaller) -> None:
    """A recalled fact says in words why, and its parts add up to its score."""
    [one] = ask(recaller, memory_of(HOME, CAT), "Do I still live in Porto?").recalled
    assert one.reason.startswith("mentions 'Porto'")
    parts = dict(one.parts)
    weight = parts.pop("weight")
    assert one.score == pytest.approx(sum(parts.values()) * weight)
    [one] = ask(recaller, memory_of(HOME, CAT), "Where do I live?").recalled
    assert one.reason.startswith("asks about home")


def test_nothing_relevant_gives_nothing(recaller: HybridRecaller) -> None:
    """A cat is no answer to a question about France, nor to one about an unknown home."""
    memory = memory_of(CAT, MINE)
    for query in ("What's the capital of France?", "Where do I live?", "", "   ", "🙂", "？"):
        assert values(ask(recaller, memory, query)) == []


def test_empty_memory_answers_nothing(recaller: HybridRecaller) -> None:
    """Without facts nothing is recalled and nothing fails."""
    assert ask(recaller, memory_of(), "Where do I live?") == Recollection(version=1)


def test_subjects_are_not_mixed_up(recaller: HybridRecaller) -> None:
    """My sister's allergy is not mine, mine is not hers, and Bob's is neither."""
    memory = memory_of(MINE, HERS)
    assert values(ask(recaller, memory, "What am I allergic to?")) == ["penicillin"]
    assert values(ask(recaller, memory, "What is my sister allergic to?")) == ["shellfish"]
    assert values(ask(recaller, memory, "我妹妹对什么过敏？")) == ["shellfish"]
    assert values(ask(recaller, memory, "我对什么过敏？")) == ["penicillin"]
    assert values(ask(recaller, memory, "What is Bob allergic to?")) == []
    assert values(ask(recaller, memory, "What are you allergic to?")) == []


def test_question_about_both_gets_both(recaller: HybridRecaller) -> None:
    """Cooking for my sister and me concerns both."""
    found = ask(recaller, memory_of(MINE, HERS), "Can I cook lunch for my sister and me?")
    assert set(values(found)) == {"penicillin", "shellfish"}


def test_nobody_in_particular_needs_a_shared_word(recaller: HybridRecaller) -> None:
    """ "Who is allergic to shellfish?" finds the sister; "any allergies?" means the user."""
    memory = memory_of(MINE, HERS)
    assert values(ask(recaller, memory, "Who is allergic to shellfish?"))[0] == "shellfish"
    assert values(ask(recaller, memory, "any allergies?")) == ["penicillin"]


def test_standing_instructions_always_come_last(recaller: HybridRecaller) -> None:
    """They bind every answer, are marked as such, and never push a fact out."""
    memory = memory_of(RULE, HOME)
    found = ask(recaller, memory, "Where do I live?").recalled
    assert [one.fact.value for one in found] == ["Porto", "answer in French"]
    assert found[-1].standing
    assert values(ask(recaller, memory, "What's 2 + 2?")) == ["answer in French"]


def test_dormant_facts_stay_away(recaller: HybridRecaller) -> None:
    """Weight 0 is never returned; a small weight lowers the score."""
    memory = memory_of(HOME)
    query = "Where do I live?"
    assert values(recaller.recall(memory, query, weights={HOME.id: 0.0}, at=NOW)) == []
    full = recaller.recall(memory, query, weights={}, at=NOW).recalled[0]
    half = recaller.recall(memory, query, weights={HOME.id: 0.5}, at=NOW).recalled[0]
    assert half.score == pytest.approx(full.score / 2)


def test_excluded_facts_stay_away(recaller: HybridRecaller) -> None:
    """What this turn stated need not be told back."""
    found = recaller.recall(
        memory_of(HOME, RULE), "I live in Porto", weights={}, at=NOW, exclude=[HOME.id, RULE.id]
    )
    assert found.recalled == ()


def test_newer_fact_wins_a_tie(recaller: HybridRecaller) -> None:
    """Of two facts that matter alike the one confirmed later comes first."""
    old = a_fact("pet", "Rex", "this is our dog", confirmed_at=NOW - timedelta(days=300))
    new = a_fact("pet", "Max", "this is our dog", confirmed_at=NOW - timedelta(days=3))
    assert values(ask(recaller, memory_of(old, new), "what pets do I have?")) == ["Max", "Rex"]


def test_asking_for_dislikes_leaves_likes_out(recaller: HybridRecaller) -> None:
    """Polarity is part of the question, in both languages."""
    memory = memory_of(
        a_fact("likes", "oat lattes", "I love oat lattes"),
        a_fact("likes", "cilantro", "I hate cilantro", polarity="-"),
    )
    assert values(ask(recaller, memory, "What do I hate?")) == ["cilantro"]
    assert values(ask(recaller, memory, "What do I like?")) == ["oat lattes"]
    assert values(ask(recaller, memory, "我讨厌什么？")) == ["cilantro"]


def test_everything_known_is_bounded(recaller: HybridRecaller) -> None:
    """ "What do you know about me?" gives facts of all slots, up to the limit."""
    facts = [a_fact("likes", f"thing {n}") for n in range(30)]
    memory = memory_of(a_fact("name", "Ana", "my name is Ana"), *facts)
    found = ask(recaller, memory, "What do you know about me?")
    assert len(found.recalled) == RecallOptions().limit
    assert "Ana" in values(found)
    assert values(ask(recaller, memory, "你都知道我的什么？"))


def test_food_talk_brings_diet_and_allergy(recaller: HybridRecaller) -> None:
    """Nobody asked, but an answer must respect them."""
    diet = a_fact("diet", "vegan", "I've been vegan since January")
    memory = memory_of(diet, a_fact("allergy", "peanuts", "I'm allergic to peanuts"), HOME, CAT)
    for query in ("Recommend a restaurant for tonight", "今天晚饭吃什么好？"):
        assert set(values(ask(recaller, memory, query))) == {"vegan", "peanuts"}


def test_note_for_what_may_be_out_of_date(recaller: HybridRecaller) -> None:
    """Facts under review, unconfirmed for too long, or assumed, say so in the user's language."""
    review = a_fact("home", "Porto", needs_review_since=datetime(2026, 3, 1, tzinfo=UTC))
    stale = a_fact("home", "Porto", confirmed_at=datetime(2025, 1, 2, tzinfo=UTC))
    assumed = a_fact("home", "Porto", source=Source.ASSUMED)

    def note(fact: Fact, query: str) -> str:
        return ask(recaller, memory_of(fact, owner=Owner(query)), query).recalled[0].note

    assert note(review, "Where do I live?") == "may be out of date since 2026-03-01"
    assert note(review, "我住哪？") == "自2026-03-01起可能已过时"
    assert note(stale, "Where do I live?") == "not confirmed since 2025-01-02"
    assert note(assumed, "Where do I live?") == "assumed, never stated"
    assert note(HOME, "Where do I live?") == ""


def test_outdated_premise_gets_a_note(recaller: HybridRecaller) -> None:
    """A question that builds on the old value is told the current one, in its language."""
    memory = memory_of(HOME, closed=(OLD_HOME,))
    notes = ask(recaller, memory, "Any good cafés near me in Lisbon?").notes
    assert notes == ("You mention Lisbon; that changed: home is Porto since 2026-05-03.",)
    notes = ask(recaller, memory, "我在Lisbon的家附近有什么？").notes
    assert notes == ("你提到Lisbon；这已经变了：自2026-05-03起，住处是Porto。",)


@pytest.mark.parametrize(
    "query", ["Where do I live?", "I moved from Lisbon to Porto", "Is Lisbonite a mineral?"]
)
def test_no_note_without_the_premise(recaller: HybridRecaller, query: str) -> None:
    """The old value not named, both named, or only part of a word: no note."""
    assert ask(recaller, memory_of(HOME, closed=(OLD_HOME,)), query).notes == ()


def test_no_note_for_a_value_that_holds_again(recaller: HybridRecaller) -> None:
    """A value that was given up and taken up again is current."""
    again = a_fact("home", "Lisbon", "back in Lisbon", id="again")
    memory = memory_of(again, closed=(OLD_HOME,))
    assert ask(recaller, memory, "Is it raining in Lisbon?").notes == ()


def test_retracted_premise_gets_a_note(recaller: HybridRecaller) -> None:
    """What was taken back, without a new value, is said to be unknown."""
    gone = a_fact(
        "employer",
        "Siemens",
        closed_at=datetime(2026, 6, 1, tzinfo=UTC),
        closing=Closing.RETRACTED,
    )
    notes = ask(recaller, memory_of(HOME, closed=(gone,)), "How far is Siemens from home?").notes
    assert notes == (
        "You mention Siemens; that was taken back: employer is unknown since 2026-06-01.",
    )


def test_numbers_are_premises_only_where_asked(recaller: HybridRecaller) -> None:
    """The old age counts in a question about age, not in one about tickets."""
    new = a_fact("age", "35", "I turned 35", valid_from=datetime(2026, 4, 4, tzinfo=UTC))
    old = a_fact(
        "age", "34", closed_at=NOW, closing=Closing.SUPERSEDED, superseded_by=new.id, id="old"
    )
    memory = memory_of(new, closed=(old,))
    assert ask(recaller, memory, "Buy 34 tickets").notes == ()
    assert ask(recaller, memory, "How old am I, 34?").notes != ()


class Proposals:
    """An index that proposes fixed ids, or none at all."""

    def __init__(self, hits: Sequence[tuple[str, float]] | None) -> None:
        self.hits = hits
        self.asked: list[str] = []

    def search(self, partition: str, vector: Vector, k: int) -> Sequence[tuple[str, float]]:
        """The hits, or the error that sends the reader to SQL."""
        self.asked.append(partition)
        if self.hits is None:
            raise IndexUnavailable("gone")
        return self.hits


@pytest.mark.parametrize("hits", [[(HOME.id, 0.9), ("ghost", 0.95)], None])
def test_large_memories_ask_the_index(hits: Sequence[tuple[str, float]] | None) -> None:
    """Above the configured size the index proposes, ghosts are dropped, and when it is not
    available all is scored from SQL."""
    index = Proposals(hits)
    recaller = HybridRecaller(e5(), SLOTS, index=index, options=RecallOptions(exact_up_to=1))
    memory = memory_of(HOME, CAT)
    assert values(ask(recaller, memory, "Where do I live?")) == ["Porto"]
    assert index.asked == ["1"]
    assert cast(FixedMemory, memory).vector_reads == (0 if hits else 1)


def test_small_memories_never_ask_the_index() -> None:
    """Up to the configured size all is scored exactly."""
    index = Proposals(None)
    recaller = HybridRecaller(e5(), SLOTS, index=index)
    assert values(ask(recaller, memory_of(HOME, CAT), "Where do I live?")) == ["Porto"]
    assert index.asked == []


def test_a_new_version_is_seen_at_once(recaller: HybridRecaller) -> None:
    """What is kept between calls is bound to the version and the facts."""
    memory = cast(FixedMemory, memory_of(HOME, owner=Owner("mover")))
    assert values(ask(recaller, cast(Memory, memory), "Where do I live?")) == ["Porto"]
    memory.facts = (a_fact("home", "Ghent", "I live in Ghent"),)
    memory.version = 2
    assert values(ask(recaller, cast(Memory, memory), "Where do I live?")) == ["Ghent"]
    memory.facts = ()
    assert values(ask(recaller, cast(Memory, memory), "Where do I live?")) == []


@given(
    st.lists(st.sampled_from([HOME, CAT, MINE, HERS, RULE]), unique=True),
    st.text(alphabet="where do i live 我住哪 cat Mochi's ？\u200d\n🙂Ａ", max_size=30),
)
def test_any_question_is_answered_with_facts_of_the_memory(facts: list[Fact], query: str) -> None:
    """Whatever is asked: no crash, no fact twice, nothing that memory does not hold."""
    recaller = HybridRecaller(Constant(), SLOTS)
    found = ask(recaller, memory_of(*facts, embedder=Constant()), query)
    ids = [one.fact.id for one in found.recalled]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= {fact.id for fact in facts}
    assert RULE not in facts or RULE.id in ids


class Constant:
    """An embedder that says the same of everything."""

    name = "constant"
    dimension = 4

    def query(self, text: str) -> Vector:
        """One unit vector."""
        return np.full(4, 0.5, dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vector:
        """The same for each text."""
        return np.full((len(texts), 4), 0.5, dtype=np.float32)
