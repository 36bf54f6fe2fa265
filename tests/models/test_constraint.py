"""What happens when the constraint itself fails."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hma.errors import ConstraintLost
from hma.models.constraint import Guard
from hma.models.local import LocalModel, prove_constraint

Logits = NDArray[np.single]
_EOS = 2


class _Matcher:
    def __init__(self, *, failed: bool = False) -> None:
        self.failed = failed

    def is_error(self) -> bool:
        return self.failed


class _Processor:
    """Allows token 1 only; may raise, or report a matcher's error, as outlines' own does."""

    def __init__(self, error: Exception | None = None, *, failed: bool = False) -> None:
        self.error = error
        self.ll_matchers = [_Matcher(failed=failed)]

    def __call__(self, tokens: NDArray[np.intc], logits: Logits) -> Logits:
        if self.error is not None:
            raise self.error
        masked = np.full_like(logits, -np.inf)
        masked[1] = logits[1]
        return masked


def _call(guard: Guard) -> int:
    """Greedy decoding's choice after one call."""
    logits = np.array([3.0, 1.0, 0.0, 2.0], dtype=np.single)
    return int(np.argmax(guard(np.array([0], dtype=np.intc), logits)))


def test_a_guard_passes_the_mask_on() -> None:
    """The allowed token is chosen, and it is certain when it is the only one."""
    guard = Guard(_Processor(), _EOS)
    assert _call(guard) == 1
    assert guard.confirm(1) == pytest.approx(1.0)


def test_without_a_processor_probabilities_are_the_models() -> None:
    """Unconstrained, the probability is the soft-max over everything."""
    guard = Guard(None, _EOS)
    assert _call(guard) == 0
    assert guard.confirm(0) == pytest.approx(np.exp(3) / np.exp([3, 1, 0, 2]).sum(), rel=1e-5)


@pytest.mark.parametrize(
    "processor",
    [_Processor(RuntimeError("私密 words")), _Processor(failed=True)],
)
def test_a_fault_ends_the_generation(processor: _Processor) -> None:
    """After an exception or a matcher's error only the end is possible, for good."""
    guard = Guard(processor, _EOS)
    assert _call(guard) == _EOS
    processor.error, processor.ll_matchers = None, [_Matcher()]
    assert _call(guard) == _EOS
    with pytest.raises(ConstraintLost, match="its grammar failed") as caught:
        guard.confirm(_EOS)
    assert "私密" not in str(caught.value)


def test_a_token_that_was_not_chosen_is_noticed() -> None:
    """A mask that was ignored, and a processor that wasn't called, are both noticed."""
    guard = Guard(_Processor(), _EOS)
    _call(guard)
    with pytest.raises(ConstraintLost, match="outside the grammar"):
        guard.confirm(0)
    fresh = Guard(_Processor(), _EOS)
    with pytest.raises(ConstraintLost, match="outside the grammar"):
        fresh.confirm(1)


def test_a_grammar_that_allows_nothing_is_a_fault() -> None:
    """An empty mask is no constraint in force."""
    guard = Guard(_Processor(), _EOS)
    guard(np.array([0], dtype=np.intc), np.full(4, -np.inf, dtype=np.single))
    with pytest.raises(ConstraintLost, match="allows no token"):
        guard.confirm(_EOS)


def test_it_ends_as_soon_as_the_grammar_is_through(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No token is evaluated only to learn that nothing may follow."""
    calls = _count_masks(monkeypatch)
    result = model.generate("x", grammar='start: "a" | "b"\n')
    assert result.finished
    assert len(calls) == len(result.tokens) == 1


def _count_masks(monkeypatch: pytest.MonkeyPatch, *, fail_at: int = 0) -> list[int]:
    """A list that grows with each mask that outlines computes; one of them may fail."""
    from outlines.backends.llguidance import LLGuidanceLogitsProcessor

    original = LLGuidanceLogitsProcessor.process_logits
    calls: list[int] = []

    def counted(self: Any, input_ids: Any, logits: Any) -> Any:
        calls.append(1)
        if len(calls) == fail_at:
            raise RuntimeError("no numba")
        return original(self, input_ids, logits)

    monkeypatch.setattr(LLGuidanceLogitsProcessor, "process_logits", counted)
    return calls


def test_a_fault_inside_llama_cpp_is_raised(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception in the real callback, at the third token, ends the call; the next one works."""
    with monkeypatch.context() as patch:
        calls = _count_masks(patch, fail_at=3)
        with pytest.raises(ConstraintLost, match="RuntimeError"):
            model.generate("x", grammar="start: /[a-z]{9}/\n", max_tokens=50)
    assert len(calls) == 3
    prove_constraint(model)
