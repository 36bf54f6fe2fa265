"""The plain form under which disguised text is searched, and the way back to the original.

Invisible characters and combining marks disappear, full-width, circled and foreign digits
become ASCII, every space is a space and every dash a dash.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\u2800")
_DROPPED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Me", "Mn"})
_CLASSES = {"Zs": " ", "Zl": " ", "Zp": " ", "Pd": "-", "Pc": "_"}
_CONTROL_SPACES = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: `start`/`end` count characters of the text that was searched."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Normal:
    """A normalised text. `origin[i]` is where its character `i` stood in the original, whose
    length is `size`."""

    text: str
    origin: Sequence[int]
    size: int

    def original(self, hit: Hit) -> Hit:
        """The same hit in the original text, with the invisible characters that follow."""
        last = self.origin[hit.end - 1]
        follow = self.origin[hit.end] if hit.end < len(self.text) else self.size
        return Hit(hit.kind, self.origin[hit.start], max(last + 1, follow))

    def position(self, offset: int) -> int:
        """Where the original's `offset` falls in the normalised text."""
        return bisect_left(self.origin, offset)


def normalise(text: str) -> Normal:
    """The normalised form of any string, lone surrogates included. Linear in its length.

    >>> normalise("卡４１\u200b①：—").text
    '卡411:-'
    """
    if text.isascii() and text.isprintable():
        return Normal(text, range(len(text)), len(text))
    characters: list[str] = []
    origin: list[int] = []
    for i, character in enumerate(text):
        for folded in _fold(character):
            characters.append(folded)
            origin.append(i)
    return Normal("".join(characters), origin, len(text))


@lru_cache(maxsize=8192)
def _fold(character: str) -> str:
    """What one character becomes: nothing, one character or a few."""
    if " " <= character <= "~" or "\u4e00" <= character <= "\u9fff":
        return character
    if character in _CONTROL_SPACES:
        return "\n" if character in "\n\r\x85" else " "
    category = unicodedata.category(character)
    if character in _INVISIBLE or category in _DROPPED:
        return ""
    if category in _CLASSES:
        return _CLASSES[category]
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return str(digit)
    folded = unicodedata.normalize("NFKC", character)
    return "".join(c for c in folded if unicodedata.category(c) not in _DROPPED)
