"""One judgement in the making: the answer first, then each candidate, then what to ask."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import NAMESPACE_OID, uuid5

from hma.errors import PolicyError
from hma.meta import containment
from hma.meta.base import Context, Policies, Ruling
from hma.meta.batch import corrected, in_order
from hma.meta.containment import contained, name
from hma.meta.matching import clash, rivals, same_fact
from hma.records import (
    Answer,
    Candidate,
    Decision,
    Effect,
    Judgement,
    Question,
    Role,
    Sensitivity,
    Settlement,
    Snapshot,
    Turn,
    Verdict,
)
from hma.slots import Slots

log = logging.getLogger(__name__)

_SETTLED = {
    Answer.FIRST: (Verdict.REFUSE, Effect.NEW, "the user kept the first"),
    Answer.SECOND: (Verdict.ADMIT, Effect.SUPERSEDE, "the user confirmed the second"),
    Answer.BOTH: (Verdict.ADMIT, Effect.COEXIST, "the user said that both are right"),
    Answer.NEITHER: (Verdict.ADMIT, Effect.RETRACT, "the user said that neither is right"),
    Answer.DONT_STORE: (Verdict.REFUSE, Effect.NEW, "the user asked not to store it"),
}
_CLOSING = {Effect.SUPERSEDE, Effect.RETRACT}
_HOUSE = "engine"


class Judging:
    """Collects the parts of one `Judgement`. What is decided first is seen by what follows:
    a fact that one candidate closed is no rival of the next."""

    def __init__(self, policies: Policies, slots: Slots, memory: Snapshot, now: datetime) -> None:
        self._policies = policies
        self._slots = slots
        self._version = memory.version
        self._now = now
        facts = tuple(fact for fact in memory.facts if fact.current)
        self._context = Context(replace(memory, facts=facts), slots, now)
        self._settled: list[Question] = []
        self._admitted: list[Candidate] = []
        self._decisions: list[Decision] = []
        self._settlements: list[Settlement] = []
        self._questions: list[Question] = []

    def settle(self, turn: Turn | None) -> None:
        """Read the user's turn as the answer to the question that was asked last."""
        asked = [q for q in self._context.memory.questions if q.asked_at and self._open(q)]
        if turn is None or turn.role is not Role.USER or not asked:
            return
        question = max(asked, key=lambda q: (q.asked_at or q.created_at, q.id))
        policy = self._policies.asking
        try:
            answer = contained(
                policy,
                lambda: policy.interpret(turn.text, question, self._context),
                containment.answer_problem,
            )
        except PolicyError as error:
            log.warning("the question stays open: %s", error)
            return
        if answer is None:
            return
        self._settled.append(question)
        self._settlements.append(Settlement(question.id, answer))
        verdict, effect, reason = _SETTLED[answer]
        ruling = Ruling(verdict, reason, effect, question.against)
        self._record(question.candidate, ruling, name(policy))

    def decide(self, candidates: Sequence[Candidate]) -> None:
        """Decide about each candidate, in the order they were said."""
        ordered = in_order(candidates)
        taken_back = corrected(ordered, self._slots)
        for place, candidate in enumerate(ordered):
            ruling = self._house_rule(candidate, place in taken_back)
            if ruling is not None:
                self._record(candidate, ruling, _HOUSE)
            else:
                self._consult(candidate)

    def finish(self) -> Judgement:
        """Choose what to ask now, and hand over the judgement."""
        return Judgement(
            version=self._version,
            decisions=tuple(self._decisions),
            settlements=tuple(self._settlements),
            questions=tuple(self._questions),
            ask=self._choose(),
        )

    def _house_rule(self, candidate: Candidate, taken_back: bool) -> Ruling | None:
        """What no policy is asked about, because no policy may decide otherwise."""
        slot = self._slots.get(candidate.attribute)
        if slot is None:
            return Ruling(Verdict.REFUSE, "there is no such slot")
        if slot.sensitivity is Sensitivity.L3:
            return Ruling(Verdict.REFUSE, "the slot is sensitive (L3) and never written")
        if taken_back:
            return Ruling(Verdict.REFUSE, "corrected in the same turn")
        if any(same_fact(slot, question.candidate, candidate) for question in self._settled):
            return Ruling(Verdict.REFUSE, "settled by the answer to the question")
        if any(same_fact(slot, earlier, candidate) for earlier in self._admitted):
            return Ruling(Verdict.REFUSE, "said twice in the same turn")
        if any(clash(slot, earlier, candidate) for earlier in self._admitted):
            return Ruling(Verdict.HOLD, "it clashes with something said in the same turn")
        return None

    def _consult(self, candidate: Candidate) -> None:
        """Admission, then conflict. Where one fails, the candidate is held: nothing is lost,
        and nothing is written."""
        policy: object = self._policies.admission
        try:
            ruling = self._admit(candidate)
            if ruling.verdict is Verdict.ADMIT:
                policy = self._policies.conflict
                ruling = self._resolve(candidate)
        except PolicyError as error:
            ruling = Ruling(Verdict.HOLD, str(error))
        self._record(candidate, ruling, name(policy))

    def _admit(self, candidate: Candidate) -> Ruling:
        policy = self._policies.admission
        ruling = contained(
            policy,
            lambda: policy.admit(candidate, self._context),
            containment.admission_problem,
        )
        # An admission policy does not know what a candidate is up against.
        return Ruling(ruling.verdict, ruling.reason)

    def _resolve(self, candidate: Candidate) -> Ruling:
        policy = self._policies.conflict
        facts = self._context.memory.facts
        against = rivals(self._slots[candidate.attribute], candidate, facts)
        current = {fact.id for fact in facts}
        return contained(
            policy,
            lambda: policy.resolve(candidate, against, self._context),
            lambda answer: containment.conflict_problem(answer, current),
        )

    def _record(self, candidate: Candidate, ruling: Ruling, policy: str) -> None:
        self._decisions.append(
            Decision(
                candidate, ruling.verdict, ruling.effect, ruling.against, policy, ruling.reason
            )
        )
        if ruling.verdict is Verdict.ASK:
            self._doubt(candidate, ruling.against)
        if ruling.verdict is not Verdict.ADMIT:
            return
        if ruling.effect is not Effect.RETRACT:
            self._admitted.append(candidate)
        if ruling.effect in _CLOSING:
            memory = self._context.memory
            left = tuple(fact for fact in memory.facts if fact.id not in ruling.against)
            self._context = replace(self._context, memory=replace(memory, facts=left))

    def _doubt(self, candidate: Candidate, against: tuple[str, ...]) -> None:
        """Open a question, unless the same one waits already."""
        slot = self._slots[candidate.attribute]
        waiting = [q for q in (*self._context.memory.questions, *self._questions) if self._open(q)]
        for question in waiting:
            if set(question.against) == set(against) and same_fact(
                slot, question.candidate, candidate
            ):
                return
        self._questions.append(
            Question(
                self._question_id(candidate),
                candidate,
                against,
                created_at=self._now,
                expires_at=self._expiry(),
            )
        )

    def _expiry(self) -> datetime | None:
        """Until when a doubt may wait; for ever, where the policy can't tell."""
        policy = self._policies.asking
        try:
            return contained(policy, lambda: policy.expires(self._now), containment.time_problem)
        except PolicyError as error:
            log.warning("a question does not expire: %s", error)
            return None

    def _question_id(self, candidate: Candidate) -> str:
        """The same call gives the same id, in any process; no two calls that are both
        committed share a version. Made of places and numbers, not of text."""
        memory, evidence = self._context.memory, candidate.evidence
        owner = memory.owner
        parts = (owner.tenant, owner.user, owner.agent, owner.group, self._version)
        place = (evidence.turn_id, evidence.turn, evidence.start, len(self._questions))
        return uuid5(NAMESPACE_OID, repr((parts, place))).hex

    def _open(self, question: Question) -> bool:
        """Whether a question can still be put or answered: not settled or expired, and every
        fact that it is about still stands as it did when it arose."""
        memory = self._context.memory
        standing = {fact.id for fact in memory.facts}
        expired = question.expires_at is not None and question.expires_at <= self._now
        return (
            question not in self._settled and not expired and standing.issuperset(question.against)
        )

    def _choose(self) -> Question | None:
        memory = self._context.memory
        offered = [q for q in (*memory.questions, *self._questions) if self._open(q)]
        policy = self._policies.asking
        try:
            return contained(
                policy,
                lambda: policy.choose(tuple(offered), self._context) if offered else None,
                lambda answer: containment.choice_problem(answer, offered),
            )
        except PolicyError as error:
            log.warning("nothing is asked: %s", error)
            return None
