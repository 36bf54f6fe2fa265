"""Where a value stands in the window: the model gives words, code finds their place."""

import re
from collections.abc import Iterator, Sequence

from hma.records import Candidate, Clause, Reader, Span, Turn, Window
from hma.working.answer import Row, Rubbish
from hma.working.cues import cues
from hma.working.grammar import chunks
from hma.working.segments import clauses, sentences

_EDGES = re.compile(r"^[\s.,;:!?，。；：！？、…]+|[\s.,;:!?，。；：！？、…]+$")
_FIRST_PERSON = frozenset({"user", "i", "me", "my", "myself", "i'm", "i’m", "im", "我", "本人"})


def locate(value: str, parts: Sequence[Clause], window: Window) -> Span:
    """The place of `value` in the newest of the parts that were read, at whole words where
    it stands at some; outer punctuation is left out.

    Raises:
        Rubbish: it stands in none of them.
    """
    bare = _EDGES.sub("", value) or value
    for aligned in (True, False):
        for part in reversed(parts):
            start = _find(bare, part.text, aligned=aligned) if bare else None
            if start is not None:
                at = part.start + start
                return Span(part.turn, at, at + len(bare), bare, window.turns[part.turn].id)
    raise Rubbish("a value is no span of the text")


def _find(value: str, text: str, *, aligned: bool) -> int | None:
    if not aligned:
        start = text.find(value)
        return start if start >= 0 else None
    borders = set(_borders(text))
    return next((at for at in _occurrences(value, text) if {at, at + len(value)} <= borders), None)


def _borders(text: str) -> Iterator[int]:
    at = 0
    yield at
    for chunk in chunks(text):
        at += len(chunk)
        yield at


def _occurrences(value: str, text: str) -> Iterator[int]:
    at = text.find(value)
    while at >= 0:
        yield at
        at = text.find(value, at + 1)


def candidate(row: Row, place: Span, parts: Sequence[Clause], window: Window) -> Candidate:
    """The model's row as a candidate whose evidence is the clause around its value.

    Raises:
        Rubbish: the row names a person who is not in the text.
    """
    turn = window.turns[place.turn]
    evidence = evidence_around(place, turn)
    return Candidate(
        subject=_subject(row.who, parts, window),
        attribute=row.attribute,
        value=place.quote,
        polarity=row.polarity,
        status=row.status,
        evidence=evidence,
        confidence=row.probability,
        found_by=(Reader.MODEL,),
        cues=cues(evidence.quote, _around(sentences(turn.text), place, turn.text)[2]),
    )


def evidence_around(place: Span, turn: Turn) -> Span:
    """The clause that holds a place of a turn; several, where it reaches over their borders."""
    start, end, quote = _around(clauses(turn.text), place, turn.text)
    return Span(place.turn, start, end, quote, turn.id)


def _around(units: Sequence[Clause], place: Span, text: str) -> tuple[int, int, str]:
    touched = [unit for unit in units if unit.start < place.end and unit.end > place.start]
    start = min([place.start, *(unit.start for unit in touched)])
    end = max([place.end, *(unit.end for unit in touched)])
    return start, end, text[start:end]


def _subject(who: str, parts: Sequence[Clause], window: Window) -> str:
    if who.casefold() in _FIRST_PERSON:
        return "user"
    return locate(who, parts, window).quote
