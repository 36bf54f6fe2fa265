"""Admission policies: is a candidate good enough to become a fact?"""

from math import prod

from hma.meta.base import Context, Ruling
from hma.meta.matching import same_fact
from hma.records import Candidate, Source, Status, Verdict
from hma.slots import SlotKind


class ThresholdAdmission:
    """Admits what is sure, holds what may be, refuses the rest.

    A held candidate grows: the same statement from other turns counts as independent
    evidence (noisy-or). Hedged statements and what did not come from the user are held
    at most, however often they return.

    Args:
        admit_at: confidence from which a candidate is admitted, 0 to 1.
        hold_at: confidence from which it is held, at most `admit_at`.
        repetitions: how many turns must agree before growth admits, 2 or more.

    Raises:
        ValueError: the thresholds are out of range or out of order.
    """

    def __init__(
        self, *, admit_at: float = 0.8, hold_at: float = 0.5, repetitions: int = 2
    ) -> None:
        if not 0 <= hold_at <= admit_at <= 1:
            raise ValueError("needs 0 <= hold_at <= admit_at <= 1")
        if repetitions < 2:
            raise ValueError("repetitions must be 2 or more")
        self._admit_at = admit_at
        self._hold_at = hold_at
        self._repetitions = repetitions

    def admit(self, candidate: Candidate, context: Context) -> Ruling:
        """Admit, hold or refuse by speaker, status, confidence and repetition."""
        slot = context.slots.get(candidate.attribute)
        if slot is None:
            return Ruling(Verdict.REFUSE, "there is no such slot")
        # Negated, so that NaN is refused as well.
        if not self._hold_at <= candidate.confidence <= 1:
            return Ruling(Verdict.REFUSE, f"confidence is below {self._hold_at:g}")
        if candidate.source is not Source.USER:
            if slot.kind is SlotKind.INSTRUCTION:
                return Ruling(Verdict.REFUSE, "only the user may give instructions")
            return Ruling(Verdict.HOLD, "the user did not say it")
        if candidate.status is Status.TENTATIVE:
            return Ruling(Verdict.HOLD, "the user was not sure")
        if candidate.confidence >= self._admit_at:
            return Ruling(Verdict.ADMIT, f"confidence is {self._admit_at:g} or more")
        return self._grown(candidate, context)

    def _grown(self, candidate: Candidate, context: Context) -> Ruling:
        """The ruling in the held zone, from what other turns said."""
        slot = context.slots[candidate.attribute]
        heard = {candidate.evidence.turn_id: candidate.confidence}
        for entry in context.memory.held:
            earlier = entry.decision.candidate
            turn = earlier.evidence.turn_id
            if turn in heard or not _supports(earlier, candidate):
                continue
            if same_fact(slot, candidate, earlier):
                heard[turn] = earlier.confidence
        grown = 1 - prod(1 - confidence for confidence in heard.values())
        if len(heard) >= self._repetitions and grown >= self._admit_at:
            return Ruling(Verdict.ADMIT, f"{len(heard)} turns agree on it")
        return Ruling(Verdict.HOLD, f"confidence is below {self._admit_at:g}; waits for repetition")


def _supports(earlier: Candidate, candidate: Candidate) -> bool:
    """Whether a held candidate is evidence for this one: plainly said by the user, and
    both give or both take back."""
    taken_back = Status.RETRACTED
    return (
        earlier.source is Source.USER
        and earlier.status is not Status.TENTATIVE
        and (earlier.status is taken_back) == (candidate.status is taken_back)
        and 0 <= earlier.confidence <= 1
    )
