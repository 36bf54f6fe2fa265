"""When two statements say the same, when they clash, and who is trusted more.

Values are compared by their normal form and nothing softer: two numbers, names or dates
that look alike are not the same, and asking is cheaper than mixing them up.
"""

import re
from collections.abc import Iterable

from hma.records import Candidate, Fact, Polarity, Source
from hma.slots import Cardinality, Slot
from hma.text import has_cjk, normal_form

Statement = Candidate | Fact

_SOURCES = tuple(Source)
# What may follow a value without making it another one: "Porto, Portugal", "Porto (PT)".
_ADDITION = re.compile(r"[,，(（]")


def trust(source: Source) -> int:
    """How far a source class is trusted; a larger number is trusted more.

    >>> trust(Source.USER) > trust(Source.TOOL) > trust(Source.ASSUMED)
    True
    """
    return len(_SOURCES) - _SOURCES.index(source)


def same_place(one: Statement, other: Statement) -> bool:
    """Whether both speak about the same slot of the same subject in the same scope."""
    return (
        one.attribute == other.attribute
        and one.scope == other.scope
        and (one.subject == other.subject or normal_form(one.subject) == normal_form(other.subject))
    )


def same_value(slot: Slot, one: str, other: str) -> bool:
    """Whether two values are the same. In a slot of one value an addition after a comma
    or in brackets makes no other value; numbers always count whole.

    >>> home = Slot("home", Cardinality.ONE)
    >>> same_value(home, "Porto", "Porto, Portugal"), same_value(home, "New York", "York")
    (True, False)
    """
    left, right = normal_form(one), normal_form(other)
    if left == right:
        return True
    if slot.cardinality is not Cardinality.ONE:
        return False
    return left == head(other) or right == head(one)


def head(value: str) -> str:
    """The normal form of what stands before the first comma or bracket, or "" where that
    is not sure to be the value itself (it holds a digit).

    >>> head("Porto, Portugal"), head("1,200 euros")
    ('porto', '')
    """
    first = _ADDITION.split(value, maxsplit=1)[0]
    return "" if any(character.isdigit() for character in first) else normal_form(first)


def same_fact(slot: Slot, one: Statement, other: Statement) -> bool:
    """Whether both say the same of the same subject."""
    return (
        same_place(one, other)
        and one.polarity is other.polarity
        and same_value(slot, one.value, other.value)
    )


def clash(slot: Slot, one: Statement, other: Statement) -> bool:
    """Whether both can't be true at once: the same object affirmed and denied, or two
    values affirmed where there is room for one. To deny Porto is no word against Lisbon."""
    if not same_place(one, other):
        return False
    if same_value(slot, one.value, other.value):
        return one.polarity is not other.polarity
    affirmed = one.polarity is other.polarity is Polarity.POSITIVE
    return affirmed and slot.compete(one.value, other.value)


def rivals(slot: Slot, candidate: Candidate, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The current facts that speak about the same thing as the candidate."""
    return tuple(
        fact
        for fact in facts
        if fact.current
        and same_place(candidate, fact)
        and slot.compete(candidate.value, fact.value)
    )


def names(whole: str, part: str) -> bool:
    """Whether `part` occurs in `whole` as a word (in Chinese: as a piece of it).

    >>> names("a grey cat", "the cat"), names("concatenate", "cat"), names("小橘猫", "猫")
    (True, False, True)
    """
    longer, shorter = normal_form(whole), normal_form(part)
    if not shorter:
        return False
    if has_cjk(shorter):
        return shorter in longer
    return re.search(rf"(?<!\w){re.escape(shorter)}(?!\w)", longer) is not None
