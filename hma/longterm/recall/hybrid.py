"""Recall: the few facts that matter for a turn, each with the parts of its score and a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

import numpy as np

from hma.errors import IndexUnavailable
from hma.longterm.base import Memory
from hma.longterm.recall.prepared import Prepared, PreparedCache, words_of
from hma.longterm.recall.reasons import note_of, reason_of
from hma.longterm.recall.signs import Asked, SignReader, Signs
from hma.longterm.recall.similarity import Similarity
from hma.models.base import Embedder, Vector
from hma.records import Fact, Recalled, Recollection
from hma.slots import SlotKind, Slots
from hma.text import language_of


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How recall scores and cuts.

    Attributes:
        limit: most facts returned, standing instructions not counted.
        instructions: most standing instructions returned, newest first.
        floor: evidence (route, lexical, dense together) below which a fact does not matter.
        margin: share of the best evidence that a fact must reach.
        route: weight of being asked for.
        lexical: weight of shared words.
        dense: weight of similar meaning.
        freshness: weight of being new; like the next two it only orders facts that matter.
        priority: weight of being identity.
        confidence: weight of the fact's confidence.
        fresh_days: days after which freshness has halved.
        exact_up_to: number of an owner's facts up to which all are scored exactly; above
            it the index, if there is one, proposes `preselect` of them by meaning.
        preselect: see `exact_up_to`.
    """

    limit: int = 8
    instructions: int = 5
    floor: float = 0.3
    margin: float = 0.45
    route: float = 1.0
    lexical: float = 0.8
    dense: float = 0.6
    freshness: float = 0.05
    priority: float = 0.05
    confidence: float = 0.05
    fresh_days: float = 180.0
    exact_up_to: int = 5_000
    preselect: int = 200


class VectorIndex(Protocol):
    """What recall needs of a vector index."""

    def search(self, partition: str, vector: Vector, k: int) -> Sequence[tuple[str, float]]:
        """Ids and cosines, best first. Raises `IndexUnavailable`, also while it lags behind."""
        ...


@runtime_checkable
class Partitioned(Protocol):
    """A memory whose owner has a partition key in the index."""

    @property
    def partition(self) -> str | None:
        """The key; None before the owner's first turn."""
        ...


