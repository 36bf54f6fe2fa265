"""Decay: what a fact is worth, as the clock runs."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.meta.base import DecayPolicy
from hma.meta.decay import HalfLifeDecay, InactivityDecay, NoDecay
from hma.records import Fact
from hma.slots import SlotKind
from hma.testing.policies import DecayConformance
from hma.testing.samples import DAY, NOW, SLOTS, a_context, a_fact, a_memory

TEA = a_fact("f1", "likes", "tea", at=NOW - 400 * DAY)
UTC_TIMES = st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2200, 1, 1)).map(
    lambda at: at.replace(tzinfo=NOW.tzinfo)
)


class TestNoDecay(DecayConformance):
    """The shipped policies keep what every decay policy must keep."""

    def policy(self) -> NoDecay:
        """The one that does nothing."""
        return NoDecay()


class TestInactivityDecay(DecayConformance):
    """The default."""

    def policy(self) -> InactivityDecay:
        """With its defaults."""
        return InactivityDecay()


class TestHalfLifeDecay(DecayConformance):
    """By half-life."""

    def policy(self) -> HalfLifeDecay:
        """With its defaults."""
        return HalfLifeDecay()


def away(days: float, fact: Fact = TEA, policy: DecayPolicy | None = None) -> float:
    """The weight of `fact` after `days` without the user."""
    memory = a_memory(fact, last_seen=NOW - timedelta(days=days))
    return (policy or InactivityDecay()).weight(fact, a_context(memory))


@pytest.mark.parametrize(
    ("days", "weight"),
    [(0, 1.0), (30, 1.0), (31, 0.95), (34, 0.8), (39, 0.55), (40, 0.0), (41, 0.0), (4000, 0.0)],
)
def test_a_preference_fades_while_the_user_is_away(days: float, weight: float) -> None:
    """30 days of grace, then 5 % a day, and nothing ten days later."""
    assert away(days) == pytest.approx(weight)


@pytest.mark.parametrize("name", [n for n, s in SLOTS.items() if s.kind is not SlotKind.PREFERENCE])
def test_only_preferences_fade(name: str) -> None:
    """Identity (an allergy is one), instructions, states and events keep their worth."""
    old = a_fact("f1", name, "x", at=NOW - 4000 * DAY)
    assert away(4000, old) == 1.0
    assert away(4000, old, HalfLifeDecay()) == 1.0


def test_saying_it_again_revives_it() -> None:
    """A dormant preference that was just confirmed has its full worth."""
    confirmed = a_fact("f1", "likes", "tea", at=NOW)
    assert away(45, confirmed) == 1.0


def test_a_memory_without_a_last_visit_counts_from_the_fact() -> None:
    """Where it is not known when the user was here, the confirmation stands for it."""
    memory = a_memory(TEA, last_seen=None)
    assert InactivityDecay().weight(TEA, a_context(memory)) == 0.0


def test_options_shape_the_curve() -> None:
    """Grace, daily loss and the end are options."""
    policy = InactivityDecay(grace_days=1, daily=0.5, dormant_days=100)
    assert [away(days, policy=policy) for days in (1, 2, 3, 4)] == [1.0, 0.5, 0.0, 0.0]


def test_half_life() -> None:
    """`likes` halves in 180 days, whether or not the user is here."""
    memory = a_memory(last_seen=NOW)
    fact = a_fact("f1", "likes", "tea", at=NOW - 360 * DAY)
    assert HalfLifeDecay().weight(fact, a_context(memory)) == pytest.approx(0.25)
    assert HalfLifeDecay(dormant_below=0.3).weight(fact, a_context(memory)) == 0.0


def test_a_preference_without_half_life_stays() -> None:
    """0 days of half-life means never."""
    fact = a_fact("f1", "other", "x", at=NOW - 4000 * DAY)
    assert HalfLifeDecay().weight(fact, a_context(a_memory(fact))) == 1.0


@pytest.mark.parametrize("policy", [InactivityDecay(), HalfLifeDecay(), NoDecay()])
def test_an_unknown_slot_does_not_fade(policy: DecayPolicy) -> None:
    """A fact of a slot that left the table is not forgotten for it."""
    assert away(4000, a_fact("f1", "gone", "x"), policy) == 1.0


@given(now=UTC_TIMES, seen=st.none() | UTC_TIMES, confirmed=UTC_TIMES)
def test_any_clock_gives_a_weight(
    now: datetime, seen: datetime | None, confirmed: datetime
) -> None:
    """A clock that jumps forwards or backwards never leaves 0 to 1; a backward one takes
    nothing away."""
    fact = a_fact("f1", "likes", "tea", at=confirmed)
    context = a_context(a_memory(fact, last_seen=seen), now=now)
    for policy in (InactivityDecay(), HalfLifeDecay()):
        assert 0.0 <= policy.weight(fact, context) <= 1.0
        if now <= confirmed:
            assert policy.weight(fact, context) == 1.0


@pytest.mark.parametrize("options", [{"grace_days": -1}, {"daily": 1.5}, {"dormant_days": -0.5}])
def test_options_out_of_range(options: dict[str, float]) -> None:
    """Options that make no sense are refused when the policy is made."""
    with pytest.raises(ValueError, match="needs"):
        InactivityDecay(**options)


def test_half_life_option_out_of_range() -> None:
    """A dormancy above 1 would silence everything."""
    with pytest.raises(ValueError, match="needs"):
        HalfLifeDecay(dormant_below=2)
