"""The engine: answers, candidates, questions, and policies that fail."""

import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import PolicyError
from hma.meta.base import Context, Policies, PolicyEngine, Ruling
from hma.meta.engine import LocalEngine
from hma.meta.registry import load_policies
from hma.records import (
    Answer,
    Candidate,
    Decision,
    Effect,
    Fact,
    Judgement,
    Polarity,
    Role,
    Sensitivity,
    Snapshot,
    Source,
    Status,
    Verdict,
)
from hma.slots import Slots
from hma.testing.samples import (
    DAY,
    NOW,
    SLOTS,
    a_candidate,
    a_fact,
    a_memory,
    a_question,
    a_recalled,
    a_turn,
)

POLICIES = load_policies()
LISBON = a_fact("lisbon", "home", "Lisbon")
COFFEE = a_fact("coffee", "likes", "coffee")
PORTO = a_candidate("home", "Porto")
ASKED = a_question(PORTO, "lisbon", asked_at=NOW - DAY)
SECRET = "the-users-own-words"


def engine(policies: Policies = POLICIES, slots: Slots = SLOTS) -> LocalEngine:
    """An engine at a fixed time."""
    return LocalEngine(policies, slots, lambda: NOW)


def judge(*candidates: Candidate, memory: Snapshot | None = None, text: str = "") -> Judgement:
    """The judgement on `candidates`, said in a turn with this text."""
    turn = a_turn(text) if text else None
    return engine().judge(candidates, turn, memory or a_memory(LISBON, COFFEE))


def only(judgement: Judgement) -> Decision:
    """The one decision of the judgement."""
    (decision,) = judgement.decisions
    return decision


def shown(judgement: Judgement) -> list[tuple[str, Verdict, Effect]]:
    """Value, verdict and effect of each decision."""
    return [(d.candidate.value, d.verdict, d.effect) for d in judgement.decisions]


def asked(since: int = 0) -> Snapshot:
    """A memory that waits for the answer whether home is Porto now."""
    return a_memory(LISBON, COFFEE, questions=[ASKED], turns_since_question=since)


def test_it_is_an_engine() -> None:
    """The local engine has the engine's interface."""
    checked: PolicyEngine = engine()
    assert checked.judge([], None, a_memory(version=12)) == Judgement(version=12)


# --- candidates ----------------------------------------------------------------------


def test_a_sure_statement_is_admitted() -> None:
    """The decision names the policy that had the last word, and why."""
    decision = only(judge(a_candidate("pet", "a cat")))
    assert (decision.verdict, decision.effect) == (Verdict.ADMIT, Effect.NEW)
    assert (decision.policy, decision.reason) == ("SlotConflict", "nothing was known")


def test_what_is_not_admitted_is_not_weighed_against_facts() -> None:
    """A doubtful clash is held by admission and asks nothing."""
    judgement = judge(replace(PORTO, confidence=0.6))
    assert (only(judgement).verdict, only(judgement).policy) == (Verdict.HOLD, "ThresholdAdmission")
    assert not judgement.questions


@pytest.mark.parametrize("slots", [{"home": {"sensitivity": "L3"}}, {}])
def test_what_no_policy_may_decide(slots: dict[str, dict[str, Any]]) -> None:
    """Slots of L3 and slots that don't exist are refused before any policy is asked."""
    table = Slots.load(slots) if slots else Slots({n: s for n, s in SLOTS.items() if n == "pet"})
    decision = only(engine(slots=table).judge([PORTO], None, a_memory()))
    assert (decision.verdict, decision.policy) == (Verdict.REFUSE, "engine")


def test_a_clash_opens_a_question_and_asks_it() -> None:
    """The new doubt holds the candidate and what it is against; nothing is written."""
    judgement = judge(PORTO)
    (question,) = judgement.questions
    assert only(judgement).verdict is Verdict.ASK
    assert (question.candidate, question.against) == (PORTO, ("lisbon",))
    assert (question.created_at, question.asked_at) == (NOW, None)
    assert judgement.ask == question


def test_the_same_doubt_is_not_opened_twice() -> None:
    """Said again while the question waits, it opens no second one, and nags nobody."""
    again = judge(a_candidate("home", "porto"), memory=asked(since=9))
    assert only(again).verdict is Verdict.ASK
    assert not again.questions
    assert again.ask is None
    assert len(judge(PORTO, replace(PORTO)).questions) == 1


def test_two_doubts_in_one_turn() -> None:
    """Both are opened under different ids; the one that matters more is asked."""
    judgement = judge(a_candidate("likes", "coffee", "-"), PORTO)
    assert len({question.id for question in judgement.questions}) == 2
    assert judgement.ask is not None
    assert judgement.ask.candidate == PORTO


