"""The distiller: window in, distillation out, by two independent readers and code between.

The rules and the model read the same turns without seeing each other's result. Code locates
what they found, brings both together, computes confidence, and checks every word again.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from hma.models.base import LanguageModel
from hma.records import Candidate, Distillation, Window
from hma.slots import Slots
from hma.working.base import DistilReport, FactReader, Reading
from hma.working.confidence import Calibration, settle
from hma.working.grammar import MAX_FACTS
from hma.working.intent import intent_of
from hma.working.merge import merge
from hma.working.model_reader import ModelReader, ModelReading
from hma.working.schema import check_spans, document, validate
from hma.working.sentiment import sentiment_of

STEPS = ("rules", "grammar", "prompt", "model", "merge", "check")


class Distiller:
    """Working memory's distiller, with a local model and the rules as second opinion."""

    def __init__(
        self,
        model: LanguageModel,
        rules: FactReader,
        slots: Slots,
        calibration: Calibration | None = None,
        *,
        max_facts: int = MAX_FACTS,
        max_output_tokens: int = 160,
        time_limit: float = 20.0,
    ) -> None:
        """A distiller; without a calibration it uses the cautious one for untuned models.

        `max_output_tokens` bounds the model's first try for a piece of text, `time_limit`
        (seconds) its part of one window.
        """
        self._reader = ModelReader(
            model,
            tuple(slots),
            max_facts=max_facts,
            max_output_tokens=max_output_tokens,
            time_limit=time_limit,
        )
        self._rules = rules
        self._calibration = calibration or Calibration()

    def distil(self, window: Window) -> DistilReport:
        """Distil the new turns of the window.

        `problems` of the report names what was thrown away or left unread by the model.

        Raises:
            DistillationError: the model failed or answered rubbish twice, or a check of the
                result did not pass; the turns must stay queued.
        """
        seconds = dict.fromkeys(STEPS, 0.0)
        with _timed(seconds, "rules"):
            rules = self._rules.read(window)
        model = self._reader.read_with_cost(window)
        seconds |= model.seconds
        return _conclude(window, rules, model, self._calibration, seconds)


class RulesOnlyDistiller:
    """The distiller for machines without a model: the rules alone."""

    def __init__(self, rules: FactReader, calibration: Calibration | None = None) -> None:
        """A distiller of what `rules` finds."""
        self._rules = rules
        self._calibration = calibration or Calibration()

    def distil(self, window: Window) -> DistilReport:
        """Distil the new turns of the window.

        Raises:
            DistillationError: a check of the result did not pass.
        """
        seconds = dict.fromkeys(STEPS, 0.0)
        with _timed(seconds, "rules"):
            rules = self._rules.read(window)
        return _conclude(window, rules, ModelReading(), self._calibration, seconds)


def _conclude(
    window: Window,
    rules: Reading,
    model: ModelReading,
    calibration: Calibration,
    seconds: dict[str, float],
) -> DistilReport:
    """What both readers share: merge, confidence, checks, report."""
    with _timed(seconds, "merge"):
        distillation = _distillation(window, rules, tuple(model.facts), calibration)
    with _timed(seconds, "check"):
        validate(document(distillation))
        check_spans(distillation, window)
    return DistilReport(
        distillation=distillation,
        seconds=seconds,
        prompt_tokens=model.prompt_tokens,
        output_tokens=model.output_tokens,
        retries=model.retries,
        problems=tuple(model.problems),
    )


def _distillation(
    window: Window, rules: Reading, found: tuple[Candidate, ...], calibration: Calibration
) -> Distillation:
    return Distillation(
        intent=intent_of(window),
        constraints=rules.constraints,
        entity_links=rules.entity_links,
        facts=tuple(settle(pair, calibration) for pair in merge(rules.facts, found)),
        sentiment=sentiment_of(window),
    )


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds[step] += time.perf_counter() - began
