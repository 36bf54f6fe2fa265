"""How often recall is right, on questions labelled by hand (recall_cases.toml).

The dev half was used for tuning, the test half was not.
"""

from dataclasses import dataclass, field

import pytest

from hma.longterm.recall.hybrid import HybridRecaller
from hma.records import Owner
from tests.longterm.recall_helpers import NOW, SLOTS, a_fact, cases, e5, memory_of


@dataclass
class Figures:
    """Counts over one half."""

    answerable: int = 0
    first: int = 0
    extra: int = 0
    unanswerable: int = 0
    silent: int = 0
    wrong: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def recaller() -> HybridRecaller:
    """The recaller under test."""
    return HybridRecaller(e5(), SLOTS)


def measure(recaller: HybridRecaller, half: str) -> Figures:
    """Ask everything of one half."""
    figures = Figures()
    for user, questions in cases(half).items():
        memory = memory_of(*questions[0].facts, owner=Owner(user))
        for case in questions:
            recalled = recaller.recall(memory, case.ask, weights={}, at=NOW).recalled
            values = [one.fact.value for one in recalled if not one.standing]
            if case.want:
                figures.answerable += 1
                figures.first += bool(values) and values[0] in case.want
                figures.extra += max(0, len(values) - 1)
            else:
                figures.unanswerable += 1
                figures.silent += not values
            figures.wrong += [case.ask] if case.never & set(values) else []
    return figures


@pytest.mark.parametrize("half", ["dev", "test"])
def test_few_and_right(recaller: HybridRecaller, half: str) -> None:
    """The right fact first in 9 of 10, silence in 9 of 10 of what memory can't answer, never
    a fact of the wrong person, and hardly anything else beside."""
    figures = measure(recaller, half)
    assert figures.answerable >= 40
    assert figures.unanswerable >= 20
    assert figures.first >= 0.9 * figures.answerable
    assert figures.silent >= 0.9 * figures.unanswerable
    assert figures.wrong == []
    assert figures.extra <= 0.3 * figures.answerable


def test_one_of_200_facts_is_found(recaller: HybridRecaller) -> None:
    """Many facts of other slots don't drown the one that is asked for."""
    facts = [a_fact("likes", f"thing {n}", f"I like thing {n}") for n in range(199)]
    memory = memory_of(a_fact("home", "Lisbon", "I live in Lisbon"), *facts, owner=Owner("many"))
    found = recaller.recall(memory, "Where do I live?", weights={}, at=NOW)
    assert [one.fact.value for one in found.recalled] == ["Lisbon"]