def test_a_judgement_is_reproducible() -> None:
    """The same arguments give the same judgement, question ids included; another version
    or owner gives other ids."""
    first, second = judge(PORTO), judge(PORTO)
    assert first == second
    later = judge(PORTO, memory=a_memory(LISBON, version=8))
    assert later.questions[0].id != first.questions[0].id
    other = replace(a_memory(LISBON), owner=replace(a_memory().owner, user="bo"))
    assert judge(PORTO, memory=other).questions[0].id != first.questions[0].id


# --- several candidates of one call --------------------------------------------------


def test_a_correction_in_the_same_turn_wins() -> None:
    """ "I live in Faro, no wait, in Porto": only Porto goes on, in whatever order they come."""
    faro = a_candidate("home", "Faro", start=0)
    porto = a_candidate("home", "Porto", start=20, status=Status.CORRECTED)
    for batch in ([faro, porto], [porto, faro]):
        judgement = judge(*batch, memory=a_memory())
        assert shown(judgement) == [
            ("Faro", Verdict.REFUSE, Effect.NEW),
            ("Porto", Verdict.ADMIT, Effect.NEW),
        ]
        assert judgement.decisions[0].reason == "corrected in the same turn"


def test_a_correction_within_one_clause() -> None:
    """The place of the value in the clause decides which came later."""
    quote = "my name is Ann, sorry, Anne Marie"
    ann = a_candidate("name", "Ann,", quote=quote)
    anne = a_candidate("name", "Anne Marie", quote=quote, status=Status.CORRECTED)
    judgement = judge(anne, ann, memory=a_memory())
    assert [d.candidate.value for d in judgement.decisions if d.verdict is Verdict.ADMIT] == [
        "Anne Marie"
    ]


def test_a_slip_among_many_values() -> None:
    """ "A dog and a cat called Rex, sorry, Max": a correction replaces the last one said."""
    dog = a_candidate("pet", "a dog", start=0)
    rex = a_candidate("pet", "Rex", start=10)
    max_ = a_candidate("pet", "Max", start=30, status=Status.CORRECTED)
    judgement = judge(dog, rex, max_, memory=a_memory())
    verdicts = {d.candidate.value: d.verdict for d in judgement.decisions}
    assert verdicts == {"a dog": Verdict.ADMIT, "Rex": Verdict.REFUSE, "Max": Verdict.ADMIT}


def test_a_change_among_many_values_takes_nothing_back() -> None:
    """ "I like tea. Lately I took up coffee": a change comes on top."""
    tea = a_candidate("likes", "tea", start=0)
    cocoa = a_candidate("likes", "cocoa", start=30, cues=["change"])
    judgement = judge(tea, cocoa, memory=a_memory())
    assert {d.verdict for d in judgement.decisions} == {Verdict.ADMIT}


def test_a_turn_that_takes_back_its_own_words() -> None:
    """ "I have a dog. Just kidding, I don't": nothing is admitted."""
    dog = a_candidate("pet", "a dog", start=0)
    none = a_candidate("pet", "dog", start=30, status=Status.RETRACTED)
    judgement = judge(dog, none, memory=a_memory())
    assert {d.verdict for d in judgement.decisions} == {Verdict.REFUSE}


def test_two_values_in_one_turn_without_a_correction() -> None:
    """The first stands, the second waits: which one is meant can't be known yet."""
    judgement = judge(
        a_candidate("home", "Faro", start=0),
        a_candidate("home", "Porto", start=30),
        memory=a_memory(),
    )
    assert [d.verdict for d in judgement.decisions] == [Verdict.ADMIT, Verdict.HOLD]


def test_said_twice_in_one_turn() -> None:
    """One of two equal candidates is enough."""
    judgement = judge(
        a_candidate("pet", "a cat"), a_candidate("pet", "Cat", start=9), memory=a_memory()
    )
    assert [d.verdict for d in judgement.decisions] == [Verdict.ADMIT, Verdict.REFUSE]


def test_what_one_candidate_closed_is_no_rival_of_the_next() -> None:
    """ "I left Lisbon. I live in Porto": the retraction makes room, and nothing is asked."""
    left = a_candidate("home", "Lisbon", start=0, status=Status.RETRACTED)
    judgement = judge(left, replace(PORTO, evidence=replace(PORTO.evidence, start=20, end=25)))
    assert shown(judgement) == [
        ("Lisbon", Verdict.ADMIT, Effect.RETRACT),
        ("Porto", Verdict.ADMIT, Effect.NEW),
    ]


