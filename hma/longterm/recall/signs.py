"""The signs that a fact matters for a question: asked for, shared words, similar meaning."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hma.longterm.recall.lexicon import Lexicon, stands_in
from hma.longterm.recall.prepared import Prepared
from hma.longterm.recall.routes import Route, Routes
from hma.longterm.recall.subjects import SubjectGuard, Subjects
from hma.records import Fact
from hma.slots import Slots
from hma.text import folded

# A value that stands in the question is a strong sign, however long the question is.
_VALUE_NAMED = 0.7


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as recall reads it. `beside` are its terms without those that triggered a
    direct route and those that name whom it is about."""

    query: str
    routes: tuple[Route, ...]
    subjects: Subjects
    terms: tuple[str, ...]
    beside: frozenset[str]

    @property
    def direct(self) -> bool:
        """Whether it asks for certain slots outright."""
        return any(route.direct for route in self.routes)

    @property
    def slots(self) -> frozenset[str]:
        """The slots that it asks for or touches on."""
        return frozenset(slot for route in self.routes for slot in route.slots)


@dataclass(frozen=True, slots=True)
class Signs:
    """How strongly the question touches one fact, each 0..1. `named`: the question holds its
    value."""

    route: float
    lexical: float
    dense: float
    named: bool


class SignReader:
    """Reads a question, and finds its signs among an owner's facts."""

    def __init__(self, slots: Slots) -> None:
        self.lexicon = Lexicon.load()
        self._routes = Routes.load(slots)
        self._guard = SubjectGuard(self._routes, self.lexicon)

    def read(self, query: str) -> Asked:
        """What `query` asks for, about whom, in which words."""
        subjects = self._guard.read(query)
        beside = frozenset(self.lexicon.terms(self._routes.beside(query)))
        return Asked(
            query=query,
            routes=self._routes.asked(query),
            subjects=subjects,
            terms=tuple(self.lexicon.terms(query)),
            beside=beside - subjects.others,
        )

    def signs(
        self, prepared: Prepared, asked: Asked, meaning: Mapping[int, float]
    ) -> Iterator[tuple[Fact, Signs]]:
        """Each fact that the question touches and may be answered with. `meaning` is the
        similarity, 0..1, by place in the owner's facts."""
        lexical = prepared.words.scores(asked.terms)
        beside = prepared.words.scores(tuple(asked.beside)) if asked.direct else lexical
        text = folded(asked.query)
        for number, fact in enumerate(prepared.facts):
            words = lexical.get(number, 0.0)
            named = stands_in(text, prepared.values[number])
            words = max(words, _VALUE_NAMED) if named else words
            dense = meaning.get(number, 0.0)
            route = _asked_for(fact, asked.routes, words, dense)
            if route + words + dense <= 0:
                continue
            if not self._guard.permits(fact, asked.query, asked.subjects, words):
                continue
            if asked.direct and route == 0 and not named and number not in beside:
                # "Where do I work?" is not answered by what merely sounds alike.
                continue
            yield fact, Signs(route, words, dense, named)

    def shared(self, fact_words: str, asked: Asked) -> list[str]:
        """The terms that a fact shares with the question, in the question's order."""
        held = set(self.lexicon.terms(fact_words))
        return [term for term in dict.fromkeys(asked.terms) if term in held]


def _asked_for(fact: Fact, routes: Sequence[Route], lexical: float, dense: float) -> float:
    if not routes:
        return 0.0
    return max(route.strength_for(fact, lexical, dense) for route in routes)
