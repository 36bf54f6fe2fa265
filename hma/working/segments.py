"""Sentences and clauses of a text, with exact offsets. English, Chinese, and both mixed.

A clause is the smallest piece that can state something by itself: it ends at strong
punctuation, at a Chinese comma, at an English comma before a new clause, or before a
conjunction ("but", "and I", 但是). Quoted text and web addresses are never cut.
"""

import re
from collections.abc import Iterator

from hma.records import Clause

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st mt no vs e.g i.e eg ie approx dept jr sr fig vol cf al ca "
    "max min gen".split()
)
# These may well end a sentence: a capital letter after them decides.
_CLOSING_ABBREVIATIONS = frozenset(
    "a.m p.m etc inc ltd co corp u.s u.k ph.d jan feb mar apr".split()
)

_WHOLE = re.compile(
    r"""(?:https?://|www\.)[^\s，。；！？]*[^\s，。；！？.,!?]
    | "[^"\n]{1,300}" | “[^“”\n]{1,300}” | 「[^「」\n]{1,300}」 | 『[^『』\n]{1,300}』
    | (?<![^\W_])'[^'\n]{1,300}'(?![^\W_])""",
    re.VERBOSE,
)

_PRONOUN = (
    r"(?:i|i'm|i’m|i'd|i've|i'll|im|ive|we|we're|we’re|he|he's|she|she's|they|you|it|it's|it’s|my|"
    r"our)"
)
_START = (
    rf"(?:{_PRONOUN}|there|this|that|these|those|please|don't|don’t|do|does|did|is|are|can|"
    rf"could|would|"
    r"should|what|what's|what’s|how|where|when|why|who|which|if|unless|because|although|though|"
    r"while|whereas|since|but|actually|sorry|correction|name's|btw|no|right|correct|just|never|"
    r"always|let|tell|call\s+me|thanks|thank|ok|okay|yes|yeah|lol|haha|jk|from\s+now)"
)
_VERB = (
    r"(?:work|live|love|like|hate|have|own|drive|speak|play|study|am|go|moved|got|can't|can’t|"
    r"don't|don’t|"
    r"works|lives|loves|likes|hates|has|owns|drives|speaks|never|always|please|usually)"
)
_LEAD = r"\s{0,9}(?:(?:and|so|or|but|plus|then)\s{1,9}){0,3}"
_BOUNDARY = re.compile(
    rf"""
    (?P<line>\n)
    | (?P<end>[。！？!?]+['"’”」』)）]*)
    | (?P<dots>\.{{2,}}|…+)(?!\w)
    | (?P<stop>\.)(?=['"’”)\]]{{0,3}}(?:\s|$))['"’”)\]]{{0,3}}
    | [;；，](?!\d)
    | (?<=\s)[-–—]{{1,3}}(?=\s)
    | —
    | ,(?={_LEAD}{_START}\b)
    | ,(?=\s{{0,9}}and\s{{1,9}}{_VERB}\b)
    | ,(?=\s{{0,9}}[\u4e00-\u9fff])
    | (?<=\s)(?=(?:but|because|although|whereas)\b)
    | (?<=\s)(?=(?:(?:and|so)\s{{1,9}}{_PRONOUN}|and\s{{1,9}}{_VERB})\b)
    | (?=(?:但是|不过|可是|然而|而且|所以|因为|只是我|但我|并且我))
    """,
    re.VERBOSE | re.IGNORECASE,
)


def sentences(text: str, turn: int = 0) -> tuple[Clause, ...]:
    """The sentences of `text`, ordered, each a verbatim span; together they hold all of it
    except outer white space.

    >>> [s.text for s in sentences("Hi. I'm Dr. Wu! 我住在上海。很好")]
    ['Hi.', "I'm Dr. Wu!", '我住在上海。', '很好']
    """
    return _pieces(text, turn, (at for at, hard in _cuts(text) if hard))


def clauses(text: str, turn: int = 0) -> tuple[Clause, ...]:
    """The clauses of `text`, ordered, each a verbatim span; together they hold all of it
    except outer white space.

    >>> [c.text for c in clauses("I love tea, but I hate coffee, milk and 3.5 % fat.")]
    ['I love tea,', 'but I hate coffee, milk and 3.5 % fat.']
    """
    return _pieces(text, turn, (at for at, _ in _cuts(text)))


def quoted_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of what stands in quotation marks, marks included.

    >>> quoted_ranges('He said "I live here" today')
    ((8, 21),)
    """
    return tuple(m.span() for m in _WHOLE.finditer(text) if not m[0].startswith(("http", "www")))


def _cuts(text: str) -> Iterator[tuple[int, bool]]:
    """Every place to cut, and whether a sentence ends there."""
    whole = [m.span() for m in _WHOLE.finditer(text)]
    at = 0
    for match in _BOUNDARY.finditer(text):
        while at < len(whole) and whole[at][1] <= match.start():
            at += 1
        if at < len(whole) and whole[at][0] < match.end() and match.start() > whole[at][0]:
            continue
        kind = match.lastgroup
        if kind == "stop" and _is_abbreviation(text, match.start()):
            continue
        yield match.end(), kind in ("line", "end", "stop")


def _is_abbreviation(text: str, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to the word before it."""
    start = stop
    while start > max(0, stop - 8) and not text[start - 1].isspace():
        start -= 1
    word = text[start:stop].lstrip("(\"'“‘").casefold()
    following = text[stop + 1 : stop + 4].lstrip()[:1]
    if word in _ABBREVIATIONS:
        return bool(following)
    if word in _CLOSING_ABBREVIATIONS:
        return bool(following) and not following.isupper()
    return len(word) == 1 and word != "i" and text[start:stop].isupper() and bool(following)


def _pieces(text: str, turn: int, cuts: Iterator[int]) -> tuple[Clause, ...]:
    pieces = []
    start = 0
    for cut in (*cuts, len(text)):
        piece = text[start:cut]
        stripped = piece.strip()
        if stripped:
            begin = start + len(piece) - len(piece.lstrip())
            pieces.append(Clause(turn, begin, begin + len(stripped), stripped))
        start = cut
    return tuple(pieces)