@pytest.mark.parametrize("polarity", ["+", "-"])
@pytest.mark.parametrize("first", ["Lisbon", "Porto"])
def test_leaving_and_arriving_are_one_change(polarity: str, first: str) -> None:
    """ "I moved from Lisbon to Porto": the new row takes the place of the old one, whichever
    is named first and however the old value was read."""
    left = a_candidate(
        "home", "Lisbon", polarity, start=20 if first == "Porto" else 0, status=Status.RETRACTED
    )
    moved = a_candidate("home", "Porto", start=10, status=Status.CORRECTED)
    judgement = judge(left, moved)
    assert [
        (d.candidate.value, d.effect) for d in judgement.decisions if d.verdict is Verdict.ADMIT
    ] == [("Porto", Effect.SUPERSEDE)]


# --- answers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer", "verdict", "effect"),
    [
        ("yes", Answer.SECOND, Verdict.ADMIT, Effect.SUPERSEDE),
        ("不是", Answer.FIRST, Verdict.REFUSE, Effect.NEW),
        ("both", Answer.BOTH, Verdict.ADMIT, Effect.COEXIST),
        ("都不对", Answer.NEITHER, Verdict.ADMIT, Effect.RETRACT),
        ("don't store that", Answer.DONT_STORE, Verdict.REFUSE, Effect.NEW),
    ],
)
def test_an_answer_settles_the_question(
    text: str, answer: Answer, verdict: Verdict, effect: Effect
) -> None:
    """Each answer closes the question and decides about its candidate."""
    judgement = judge(memory=asked(), text=text)
    (settlement,) = judgement.settlements
    assert (settlement.question, settlement.answer) == ("q1", answer)
    decision = only(judgement)
    assert (decision.candidate, decision.verdict, decision.effect) == (PORTO, verdict, effect)
    assert decision.against == ("lisbon",)
    assert judgement.ask is None


@pytest.mark.parametrize("text", ["yes, I live in Porto now", "no, not Porto", "don't store that"])
def test_the_answer_is_not_judged_a_second_time(text: str) -> None:
    """What the answer itself says again is no new candidate."""
    judgement = judge(PORTO, memory=asked(), text=text)
    assert len(judgement.settlements) == 1
    assert judgement.decisions[1].reason == "settled by the answer to the question"
    assert not judgement.questions


def test_neither_makes_room_for_a_third_value() -> None:
    """ "Neither, I live in Faro": the old closes, the third opens."""
    judgement = judge(a_candidate("home", "Faro"), memory=asked(), text="Neither. I live in Faro")
    assert shown(judgement) == [
        ("Porto", Verdict.ADMIT, Effect.RETRACT),
        ("Faro", Verdict.ADMIT, Effect.NEW),
    ]


def test_a_third_value_leaves_the_question_open() -> None:
    """ "Actually Faro" is a correction of its own, after which the question is moot."""
    faro = a_candidate("home", "Faro", status=Status.CORRECTED)
    judgement = judge(faro, memory=asked(), text="Actually Faro")
    assert not judgement.settlements
    assert shown(judgement) == [("Faro", Verdict.ADMIT, Effect.SUPERSEDE)]
    assert judgement.ask is None


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_only_the_user_answers(role: Role) -> None:
    """A "yes" from a tool or the assistant confirms nothing."""
    judgement = engine().judge([], a_turn("yes", role=role), asked())
    assert not judgement.settlements


def test_a_question_that_was_not_asked_is_not_answered() -> None:
    """Waiting doubts that the user never saw can't be confirmed by a stray "yes"."""
    memory = a_memory(LISBON, questions=[replace(ASKED, asked_at=None)])
    assert not judge(memory=memory, text="yes").settlements


def test_only_the_question_that_was_asked_last_is_answered() -> None:
    """One "yes" settles one question."""
    older = a_question(
        a_candidate("likes", "coffee", "-"), "coffee", id="q0", asked_at=NOW - 5 * DAY
    )
    memory = replace(asked(), questions=(older, ASKED))
    (settlement,) = judge(memory=memory, text="yes").settlements
    assert settlement.question == "q1"


@pytest.mark.parametrize(
    "memory",
    [
        replace(asked(), facts=(COFFEE,)),
        replace(asked(), facts=(replace(LISBON, closed_at=NOW), COFFEE)),
        replace(asked(), questions=(replace(ASKED, expires_at=NOW),)),
        replace(asked(), turns_since_question=7),
    ],
    ids=["gone", "closed", "expired", "long ago"],
)
def test_a_stale_question_can_not_be_confirmed(memory: Snapshot) -> None:
    """A confirmation is bound to the conflict as it stood: when that has changed, or the
    time has passed, "yes" does nothing."""
    judgement = judge(memory=memory, text="yes")
    assert not judgement.settlements
    assert not judgement.decisions


