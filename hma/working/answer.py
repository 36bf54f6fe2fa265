"""The model's answer, parsed strictly: what is not exactly in form is rubbish."""

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hma.models.base import Generation, Token
from hma.records import Polarity, Status
from hma.working.grammar import MAX_FACTS

_FIELDS = 5


class Rubbish(ValueError):
    """The answer is not in form. The message says how, without the answer's words."""


@dataclass(frozen=True, slots=True)
class Row:
    """One fact as the model wrote it, and the joint probability of its tokens."""

    value: str
    who: str
    attribute: str
    polarity: Polarity
    status: Status
    probability: float


def parse(generation: Generation, attributes: Collection[str]) -> list[Row]:
    """The facts of an answer, with each fact's joint token probability.

    Raises:
        Rubbish: the answer was cut, is no JSON, or not of the form that the grammar allows.
    """
    if not generation.finished:
        raise Rubbish("it did not end within the token limit")
    text = generation.text.strip()
    places = _places(generation.tokens)
    offset = len(generation.text) - len(generation.text.lstrip())
    rows = []
    for item, start, end in _items(text):
        chosen = _overlapping(places, *_bytes(generation.text, start + offset, end + offset))
        rows.append(_row(item, attributes, math.prod(chosen) if chosen else 0.0))
    return rows


def _items(text: str) -> Iterator[tuple[object, int, int]]:
    """The items of the JSON list, each with its place in the text."""
    decoder = json.JSONDecoder()
    try:
        whole = decoder.decode(text)
    except (ValueError, RecursionError):
        raise Rubbish("it is no JSON") from None
    if not isinstance(whole, list) or len(whole) > MAX_FACTS:
        raise Rubbish(f"it is no list of at most {MAX_FACTS} facts")
    at = 1
    for _ in whole:
        while text[at] in " \t\r\n,":
            at += 1
        item, end = decoder.raw_decode(text, at)
        yield item, at, end
        at = end


def _row(item: object, attributes: Collection[str], probability: float) -> Row:
    if not isinstance(item, list) or len(item) != _FIELDS:
        raise Rubbish(f"a fact is no list of {_FIELDS} strings")
    if not all(isinstance(part, str) for part in item):
        raise Rubbish(f"a fact is no list of {_FIELDS} strings")
    value, who, attribute, polarity, status = item
    if attribute not in attributes:
        raise Rubbish("a fact names an attribute that is no slot")
    try:
        return Row(value, who, attribute, Polarity(polarity), Status(status), probability)
    except ValueError:
        raise Rubbish("a fact has an unknown polarity or status") from None


def _places(tokens: Sequence[Token]) -> list[tuple[int, int, float]]:
    """Each token's place in the answer's bytes, and its probability."""
    places = []
    at = 0
    for token in tokens:
        places.append((at, at + len(token.piece), token.probability))
        at += len(token.piece)
    return places


def _overlapping(places: Sequence[tuple[int, int, float]], start: int, end: int) -> list[float]:
    return [chance for left, right, chance in places if left < end and right > start]


def _bytes(text: str, start: int, end: int) -> tuple[int, int]:
    """Character offsets as byte offsets. Lone surrogates can't come from token bytes."""
    before = len(text[:start].encode("utf-8", "surrogatepass"))
    return before, before + len(text[start:end].encode("utf-8", "surrogatepass"))
