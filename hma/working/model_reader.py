"""The model as a reader of facts: constrained generation, parsed and located by code."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from hma.errors import (
    ConstraintLost,
    DistillationError,
    GenerationTimeout,
    InvalidInput,
    ModelError,
)
from hma.models.base import Generation, LanguageModel
from hma.prompts import render
from hma.records import Candidate, Window
from hma.working.answer import Rubbish, parse
from hma.working.base import Reading
from hma.working.grammar import (
    MAX_CHUNK,
    MAX_FACTS,
    MAX_SUBJECT,
    MAX_VALUE,
    facts_grammar,
    one_line,
    runs,
)
from hma.working.locate import candidate, locate
from hma.working.pieces import Line, Piece, pieces

PIECE_TOKENS = 320
_LEAST_TOKENS = 48


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How much one try asks for, and the tokens that it may use whatever the limit is."""

    max_facts: int
    max_value: int
    context: bool
    least_tokens: int = 0


# The second try looks at the new text alone and asks for so little that it always ends:
# a value and a name of four tokens a character, and the words around them.
_LAST_ATTEMPT = _Attempt(
    1, MAX_CHUNK, context=False, least_tokens=4 * (MAX_CHUNK + MAX_SUBJECT) + _LEAST_TOKENS
)


@dataclass(slots=True)
class ModelReading:
    """What the model found, and what that cost: seconds by step, tokens, retries."""

    facts: list[Candidate] = field(default_factory=list)
    seconds: dict[str, float] = field(
        default_factory=lambda: {"grammar": 0.0, "prompt": 0.0, "model": 0.0}
    )
    prompt_tokens: int = 0
    output_tokens: int = 0
    retries: int = 0
    problems: list[str] = field(default_factory=list)

    def count(self, generation: Generation) -> None:
        """Add one generation's tokens."""
        self.prompt_tokens += generation.prompt_tokens
        self.output_tokens += len(generation.tokens)


class ModelReader:
    """Reads facts with a language model, inside a grammar built for each call."""

    def __init__(
        self,
        model: LanguageModel,
        attributes: Sequence[str],
        *,
        max_facts: int = MAX_FACTS,
        max_output_tokens: int = 160,
        time_limit: float = 20.0,
    ) -> None:
        """A reader of the given attributes.

        `max_facts` and `max_output_tokens` bound the first try for a piece of text,
        `time_limit` (seconds) everything that is generated for a window.
        """
        self._attempts = (
            _Attempt(min(max_facts, MAX_FACTS), MAX_VALUE, context=True),
            _LAST_ATTEMPT,
        )
        self._model = model
        self._attributes = tuple(attributes)
        self._max_output_tokens = max_output_tokens
        self._time_limit = time_limit
        self._head_tokens: int | None = None

    def read(self, window: Window) -> Reading:
        """What the new turns state, each fact with its joint token probability.

        Raises:
            DistillationError: as for `read_with_cost`.
        """
        return Reading(facts=tuple(self.read_with_cost(window).facts))

    def read_with_cost(self, window: Window) -> ModelReading:
        """What the new turns state, and what reading it cost.

        Where the time limit passes after the first piece of a long turn, the rest is named
        in `problems`.

        Raises:
            DistillationError: the model answered rubbish twice, did not answer in time, or
                failed.
        """
        reading = ModelReading()
        deadline = time.monotonic() + self._time_limit
        todo = list(pieces(window, self._model.count_tokens, self._budget()))
        for done, piece in enumerate(todo):
            try:
                reading.facts += self._read_piece(piece, window, deadline, reading)
            except GenerationTimeout as error:
                if done == 0:
                    raise DistillationError(
                        f"the model did not answer within {self._time_limit:g} s; "
                        "the turn stays queued"
                    ) from error
                reading.problems.append(
                    f"time limit: the model read {done} of {len(todo)} pieces, the rules read all"
                )
                break
            except ModelError as error:
                raise DistillationError(f"{error}; the turn stays queued") from error
        return reading

    def _budget(self) -> int:
        """Tokens of text that one piece may hold."""
        if self._head_tokens is None:
            self._head_tokens = self._model.count_tokens(_prompt([], context=True))
        output = max(self._max_output_tokens, *(attempt.least_tokens for attempt in self._attempts))
        room = self._model.context_length - output - self._head_tokens
        # A piece's own text, as much again for context, and the marks of its lines.
        budget = min(room // 3, PIECE_TOKENS)
        if budget < _LEAST_TOKENS:
            raise DistillationError(
                f"the model's context of {self._model.context_length} tokens is too short: "
                "raise model.context_length"
            )
        return budget

    def _read_piece(
        self, piece: Piece, window: Window, deadline: float, reading: ModelReading
    ) -> list[Candidate]:
        parts = [line.part for line in piece if line.part is not None]
        if not runs(part.text for part in parts):
            return []
        fault = ""
        for attempt in self._attempts:
            try:
                generation = self._generate(piece, attempt, deadline, reading)
                rows = parse(generation, self._attributes)
                return [
                    candidate(row, locate(row.value, parts, window), parts, window) for row in rows
                ]
            except (ConstraintLost, InvalidInput) as error:
                fault = str(error)
            except Rubbish as error:
                fault = f"its answer was thrown away because {error}"
            reading.retries += 1
            reading.problems.append(f"model {self._model.name}: {fault}")
        raise DistillationError(
            f"model {self._model.name} failed twice: {fault}; the turn stays queued"
        )

    def _generate(
        self, piece: Piece, attempt: _Attempt, deadline: float, reading: ModelReading
    ) -> Generation:
        began = time.perf_counter()
        grammar = facts_grammar(
            [line.text for line in piece if line.part is not None],
            self._attributes,
            max_facts=attempt.max_facts,
            max_value=attempt.max_value,
        )
        built = time.perf_counter()
        prompt = _prompt(piece, context=attempt.context)
        rendered = time.perf_counter()
        generation = self._model.generate(
            prompt,
            grammar=grammar,
            max_tokens=max(self._max_output_tokens, attempt.least_tokens),
            time_limit=max(0.0, deadline - time.monotonic()),
        )
        reading.seconds["grammar"] += built - began
        reading.seconds["prompt"] += rendered - built
        reading.seconds["model"] += time.perf_counter() - rendered
        reading.count(generation)
        return generation


def _prompt(piece: Sequence[Line], *, context: bool) -> str:
    lines = [
        {"role": line.role.capitalize(), "text": one_line(line.text)}
        for line in piece
        if context or line.part is not None
    ]
    return render("distil", lines=lines)