# --- policies that fail --------------------------------------------------------------


class Broken:
    """A policy of every kind that raises with the user's words in its message."""

    def _fail(self, *args: object, **kwargs: object) -> NoReturn:
        raise RuntimeError(SECRET)

    screen = admit = resolve = weight = choose = interpret = permit = _fail


class Nonsense:
    """A policy of every kind that answers what it was built with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def _say(self, *args: object, **kwargs: object) -> Any:
        return self.answer

    screen = admit = resolve = weight = choose = interpret = permit = _say


def with_policy(kind: str, policy: Any) -> LocalEngine:
    """An engine with one policy replaced."""
    return engine(replace(POLICIES, **{kind: policy}))


@pytest.mark.parametrize("policy", [Broken(), Nonsense(None), Nonsense("text")])
def test_a_failing_screen_lets_nothing_through(policy: Any) -> None:
    """Privacy fails closed, with an error that names the policy and not the text."""
    with pytest.raises(PolicyError, match=type(policy).__name__) as caught:
        with_policy("privacy", policy).screen(SECRET)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Verdict.ADMIT,
        Ruling(Verdict.ASK, "x", against=("lisbon",)),
        Ruling("admit", "x"),  # type: ignore[arg-type]
        Ruling(Verdict.ADMIT, None),  # type: ignore[arg-type]
    ],
)
def test_a_failing_admission_holds(answer: object) -> None:
    """Nothing is written and nothing lost; the reason names the policy."""
    decision = only(with_policy("admission", Nonsense(answer)).judge([PORTO], None, a_memory()))
    assert (decision.verdict, decision.policy) == (Verdict.HOLD, "Nonsense")
    assert "Nonsense" in decision.reason


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Ruling(Verdict.ADMIT, "x", Effect.SUPERSEDE, ("no such id",)),
        Ruling(Verdict.ADMIT, "x", Effect.SUPERSEDE),
        Ruling(Verdict.ADMIT, "x", Effect.RETRACT),
        Ruling(Verdict.ASK, "x"),
        Ruling(Verdict.ADMIT, "x", "new"),  # type: ignore[arg-type]
        Ruling(Verdict.ADMIT, "x", Effect.REPEAT, ["lisbon"]),  # type: ignore[arg-type]
    ],
)
def test_a_failing_conflict_policy_holds(answer: object) -> None:
    """Ids that don't exist, effects without facts and wrong types write nothing."""
    judgement = with_policy("conflict", Nonsense(answer)).judge([PORTO], None, a_memory(LISBON))
    assert (only(judgement).verdict, only(judgement).policy) == (Verdict.HOLD, "Nonsense")
    assert not only(judgement).against


def test_a_raising_policy_holds_each_candidate() -> None:
    """All candidates are kept for later, and no reason carries the user's words."""
    judgement = with_policy("conflict", Broken()).judge(
        [PORTO, a_candidate("pet", "a cat")], None, a_memory(LISBON)
    )
    assert [d.verdict for d in judgement.decisions] == [Verdict.HOLD, Verdict.HOLD]
    assert all(
        "Broken raised RuntimeError at test_engine.py" in d.reason for d in judgement.decisions
    )
    assert SECRET not in repr(judgement)


