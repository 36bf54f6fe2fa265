"""Conflict policies: a new statement against the facts that speak about the same thing."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from hma.meta.base import Context, Ruling
from hma.meta.matching import clash, names, same_fact, same_place, trust
from hma.records import Candidate, Effect, Fact, Status, Verdict
from hma.slots import Cardinality, Slot
from hma.text import has_cjk, normal_form

# What code saw in the clause (`Candidate.cues`).
_OVERTURNING = {"change", "correction"}
_PASSING = {"weak", "temporary"}
_INSTEAD = (
    r"(?:not|instead of|rather than|no longer|from|不是|不再|不要|从|由)\s*(?:a|an|the|my)?\s*"
)


def overturns(candidate: Candidate) -> bool:
    """Whether the user said in so many words that it is different now."""
    return candidate.status is Status.CORRECTED or not _OVERTURNING.isdisjoint(candidate.cues)


def passing(candidate: Candidate) -> bool:
    """Whether it is too weak a mention to overturn anything. An explicit correction never
    is, whenever it happened: "no, I moved this week"."""
    if candidate.status in (Status.CORRECTED, Status.RETRACTED):
        return False
    return candidate.status is Status.TENTATIVE or not _PASSING.isdisjoint(candidate.cues)


class SlotConflict:
    """Asks when two statements clash; lets an explicit correction or change pass.

    Only facts of the same subject, slot and scope compete. What was inferred never beats
    what was stated, and a passing mention ("lately", "this week") overturns nothing: it is
    held, or asked about where it speaks of a change as well ("I moved this week").
    """

    asks: ClassVar[bool] = True

    def resolve(self, candidate: Candidate, rivals: Sequence[Fact], context: Context) -> Ruling:
        """Rule on a candidate against `rivals`, the current facts about the same thing."""
        slot = context.slots[candidate.attribute]
        if candidate.status is Status.RETRACTED:
            return _take_back(candidate, context)
        same = [fact for fact in rivals if same_fact(slot, candidate, fact)]
        clashing = [fact for fact in rivals if clash(slot, candidate, fact)]
        if clashing and (not same or overturns(candidate)):
            return self._against(candidate, clashing, same)
        if same:
            return _again(candidate, same)
        return _beside(candidate, slot, context)

    def decide(self, candidate: Candidate, clashing: Sequence[Fact]) -> Ruling:
        """Rule on a clash in which the candidate is trusted no less than the facts."""
        if overturns(candidate):
            return _supersede("the user said that it changed", clashing)
        if _trusted_more(candidate, clashing):
            return _supersede("a better source than the one before", clashing)
        return Ruling(
            Verdict.ASK,
            "two statements clash and neither corrects the other",
            against=_ids(clashing),
        )

    def _against(
        self, candidate: Candidate, clashing: Sequence[Fact], same: Sequence[Fact]
    ) -> Ruling:
        if any(trust(candidate.source) < trust(fact.source) for fact in clashing):
            return Ruling(
                Verdict.REFUSE,
                "what was inferred never beats what was stated",
                against=_ids(clashing),
            )
        if passing(candidate):
            said = self.asks and overturns(candidate) and candidate.status is not Status.TENTATIVE
            return Ruling(
                Verdict.ASK if said else Verdict.HOLD,
                "a passing mention overturns nothing by itself",
                against=_ids(clashing),
            )
        ruling = self.decide(candidate, clashing)
        if ruling.effect is Effect.SUPERSEDE and same:
            # Of two values that stood side by side one is now said to be the only one: the
            # row that opens takes the place of both.
            return _supersede(ruling.reason, [*clashing, *same])
        return ruling


class NewestWins(SlotConflict):
    """The newest statement supersedes; it never asks."""

    asks = False

    def decide(self, candidate: Candidate, clashing: Sequence[Fact]) -> Ruling:
        """The candidate is the newer one."""
        return _supersede("the newest statement wins", clashing)


class MostTrusted(SlotConflict):
    """The better source supersedes, then the higher confidence; it never asks."""

    asks = False

    def decide(self, candidate: Candidate, clashing: Sequence[Fact]) -> Ruling:
        """Between equals the newer one wins."""
        if overturns(candidate) or _trusted_more(candidate, clashing):
            return _supersede("the most trusted statement wins", clashing)
        if candidate.confidence >= max(fact.confidence for fact in clashing):
            return _supersede("the surest statement wins", clashing)
        return Ruling(Verdict.REFUSE, "a surer statement stands against it", against=_ids(clashing))


def _ids(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _supersede(reason: str, facts: Iterable[Fact]) -> Ruling:
    return Ruling(Verdict.ADMIT, reason, Effect.SUPERSEDE, _ids(facts))


def _trusted_more(candidate: Candidate, facts: Sequence[Fact]) -> bool:
    return all(trust(candidate.source) > trust(fact.source) for fact in facts)


def _again(candidate: Candidate, same: Sequence[Fact]) -> Ruling:
    """The fact is there already. Its source class is never changed in place: a better
    source opens a new row, a lesser one must not touch it."""
    best = max(same, key=lambda fact: trust(fact.source))
    if trust(candidate.source) < trust(best.source):
        return Ruling(Verdict.REFUSE, "known already from a better source", against=(best.id,))
    if _trusted_more(candidate, same):
        return _supersede("a better source says the same", same)
    return Ruling(Verdict.ADMIT, "said again", Effect.REPEAT, (best.id,))


def _beside(candidate: Candidate, slot: Slot, context: Context) -> Ruling:
    """Nothing stands against it, unless the clause itself names what it replaces."""
    others = [fact for fact in context.memory.facts if fact.current and same_place(candidate, fact)]
    replaced = [fact for fact in others if _replaces(candidate, fact, slot)]
    if replaced:
        return _supersede("the user named what it replaces", replaced)
    if others:
        return Ruling(Verdict.ADMIT, "stands beside what is known", Effect.COEXIST)
    return Ruling(Verdict.ADMIT, "nothing was known", Effect.NEW)


def _replaces(candidate: Candidate, fact: Fact, slot: Slot) -> bool:
    """ "I switched from oat milk to soy": the old value stands in the clause as the one left."""
    if slot.cardinality is Cardinality.ONE or not overturns(candidate) or passing(candidate):
        return False
    if fact.polarity is not candidate.polarity or trust(candidate.source) < trust(fact.source):
        return False
    value = normal_form(fact.value)
    end = "" if has_cjk(value) else r"(?!\w)"
    quote = " ".join(candidate.evidence.quote.casefold().split())
    return bool(value) and re.search(_INSTEAD + re.escape(value) + end, quote) is not None


def _take_back(candidate: Candidate, context: Context) -> Ruling:
    """The user withdraws something: find the one fact that it is."""
    facts = [
        fact
        for fact in context.memory.facts
        if fact.current
        and same_place(candidate, fact)
        and (names(fact.value, candidate.value) or names(candidate.value, fact.value))
    ]
    # "I no longer like tea" may be read with either polarity; the same one fits better.
    facts = [fact for fact in facts if fact.polarity is candidate.polarity] or facts
    value = normal_form(candidate.value)
    facts = [fact for fact in facts if normal_form(fact.value) == value] or facts
    if not facts:
        return Ruling(Verdict.REFUSE, "there is nothing to take back")
    if len(facts) > 1:
        return Ruling(Verdict.HOLD, "it fits more than one fact", against=_ids(facts))
    if trust(candidate.source) < trust(facts[0].source):
        return Ruling(Verdict.REFUSE, "only the user may take it back", against=_ids(facts))
    return Ruling(Verdict.ADMIT, "the user took it back", Effect.RETRACT, _ids(facts))
