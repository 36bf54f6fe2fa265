"""Numbers that are split over messages: their ends and their beginnings."""

import re
from collections.abc import Iterator

from hma.meta.privacy.cues import cue_before
from hma.meta.privacy.normalise import Hit, normalise
from hma.meta.privacy.numbers import find_numbers
from hma.meta.privacy.runs import digit_view, find_runs

_LONGEST = 19
_LEAD_IN = 40
_EARLIER = 8  # messages
_SHORTEST_FRAGMENT = 4
_YEAR = re.compile(r"(?:19|20)\d\d")
_AFTER_LAST = re.compile(r"[^\w]{0,4}(?:and|then|然后|接着|还有|后面)?[^\w]{0,6}", re.IGNORECASE)
_CURRENCY = ("$", "¥", "€", "£")


def completions(text: str, border: int) -> Iterator[Hit]:
    """Hits in `text` after `border` that end an identity or card number begun before it,
    when a few words ("the rest is ...") stand between the two parts.

    Parts that touch need no such care: the digits form one run across the border.
    """
    view = digit_view(text)
    rest = next((run for run in find_runs(text, view) if run.start >= border), None)
    if rest is None or rest.start - border > _LEAD_IN:
        return
    for head in _beginnings(text[:border]):
        first = head[-_LONGEST:]
        joined = f"{first} {view[rest.start : rest.end]}"
        for hit in find_numbers(joined, joined, find_runs(joined, joined)):
            offset = rest.start - len(first) - 1
            if hit.start < len(first) < hit.end:
                yield Hit(hit.kind, rest.start, hit.end + offset)


def _beginnings(said: str) -> Iterator[str]:
    """What may be the first part of a number: at the end of the last message, or where a
    word such as "card" announces it at the end of an earlier one ("hold on" between both)."""
    *earlier, last = said.rstrip("\n").split("\n")
    if head := _fragment(last):
        yield head
    for message in earlier[-_EARLIER:]:
        if head := _fragment(message, announced=True):
            yield head


def trailing_fragment(text: str) -> str:
    """The digits at the end of `text` that may be the first part of a number, else "".

    At least four digits that end the text, or any that a word like "card number" announces.
    Years and amounts of money are none. An agent can hold back a text that ends so until
    the next message shows what it was.

    >>> trailing_fragment("my card is 4111 1111 and"), trailing_fragment("since 2019")
    ('41111111', '')
    """
    return _fragment(normalise(text).text)


def _fragment(text: str, *, announced: bool = False) -> str:
    runs = find_runs(text, digit_view(text))
    if not runs or not _AFTER_LAST.fullmatch(text[runs[-1].end :]):
        return ""
    last = runs[-1]
    if cue_before(text, last.start) is not None:
        return last.digits
    if announced:
        return ""
    amount = text[: last.start].rstrip().endswith(_CURRENCY)
    year = _YEAR.fullmatch(last.digits)
    return "" if len(last.digits) < _SHORTEST_FRAGMENT or amount or year else last.digits
