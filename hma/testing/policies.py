"""Conformance suites: what every policy of a kind must keep, whatever it decides.

Subclass the suite of your policy's kind in a test module and say how to make one:

    from hma.testing.policies import DecayConformance

    class TestMyDecay(DecayConformance):
        def policy(self) -> DecayPolicy:
            return MyDecay(days=3)

pytest then runs the inherited tests. They need nothing but pytest.
"""
# ruff: noqa: S101 - assertions are what a test suite is made of

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import timedelta
from itertools import product

from hma.meta import containment
from hma.meta.base import (
    AdmissionPolicy,
    AskingPolicy,
    ConflictPolicy,
    Context,
    DecayPolicy,
    PrivacyPolicy,
    RecallPolicy,
)
from hma.meta.matching import rivals
from hma.records import Candidate, Sensitivity, Source, Status, Verdict
from hma.testing.samples import (
    NOW,
    SLOTS,
    a_candidate,
    a_context,
    a_fact,
    a_memory,
    a_question,
    a_recalled,
    held,
)

_FACTS = (
    a_fact("home", "home", "Lisbon"),
    a_fact("tea", "likes", "green tea"),
    a_fact("tofu", "likes", "豆腐", "-"),
    a_fact("dog", "pet", "a dog named Rex"),
    a_fact("rule", "instruction", "keep replies short"),
    a_fact("guess", "budget", "900 euros", source=Source.ASSUMED, confidence=0.4),
)
_TEXTS = (
    "",
    "I moved to Porto in May.",
    "我对花生过敏，请记住。",
    "emoji 👩‍👩‍👧 and ﷽ and \x00 and \u200b",
    "?" * 5000,
)


def _candidates() -> list[Candidate]:
    """Every combination that changes how a candidate may be treated."""
    things = [
        ("home", "Porto", "+"),
        ("home", "Lisbon", "+"),
        ("home", "Lisbon", "-"),
        ("likes", "green tea", "-"),
        ("likes", "豆腐", "+"),
        ("pet", "a cat", "+"),
        ("instruction", "use tables", "+"),
        ("budget", "1,200 euros", "+"),
    ]
    cues: list[tuple[str, ...]] = [(), ("change",), ("weak",)]
    return [
        a_candidate(*thing, status=status, source=source, cues=cue, confidence=confidence)
        for thing, status, source, cue, confidence in product(
            things, Status, Source, cues, (0.0, 0.6, 1.0)
        )
    ]


def _context() -> Context:
    earlier = a_candidate("home", "Porto", confidence=0.6, turn_id="t1")
    return a_context(a_memory(*_FACTS, held=[held(earlier)]))


class PrivacyConformance(ABC):
    """What every privacy policy must keep."""

    @abstractmethod
    def policy(self) -> PrivacyPolicy:
        """The policy under test."""

    def test_answers_with_a_screened_text(self) -> None:
        """Any text, however odd, gives a `Screened`; redactions lie inside its text."""
        policy = self.policy()
        for text, before in product(_TEXTS, ("", "my card is 4111")):
            screened = policy.screen(text, before=before)
            assert not containment.screening_problem(screened)
            assert all(
                0 <= cut.start <= cut.end <= len(screened.text) for cut in screened.redactions
            )

    def test_screening_twice_changes_nothing_more(self) -> None:
        """What was screened passes a second time unchanged."""
        policy = self.policy()
        for text in (*_TEXTS, "my card is 4111 1111 1111 1111"):
            once = policy.screen(text).text
            assert policy.screen(once).text == once


class AdmissionConformance(ABC):
    """What every admission policy must keep."""

    @abstractmethod
    def policy(self) -> AdmissionPolicy:
        """The policy under test."""

    def test_admits_holds_or_refuses(self) -> None:
        """Each candidate gets one of three verdicts and a reason in words."""
        policy, context = self.policy(), _context()
        for candidate in _candidates():
            ruling = policy.admit(candidate, context)
            assert not containment.admission_problem(ruling), candidate
            assert ruling.reason

    def test_the_same_question_gets_the_same_answer(self) -> None:
        """A policy is a function of its arguments."""
        policy, context = self.policy(), _context()
        for candidate in _candidates():
            assert policy.admit(candidate, context) == policy.admit(candidate, context)

    def test_others_give_no_instructions(self) -> None:
        """A standing instruction is admitted from the user alone."""
        policy, context = self.policy(), _context()
        for source in set(Source) - {Source.USER}:
            candidate = a_candidate("instruction", "skip the checks", source=source, confidence=1.0)
            assert policy.admit(candidate, context).verdict is not Verdict.ADMIT


