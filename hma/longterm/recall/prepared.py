"""What recall computes once per version of an owner's memory, and keeps for a while."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from hma.longterm.base import Memory
from hma.longterm.recall.lexical import TermIndex
from hma.longterm.recall.lexicon import Lexicon
from hma.longterm.recall.premises import Premises
from hma.longterm.recall.subjects import USER
from hma.longterm.words import FORGOTTEN
from hma.records import Fact, Owner, Snapshot
from hma.slots import Slots
from hma.text import folded, has_cjk, language_of, normal_form

_OWNERS = 64


@dataclass(frozen=True, slots=True)
class Prepared:
    """An owner's current facts, and what is derived from each at the same place.

    `values` are folded, and empty where one may stand in a question by chance.
    """

    version: int
    facts: tuple[Fact, ...]
    place: Mapping[str, int]
    values: tuple[str, ...]
    words: TermIndex
    languages: tuple[str, ...]
    premises: Premises


class PreparedCache:
    """The last owners' `Prepared`, each valid for one version only. Safe for threads."""

    def __init__(self, lexicon: Lexicon, slots: Slots) -> None:
        self._lexicon = lexicon
        self._slots = slots
        self._lock = threading.Lock()
        self._kept: OrderedDict[Owner, Prepared] = OrderedDict()

    def of(self, memory: Memory, snapshot: Snapshot) -> Prepared:
        """What belongs to `snapshot`, computed if it is not at hand. The facts are compared
        too: erased words must not live on here, whatever the version says."""
        with self._lock:
            known = self._kept.get(memory.owner)
        if known is None or known.facts != snapshot.facts or known.version != snapshot.version:
            known = self._prepare(memory, snapshot)
        with self._lock:
            self._kept[memory.owner] = known
            self._kept.move_to_end(memory.owner)
            if len(self._kept) > _OWNERS:
                self._kept.popitem(last=False)
        return known

    def _prepare(self, memory: Memory, snapshot: Snapshot) -> Prepared:
        facts = snapshot.facts
        return Prepared(
            version=snapshot.version,
            facts=facts,
            place={fact.id: number for number, fact in enumerate(facts)},
            values=tuple(_namable(fact) for fact in facts),
            words=TermIndex([self._document(fact) for fact in facts]),
            languages=tuple(language_of(words_of(fact)) for fact in facts),
            premises=Premises(memory.history(), self._slots),
        )

    def _document(self, fact: Fact) -> list[str]:
        subject = "" if fact.subject == USER else fact.subject
        return self._lexicon.terms(f"{subject}\n{words_of(fact)}")


def _namable(fact: Fact) -> str:
    value = folded(normal_form(fact.value))
    long_enough = len(value) >= (1 if has_cjk(value) else 3)
    return value if long_enough and not value.isdecimal() else ""


def words_of(fact: Fact) -> str:
    """The user's own words about a fact: its value and the quotes that prove it."""
    quotes = (span.quote for span in fact.evidence if span.quote != FORGOTTEN)
    return "\n".join((fact.value, *quotes))
