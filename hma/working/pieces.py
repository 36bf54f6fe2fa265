"""What the model reads at once: the new turns, cut at clause borders into pieces that fit.

Nothing is ever cut away: the pieces together hold every clause of every new user turn
that is not noise.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hma.records import Clause, Role, Window
from hma.working.grammar import chunks
from hma.working.noise import is_noise, is_question
from hma.working.segments import clauses

CONTEXT_LINES = 1
CONTEXT_CHARS = 80


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the prompt. `part` is the piece of a user turn that it shows, or None for a
    line that only gives context."""

    role: str
    text: str
    part: Clause | None = None


Piece = tuple[Line, ...]


def pieces(window: Window, count: Callable[[str], int], budget: int) -> Iterator[Piece]:
    """The new turns of a window as pieces of `budget` tokens at most, in order.

    `count` counts the tokens of a text. What was said last before a user turn stands
    above it as context, and may take up to `budget` tokens more. Noise ("ok thanks", 😀) and
    questions, which state nothing, are left out.
    """
    waiting = _context(window)
    lines: list[Line] = []
    used = 0
    for line in _new_lines(window, count, budget):
        if line.part is None:
            waiting.append(line)
            continue
        cost = count(line.text)
        if lines and used + cost > budget:
            yield tuple(lines)
            lines, used = [], 0
        if not lines:
            lines += _fitting(waiting, count, budget)
        elif waiting:
            # Inside a piece its lines stand in order, so a dialogue reads as one.
            context = _fitting(waiting, count, budget - used - cost)
            lines += context
            used += sum(count(item.text) for item in context)
        waiting = []
        lines.append(line)
        used += cost
    if lines:
        yield tuple(lines)


def _fitting(waiting: list[Line], count: Callable[[str], int], budget: int) -> list[Line]:
    """The last lines of what waits to be context, where they fit."""
    lines = waiting[-CONTEXT_LINES:]
    while lines and sum(count(line.text) for line in lines) > budget:
        lines = lines[1:]
    return lines


def _context(window: Window) -> list[Line]:
    return [
        Line(turn.role.value, _tail(turn.text))
        for turn in window.turns[: window.new]
        if turn.role in (Role.USER, Role.ASSISTANT) and not is_noise(turn.text)
    ]


def _new_lines(window: Window, count: Callable[[str], int], budget: int) -> Iterator[Line]:
    for index, turn in enumerate(window.turns[window.new :], start=window.new):
        if turn.role is Role.ASSISTANT and not is_noise(turn.text):
            yield Line(Role.ASSISTANT.value, _tail(turn.text))
        elif turn.role is Role.USER and not is_noise(turn.text) and not is_question(turn.text):
            whole = Clause(index, 0, len(turn.text), turn.text)
            for part in _parts(whole, count, budget):
                yield Line(Role.USER.value, part.text, part)


def _parts(whole: Clause, count: Callable[[str], int], budget: int) -> Iterator[Clause]:
    """A turn whole where it fits, else in as few runs of clauses as possible."""
    if count(whole.text) <= budget:
        yield whole
        return
    start = end = used = 0
    for clause in clauses(whole.text, whole.turn):
        for atom in _atoms(clause, count, budget):
            cost = count(atom.text)
            if used and used + cost > budget:
                yield _slice(whole, start, end)
                start, used = atom.start, 0
            end = atom.end
            used += cost
    if used:
        yield _slice(whole, start, end)


def _atoms(clause: Clause, count: Callable[[str], int], budget: int) -> Iterator[Clause]:
    """A clause; one that is too long by itself (no punctuation at all) between words."""
    if count(clause.text) <= budget:
        yield clause
        return
    borders = _borders(clause)
    middle = borders[len(borders) // 2] if borders else clause.start + len(clause.text) // 2
    if not clause.start < middle < clause.end:
        yield clause
        return
    yield from _atoms(_slice(clause, clause.start, middle), count, budget)
    yield from _atoms(_slice(clause, middle, clause.end), count, budget)


def _borders(clause: Clause) -> Sequence[int]:
    at = clause.start
    borders = []
    for chunk in chunks(clause.text):
        borders.append(at)
        at += len(chunk)
    return borders[1:]


def _slice(whole: Clause, start: int, end: int) -> Clause:
    return Clause(whole.turn, start, end, whole.text[start - whole.start : end - whole.start])


def _tail(text: str) -> str:
    """The end of a context turn: what the next turn answers stands there."""
    return text if len(text) <= CONTEXT_CHARS else "…" + text[-CONTEXT_CHARS:].lstrip()
