"""The candidates of one call, in the order they were said, and which were taken back at once."""

from collections.abc import Sequence

from hma.meta.conflict import overturns
from hma.meta.matching import names, same_place, same_value
from hma.records import Candidate, Polarity, Status
from hma.slots import Cardinality, Slot, Slots


def in_order(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates as they were said: by turn, clause, and place in the clause."""
    return sorted(candidates, key=_position)


def _position(candidate: Candidate) -> tuple[int, int]:
    evidence = candidate.evidence
    return evidence.turn, evidence.start + max(0, evidence.quote.find(candidate.value))


def corrected(ordered: Sequence[Candidate], slots: Slots) -> frozenset[int]:
    """Positions in `ordered` whose statement a later one of the same batch put right."""
    return frozenset(
        place
        for at, later in enumerate(ordered)
        if later.attribute in slots
        for place in _replaced_by(later, ordered[:at], slots[later.attribute])
    )


def _replaced_by(later: Candidate, before: Sequence[Candidate], slot: Slot) -> list[int]:
    """Positions in `before` that `later` replaces."""
    same = [i for i, earlier in enumerate(before) if same_place(earlier, later)]
    if later.status is Status.RETRACTED:
        return [i for i in same if names(before[i].value, later.value)]
    if not overturns(later):
        return []
    if slot.cardinality is Cardinality.ONE:
        return [i for i in same if _differs(slot, before[i], later)]
    flipped = [i for i in same if _flips(slot, before[i], later)]
    return flipped or _slip(later, before, same, slot)


def _differs(slot: Slot, earlier: Candidate, later: Candidate) -> bool:
    """Whether an earlier word on a slot of one value can't stand beside the later one."""
    if same_value(slot, earlier.value, later.value):
        return earlier.polarity is not later.polarity
    if earlier.status is Status.RETRACTED:
        # "I left Lisbon and moved to Porto" is one change: what comes supersedes what went.
        return later.polarity is Polarity.POSITIVE
    return earlier.polarity is later.polarity is Polarity.POSITIVE


def _flips(slot: Slot, earlier: Candidate, later: Candidate) -> bool:
    same = same_value(slot, earlier.value, later.value)
    return same and earlier.polarity is not later.polarity


def _slip(
    later: Candidate, before: Sequence[Candidate], same: Sequence[int], slot: Slot
) -> list[int]:
    """ "My dog is Rex, sorry, Max": where many values fit, a correction means the last one
    said. A change ("I took up chess") does not: it may well come on top."""
    if later.status is not Status.CORRECTED:
        return []
    said = [
        i
        for i in same
        if before[i].evidence.turn == later.evidence.turn
        and before[i].polarity is later.polarity
        and not same_value(slot, before[i].value, later.value)
    ]
    return said[-1:]
