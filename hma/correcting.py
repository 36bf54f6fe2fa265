"""The user corrects a fact by hand: the same path as a correction in talk, without the model."""

from hma.clock import Clock, system_clock
from hma.errors import InvalidInput, VersionConflict
from hma.longterm.base import Committed, Memory
from hma.meta.base import PolicyEngine
from hma.records import (
    Candidate,
    Decision,
    Effect,
    Judgement,
    Role,
    Span,
    Status,
    Turn,
    Verdict,
)
from hma.text import normal_form
from hma.tracing import new_id


def correct(
    memory: Memory,
    fact_id: str,
    value: str,
    engine: PolicyEngine,
    *,
    clock: Clock = system_clock,
) -> Committed:
    """Supersede a current fact by `value`. The words of the correction become its evidence.

    Raises:
        NotFound: this owner has no such fact.
        InvalidInput: the fact is closed, or the value is empty or may not be stored.
    """
    fact = memory.fact(fact_id)
    if not fact.current:
        raise InvalidInput("that fact is no longer current; correct the one that replaced it")
    screened = engine.screen(value.strip())
    if not screened.text or screened.redactions:
        raise InvalidInput("that value is empty or may not be stored")
    if normal_form(screened.text) == normal_form(fact.value):
        raise InvalidInput("that is what is remembered already")
    now = clock()
    text = f"{fact.attribute}: {screened.text}"
    turn = Turn(new_id(now), Role.USER, text, now)
    candidate = Candidate(
        fact.subject,
        fact.attribute,
        screened.text,
        fact.polarity,
        Status.CORRECTED,
        Span(0, 0, len(text), text, turn.id),
        confidence=1.0,
        scope=fact.scope,
        cues=("correction",),
    )
    decision = Decision(
        candidate, Verdict.ADMIT, Effect.SUPERSEDE, (fact.id,), "user", "corrected by hand"
    )
    memory.append(turn)
    while True:
        judgement = Judgement(memory.snapshot().version, (decision,))
        try:
            return memory.commit(judgement, distilled=[turn.id], at=now)
        except VersionConflict:
            continue  # somebody else was first; if they closed this fact, `commit` says so
