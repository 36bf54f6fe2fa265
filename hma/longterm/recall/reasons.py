"""Why a fact was recalled, and what to be careful about, in words."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from hma.longterm.recall.premises import day
from hma.longterm.recall.routes import Route
from hma.records import Fact, Source
from hma.slots import Slot

_UNDER_REVIEW = {"en": "may be out of date since {day}", "zh": "自{day}起可能已过时"}
_UNCONFIRMED = {"en": "not confirmed since {day}", "zh": "自{day}以来未再确认"}
_ASSUMED = {"en": "assumed, never stated", "zh": "推测，用户未曾说过"}


def reason_of(
    fact: Fact,
    routes: Sequence[Route],
    *,
    mentioned: bool,
    shared: Sequence[str],
    similar: float,
) -> str:
    """The signs in words, strongest kind first.

    Args:
        fact: the recalled fact.
        routes: the routes that ask for it.
        mentioned: whether the question names its value.
        shared: terms that it shares with the question otherwise.
        similar: similarity of meaning, 0..1.
    """
    parts = []
    if any(route.direct and fact.attribute in route.slots for route in routes):
        parts.append(f"asks about {fact.attribute}")
    elif any("*" in route.slots for route in routes):
        parts.append("asks for everything known")
    elif routes:
        parts.append(f"touches on {fact.attribute}")
    if mentioned:
        parts.append(f"mentions '{fact.value}'")
    elif shared:
        parts.append("shares " + ", ".join(f"'{term.removeprefix('@')}'" for term in shared))
    if similar > 0:
        parts.append(f"similar meaning {similar:.2f}")
    return "; ".join(parts)


def note_of(fact: Fact, slot: Slot | None, at: datetime, language: str) -> str:
    """What to be careful about, in the user's language; "" when there is nothing."""
    if fact.needs_review_since is not None:
        return _UNDER_REVIEW[language].format(day=day(fact.needs_review_since))
    if fact.source is Source.ASSUMED:
        return _ASSUMED[language]
    if slot and slot.review_after and at - fact.confirmed_at > timedelta(days=slot.review_after):
        return _UNCONFIRMED[language].format(day=day(fact.confirmed_at))
    return ""
