"""Confidence from signals: cautious for an untuned model, explainable for everything."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import ConfigError
from hma.records import Candidate, Polarity, Reader, Span, Status
from hma.working.confidence import Calibration, settle, signals_of
from hma.working.cues import CUES
from hma.working.merge import Pair

ADMITTED, HELD = 0.8, 0.5


def fact(value: str = "Ghent", confidence: float = 0.95, **changes: Any) -> Candidate:
    """A plain fact, as a reader hands it over."""
    quote = f"I live in {value}"
    fields: dict[str, Any] = {
        "subject": "user",
        "attribute": "home",
        "polarity": Polarity.POSITIVE,
        "status": Status.ASSERTED,
        "evidence": Span(0, 0, len(quote), quote),
    }
    return Candidate(value=value, confidence=confidence, **(fields | changes))


def confidence(pair: Pair) -> float:
    """The confidence that the untuned calibration gives."""
    return settle(pair, Calibration()).confidence


def test_plain_fact_of_the_rules_is_admitted() -> None:
    """What a rule found, without any cue of doubt, may be stored."""
    assert confidence(Pair(fact(), None)) >= ADMITTED


def test_fact_of_the_model_alone_is_not_even_held() -> None:
    """However sure the untuned model is, its word alone stays below one half."""
    sure = Pair(None, fact(confidence=1.0), times=5)
    assert confidence(sure) < HELD
    assert confidence(Pair(None, fact(confidence=0.01))) < 0.05


def test_agreement_raises_and_clash_lowers() -> None:
    """The second reader moves the first one's confidence both ways."""
    alone = confidence(Pair(fact(), None))
    agreed = confidence(Pair(fact(), fact(confidence=0.5)))
    clashed = confidence(Pair(fact(), fact(confidence=0.5, polarity=Polarity.NEGATIVE)))
    assert clashed < alone < agreed


def test_repetition_raises() -> None:
    """A fact that stands at two places of the window is surer."""
    assert confidence(Pair(fact(), None, times=2)) > confidence(Pair(fact(), None))


@pytest.mark.parametrize("cue", ["hedge", "joke"])
def test_doubt_keeps_a_fact_of_the_rules_from_being_admitted(cue: str) -> None:
    """What the user hedged or joked about is not stored."""
    assert confidence(Pair(fact(cues=(cue,)), None)) < ADMITTED


@pytest.mark.parametrize("cue", ["question", "quote", "condition", "third_party"])
def test_cues_that_the_rules_weigh_themselves_count_little_alone(cue: str) -> None:
    """A rule speaks in such a clause only where it knows the form; several cues are too many."""
    one = confidence(Pair(fact(cues=(cue,)), None))
    assert ADMITTED <= one < confidence(Pair(fact(), None))
    assert confidence(Pair(fact(cues=("condition", "fiction", "question")), None)) < ADMITTED


@pytest.mark.parametrize("cue", ["hedge", "question", "quote", "fiction", "joke", "condition"])
def test_cues_of_doubt_weigh_heavily_on_the_model(cue: str) -> None:
    """Asked, quoted, invented and supposed things are what the model takes for facts."""
    sure = Pair(None, fact(confidence=0.99, cues=(cue,)))
    assert confidence(sure) < 0.25


def test_tentative_fact_is_never_admitted() -> None:
    """Not even when both readers agree on it three times."""
    tentative = fact(confidence=0.99, status=Status.TENTATIVE)
    assert confidence(Pair(tentative, tentative, times=3)) < ADMITTED


def test_other_person_in_the_clause_is_no_doubt_about_that_person() -> None:
    """ "my sister lives in Ghent" is doubtful for the user, plain for the sister."""
    cues = ("third_party",)
    assert confidence(Pair(fact(cues=cues), None)) < confidence(
        Pair(fact(cues=cues, subject="sister"), None)
    )


def test_ignored_negation_counts_against_the_model_only() -> None:
    """A positive fact in a denying clause is suspect when only the model read it so."""
    cues = ("negation",)
    assert "negation_clash" in signals_of(Pair(None, fact(cues=cues)))
    assert "negation_clash" not in signals_of(Pair(fact(cues=cues), None))
    denied = fact(cues=cues, polarity=Polarity.NEGATIVE)
    assert "negation_clash" not in signals_of(Pair(None, denied))


@pytest.mark.parametrize("value", ["I", "the thing", "它", "。", "It"])
def test_empty_words_are_no_values(value: str) -> None:
    """Pronouns and punctuation are worth nothing as values."""
    assert confidence(Pair(fact(value), None)) < HELD
    assert "empty_value" in signals_of(Pair(fact(value), None))


def test_settled_fact_carries_readers_and_signals() -> None:
    """One can see who found a fact and what its confidence was computed from."""
    settled = settle(Pair(fact(), fact(confidence=0.25)), Calibration())
    assert settled.found_by == (Reader.MODEL, Reader.RULES)
    assert settled.signals == {"rules": 0.95, "model": 0.25, "agreement": 1.0}


def test_calibration_loads_from_a_catalogue_entry() -> None:
    """Given keys win, others keep their cautious defaults."""
    loaded = Calibration.load(
        {"version": "fit-2", "model_cap": 1.0, "rules_weights": {"hedge": -1}}
    )
    assert loaded.version == "fit-2"
    assert loaded.rules_weights == {"hedge": -1.0}
    assert loaded.tentative_cap == Calibration().tentative_cap


@pytest.mark.parametrize(
    ("data", "key"),
    [({"modelcap": 1}, "modelcap"), ({"model_weights": {"hedge": "x"}}, "model_weights.hedge")],
)
def test_wrong_calibration_names_its_key(data: dict[str, Any], key: str) -> None:
    """An unknown key or a word for a number is a clear error."""
    with pytest.raises(ConfigError, match=f"calibration.{key}"):
        Calibration.load(data)


@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.sets(st.sampled_from(CUES)),
    st.integers(1, 9),
    st.sampled_from(Status),
)
def test_confidence_is_a_probability(
    rules: float, model: float, cues: set[str], times: int, status: Status
) -> None:
    """Whatever the signals, the result lies in [0, 1]; the model alone stays below one half."""
    one = fact(confidence=rules, cues=tuple(sorted(cues)), status=status)
    other = fact(confidence=model, cues=tuple(sorted(cues)), status=status)
    for pair in (Pair(one, None, times), Pair(one, other, times)):
        assert 0 <= confidence(pair) <= 1
    assert 0 <= confidence(Pair(None, other, times)) < HELD


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_confidence_grows_with_token_probability(one: float, other: float) -> None:
    """A surer generation never counts for less."""
    low, high = sorted((one, other))
    assert confidence(Pair(None, fact(confidence=low))) <= confidence(
        Pair(None, fact(confidence=high))
    )
