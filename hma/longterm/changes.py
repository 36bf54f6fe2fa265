"""Opening, confirming and closing facts inside one commit. Nothing is overwritten."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from hma.errors import NotFound
from hma.longterm.ids import new_id
from hma.longterm.tables import ChangeKind, ChangeState, change_log, evidence, facts
from hma.longterm.temporal import current
from hma.records import Candidate, Closing, Decision, Effect, Polarity, Source, Span
from hma.slots import Slot, Slots
from hma.text import normal_form

_TRUST = list(Source)


@dataclass(frozen=True, slots=True)
class _Standing:
    """What a commit must know of a current fact."""

    id: str
    subject: str
    attribute: str
    normal: str
    scope: str
    polarity: Polarity
    confidence: float
    source: Source
    valid_from: datetime
    confirmed_at: datetime


class FactChanges:
    """What one commit does to the owner's facts.

    Args:
        connection: a write transaction that holds the owner.
        against: ids of the facts that the decisions name.
        version: the version that this commit makes.
        now: recorded time of everything it does.
        embedder: the name that new vectors are stored under.
    """

    def __init__(
        self,
        connection: Connection,
        owner_id: int,
        *,
        against: Iterable[str],
        version: int,
        now: datetime,
        slots: Slots,
        embedder: str,
    ) -> None:
        self._connection = connection
        self._owner_id = owner_id
        self._version = version
        self._now = now
        self._slots = slots
        self._embedder = embedder
        self._current = self._load(against)
        self.opened: list[str] = []
        self.confirmed: list[str] = []
        self.closed: list[str] = []
        self.reviewed: dict[str, datetime] = {}
        self._changed: dict[tuple[str, str], datetime] = {}
        self._spans: list[dict[str, Any]] = []
        self._orders: list[dict[str, Any]] = []

    def apply(self, decision: Decision, *, moment: datetime, vector: bytes) -> None:
        """Carry out an admitted decision that holds in the world from `moment`.

        Raises:
            NotFound: it is directed against something that is no current fact.
        """
        candidate = decision.candidate
        against = self._living(decision.against)
        if decision.effect is Effect.RETRACT:
            self._retract(candidate, against, moment)
            return
        twin = self._twin(candidate)
        if decision.effect is Effect.REPEAT and against:
            self._confirm(against[0], candidate, moment)
        elif twin is not None:
            self._confirm(twin, candidate, moment)
        else:
            rivals = [] if decision.effect is Effect.COEXIST else self._rivals(candidate)
            if decision.effect is Effect.SUPERSEDE:
                rivals = against + [rival for rival in rivals if rival not in against]
            new = self._open(candidate, moment, vector)
            for rival in rivals:
                self._close(rival, moment, Closing.SUPERSEDED, by=new)

    def finish(self) -> None:
        """Write what was put off: evidence, orders for the index, and what is under review."""
        self._cascade()
        if self._spans:
            self._connection.execute(insert(evidence), self._spans)
        if self._orders:
            self._connection.execute(insert(change_log), self._orders)

    def _cascade(self) -> None:
        """Mark facts that depend on a changed slot as needing review (`needs_review_since`)."""
        for (subject, attribute), moment in self._changed.items():
            dependent = [n for n, slot in self._slots.items() if attribute in slot.depends_on]
            doubtful = self._dependents(subject, dependent) if dependent else []
            if doubtful:
                self.reviewed.update(dict.fromkeys(doubtful, moment))
                self._connection.execute(
                    update(facts)
                    .where(self._mine(), facts.c.id.in_(doubtful))
                    .values(needs_review_since=moment)
                )

    def _dependents(self, subject: str, attributes: Iterable[str]) -> list[str]:
        """Current facts about the subject in these slots that nobody has doubted yet."""
        rows = self._connection.execute(
            select(facts.c.id, facts.c.subject).where(
                self._mine(),
                current(),
                facts.c.attribute.in_(attributes),
                facts.c.needs_review_since.is_(None),
            )
        )
        fresh = {*self.opened, *self.confirmed}
        return [r.id for r in rows if r.id not in fresh and normal_form(r.subject) == subject]

    def _mine(self) -> ColumnElement[bool]:
        return facts.c.owner_id == self._owner_id

    def _load(self, ids: Iterable[str]) -> dict[str, _Standing]:
        """The current ones among the facts of these ids."""
        wanted = set(ids)
        if not wanted:
            return {}
        rows = self._connection.execute(
            select(facts).where(self._mine(), current(), facts.c.id.in_(wanted))
        )
        return {row.id: _standing(row) for row in rows}

    def _slot(self, attribute: str) -> Slot:
        return self._slots.get(attribute) or Slot(attribute)

    def _living(self, ids: Iterable[str]) -> list[_Standing]:
        """The facts of these ids without those that this very commit has closed."""
        left = [fact_id for fact_id in ids if fact_id not in self.closed]
        if not all(fact_id in self._current for fact_id in left):
            raise NotFound("a decision is directed against something that is no current fact")
        return [self._current[fact_id] for fact_id in left]

    def _opened_beside(self, candidate: Candidate) -> list[_Standing]:
        """What this commit opened already about the same subject, slot and scope.

        The policies could not name these: they had no id yet.
        """
        place = (normal_form(candidate.subject), candidate.attribute, candidate.scope)
        standing = (self._current[i] for i in self.opened if i in self._current)
        return [f for f in standing if (f.subject, f.attribute, f.scope) == place]

    def _twin(self, candidate: Candidate) -> _Standing | None:
        said = (normal_form(candidate.value), candidate.polarity)
        beside = self._opened_beside(candidate)
        return next((f for f in beside if (f.normal, f.polarity) == said), None)

    def _rivals(self, candidate: Candidate) -> list[_Standing]:
        """Facts opened earlier in this commit that the candidate, said later, replaces."""
        normal = normal_form(candidate.value)
        slot = self._slot(candidate.attribute)
        return [
            fact
            for fact in self._opened_beside(candidate)
            if fact.normal == normal
            or (fact.polarity is candidate.polarity and slot.compete(fact.normal, normal))
        ]

    def _open(self, candidate: Candidate, moment: datetime, vector: bytes) -> str:
        fact_id = new_id()
        row = {
            "id": fact_id,
            "owner_id": self._owner_id,
            "version": self._version,
            "subject": candidate.subject,
            "attribute": candidate.attribute,
            "value": candidate.value,
            "normal": normal_form(candidate.value),
            "polarity": candidate.polarity,
            "scope": candidate.scope,
            "confidence": candidate.confidence,
            "source": candidate.source,
            "valid_from": moment,
            "recorded_at": self._now,
            "confirmed_at": moment,
            "embedder": self._embedder,
            "vector": vector,
        }
        self._connection.execute(insert(facts).values(row))
        self._current[fact_id] = _Standing(
            **{name: row[name] for name in _COPIED},  # type: ignore[arg-type]
            subject=normal_form(candidate.subject),
        )
        self.opened.append(fact_id)
        self._add_evidence(fact_id, candidate.evidence)
        self._log(fact_id, ChangeKind.UPSERT)
        return fact_id

    def _confirm(self, fact: _Standing, candidate: Candidate, moment: datetime) -> None:
        """Said again: more evidence, not another row."""
        better = replace(
            fact,
            confidence=max(fact.confidence, candidate.confidence),
            confirmed_at=max(fact.confirmed_at, moment),
            source=max(fact.source, candidate.source, key=_TRUST.index),
        )
        self._current[fact.id] = better
        self._connection.execute(
            update(facts)
            .where(self._mine(), facts.c.id == fact.id)
            .values(
                confidence=better.confidence,
                confirmed_at=better.confirmed_at,
                source=better.source,
                needs_review_since=None,
            )
        )
        self._add_evidence(fact.id, candidate.evidence)
        self.confirmed.append(fact.id)

    def _retract(self, candidate: Candidate, against: list[_Standing], moment: datetime) -> None:
        normal = normal_form(candidate.value)
        said_now = [f for f in self._opened_beside(candidate) if f.normal == normal]
        for fact in against + [f for f in said_now if f not in against]:
            self._close(fact, moment, Closing.RETRACTED)

    def _close(
        self, fact: _Standing, moment: datetime, closing: Closing, *, by: str | None = None
    ) -> None:
        self._connection.execute(
            update(facts)
            .where(self._mine(), facts.c.id == fact.id)
            .values(
                # A change told late may lie before the start: then it never held.
                valid_to=max(moment, fact.valid_from),
                closed_at=self._now,
                closing=closing,
                superseded_by=by,
            )
        )
        del self._current[fact.id]
        self.closed.append(fact.id)
        self._changed.setdefault((fact.subject, fact.attribute), moment)
        self._log(fact.id, ChangeKind.DELETE)

    def _add_evidence(self, fact_id: str, span: Span) -> None:
        place = {
            "owner_id": self._owner_id,
            "fact_id": fact_id,
            "turn_id": span.turn_id,
            "start": span.start,
            "end": span.end,
        }
        if not self._known(place):
            self._spans.append({**place, "quote": span.quote})

    def _known(self, place: dict[str, Any]) -> bool:
        """Whether a fact rests on this very span already."""
        if not place["turn_id"]:
            return False
        if any(place.items() <= span.items() for span in self._spans):
            return True
        if place["fact_id"] in self.opened:
            return False
        found = select(evidence.c.id).where(*(evidence.c[k] == v for k, v in place.items()))
        return self._connection.execute(found).first() is not None

    def _log(self, fact_id: str, kind: ChangeKind) -> None:
        self._orders.append(
            {
                "owner_id": self._owner_id,
                "fact_id": fact_id,
                "kind": kind,
                "version": self._version,
                "state": ChangeState.PENDING,
            }
        )


_COPIED = (
    "id",
    "attribute",
    "normal",
    "scope",
    "polarity",
    "confidence",
    "source",
    "valid_from",
    "confirmed_at",
)


def _standing(row: Row[Any]) -> _Standing:
    return _Standing(
        id=row.id,
        subject=normal_form(row.subject),
        attribute=row.attribute,
        normal=row.normal,
        scope=row.scope,
        polarity=Polarity(row.polarity),
        confidence=row.confidence,
        source=Source(row.source),
        valid_from=row.valid_from,
        confirmed_at=row.confirmed_at,
    )
