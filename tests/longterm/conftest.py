"""What the store's tests share: a store on a real file, a clock, and a user who speaks."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hma.longterm.base import Committed
from hma.longterm.memory import SqlMemory
from hma.longterm.store import SqlStore
from hma.models.base import Vector
from hma.records import (
    Candidate,
    Decision,
    Effect,
    Judgement,
    Owner,
    Polarity,
    Question,
    Role,
    Settlement,
    Span,
    Status,
    Turn,
    Verdict,
)
from hma.slots import Slots
from hma.text import terms


@cache
def _direction(term: str, dimension: int) -> Vector:
    seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
    drawn: Vector = np.random.default_rng(seed).standard_normal(dimension, dtype=np.float32)
    return drawn


@dataclass(frozen=True)
class HashEmbedder:
    """Each term is a random direction: the same words give the same vector, without a model."""

    name: str = "hash-1"
    dimension: int = 32

    def query(self, text: str) -> Vector:
        """The vector of one text."""
        row: Vector = self.passages([text])[0]
        return row

    def passages(self, texts: Sequence[str]) -> Vector:
        """One row a text."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in [self.name, *terms(text)]:
                row += _direction(term, self.dimension)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(norms == 0, 1, norms), dtype=np.float32)


@dataclass
class HandClock:
    """A clock that stands still until it is moved."""

    now: datetime = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time it shows."""
        return self.now

    def move(self, **by: float) -> datetime:
        """Move on by a `timedelta` of these parts, and return the new time."""
        self.now += timedelta(**by)
        return self.now


@dataclass
class Speaker:
    """Says things to a memory and commits what a judge would decide about them."""

    memory: SqlMemory
    clock: HandClock
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def say(self, text: str, *, role: Role = Role.USER, at: datetime | None = None) -> Turn:
        """Append a turn."""
        turn = Turn(f"t{next(self.numbers)}", role, text, at or self.clock())
        self.memory.append(turn)
        return turn

    def candidate(self, turn: Turn, attribute: str, value: str, **other: Any) -> Candidate:
        """What a reader finds: the whole turn is the clause that states it."""
        plain = Candidate(
            subject="user",
            attribute=attribute,
            value=value,
            polarity=Polarity.POSITIVE,
            status=Status.ASSERTED,
            evidence=Span(0, 0, len(turn.text), turn.text, turn.id),
            confidence=0.9,
        )
        return replace(plain, **other)

    def decide(
        self,
        candidate: Candidate,
        effect: Effect = Effect.NEW,
        against: Sequence[str] = (),
        verdict: Verdict = Verdict.ADMIT,
    ) -> Decision:
        """A decision about a candidate."""
        return Decision(candidate, verdict, effect, tuple(against), "test", "because")

    def commit(
        self,
        *decisions: Decision,
        settlements: Sequence[Settlement] = (),
        questions: Sequence[Question] = (),
        ask: Question | None = None,
        version: int | None = None,
        distilled: Sequence[str] = (),
    ) -> Committed:
        """Commit onto the newest version, unless another is named."""
        newest = self.memory.snapshot().version if version is None else version
        judgement = Judgement(newest, tuple(decisions), tuple(settlements), tuple(questions), ask)
        return self.memory.commit(judgement, distilled=distilled, at=self.clock())

    def learn(
        self,
        attribute: str,
        value: str,
        effect: Effect = Effect.NEW,
        against: Sequence[str] = (),
        **other: Any,
    ) -> Committed:
        """Say it, and have it admitted."""
        turn = self.say(other.pop("text", f"It is {value}."))
        candidate = self.candidate(turn, attribute, value, **other)
        return self.commit(self.decide(candidate, effect, against), distilled=[turn.id])

    def values(self, attribute: str) -> list[str]:
        """The current values of a slot."""
        facts = self.memory.snapshot().facts
        return [fact.value for fact in facts if fact.attribute == attribute]


@pytest.fixture
def clock() -> HandClock:
    """A clock that the test moves."""
    return HandClock()


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a database that does not exist yet."""
    return f"sqlite:///{tmp_path}/memory/hma.db"


@pytest.fixture
def open_store(url: str, clock: HandClock) -> Iterator[Callable[..., SqlStore]]:
    """Opens stores on `url`, and closes them after the test."""
    opened: list[SqlStore] = []

    def opening(*, embedder: HashEmbedder | None = None, **options: Any) -> SqlStore:
        options = {"clock": clock, **options}
        chosen = embedder or HashEmbedder()
        store = SqlStore.open(url, embedder=chosen, slots=Slots.load(), **options)
        opened.append(store)
        return store

    yield opening
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., SqlStore]) -> SqlStore:
    """An open store."""
    return open_store()


@pytest.fixture
def ana(store: SqlStore, clock: HandClock) -> Speaker:
    """A user."""
    return Speaker(store.of(Owner("ana")), clock)


@pytest.fixture
def ben(store: SqlStore, clock: HandClock) -> Speaker:
    """Another user of the same store."""
    return Speaker(store.of(Owner("ben")), clock)


@pytest.fixture
def another_embedder() -> HashEmbedder:
    """An embedder whose vectors can't be compared with the first one's."""
    return HashEmbedder(name="hash-2", dimension=32)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqlStore, HandClock]]:
    """A store for many examples, each with an owner of its own; and its clock."""
    url = f"sqlite:///{tmp_path_factory.mktemp('lasting')}/hma.db"
    clock = HandClock()
    with SqlStore.open(url, embedder=HashEmbedder(), slots=Slots.load(), clock=clock) as store:
        yield store, clock
