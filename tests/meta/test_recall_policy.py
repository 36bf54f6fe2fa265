"""Recall policy: what may enter the prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.meta.recall_policy import BudgetRecall
from hma.testing.policies import RecallConformance
from hma.testing.samples import NOW, a_context, a_fact, a_recalled


class TestBudgetRecall(RecallConformance):
    """The shipped policy keeps what every recall policy must keep."""

    def policy(self) -> BudgetRecall:
        """With its defaults."""
        return BudgetRecall()


def test_order_is_kept_up_to_the_number() -> None:
    """The best come first, and no more than `max_items`."""
    recalled = [a_recalled(a_fact(f"f{i}", "likes", f"thing {i}")) for i in range(20)]
    assert list(BudgetRecall(max_items=3).permit(recalled, a_context())) == recalled[:3]


def test_what_is_too_long_is_passed_over() -> None:
    """A value that does not fit leaves room for shorter ones after it."""
    long, short = (a_recalled(a_fact(v, "likes", v)) for v in ("x" * 50, "tea"))
    assert list(BudgetRecall(max_characters=10).permit([long, short], a_context())) == [short]


def test_what_stays_out() -> None:
    """Dormant and closed facts, and those of a slot that nobody knows any more."""
    recalled = [
        a_recalled(a_fact("dormant", "likes", "tea"), weight=0.0),
        a_recalled(a_fact("closed", "likes", "milk", closed_at=NOW)),
        a_recalled(a_fact("unknown", "shoe_size", "43")),
    ]
    assert not BudgetRecall().permit(recalled, a_context())


def test_the_same_statement_is_shown_once() -> None:
    """Two rows that say the same take one place; the opposite is another statement."""
    rows = [
        a_recalled(a_fact("f1", "likes", "tea")),
        a_recalled(a_fact("f2", "likes", "Tea.")),
        a_recalled(a_fact("f3", "likes", "tea", "-")),
    ]
    assert [item.fact.id for item in BudgetRecall().permit(rows, a_context())] == ["f1", "f3"]


@given(st.lists(st.text(max_size=40)), st.integers(0, 5), st.integers(0, 100))
def test_the_budget_holds(values: list[str], items: int, characters: int) -> None:
    """Whatever is recalled, number and length stay within the options."""
    recalled = [a_recalled(a_fact(f"f{i}", "likes", v)) for i, v in enumerate(values)]
    permitted = BudgetRecall(max_items=items, max_characters=characters).permit(
        recalled, a_context()
    )
    assert len(permitted) <= items
    assert sum(len(item.fact.value) for item in permitted) <= characters


def test_options_out_of_range() -> None:
    """Negative budgets are refused when the policy is made."""
    with pytest.raises(ValueError, match="negative"):
        BudgetRecall(max_items=-1)
