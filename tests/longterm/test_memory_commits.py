"""Commits: facts opened, confirmed, closed; versions."""

from dataclasses import replace
from typing import Any

import pytest

from hma.errors import InvalidInput, NotFound, VersionConflict
from hma.records import (
    Closing,
    Effect,
    Polarity,
    Role,
    Source,
    Status,
    Verdict,
)


def test_a_new_fact_carries_its_evidence_and_both_clocks(ana: Any, clock: Any) -> None:
    """Valid from when it was said; recorded when it was committed."""
    said_at = clock()
    turn = ana.say("我住在上海")
    recorded_at = clock.move(minutes=5)
    done = ana.commit(ana.decide(ana.candidate(turn, "home", "上海")), distilled=[turn.id])
    (fact,) = done.opened
    assert ana.memory.snapshot().facts == (fact,)
    assert ana.memory.fact(fact.id) == fact
    assert (fact.valid_from, fact.recorded_at, fact.version) == (said_at, recorded_at, 1)
    assert fact.evidence[0].quote == "我住在上海"
    assert fact.evidence[0].turn_id == turn.id
    assert done.version == ana.memory.snapshot().version == 1
    assert ana.memory.queued() == ()


def test_repetition_adds_evidence_not_rows(ana: Any, clock: Any) -> None:
    """Confidence is the best of both, and the same quote counts once."""
    first = ana.learn("home", "Porto", confidence=0.8).opened[0]
    clock.move(days=1)
    done = ana.learn("home", "Porto", Effect.REPEAT, [first.id], confidence=0.95)
    assert [fact.id for fact in done.opened] == [first.id]
    again = ana.memory.snapshot().facts[0]
    assert (again.confidence, again.confirmed_at) == (0.95, clock())
    assert (again.valid_from, len(again.evidence)) == (first.valid_from, 2)
    turn = ana.memory.recent(1)[0]
    candidate = ana.candidate(turn, "home", "Porto", confidence=0.5, source=Source.TOOL)
    ana.commit(ana.decide(candidate, Effect.REPEAT, [first.id]))
    last = ana.memory.fact(first.id)
    assert (last.confidence, len(last.evidence)) == (0.95, 2)
    assert last.source is Source.TOOL, "a fact is as good as its least trusted source"


def test_a_change_closes_the_old_row_and_opens_a_new_one(ana: Any, clock: Any) -> None:
    """Nothing is overwritten: both rows stand, joined at one moment."""
    old = ana.learn("home", "Porto").opened[0]
    moved = clock.move(days=30)
    done = ana.learn("home", "Faro", Effect.SUPERSEDE, [old.id])
    (closed,), (new,) = done.closed, done.opened
    assert (closed.id, closed.valid_to, closed.closing) == (old.id, moved, Closing.SUPERSEDED)
    assert closed.superseded_by == new.id
    assert new.valid_from == closed.valid_to
    assert ana.values("home") == ["Faro"]
    assert ana.memory.history(attribute="home") == (closed, new)
    assert ana.memory.history(subject="Tom") == ()


def test_a_retraction_closes_and_opens_nothing(ana: Any) -> None:
    """What was taken back is history."""
    old = ana.learn("pet", "a parrot").opened[0]
    done = ana.learn("pet", "a parrot", Effect.RETRACT, [old.id], status=Status.RETRACTED)
    assert done.opened == ()
    assert [fact.closing for fact in done.closed] == [Closing.RETRACTED]
    assert ana.values("pet") == []


def test_a_correction_inside_one_judgement_wins(ana: Any) -> None:
    """Policies can't name a fact that has no id yet; the store closes it all the same."""
    old = ana.learn("home", "Porto").opened[0]
    turn = ana.say("I live in Faro. Sorry, in Braga.")
    done = ana.commit(
        ana.decide(ana.candidate(turn, "home", "Faro"), Effect.SUPERSEDE, [old.id]),
        ana.decide(ana.candidate(turn, "home", "Braga"), Effect.SUPERSEDE, [old.id]),
    )
    first, middle, last = ana.memory.history(attribute="home")
    assert [first.superseded_by, middle.superseded_by] == [middle.id, last.id]
    assert [fact.value for fact in done.opened] == ["Braga"]
    assert {fact.value for fact in done.closed} == {"Porto", "Faro"}
    assert done.version == 2


def test_values_of_a_slot_for_many_stay_side_by_side(ana: Any) -> None:
    """Two pets in one turn replace the one before, not each other; a third is the twin."""
    old = ana.learn("pet", "Tom").opened[0]
    turn = ana.say("Tom is gone; Bo and Kit are here.")
    ana.commit(
        *(
            ana.decide(ana.candidate(turn, "pet", value), Effect.SUPERSEDE, [old.id])
            for value in ("Bo", "Kit", "bo")
        )
    )
    assert ana.values("pet") == ["Bo", "Kit"]


