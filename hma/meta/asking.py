"""Asking policies: which doubt is put to the user now, and what did the answer mean?"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from hma.meta.answers import states_a_side, understand
from hma.meta.base import Context
from hma.records import Answer, Question
from hma.slots import Cardinality, SlotKind

# How much it matters to know, by kind of slot.
_WORTH = {
    SlotKind.IDENTITY: 1.0,
    SlotKind.STATE: 0.9,
    SlotKind.INSTRUCTION: 0.9,
    SlotKind.PREFERENCE: 0.7,
    SlotKind.EVENT: 0.5,
}
_MANY = 0.6


class PatientAsking:
    """Asks rarely, what matters most, and never twice.

    A question that was put and not answered stays open in silence; it is settled if the
    user answers in time, or later states one of its sides, and expires otherwise.

    Args:
        min_turns_between: user turns from one question to the next, at least.
        expires_days: days after which a question is no longer asked or answered.
        answer_within: how many turns after a question an answer to it is looked for. After
            that only a whole statement of a side ("I live in Porto") still counts.
        min_worth: questions worth less (0 to 1: kind of slot times confidence) are not put.

    Raises:
        ValueError: an option is negative.
    """

    def __init__(
        self,
        *,
        min_turns_between: int = 3,
        expires_days: float = 14,
        answer_within: int = 1,
        min_worth: float = 0.2,
    ) -> None:
        if min(min_turns_between, expires_days, answer_within, min_worth) < 0:
            raise ValueError("no option can be negative")
        self._min_turns_between = min_turns_between
        self._lifetime = timedelta(days=expires_days)
        self._answer_within = answer_within
        self._min_worth = min_worth

    def choose(self, questions: Sequence[Question], context: Context) -> Question | None:
        """The one of `questions` that is worth most, if it is time to ask at all."""
        since = context.memory.turns_since_question
        if since is not None and since < self._min_turns_between:
            return None
        fresh = [q for q in questions if q.asked_at is None]
        worthy = [q for q in fresh if _worth(q, context) >= self._min_worth]
        # Ties go to the older question, then to the id: the choice must not depend on order.
        worthy.sort(key=lambda q: (-_worth(q, context), q.created_at, q.id))
        return worthy[0] if worthy else None

    def expires(self, asked: datetime) -> datetime:
        """`expires_days` after it arose."""
        return asked + self._lifetime

    def interpret(self, text: str, question: Question, context: Context) -> Answer | None:
        """Read `text` as the answer to `question`, if it was asked a moment ago or the user
        states a side again."""
        old = [fact for fact in context.memory.facts if fact.id in question.against]
        since = context.memory.turns_since_question
        late = since is not None and since > self._answer_within
        if late and not states_a_side(text, old, question.candidate):
            return None
        return understand(text, old, question.candidate)


def _worth(question: Question, context: Context) -> float:
    slot = context.slots.get(question.candidate.attribute)
    if slot is None:
        return 0.0
    room = 1.0 if slot.cardinality is Cardinality.ONE else _MANY
    return _WORTH[slot.kind] * room * question.candidate.confidence
