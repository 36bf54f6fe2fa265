"""Identity numbers, bank cards, and numbers that the words before them give away."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from hma.meta.privacy.cues import Cue, cue_before
from hma.meta.privacy.normalise import Hit
from hma.meta.privacy.runs import Run

CN_ID = "CN_ID"
CARD = "CARD"
SSN = "US_SSN"
CVV = "CVV"
SECRET = "SECRET"  # noqa: S105 - the name of a placeholder
NUMBER = "NUMBER"

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_DATE = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_ID_18 = re.compile(rf"(?=([1-9]\d{{5}}(?:18[5-9]|19\d|20\d)\d{_DATE}\d{{3}}[\dX]))")
_ID_15 = re.compile(
    rf"(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])\d{{6}}{_DATE}\d{{3}}"
)
# Issuer prefix, then the lengths that are issued under it.
_ISSUERS = tuple(
    (re.compile(prefix), lengths)
    for prefix, lengths in (
        ("4", (13, 16, 19)),
        ("5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", (16,)),
        ("3[47]", (15,)),
        ("30[0-5]|309|3[689]", (14, 16, 19)),
        ("35(?:2[89]|[3-8])", (15, 16, 17, 18, 19)),
        ("1800|2131", (15,)),
        ("62|81", (14, 15, 16, 17, 18, 19)),
        ("220[0-4]", (16, 17, 18, 19)),
        ("5[0-9]|6|9[0-9]", (16, 17, 18, 19)),
    )
)
_SHORTEST, _LONGEST = 13, 19
_DOUBLED = "0246813579"
_MOMENT = re.compile(r"(?<!\d)(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}(?!\d)|\d:[0-5]\d(?!\d)")
_AMOUNT = re.compile(
    r"\s?(?:元|块|万|亿|美元|人民币|分|张|个|次|人|%|(?:rmb|usd|eur|dollars?)\b)", re.I
)
_SSN_FORM = re.compile(r"(?<!\d)(?!000|666)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?!\d)")


def find_numbers(text: str, view: str, runs: list[Run]) -> Iterator[Hit]:
    """Every number in `text` that must not be stored. Hits may overlap."""
    for run in runs:
        found = [*_ids(run), *_cards(run, view)]
        yield from found
        if not found:
            yield from _announced(run, text, view)
    for match in _SSN_FORM.finditer(view):
        yield Hit(SSN, match.start(), match.end())


def valid_id(digits: str) -> bool:
    """Whether 18 characters pass the MOD 11-2 check of GB 11643.

    >>> valid_id("11010519491231002X")
    True
    """
    total = sum(int(d) * w for d, w in zip(digits[:17], _WEIGHTS, strict=True))
    return _CHECKS[total % 11] == digits[17]


def valid_card(digits: str) -> bool:
    """Whether an issuer uses this prefix at this length, and the Luhn sum is right.

    >>> valid_card("4111111111111111"), valid_card("4111111111111112")
    (True, False)
    """
    issued = any(len(digits) in lengths and p.match(digits) for p, lengths in _ISSUERS)
    return issued and _luhn(digits)


def _luhn(digits: str) -> bool:
    plain = sum(map(int, digits[-1::-2]))
    return (plain + sum(int(_DOUBLED[int(d)]) for d in digits[-2::-2])) % 10 == 0


def _ids(run: Run) -> Iterator[Hit]:
    """Identity numbers anywhere in the run: 18 characters, or 15 that stand alone."""
    for match in _ID_18.finditer(run.digits):
        if valid_id(match[1]):
            yield _hit(CN_ID, run, match.start(), match.start() + 18)
    for i, j in {*pairwise(run.cuts), (0, len(run.digits))}:
        digits = run.digits[i:j]
        if len(digits) == 15 and _ID_15.fullmatch(digits) and not valid_card(digits):
            yield _hit(CN_ID, run, i, j)


def _cards(run: Run, view: str) -> Iterator[Hit]:
    """Card numbers that begin and end where pieces of the run do."""
    for i, j in _slices(run):
        if valid_card(run.digits[i:j]):
            hit = _hit(CARD, run, i, j)
            if not _MOMENT.search(view, hit.start, hit.end):
                yield hit


def _slices(run: Run) -> Iterator[tuple[int, int]]:
    """All stretches of whole pieces that are as long as a card number, without an X."""
    cuts = [*run.cuts[:-1], len(run.digits.rstrip("X"))]
    for n, i in enumerate(cuts):
        for j in cuts[n + 1 : n + 1 + _LONGEST]:
            if _SHORTEST <= j - i <= _LONGEST:
                yield i, j


def _announced(run: Run, text: str, view: str) -> Iterator[Hit]:
    """The run, if the words before it say that it is a number of a kind never stored."""
    if len(run.digits) < 3:
        return
    cue = cue_before(text, run.start)
    if cue is None or _is_date(view[run.start : run.end]):
        return
    if cue in (Cue.STRONG, Cue.WEAK):
        enough = 6 if cue is Cue.STRONG else 12
        # An X that stands apart begins the next word as likely as it ends a number.
        size = run.cuts[-2] if run.digits[run.cuts[-2] :] == "X" else len(run.digits)
        if size >= enough and not _AMOUNT.match(text, run.end):
            yield _hit(NUMBER, run, 0, size)
        return
    kind, sizes = {
        Cue.SSN: (SSN, range(9, 10)),
        Cue.CVV: (CVV, range(3, 5)),
        Cue.PIN: (SECRET, range(4, 9)),
    }[cue]
    for length in (len(run.digits), run.cuts[1]):
        if length in sizes:
            yield _hit(kind, run, 0, length)
            return


def _is_date(written: str) -> bool:
    """Whether the digits are a date and nothing else, like 2026-11-29 or 29/11/2026."""
    parts = re.findall(r"\d+", written)
    if [len(part) for part in parts] not in ([4, 2, 2], [4, 1, 2], [4, 2, 1], [2, 2, 4], [1, 2, 4]):
        return False
    numbers = [int(part) for part in (parts if len(parts[0]) == 4 else parts[::-1])]
    try:
        return 1900 <= date(*numbers).year < 2100
    except ValueError:
        return False


def _hit(kind: str, run: Run, first: int, last: int) -> Hit:
    return Hit(kind, run.at[first], run.at[last - 1] + 1)
