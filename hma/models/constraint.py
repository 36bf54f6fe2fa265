"""Constrained decoding that can't be lost unnoticed."""

import json
import re
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hma.errors import ConstraintLost, InvalidInput


class Guard:
    """A logits processor around outlines' own, or around none.

    llama.cpp calls it through ctypes, where an exception is printed and ignored and
    generation goes on unconstrained. So it never raises: after a fault it allows nothing
    but the end, and `confirm` tells. It also notes the probability of each choice among
    the allowed tokens, which is what greedy decoding takes next.
    """

    def __init__(self, processor: Any, eos: int) -> None:
        self._processor = processor
        self._eos = eos
        self._choice: tuple[int, float] | None = None
        self._fault: str | None = None

    @property
    def constrained(self) -> bool:
        """Whether a grammar is in force."""
        return self._processor is not None

    def __call__(self, tokens: NDArray[np.intc], logits: NDArray[np.single]) -> NDArray[np.single]:
        """Mask `logits` (one per vocabulary entry) after `tokens`, the whole sequence so far."""
        self._choice = None
        try:
            if self._fault is None:
                return self._masked(tokens, logits)
        except ConstraintLost as error:
            self._fault = str(error)
        except Exception as error:  # noqa: BLE001 - nothing may leave a ctypes callback
            # Only the kind: foreign messages may quote the grammar, and so the user's words.
            self._fault = type(error).__name__
        ended = np.full_like(logits, -np.inf)
        ended[self._eos] = 0.0
        return ended

    def confirm(self, token: int) -> float:
        """The probability of the token that was generated after the last call.

        Raises:
            ConstraintLost: the processor failed, wasn't called, or its mask was ignored.
        """
        if self._fault is not None:
            raise ConstraintLost(
                f"generation was stopped because its grammar failed ({self._fault}): "
                "check the grammar, then ask again"
            )
        if self._choice is None or self._choice[0] != token:
            raise ConstraintLost("a token was generated outside the grammar: run hma doctor")
        probability = self._choice[1]
        self._choice = None
        return probability

    def complete_after(self, token: int) -> bool:
        """Whether nothing but the end may follow `token`; it saves evaluating that."""
        if self._processor is None:
            return False
        # The processor itself takes the token in at its next call.
        ahead = self._processor.ll_matchers[0].deep_copy()
        return bool(ahead.consume_token(token) and ahead.is_stopped() and not ahead.is_error())

    def _masked(self, tokens: NDArray[np.intc], logits: NDArray[np.single]) -> NDArray[np.single]:
        if self._processor is not None:
            logits = self._processor(tokens, logits)
            # outlines only warns of a matcher's error, and would go on without a mask.
            if self._processor.ll_matchers[0].is_error():
                raise ConstraintLost("the matcher failed")
        best = int(np.argmax(logits))
        if not np.isfinite(logits[best]):
            raise ConstraintLost("the grammar allows no token")
        self._choice = best, float(1.0 / np.exp(logits - logits[best]).sum())
        return logits


class Constrainer:
    """Makes guards for one loaded model. It keeps llguidance's tokenizer: that costs 0.2 s."""

    def __init__(self, llama: Any) -> None:
        from outlines.backends.llguidance import LLGuidanceBackend
        from outlines.models.llamacpp import LlamaCpp

        # Named here, never outlines' default: that needs numba, and fails inside ctypes without it.
        with warnings.catch_warnings():
            # llguidance asks llama-cpp-python for each token's kind by a deprecated name.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._backend = LLGuidanceBackend(LlamaCpp(llama, chat_mode=False))
        self._eos = llama.token_eos()

    def guard(self, grammar: str | None, schema: str | None) -> Guard:
        """A guard for a Lark grammar, a JSON schema, or neither.

        Raises:
            InvalidInput: both were given, or the text is no grammar or schema at all.
        """
        if grammar is not None and schema is not None:
            raise InvalidInput("give a grammar or a schema, not both")
        if grammar is None and schema is None:
            return Guard(None, self._eos)
        # Nothing is chained or quoted here: messages show the grammar, and so the user's words.
        try:
            processor = self._processor(grammar, schema)
        except ValueError as error:  # no JSON, or a lone surrogate
            raise InvalidInput(f"no grammar or schema at all: {type(error).__name__}") from None
        self._validate(processor.grammar)
        return Guard(processor, self._eos)

    def _processor(self, grammar: str | None, schema: str | None) -> Any:
        if grammar is not None:
            return self._backend.get_cfg_logits_processor(grammar)
        return self._backend.get_json_schema_logits_processor(_compact(json.loads(schema or "")))

    @staticmethod
    def _validate(grammar: str) -> None:
        from llguidance import LLMatcher

        if fault := LLMatcher.validate_grammar(grammar):
            place = re.match(r"at \d+\(\d+\)", fault)
            raise InvalidInput(
                "llguidance refuses the grammar or schema"
                + (f" {place[0]}, line(column)" if place else "")
                + "; LLMatcher.validate_grammar shows the reason"
            )


def _compact(schema: Any) -> str:
    """A schema without white space between tokens, where a small model would stay forever."""
    if isinstance(schema, dict):
        schema = {"x-guidance": {"whitespace_flexible": False}} | schema
    return json.dumps(schema, ensure_ascii=False)
