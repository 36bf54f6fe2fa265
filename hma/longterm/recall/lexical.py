"""BM25 over a few short documents, scaled to 0..1 by what a perfect match could reach."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

_SATURATION = 1.2
_LENGTH = 0.4
# A long question need not match in all its words: matching its three rarest scores 1.
_ENOUGH_TERMS = 3


class TermIndex:
    """Documents as bags of terms, with postings.

    >>> index = TermIndex([["cat", "mochi"], ["lisbon"]])
    >>> index.scores(["lisbon"])
    {1: 1.0}
    >>> index.scores(["paris"])
    {}
    """

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths = [len(document) for document in documents]
        self._mean = max(1.0, sum(self._lengths) / max(1, len(documents)))
        for number, document in enumerate(documents):
            for term, count in Counter(document).items():
                self._postings[term].append((number, count))

    def scores(self, query: Sequence[str]) -> dict[int, float]:
        """Score by document number; documents without a shared term are left out."""
        wanted = set(query)
        reach = sorted((self._rarity(term) for term in wanted), reverse=True)[:_ENOUGH_TERMS]
        found: dict[int, float] = defaultdict(float)
        for term in wanted:
            for number, count in self._postings.get(term, ()):
                found[number] += self._rarity(term) * self._saturated(number, count)
        return {number: min(1.0, score / sum(reach)) for number, score in found.items()}

    def _rarity(self, term: str) -> float:
        holding = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._lengths) - holding + 0.5) / (holding + 0.5))

    def _saturated(self, number: int, count: int) -> float:
        length = 1 - _LENGTH + _LENGTH * self._lengths[number] / self._mean
        return count * (_SATURATION + 1) / (count + _SATURATION * length)
