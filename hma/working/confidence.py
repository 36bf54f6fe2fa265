"""Confidence: computed from signals, mapped to a probability, never the model's own word.

A logistic model over named signals. Where the rules found a fact, their prior carries it;
where only the language model did, its joint token probability counts for little, because
an untuned model of this size is right about one time in fourteen.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from hma.errors import ConfigError
from hma.records import Candidate, Polarity, Reader, Status
from hma.text import normal_form
from hma.working.merge import Pair

# Words that are never a value by themselves.
_EMPTY_VALUES = frozenset(
    """
    i me my mine we us our you your he him his she her they them it its this that these those
    is am are was were be do does did have has had and or but so not no yes ok hi hello
    there here now then what who when where why how thing things stuff something anything
    one s t re ve ll d m
    我 我们 你 你们 他 她 它 他们 她们 这 那 这个 那个 什么 谁
    是 不 没 有 在 的 了 吗 呢 吧 和 也 都 就 很
    """.split()
)

# Hand-set and cautious, for an untuned model: log-odds added where a signal is 1.
#
# The rules look at quotes, questions and conditions themselves before they speak, so these
# cues are a small remaining doubt for them; several together keep a fact from admission.
_RULES_WEIGHTS = {
    "agreement": 0.6,
    "clash": -0.4,  # a clash with a model that is mostly wrong says little about the rules
    "repetition": 0.5,
    "empty_value": -4.0,
    "hedge": -2.0,
    "weak": -0.5,
    "question": -0.5,
    "quote": -0.5,
    "condition": -0.5,
    "fiction": -1.0,
    "joke": -2.0,
    "third_party": -0.2,
    "past": -0.3,
}
# What these cues mark is what an untuned model takes for the user's own word.
_MODEL_WEIGHTS = {
    "repetition": 0.5,
    "negation_clash": -1.0,
    "empty_value": -4.0,
    "hedge": -2.0,
    "weak": -0.7,
    "question": -3.0,
    "quote": -2.5,
    "condition": -2.5,
    "fiction": -4.0,
    "joke": -4.0,
    "third_party": -1.5,
    "past": -0.7,
}


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Calibration:
    """How signals become a probability.

    `version` names the fit. The score of a fact that the rules found starts at the
    log-odds of their prior and adds `rules_weights` by signal. That of a model-only fact
    starts at `model_bias + model_slope * log-odds of its joint token probability`, adds
    `model_weights`, and stays at or below `model_cap`. A tentative fact stays at or below
    `tentative_cap`.
    """

    version: str = "untuned-1"
    rules_weights: Mapping[str, float] = field(default_factory=lambda: dict(_RULES_WEIGHTS))
    model_weights: Mapping[str, float] = field(default_factory=lambda: dict(_MODEL_WEIGHTS))
    model_bias: float = -2.6  # the log-odds of the measured precision, 0.07
    model_slope: float = 0.4
    model_cap: float = 0.49
    tentative_cap: float = 0.75

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> "Calibration":
        """A calibration from a catalogue entry; keys left out keep their cautious defaults.

        Raises:
            ConfigError: an unknown key or a value of the wrong kind.
        """
        try:
            return _CALIBRATION.validate_python(dict(data))
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise ConfigError(f"calibration.{key}: {first['msg']}") from error

    def confidence(self, signals: Mapping[str, float], status: Status) -> float:
        """The probability, in [0, 1], that a fact with these signals is right."""
        if "rules" in signals:
            score, weights, cap = _log_odds(signals["rules"]), self.rules_weights, 1.0
        else:
            score = self.model_bias + self.model_slope * _log_odds(signals.get("model", 0.0))
            weights, cap = self.model_weights, self.model_cap
        score += sum(weights.get(name, 0.0) * value for name, value in signals.items())
        if status is Status.TENTATIVE or signals.get("hedge"):
            cap = min(cap, self.tentative_cap)
        return round(min(cap, 1 / (1 + math.exp(-score))), 4)


_CALIBRATION = TypeAdapter(Calibration)


def _log_odds(probability: float) -> float:
    """Log-odds, held within what evidence of this kind can ever show."""
    bounded = min(max(probability, 0.01), 0.99)
    return math.log(bounded / (1 - bounded))


def signals_of(pair: Pair) -> dict[str, float]:
    """The inputs of confidence for a fact that one reader found, or both.

    `rules` is the prior of the rule that fired, `model` the joint token probability of the
    model's fact; the rest are 1 where they apply, `repetition` at most 3. Signals that the
    rules set themselves are kept.
    """
    fact = pair.fact
    signals: dict[str, float] = {}
    if pair.rules is not None:
        signals |= {**pair.rules.signals, "rules": pair.rules.confidence}
    if pair.model is not None:
        signals["model"] = round(pair.model.confidence, 6)
    if pair.rules is not None and pair.model is not None:
        signals["agreement" if _agree(pair.rules, pair.model) else "clash"] = 1.0
    if pair.times > 1:
        signals["repetition"] = float(min(pair.times - 1, 3))
    if normal_form(fact.value) in _EMPTY_VALUES or not normal_form(fact.value):
        signals["empty_value"] = 1.0
    if pair.rules is None and _ignores_negation(fact):
        signals["negation_clash"] = 1.0
    return signals | dict.fromkeys(_counting_cues(fact), 1.0)


def _agree(one: Candidate, other: Candidate) -> bool:
    return one.polarity is other.polarity and one.status is other.status


def _ignores_negation(fact: Candidate) -> bool:
    """Whether the clause denies something and the fact does not, or the other way round."""
    denied = fact.polarity is Polarity.NEGATIVE or fact.status is Status.RETRACTED
    return ("negation" in fact.cues) != denied


def _counting_cues(fact: Candidate) -> Sequence[str]:
    """Cues that are signals. Another person in the clause is no doubt about that person's
    own fact, and negation counts only against a reader that ignored it."""
    spoken_of_others = fact.subject != "user"
    return [
        cue
        for cue in fact.cues
        if cue != "negation" and not (cue == "third_party" and spoken_of_others)
    ]


def settle(pair: Pair, calibration: Calibration) -> Candidate:
    """The one candidate that stands for a pair, with its signals and computed confidence."""
    signals = signals_of(pair)
    fact = pair.fact
    found_by = tuple(
        reader
        for reader, found in ((Reader.MODEL, pair.model), (Reader.RULES, pair.rules))
        if found is not None
    )
    return replace(
        fact,
        confidence=calibration.confidence(signals, fact.status),
        found_by=found_by,
        signals=signals,
    )
