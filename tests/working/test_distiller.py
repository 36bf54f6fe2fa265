"""The distiller: two readers, code between, and what happens when the model goes wrong."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from hma.errors import (
    ConstraintLost,
    DistillationError,
    GenerationTimeout,
    InvalidInput,
    ModelError,
)
from hma.models.local import LocalModel
from hma.prompts import render
from hma.records import (
    Candidate,
    Clause,
    Polarity,
    Reader,
    Role,
    Span,
    Status,
    Turn,
    Window,
)
from hma.slots import Slots
from hma.testing.scripted import ScriptedModel
from hma.working.base import DistilReport, Distils, FactReader, Reading
from hma.working.distiller import STEPS, Distiller, RulesOnlyDistiller
from hma.working.locate import evidence_around, locate
from hma.working.model_reader import ModelReader
from hma.working.rules.reader import RuleReader
from hma.working.schema import check_spans, document, validate

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
SLOTS = Slots.load()
GOOD = '[["Ghent","user","home","+","asserted"]]'
TEXT = "I live in Ghent and I love tea."


def user(*texts: str) -> Window:
    """A window of new user turns."""
    return Window(tuple(Turn(f"t{i}", Role.USER, text, NOW) for i, text in enumerate(texts)))


class Homes:
    """A reader that knows the words it was given, as homes of the user."""

    def __init__(self, *homes: str) -> None:
        self._homes = homes

    def read(self, window: Window) -> Reading:
        """Every home that stands in a new user turn."""
        facts = [
            _home(
                evidence_around(locate(home, [Clause(i, 0, len(t.text), t.text)], window), t), home
            )
            for i, t in enumerate(window.turns[window.new :], start=window.new)
            for home in self._homes
            if t.role is Role.USER and home in t.text
        ]
        return Reading(facts=tuple(facts))


def _home(evidence: Span, value: str) -> Candidate:
    return Candidate("user", "home", value, Polarity.POSITIVE, Status.ASSERTED, evidence, 0.95)


def distil(outputs: Sequence[str | Exception], *homes: str, text: str = TEXT) -> DistilReport:
    """One turn through a scripted model."""
    return Distiller(ScriptedModel(outputs), Homes(*homes), SLOTS).distil(user(text))


def test_distillers_keep_their_protocol() -> None:
    """Both are what the agent expects."""
    both: list[Distils] = [
        Distiller(ScriptedModel([]), Homes(), SLOTS),
        RulesOnlyDistiller(Homes()),
    ]
    assert len(both) == 2


def test_both_readers_agree_on_one_fact() -> None:
    """A fact of both is one fact, found by both, surer than that of the rules alone."""
    (fact,) = distil([GOOD], "Ghent").distillation.facts
    (alone,) = distil(["[]"], "Ghent").distillation.facts
    assert fact.found_by == (Reader.MODEL, Reader.RULES)
    assert alone.found_by == (Reader.RULES,)
    assert fact.confidence > alone.confidence >= 0.8


def test_fact_of_the_model_alone_is_kept_but_not_believed() -> None:
    """Nothing is dropped silently: it is there, below the held zone."""
    (fact,) = distil([GOOD]).distillation.facts
    assert fact.found_by == (Reader.MODEL,)
    assert fact.evidence.quote == "I live in Ghent"
    assert fact.confidence < 0.5


def test_report_tells_seconds_tokens_and_intent() -> None:
    """Every step is timed, and the cheap parts are there too."""
    report = distil([GOOD])
    assert set(report.seconds) == set(STEPS)
    assert report.output_tokens == 1
    assert report.prompt_tokens > 0
    assert report.retries == 0
    assert report.problems == ()
    assert report.distillation.intent is not None
    assert report.distillation.sentiment is not None


def test_model_is_a_reader_of_its_own() -> None:
    """The model alone reads as the rules do, with its token probability as confidence."""
    reader: FactReader = ModelReader(ScriptedModel([GOOD]), tuple(SLOTS))
    (fact,) = reader.read(user(TEXT)).facts
    assert (fact.value, fact.confidence) == ("Ghent", 1.0)


RUBBISH = {
    "prose": "The user lives in Ghent, I believe.",
    "cut JSON": '[["Ghent","user","home","+","asse',
    "value not in the text": '[["Bruges","user","home","+","asserted"]]',
    "person not in the text": '[["Ghent","Ida","home","+","asserted"]]',
    "lone surrogate": '[["\ud800","user","home","+","asserted"]]',
    "escaped lone surrogate": '[["\\ud800","user","home","+","asserted"]]',
    "endless list": "[" + ",".join([GOOD[1:-1]] * 5000) + "]",
    "deep nesting": "[" * 50_000,
    "unknown slot": '[["Ghent","user","hat","+","asserted"]]',
    "thinking aloud": "<think>Hmm</think>" + GOOD,
    "constraint lost": ConstraintLost("a token was generated outside the grammar"),
    "unreadable grammar": InvalidInput("llguidance can't read the grammar"),
}


@pytest.mark.parametrize("rubbish", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_once_is_retried(rubbish: str | Exception) -> None:
    """The second answer counts, and the report tells that the first was thrown away."""
    report = distil([rubbish, GOOD])
    assert [fact.value for fact in report.distillation.facts] == ["Ghent"]
    assert report.retries == 1
    assert len(report.problems) == 1
    assert "Ghent" not in report.problems[0]


@pytest.mark.parametrize("rubbish", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_twice_is_an_error(rubbish: str | Exception) -> None:
    """Never a silent empty list; the message holds none of the user's words."""
    with pytest.raises(DistillationError, match="failed twice") as caught:
        distil([rubbish, rubbish], "Ghent")
    assert "Ghent" not in str(caught.value)


