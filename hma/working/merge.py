"""Two readers' facts brought together: which of them speak of the same thing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hma.records import Candidate
from hma.text import has_cjk, normal_form, terms

_SAME = 0.5


@dataclass(frozen=True, slots=True)
class Pair:
    """What the rules and the model made of one fact; at least one of them is there.

    `times` counts the different places of the window that state it.
    """

    rules: Candidate | None
    model: Candidate | None
    times: int = 1

    @property
    def fact(self) -> Candidate:
        """The reading that stands: the rules', where they found it."""
        fact = self.rules or self.model
        if fact is None:
            raise ValueError("a pair without a fact")
        return fact


def merge(rules: Sequence[Candidate], model: Sequence[Candidate]) -> tuple[Pair, ...]:
    """Pair the facts of both readers; each fact lands in exactly one pair.

    Two facts speak of the same thing when subject and attribute are the same and the
    values overlap by half of their words (characters in Chinese). A fact of one reader
    that is repeated word for word counts once, at its last place. The order is that of
    the text.
    """
    left = list(_distinct(model))
    pairs = []
    for fact, times in _distinct(rules):
        match = next((item for item in left if same_fact(fact, item[0])), None)
        if match is not None:
            left.remove(match)
        pairs.append(Pair(fact, match[0] if match else None, times))
    pairs += [Pair(None, fact, times) for fact, times in left]
    return tuple(sorted(pairs, key=_place))


def _place(pair: Pair) -> tuple[int, int]:
    return pair.fact.evidence.turn, pair.fact.evidence.start


def _distinct(facts: Iterable[Candidate]) -> Iterable[tuple[Candidate, int]]:
    """Each different fact with the number of places that state it."""
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for fact in facts:
        key = (
            normal_form(fact.subject),
            fact.attribute,
            normal_form(fact.value),
            fact.polarity,
            fact.status,
            fact.scope,
        )
        groups.setdefault(key, []).append(fact)
    for group in groups.values():
        last = max(group, key=lambda fact: (fact.evidence.turn, fact.evidence.start))
        best = max(fact.confidence for fact in group)
        places = {(fact.evidence.turn, fact.evidence.start) for fact in group}
        yield replace(last, confidence=best), len(places)


def same_fact(one: Candidate, other: Candidate) -> bool:
    """Whether two readings speak of the same thing, whatever they say about it."""
    return (
        one.attribute == other.attribute
        and normal_form(one.subject) == normal_form(other.subject)
        and overlap(one.value, other.value) >= _SAME
    )


def overlap(one: str, other: str) -> float:
    """Token F1 of two values in [0, 1], over words and single CJK characters.

    >>> overlap("the green tea", "green tea"), overlap("上海", "上海市"), overlap("tea", "milk")
    (0.8, 0.8, 0.0)
    """
    left, right = _tokens(one), _tokens(other)
    common = (left & right).total()
    return 2 * common / (left.total() + right.total()) if common else 0.0


def _tokens(value: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for term in terms(value):
        if not has_cjk(term):
            counted[term] += 1
    counted.update(char for char in value if has_cjk(char))
    return counted
