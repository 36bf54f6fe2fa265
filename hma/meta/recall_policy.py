"""Recall policies: what may enter the prompt?"""

from collections.abc import Sequence

from hma.meta.base import Context
from hma.records import Recalled, Sensitivity
from hma.text import normal_form


class BudgetRecall:
    """Lets pass what is current, awake and not sensitive, up to a budget, in order.

    Args:
        max_items: how many facts at most.
        max_characters: how many characters their values and notes may have together.

    Raises:
        ValueError: an option is negative.
    """

    def __init__(self, *, max_items: int = 8, max_characters: int = 1200) -> None:
        if max_items < 0 or max_characters < 0:
            raise ValueError("max_items and max_characters can't be negative")
        self._max_items = max_items
        self._max_characters = max_characters

    def permit(self, recalled: Sequence[Recalled], context: Context) -> Sequence[Recalled]:
        """The permitted part of `recalled`. One that is too long for what is left of the
        budget is passed over; shorter ones after it may still fit."""
        permitted: list[Recalled] = []
        seen: set[tuple[str, ...]] = set()
        left = self._max_characters
        for item in recalled:
            size = len(item.fact.value) + len(item.note)
            key = _key(item)
            if key in seen or size > left or not _may_show(item, context):
                continue
            if len(permitted) == self._max_items:
                break
            seen.add(key)
            permitted.append(item)
            left -= size
        return tuple(permitted)


def _key(item: Recalled) -> tuple[str, ...]:
    fact = item.fact
    return (fact.subject, fact.attribute, normal_form(fact.value), fact.polarity, fact.scope)


def _may_show(item: Recalled, context: Context) -> bool:
    """A slot that is no longer in the table has no known sensitivity: it stays out."""
    slot = context.slots.get(item.fact.attribute)
    return (
        slot is not None
        and slot.sensitivity is not Sensitivity.L3
        and item.fact.current
        and item.parts.get("weight", 1.0) > 0
    )
