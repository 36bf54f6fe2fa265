"""Runs of digits as people write them: grouped, spaced, in Chinese numerals, or disguised
with look-alike letters."""

import re
from dataclasses import dataclass
from itertools import pairwise

_CHINESE = {
    **dict(zip("零一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    **dict(zip("○貳參陸两兩幺洞拐勾", "0236221079", strict=True)),
}
_LOOKALIKES = {
    **dict.fromkeys("OoОоΟοՕ", "0"),
    **dict.fromkeys("IlІіΙιӀ", "1"),
    **dict.fromkeys("Зз", "3"),
    **dict.fromkeys("Ѕѕ", "5"),
    **dict.fromkeys("Бб", "6"),
}
_X = dict.fromkeys("xХхΧχ×✕✖叉", "X")
_TABLE = str.maketrans({**_CHINESE, **_X})
_LOOKALIKE_TABLE = str.maketrans(_LOOKALIKES)
_LOOKALIKE_CLASS = "".join(_LOOKALIKES)
# A look-alike is read as a digit only in a word that is otherwise digits: "62220O1", never "lol".
_DISGUISED = re.compile(
    rf"(?<![A-Za-z0-9\u0370-\u052f])[{_LOOKALIKE_CLASS}]*[0-9][0-9{_LOOKALIKE_CLASS}]*+"
    rf"(?![A-WYZa-wyz\u0370-\u052f])"
)
# Any sign may separate digits, except what sets amounts, placeholders or sentences apart.
_SEPARATOR = r"(?:_|[^\w\[\]$¥€£%\"?!=#])"
_RUN = re.compile(rf"[0-9](?:{_SEPARATOR}{{0,3}}[0-9])*+(?:{_SEPARATOR}{{0,3}}X)?")


@dataclass(frozen=True, slots=True)
class Run:
    """Digits with at most three separators between neighbours; the last may be an X.

    `at[i]` is the place of `digits[i]` in the text. `cuts` are the indexes at which a
    number may begin or end: at separators, and where the script changes.
    """

    digits: str
    at: tuple[int, ...]
    cuts: tuple[int, ...]

    @property
    def start(self) -> int:
        """Place of the first digit in the text."""
        return self.at[0]

    @property
    def end(self) -> int:
        """Place after the last digit in the text."""
        return self.at[-1] + 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """Lengths of the pieces between cuts."""
        return tuple(b - a for a, b in pairwise(self.cuts))


def digit_view(text: str) -> str:
    """`text` (normalised) with everything that stands for a digit written as one. Same length.

    >>> digit_view("幺三八 62220O1 lol 12Х")
    '138 6222001 lol 12X'
    """
    return _DISGUISED.sub(
        lambda match: match[0].translate(_LOOKALIKE_TABLE), text.translate(_TABLE)
    )


def find_runs(text: str, view: str) -> list[Run]:
    """All runs of `view`, the digit view of `text`."""
    return [_run(match, text) for match in _RUN.finditer(view)]


def _run(match: re.Match[str], text: str) -> Run:
    piece, start = match[0], match.start()
    at = [start + i for i, character in enumerate(piece) if character in "0123456789X"]
    cuts = [0]
    for i in range(1, len(at)):
        gap = at[i] - at[i - 1] > 1
        if gap or text[at[i]].isascii() != text[at[i - 1]].isascii():
            cuts.append(i)
    cuts.append(len(at))
    return Run("".join(piece[p - start] for p in at), tuple(at), tuple(cuts))