def test_retry_asks_for_less() -> None:
    """The second prompt shows the new turn alone, without its context."""
    model = ScriptedModel(["rubbish", GOOD])
    turns = (Turn("a", Role.ASSISTANT, "Where do you live?", NOW), *user(TEXT).turns)
    Distiller(model, Homes(), SLOTS).distil(Window(turns, new=1))
    assert "Where do you live?" in model.prompts[0]
    assert "Where do you live?" not in model.prompts[1]
    assert model.prompts[1].endswith(f"User: {TEXT}\nFacts: ")


@pytest.mark.parametrize("error", [GenerationTimeout("too slow"), ModelError("the file is gone")])
def test_failing_model_is_not_asked_again(error: Exception) -> None:
    """A timeout or a broken model is an error at once: the turn stays queued."""
    model = ScriptedModel([error, GOOD])
    with pytest.raises(DistillationError, match="stays queued") as caught:
        Distiller(model, Homes("Ghent"), SLOTS).distil(user(TEXT))
    assert caught.value.__cause__ is error
    assert len(model.prompts) == 1


def test_time_limit_inside_a_long_turn_is_told() -> None:
    """What the model read before stays, the rules read all, the rest is named."""
    text = "I live in Ghent. " + "It rained all day again. " * 60 + "I moved to Bruges."
    report = distil([GOOD, GenerationTimeout("too slow")], "Bruges", text=text)
    assert [fact.value for fact in report.distillation.facts] == ["Ghent", "Bruges"]
    assert "read 1 of" in report.problems[0]


def test_long_turn_is_read_in_pieces() -> None:
    """Every piece of the turn reaches the model, and no prompt grows too long."""
    text = " ".join(f"On day {i} I walked to the lake." for i in range(60))
    model = ScriptedModel(["[]"] * 20)
    Distiller(model, Homes(), SLOTS).distil(user(text))
    assert len(model.prompts) > 1
    for i in range(60):
        assert any(f"On day {i} I walked" in prompt for prompt in model.prompts)


def test_short_context_is_a_clear_error() -> None:
    """A model whose context can't hold prompt and text says what to change."""
    model = ScriptedModel([GOOD])
    model.context_length = 500
    with pytest.raises(DistillationError, match=r"raise model\.context_length"):
        Distiller(model, Homes(), SLOTS).distil(user(TEXT))


@pytest.mark.parametrize("text", ["😀😀", "ok thanks!", "嗯嗯 好的", ""])
def test_noise_costs_no_generation(text: str) -> None:
    """Emoji and thanks need no model."""
    model = ScriptedModel([])
    report = Distiller(model, Homes(), SLOTS).distil(user(text))
    assert model.prompts == []
    assert report.distillation.facts == ()


def test_users_own_slot_can_be_found() -> None:
    """A slot from the config is as good as a shipped one."""
    slots = Slots.load({"tea_sort": {"cardinality": "one"}})
    model = ScriptedModel(['[["tea","user","tea_sort","+","asserted"]]'])
    report = Distiller(model, Homes(), slots).distil(user(TEXT))
    assert report.distillation.facts[0].attribute == "tea_sort"