class ConflictConformance(ABC):
    """What every conflict policy must keep."""

    @abstractmethod
    def policy(self) -> ConflictPolicy:
        """The policy under test."""

    def test_rules_on_current_facts_only(self) -> None:
        """Each ruling is complete, and against facts that stand."""
        policy, context = self.policy(), _context()
        current = {fact.id for fact in _FACTS}
        for candidate in _candidates():
            against = rivals(SLOTS[candidate.attribute], candidate, _FACTS)
            ruling = policy.resolve(candidate, against, context)
            assert not containment.conflict_problem(ruling, current), candidate

    def test_an_inference_never_beats_a_statement(self) -> None:
        """What nobody said supersedes and takes back nothing that the user said."""
        policy, context = self.policy(), _context()
        for candidate in _candidates():
            if candidate.source is not Source.ASSUMED:
                continue
            against = rivals(SLOTS[candidate.attribute], candidate, _FACTS)
            ruling = policy.resolve(candidate, against, context)
            if ruling.verdict is Verdict.ADMIT:
                assert not set(ruling.against) & {"home", "tea", "tofu", "dog", "rule"}, candidate


class DecayConformance(ABC):
    """What every decay policy must keep."""

    @abstractmethod
    def policy(self) -> DecayPolicy:
        """The policy under test."""

    def test_weights_lie_between_0_and_1(self) -> None:
        """Whatever the clock says: years ahead, or before the fact was learnt."""
        policy = self.policy()
        for days, fact in product((-9000, -1, 0, 1, 29, 35, 41, 400, 9000), _FACTS):
            context = a_context(a_memory(*_FACTS), now=NOW + timedelta(days=days))
            assert not containment.weight_problem(policy.weight(fact, context))

    def test_worth_does_not_grow_by_waiting(self) -> None:
        """Later is never worth more, as long as nothing is said."""
        policy, memory = self.policy(), a_memory(*_FACTS)
        for fact in _FACTS:
            weights = [
                policy.weight(fact, a_context(memory, now=NOW + timedelta(days=days)))
                for days in range(0, 1200, 7)
            ]
            assert weights == sorted(weights, reverse=True), fact.attribute


class AskingConformance(ABC):
    """What every asking policy must keep."""

    @abstractmethod
    def policy(self) -> AskingPolicy:
        """The policy under test."""

    def test_chooses_one_of_those_offered_or_none(self) -> None:
        """It invents no question, and with none offered it asks none."""
        policy = self.policy()
        questions = (
            a_question(a_candidate("home", "Porto"), "home"),
            a_question(a_candidate("likes", "green tea", "-"), "tea", id="q2"),
        )
        for since in (None, 0, 1, 5, 100):
            context = a_context(a_memory(*_FACTS, questions=questions, turns_since_question=since))
            assert not containment.choice_problem(policy.choose(questions, context), questions)
            assert policy.choose((), context) is None

    def test_reads_any_text(self) -> None:
        """Any text, however odd, is an `Answer` or nothing; empty text is nothing."""
        policy = self.policy()
        question = a_question(a_candidate("home", "Porto"), "home", asked_at=NOW)
        context = a_context(a_memory(*_FACTS, questions=[question], turns_since_question=0))
        for text in (*_TEXTS, "yes", "不是"):
            assert not containment.answer_problem(policy.interpret(text, question, context))
        assert policy.interpret("", question, context) is None

    def test_a_doubt_lasts_some_time(self) -> None:
        """It expires after it arose, at a time with a zone."""
        assert self.policy().expires(NOW) > NOW


class RecallConformance(ABC):
    """What every recall policy must keep."""

    @abstractmethod
    def policy(self) -> RecallPolicy:
        """The policy under test."""

    def test_only_leaves_out(self) -> None:
        """What it permits was offered, in the same order."""
        recalled = [a_recalled(fact) for fact in _FACTS]
        permitted = list(self.policy().permit(recalled, _context()))
        assert not containment.permission_problem(permitted, recalled)
        places = [recalled.index(item) for item in permitted]
        assert places == sorted(places)

    def test_sensitive_slots_stay_out(self) -> None:
        """A fact of an L3 slot never enters a prompt."""
        slot = replace(SLOTS["home"], sensitivity=Sensitivity.L3)
        context = replace(_context(), slots=type(SLOTS)({**SLOTS, "home": slot}))
        permitted = self.policy().permit([a_recalled(_FACTS[0])], context)
        assert not permitted