@pytest.mark.parametrize(
    "policy", [Broken(), Nonsense("yes"), Nonsense(a_question(PORTO, "lisbon", id="invented"))]
)
def test_a_failing_asking_policy_asks_nothing(
    policy: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The question stays open, none is put, the facts are decided all the same."""
    with caplog.at_level(logging.WARNING):
        judgement = with_policy("asking", policy).judge(
            [a_candidate("pet", "a cat")], a_turn("yes"), asked(since=1)
        )
    assert not judgement.settlements
    assert judgement.ask is None
    assert only(judgement).verdict is Verdict.ADMIT
    assert type(policy).__name__ in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize("answer", [None, "1", True, math.nan, math.inf, -0.1, 1.1])
def test_a_weight_that_is_none_counts_as_full(
    answer: object, caplog: pytest.LogCaptureFixture
) -> None:
    """A decay policy that answers nonsense forgets nothing; the log names it."""
    weights = with_policy("decay", Nonsense(answer)).weights(a_memory(LISBON, COFFEE))
    assert weights == {"lisbon": 1.0, "coffee": 1.0}
    assert "Nonsense" in caplog.text


def test_weights_of_current_facts() -> None:
    """Each current fact by id; closed ones have no weight."""
    closed = replace(COFFEE, id="closed", closed_at=NOW)
    memory = a_memory(LISBON, COFFEE, closed, last_seen=NOW - 34 * DAY)
    assert engine().weights(memory) == pytest.approx({"lisbon": 1.0, "coffee": 0.8})


@pytest.mark.parametrize("policy", [Broken(), Nonsense(None), Nonsense([a_recalled(LISBON)])])
def test_a_failing_recall_policy_shows_nothing(policy: Any) -> None:
    """What may enter the prompt fails closed as well; a policy can't add to it."""
    with pytest.raises(PolicyError, match=type(policy).__name__):
        with_policy("recall", policy).permit([a_recalled(COFFEE)], a_memory(COFFEE))


def test_permit_asks_the_policy() -> None:
    """The policy's answer is passed on."""
    recalled = [a_recalled(COFFEE), a_recalled(LISBON, weight=0.0)]
    assert list(engine().permit(recalled, a_memory(LISBON, COFFEE))) == recalled[:1]


def test_screen_asks_the_policy() -> None:
    """A card number does not pass."""
    screened = engine().screen("my card is 4111 1111 1111 1111")
    assert "4111" not in screened.text
    assert screened.sensitivity is Sensitivity.L3


class Curious:
    """A conflict policy that shows what it was given."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, ...]] = []

    def resolve(self, candidate: Candidate, rivals: Sequence[Fact], context: Context) -> Ruling:
        """Remember the rivals."""
        self.seen.append(tuple(fact.id for fact in rivals))
        assert all(fact.current for fact in context.memory.facts)
        return Ruling(Verdict.ADMIT, "fine")


def test_a_policy_sees_the_rivals_and_nothing_closed() -> None:
    """Rivals are the current facts of the same subject, slot and scope."""
    policy = Curious()
    closed = replace(LISBON, id="closed", closed_at=NOW)
    memory = a_memory(LISBON, COFFEE, closed, replace(LISBON, id="maria", subject="Maria"))
    with_policy("conflict", policy).judge([PORTO], None, memory)
    assert policy.seen == [("lisbon",)]


# --- invariants ----------------------------------------------------------------------

VALUES = ["Lisbon", "lisbon", "Porto", "coffee", "Rex", "豆腐"]
CANDIDATES = st.builds(
    a_candidate,
    st.sampled_from(["home", "likes", "pet", "instruction", "nowhere"]),
    st.sampled_from(VALUES),
    st.sampled_from(list(Polarity)),
    status=st.sampled_from(list(Status)),
    confidence=st.floats(0, 1),
    source=st.sampled_from(list(Source)),
    cues=st.lists(st.sampled_from(["change", "correction", "weak", "hedge"]), max_size=2),
    turn=st.integers(0, 2),
    start=st.integers(0, 50),
)
FACTS = st.lists(
    st.builds(
        a_fact,
        st.uuids().map(str),
        st.sampled_from(["home", "likes", "pet", "instruction"]),
        st.sampled_from(VALUES),
        st.sampled_from(list(Polarity)),
        source=st.sampled_from(list(Source)),
    ),
    max_size=6,
    unique_by=lambda fact: fact.id,
)
TEXTS = st.sampled_from(["", "yes", "no", "both", "都不对", "别记", "what is new?"])


@given(st.lists(CANDIDATES, max_size=6), FACTS, TEXTS, st.integers(0, 4) | st.none())
def test_every_judgement_can_be_carried_out(
    candidates: list[Candidate], facts: list[Fact], text: str, since: int | None
) -> None:
    """Each candidate gets one decision; no fact is closed twice; what is admitted came from
    the user; a question is asked that exists and was not asked before."""
    question = a_question(PORTO, *(f.id for f in facts[:1]), asked_at=NOW - DAY)
    memory = a_memory(*facts, questions=[question], turns_since_question=since)
    judgement = engine().judge(candidates, a_turn(text), memory)
    assert len(judgement.decisions) == len(candidates) + len(judgement.settlements)
    closing = [
        fact
        for decision in judgement.decisions
        if decision.verdict is Verdict.ADMIT
        and decision.effect in (Effect.SUPERSEDE, Effect.RETRACT)
        for fact in decision.against
    ]
    assert len(closing) == len(set(closing))
    for decision in judgement.decisions:
        assert set(decision.against) <= {fact.id for fact in facts}
        if decision.verdict is Verdict.ADMIT:
            assert decision.candidate.source is Source.USER
            assert decision.candidate.confidence >= 0.8
    if judgement.ask is not None:
        assert judgement.ask in judgement.questions
    assert judgement == engine().judge(candidates, a_turn(text), memory)