def test_opposite_polarity_of_one_object_competes(ana: Any) -> None:
    """Liking and hating said in one breath: the later word stands."""
    turn = ana.say("I like tofu. No, I hate tofu.")
    ana.commit(
        ana.decide(ana.candidate(turn, "likes", "tofu")),
        ana.decide(ana.candidate(turn, "likes", "tofu", polarity=Polarity.NEGATIVE)),
    )
    (fact,) = ana.memory.snapshot().facts
    assert fact.polarity is Polarity.NEGATIVE


def test_both_sides_may_be_kept_on_request(ana: Any) -> None:
    """`coexist` leaves even the only value of a slot standing."""
    ana.learn("home", "Porto")
    ana.learn("home", "Faro", Effect.COEXIST)
    assert ana.values("home") == ["Porto", "Faro"]


def test_what_depends_on_a_changed_slot_is_put_under_review(ana: Any, clock: Any) -> None:
    """Of the same subject only, once, until it is confirmed."""
    home = ana.learn("home", "Porto").opened[0]
    gym = ana.learn("schedule", "gym on Monday").opened[0]
    ana.learn("schedule", "swims on Friday", subject="Tom")
    moved = clock.move(days=3)
    home = ana.learn("home", "Faro", Effect.SUPERSEDE, [home.id]).opened[0]
    clock.move(days=3)
    ana.learn("home", "Braga", Effect.SUPERSEDE, [home.id])
    since = {fact.value: fact.needs_review_since for fact in ana.memory.snapshot().facts}
    assert since == {"gym on Monday": moved, "swims on Friday": None, "Braga": None}
    ana.learn("schedule", "gym on Monday", Effect.REPEAT, [gym.id])
    assert ana.memory.fact(gym.id).needs_review_since is None


def test_a_decision_on_an_old_version_is_not_carried_out(ana: Any) -> None:
    """Whoever comes second judges again."""
    turn = ana.say("Porto or Faro")
    one, other = (ana.decide(ana.candidate(turn, "home", value)) for value in ("Porto", "Faro"))
    ana.commit(one, version=0)
    with pytest.raises(VersionConflict) as caught:
        ana.commit(other, version=0, distilled=[turn.id])
    assert (caught.value.expected, caught.value.actual) == (0, 1)
    assert ana.values("home") == ["Porto"]
    assert ana.memory.queued() == (turn,)


def test_a_failing_judgement_leaves_nothing_behind(ana: Any) -> None:
    """All or nothing: the good decision before the bad one is undone as well."""
    turn = ana.say("Porto, and a dog")
    good = ana.decide(ana.candidate(turn, "home", "Porto"))
    bad = ana.decide(ana.candidate(turn, "pet", "a dog"), Effect.SUPERSEDE, ["nothing"])
    with pytest.raises(NotFound):
        ana.commit(good, bad)
    snapshot = ana.memory.snapshot()
    assert (snapshot.version, snapshot.facts) == (0, ())
    assert ana.memory.ledger(admitted=True) == ()


@pytest.mark.parametrize("confidence", [float("nan"), -0.1, 1.5])
def test_a_confidence_that_is_no_probability_is_refused(ana: Any, confidence: float) -> None:
    """A policy's nonsense does not reach the tables."""
    with pytest.raises(InvalidInput):
        ana.learn("home", "Porto", confidence=confidence)


def test_a_quote_that_does_not_stand_in_its_turn_is_refused(ana: Any) -> None:
    """The store looks again, whoever has looked before; the ledger keeps no such words."""
    turn = ana.say("I like tea")
    candidate = ana.candidate(turn, "home", "Porto")
    made_up = replace(candidate, evidence=replace(candidate.evidence, quote="I live in Porto"))
    ana.commit(ana.decide(made_up))
    assert ana.values("home") == []
    (entry,) = ana.memory.ledger()
    assert (entry.decision.verdict, entry.decision.policy) == (Verdict.REFUSE, "evidence")
    assert "Porto" not in str(entry)


def test_what_the_assistant_said_is_no_word_of_the_user(ana: Any) -> None:
    """Whoever distilled: a fact of the user's needs a turn of the user's."""
    turn = ana.say("You live in Porto", role=Role.ASSISTANT)
    ana.commit(ana.decide(ana.candidate(turn, "home", "Porto")))
    assert ana.values("home") == []
    (entry,) = ana.memory.ledger()
    assert (entry.decision.verdict, entry.decision.policy) == (Verdict.REFUSE, "evidence")


def test_a_clock_set_back_does_not_turn_history_round(ana: Any, clock: Any) -> None:
    """Recorded time never runs backwards for one owner."""
    first = ana.learn("home", "Porto").opened[0]
    clock.move(hours=-5)
    done = ana.learn("home", "Faro", Effect.SUPERSEDE, [first.id])
    assert done.opened[0].recorded_at == first.recorded_at
    assert done.closed[0].valid_to == first.valid_from
    assert [fact.value for fact in ana.memory.history()] == ["Porto", "Faro"]
