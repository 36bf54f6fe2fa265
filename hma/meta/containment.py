"""Calling a policy that somebody else wrote: what it raises or mistakes is contained."""

import math
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import PurePath
from traceback import extract_tb
from typing import TypeVar

from hma.errors import PolicyError
from hma.meta.base import Ruling
from hma.records import (
    Answer,
    Effect,
    Question,
    Recalled,
    Redaction,
    Screened,
    Sensitivity,
    Verdict,
)

T = TypeVar("T")

_NEEDS_FACTS = {Effect.REPEAT, Effect.SUPERSEDE, Effect.RETRACT}


def contained(policy: object, call: Callable[[], T], problem: Callable[[T], str]) -> T:
    """What `call` returns, once `problem` finds nothing wrong with it ("" is nothing).

    Raises:
        PolicyError: it raised, or answered nonsense. The message names the policy's class
            and the place, and carries no text of the policy's own: that may be the user's.
    """
    try:
        answer = call()
        found = problem(answer)
    except Exception as error:  # noqa: BLE001 - a policy is foreign code and may raise anything
        raise PolicyError(f"{name(policy)} raised {_where(error)}; nothing was written") from None
    if found:
        raise PolicyError(f"{name(policy)} answered nonsense: {found}; nothing was written")
    return answer


def name(policy: object) -> str:
    """The name under which decisions and errors mention a policy."""
    return type(policy).__name__


def _where(error: Exception) -> str:
    frames = extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    return f"{type(error).__name__} at {PurePath(last.filename).name}:{last.lineno}"


def screening_problem(answer: object) -> str:
    """What is wrong with a privacy policy's answer."""
    if not isinstance(answer, Screened):
        return _not_a("Screened", answer)
    # a policy is somebody's code: the types are only what it promised
    text: object = answer.text
    redactions: object = answer.redactions
    sensitivity: object = answer.sensitivity
    sound = (
        isinstance(text, str)
        and isinstance(redactions, tuple)
        and all(isinstance(one, Redaction) for one in redactions)
        and isinstance(sensitivity, Sensitivity)
    )
    return "" if sound else "a field of Screened has a wrong type"


def time_problem(answer: object) -> str:
    """What is wrong with a time that a policy gave."""
    aware = isinstance(answer, datetime) and answer.tzinfo is not None
    return "" if aware else _not_a("time with a zone", answer)


def admission_problem(answer: object) -> str:
    """What is wrong with an admission policy's answer."""
    if problem := _ruling_problem(answer):
        return problem
    asks = isinstance(answer, Ruling) and answer.verdict is Verdict.ASK
    return "admission can only admit, hold or refuse" if asks else ""


def conflict_problem(answer: object, current: Collection[str]) -> str:
    """What is wrong with a conflict policy's answer, where the facts `current` stand."""
    problem = _ruling_problem(answer)
    if problem or not isinstance(answer, Ruling):
        return problem
    if not all(fact in current for fact in answer.against):
        return "`against` names facts that are not current"
    admits = answer.verdict is Verdict.ADMIT and answer.effect in _NEEDS_FACTS
    if (admits or answer.verdict is Verdict.ASK) and not answer.against:
        return f"{answer.verdict} {answer.effect} needs the facts it is against"
    return ""


def _ruling_problem(answer: object) -> str:
    """Whether each part of a ruling is what its type says. Nothing checked that before."""
    if not isinstance(answer, Ruling):
        return _not_a("Ruling", answer)
    parts: tuple[tuple[object, type], ...] = (
        (answer.verdict, Verdict),
        (answer.effect, Effect),
        (answer.reason, str),
        (answer.against, tuple),
    )
    for part, kind in parts:
        if not isinstance(part, kind):
            return f"in its Ruling there is {type(part).__name__} where {kind.__name__} belongs"
    return ""


def weight_problem(answer: object) -> str:
    """What is wrong with a decay policy's answer."""
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return _not_a("float", answer)
    return "" if math.isfinite(answer) and 0 <= answer <= 1 else "a weight lies between 0 and 1"


def choice_problem(answer: object, offered: Sequence[Question]) -> str:
    """What is wrong with the question that an asking policy chose."""
    if answer is None or answer in offered:
        return ""
    return "it must choose one of the questions it was offered, or None"


def answer_problem(answer: object) -> str:
    """What is wrong with how an asking policy read the user's answer."""
    return "" if answer is None or isinstance(answer, Answer) else _not_a("Answer or None", answer)


def permission_problem(answer: object, offered: Sequence[Recalled]) -> str:
    """What is wrong with what a recall policy let pass."""
    if not isinstance(answer, Sequence):
        return _not_a("sequence", answer)
    return "" if all(item in offered for item in answer) else "it may only leave out, not add"


def _not_a(wanted: str, answer: object) -> str:
    return f"it must return {wanted}, not {type(answer).__name__}"
