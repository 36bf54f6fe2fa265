"""The ledger, and questions to the user."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hma.errors import NotFound
from hma.records import (
    Answer,
    Effect,
    Question,
    Settlement,
    Verdict,
)


def test_what_was_not_admitted_is_in_the_ledger_newest_first(ana: Any) -> None:
    """Admissions are there too for who asks for them."""
    turn = ana.say("maybe Porto")
    for verdict in Verdict:
        ana.commit(ana.decide(ana.candidate(turn, "home", verdict), verdict=verdict))
    verdicts = [entry.decision.verdict for entry in ana.memory.ledger()]
    assert verdicts == [Verdict.REFUSE, Verdict.ASK, Verdict.HOLD]
    assert len(ana.memory.ledger(admitted=True)) == 4
    assert len(ana.memory.ledger(limit=1)) == 1


def test_a_held_candidate_waits_until_it_is_admitted(ana: Any) -> None:
    """Held twice, admitted once: nothing is held any more, under any spelling."""
    for text in ("perhaps Porto", "Porto I guess"):
        turn = ana.say(text)
        ana.commit(ana.decide(ana.candidate(turn, "home", "Porto"), verdict=Verdict.HOLD))
    held = ana.memory.snapshot().held
    assert [entry.decision.candidate.evidence.turn_id for entry in held] == ["t1", "t2"]
    ana.learn("home", "porto")
    assert ana.memory.snapshot().held == ()


def _question(ana: Any, fact_id: str, value: str, **other: Any) -> Question:
    candidate = ana.candidate(ana.say(f"In {value}."), "home", value)
    return Question(f"q-{value}", candidate, (fact_id,), ana.clock(), **other)


def test_a_question_is_stored_asked_and_answered(ana: Any, clock: Any) -> None:
    """It waits in the snapshot, knows when it was put, and is answered once."""
    fact = ana.learn("home", "Porto").opened[0]
    assert ana.memory.snapshot().turns_since_question is None
    question = _question(ana, fact.id, "Faro")
    ana.commit(questions=[question], ask=question)
    asked = ana.memory.snapshot()
    assert asked.questions == (replace(question, asked_at=clock()),)
    assert asked.turns_since_question == 0
    ana.say("hm")
    ana.say("let me think")
    assert ana.memory.snapshot().turns_since_question == 2
    answer = Settlement(question.id, Answer.SECOND)
    ana.commit(settlements=[answer])
    assert ana.memory.snapshot().questions == ()
    with pytest.raises(NotFound):
        ana.commit(settlements=[answer])


def test_a_question_about_a_fact_that_is_gone_is_not_asked(ana: Any) -> None:
    """The user changed it himself; there is nothing left to ask."""
    fact = ana.learn("home", "Porto").opened[0]
    ana.commit(questions=[_question(ana, fact.id, "Faro")])
    ana.learn("home", "Braga", Effect.SUPERSEDE, [fact.id])
    assert ana.memory.snapshot().questions == ()


def test_a_question_expires_quietly(ana: Any, clock: Any) -> None:
    """After its time it is neither shown nor open to an answer."""
    fact = ana.learn("home", "Porto").opened[0]
    question = _question(ana, fact.id, "Faro", expires_at=clock() + timedelta(days=7))
    ana.commit(questions=[question])
    clock.move(days=8)
    assert ana.memory.snapshot().questions == ()
    ana.learn("pet", "a dog")
    with pytest.raises(NotFound):
        ana.commit(settlements=[Settlement(question.id, Answer.SECOND)])