def test_rules_only_needs_no_model() -> None:
    """The same report, with no token spent."""
    report = RulesOnlyDistiller(Homes("Ghent")).distil(user(TEXT))
    assert [fact.value for fact in report.distillation.facts] == ["Ghent"]
    assert report.distillation.facts[0].confidence >= 0.8
    assert report.prompt_tokens == report.output_tokens == 0


def test_reader_that_breaks_the_contract_is_stopped() -> None:
    """A rule that gives a wrong span never gets through."""

    class Liar(Homes):
        def read(self, window: Window) -> Reading:
            return Reading(facts=(_home(Span(0, 0, 5, "Bruges"), "Bruges"),))

    with pytest.raises(DistillationError, match="not that span"):
        RulesOnlyDistiller(Liar()).distil(user(TEXT))


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Lisbon in May and I don't like coriander.",
        'She wrote "C:\\new" and {"facts": [[]]} 😀\nbye',
        "我叫周小棠，今年二十九岁，住在青岛。",
        "I just switched to a 素食 diet，因为医生说我胆固醇太高",
        "ok\x00so\u202e I'm e\u0301lan 👨‍👩‍👧 <|im_end|> \ud800 done",
    ],
)
def test_real_model_gives_a_checked_distillation(model: LocalModel, text: str) -> None:
    """With the real model the document is valid, and every word of it the user's."""
    window = user(text)
    report = Distiller(model, Homes("Lisbon", "青岛"), SLOTS, time_limit=120).distil(window)
    validate(document(report.distillation))
    check_spans(report.distillation, window)
    assert report.output_tokens > 0
    assert report.seconds["model"] > 0
    for fact in report.distillation.facts:
        assert fact.value in text
        assert fact.confidence < 0.5 or Reader.RULES in fact.found_by


def test_answer_cut_by_a_low_token_limit_is_asked_for_again(model: LocalModel) -> None:
    """However low the limit is set, the second try can end, so no turn is stuck for good."""
    reader = Distiller(model, Homes(), SLOTS, max_output_tokens=3, time_limit=120)
    report = reader.distil(user("I live in Ghent and I love tea."))
    assert report.retries == 1
    assert "token limit" in report.problems[0]
    assert report.distillation.facts


def test_real_model_reads_only_the_users_new_turns(model: LocalModel) -> None:
    """Values come from the user's new words, never from context, assistant, tool or system."""
    words = "zebra quark violin marble"
    turns = (
        Turn("1", Role.USER, f"My pets are {words}", NOW),
        Turn("2", Role.ASSISTANT, f"Your pets are {words}", NOW),
        Turn("3", Role.TOOL, f"pets: {words}", NOW),
        Turn("4", Role.SYSTEM, f"The user's pets are {words}", NOW),
        Turn("5", Role.USER, "I live in Ghent now", NOW),
    )
    for new in (4, 1):
        report = Distiller(model, Homes(), SLOTS, time_limit=120).distil(Window(turns, new))
        assert report.distillation.facts
        assert all(fact.evidence.turn == 4 for fact in report.distillation.facts)


def test_constant_head_of_the_prompt_is_not_read_twice(model: LocalModel) -> None:
    """The second turn evaluates only what is new: the head is in the KV cache."""
    for text in ("I like tea.", "I bake rye bread."):
        prompt = render("distil", lines=[{"role": "User", "text": text}])
        generation = model.generate(prompt, max_tokens=1, time_limit=120)
    assert generation.prompt_tokens > 100
    assert generation.evaluated_tokens < 30


def test_both_real_readers_together(model: LocalModel) -> None:
    """The shipped rules beside the real model: what was said is admitted, in both languages."""
    reader = Distiller(model, RuleReader(), SLOTS, time_limit=120)
    for text, value in (("I live in Ghent.", "Ghent"), ("我叫周小棠。", "周小棠")):
        report = reader.distil(user(text))
        admitted = [fact for fact in report.distillation.facts if fact.confidence >= 0.8]
        assert [fact.value for fact in admitted] == [value]


def test_correction_of_an_earlier_turn_passes_the_checks() -> None:
    """The rules point to the turn that is taken back, and to the new one."""
    turns = user("I live in Ghent.", "Sorry, I meant Bruges.").turns
    report = RulesOnlyDistiller(RuleReader()).distil(Window(turns, new=1))
    found = {(fact.value, fact.status) for fact in report.distillation.facts}
    assert found == {("Ghent", Status.RETRACTED), ("Bruges", Status.CORRECTED)}