class HybridRecaller:
    """Routes, shared words and similar meaning decide what matters; freshness, weight,
    priority and confidence order it. Facts of weight 0 are dormant: never returned."""

    def __init__(
        self,
        embedder: Embedder,
        slots: Slots,
        *,
        index: VectorIndex | None = None,
        options: RecallOptions | None = None,
    ) -> None:
        self._slots = slots
        self._index = index
        self._options = options or RecallOptions()
        self._reader = SignReader(slots)
        self._similarity = Similarity(embedder)
        self._prepared = PreparedCache(self._reader.lexicon, slots)

    def warm(self) -> None:
        """Do the one-time work now, so that no turn waits for it."""
        self._similarity.warm()

    def recall(
        self,
        memory: Memory,
        query: str,
        *,
        weights: Mapping[str, float],
        at: datetime,
        exclude: Sequence[str] = (),
    ) -> Recollection:
        """Few and right, best first; standing instructions come last, whatever was asked.

        Args:
            memory: the owner's handle.
            query: the user's words.
            weights: today's worth by fact id; a missing one counts as 1.
            at: the time of the turn.
            exclude: ids of facts to leave out, like those that this turn stated.
        """
        prepared = self._prepared.of(memory, memory.snapshot())
        asked = self._reader.read(query)
        awake = {
            fact.id: weights.get(fact.id, 1.0)
            for fact in prepared.facts
            if fact.id not in exclude and weights.get(fact.id, 1.0) > 0
        }
        touched = [
            (fact, signs)
            for fact, signs in self._reader.signs(
                prepared, asked, self._meaning(memory, prepared, query)
            )
            if fact.id in awake and not self._is_standing(fact)
        ]
        found = [
            self._recalled(fact, signs, asked, awake[fact.id], at)
            for fact, signs in self._cut(touched)
        ]
        found.sort(key=lambda one: (one.score, one.fact.version), reverse=True)
        return Recollection(
            version=prepared.version,
            recalled=(
                *found[: self._options.limit],
                *self._instructions(prepared, awake, at, query),
            ),
            notes=prepared.premises.notes(query, asked=asked.slots, exclude=exclude),
        )

    # meaning

    def _meaning(self, memory: Memory, prepared: Prepared, query: str) -> dict[int, float]:
        """Similarity by place in the owner's facts; what is not similar may be missing."""
        if not prepared.facts or not query.strip():
            return {}
        vector = self._similarity.vector(query)
        hits = self._hits(memory, prepared, vector)
        if hits is not None:
            cosines = np.array([score for _, score in hits], dtype=np.float32)
            places = [place for place, _ in hits]
            languages = [prepared.languages[place] for place in places]
            scaled = self._similarity.scaled_cosines(query, vector, cosines, languages)
        else:
            vectors = memory.vectors()
            known = [
                (row, prepared.place[one])
                for row, one in enumerate(vectors.ids)
                if one in prepared.place
            ]
            places = [place for _, place in known]
            languages = [prepared.languages[place] for place in places]
            rows = vectors.rows[[row for row, _ in known]]
            scaled = self._similarity.scaled(query, vector, rows, languages)
        return dict(zip(places, scaled.tolist(), strict=True))

    def _hits(
        self, memory: Memory, prepared: Prepared, vector: Vector
    ) -> list[tuple[int, float]] | None:
        """What the index proposes, checked against SQL; None where all is scored exactly."""
        options = self._options
        if self._index is None or len(prepared.facts) <= options.exact_up_to:
            return None
        partition = memory.partition if isinstance(memory, Partitioned) else None
        if partition is None:
            return None
        try:
            hits = self._index.search(partition, vector, options.preselect)
        except IndexUnavailable:
            return None
        return [(prepared.place[one], score) for one, score in hits if one in prepared.place]

    # cutting and ordering

    def _evidence(self, signs: Signs) -> float:
        options = self._options
        return (
            options.route * signs.route
            + options.lexical * signs.lexical
            + options.dense * signs.dense
        )

    def _cut(self, touched: Sequence[tuple[Fact, Signs]]) -> list[tuple[Fact, Signs]]:
        """What reaches the floor, and its share of the best."""
        best = max((self._evidence(signs) for _, signs in touched), default=0.0)
        bar = max(self._options.floor, self._options.margin * best)
        return [(fact, signs) for fact, signs in touched if self._evidence(signs) >= bar]

    def _recalled(
        self, fact: Fact, signs: Signs, asked: Asked, weight: float, at: datetime
    ) -> Recalled:
        options = self._options
        slot = self._slots.get(fact.attribute)
        days = max(0.0, (at - fact.confirmed_at).total_seconds() / 86_400)
        parts = {
            "route": options.route * signs.route,
            "lexical": options.lexical * signs.lexical,
            "dense": options.dense * signs.dense,
            "freshness": options.freshness * 0.5 ** (days / options.fresh_days),
            "priority": options.priority * (slot is not None and slot.kind is SlotKind.IDENTITY),
            "confidence": options.confidence * fact.confidence,
        }
        return Recalled(
            fact=fact,
            score=sum(parts.values()) * weight,
            parts={**parts, "weight": weight},
            reason=self._reason(fact, signs, asked),
            note=note_of(fact, slot, at, language_of(asked.query)),
        )

    def _reason(self, fact: Fact, signs: Signs, asked: Asked) -> str:
        routes = [r for r in asked.routes if r.strength_for(fact, signs.lexical, signs.dense) > 0]
        return reason_of(
            fact,
            routes,
            mentioned=signs.named,
            shared=self._reader.shared(words_of(fact), asked) if signs.lexical else (),
            similar=signs.dense,
        )

    # standing instructions

    def _is_standing(self, fact: Fact) -> bool:
        slot = self._slots.get(fact.attribute)
        return slot is not None and slot.kind is SlotKind.INSTRUCTION

    def _instructions(
        self, prepared: Prepared, awake: Mapping[str, float], at: datetime, query: str
    ) -> list[Recalled]:
        """The newest ones, whatever was asked: they bind every answer."""
        standing = [f for f in prepared.facts if f.id in awake and self._is_standing(f)]
        standing.sort(key=lambda fact: (fact.confirmed_at, fact.version), reverse=True)
        return [
            Recalled(
                fact=fact,
                score=self._options.priority * awake[fact.id],
                parts={"priority": self._options.priority, "weight": awake[fact.id]},
                reason="standing instruction",
                note=note_of(fact, self._slots.get(fact.attribute), at, language_of(query)),
                standing=True,
            )
            for fact in standing[: self._options.instructions]
        ]
