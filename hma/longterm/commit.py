"""Carrying out a judgement: all of it in the caller's transaction, or nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from hma.errors import NotFound
from hma.longterm.base import Committed
from hma.longterm.changes import FactChanges
from hma.longterm.ids import new_id
from hma.longterm.queries import load_facts
from hma.longterm.seal import Seal
from hma.longterm.tables import (
    QuestionState,
    facts,
    ledger,
    owners,
    questions,
    tombstones,
)
from hma.longterm.turns import mark_distilled, turns_by_id
from hma.longterm.words import FORGOTTEN
from hma.records import (
    Candidate,
    Decision,
    Fact,
    Judgement,
    Question,
    Role,
    Settlement,
    Source,
    Verdict,
    dump,
)
from hma.slots import Slots


@dataclass(frozen=True, slots=True)
class Rules:
    """What every commit of a store needs: slot table, fingerprint key, embedder's name."""

    slots: Slots
    seal: Seal
    embedder: str


class Commit:
    """One judgement on its way into the tables.

    Args:
        connection: a write transaction.
        owner: the owner's locked row; its version was compared already.
        now: recorded time; never earlier than the owner's last.
        at: when the turn was said, for evidence whose turn is not stored.

    After `run`, `reviewed` says which facts were put under review, and since when.
    """

    def __init__(
        self, connection: Connection, owner: Row[Any], rules: Rules, *, now: datetime, at: datetime
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._rules = rules
        self._now = now
        self._at = at
        self._version = owner.version + 1
        self._turns: dict[str, Row[Any]] = {}
        self._tombs: dict[str, Row[Any]] = {}
        self._entries: list[dict[str, Any]] = []
        self.reviewed: dict[str, datetime] = {}

    def run(
        self, judgement: Judgement, vectors: Mapping[int, bytes], distilled: Sequence[str]
    ) -> Committed:
        """Write everything. `vectors` holds the vector of each decision that may open a fact."""
        self._load(judgement)
        changes = self._changes(judgement)
        self._settle(judgement.settlements)
        for position, decision in enumerate(judgement.decisions):
            self._decide(self._guarded(decision), changes, vectors.get(position, b""))
        changes.finish()
        self.reviewed = changes.reviewed
        self._enter()
        self._expire(changes.closed)
        self._put(judgement.questions, judgement.ask)
        mark_distilled(self._connection, self._owner.id, distilled)
        if judgement.decisions or judgement.settlements or judgement.questions or judgement.ask:
            self._raise_version()
        else:
            self._version = self._owner.version
        return self._committed(changes)

    # decisions

    def _load(self, judgement: Judgement) -> None:
        """Fetch the turns of the evidence, and the tombstones of what it says."""
        said = [decision.candidate for decision in judgement.decisions]
        said += [question.candidate for question in judgement.questions]
        ids = [candidate.evidence.turn_id for candidate in said]
        self._turns = turns_by_id(self._connection, self._owner.id, ids)
        query = select(tombstones).where(
            tombstones.c.owner_id == self._owner.id,
            tombstones.c.fingerprint.in_({self._fingerprint(candidate) for candidate in said}),
        )
        self._tombs = {row.fingerprint: row for row in self._connection.execute(query)}

    def _moment(self, candidate: Candidate) -> datetime:
        turn = self._turns.get(candidate.evidence.turn_id)
        return self._at if turn is None else turn.at

    def _guarded(self, decision: Decision) -> Decision:
        """The decision, or its refusal when its words were forgotten or were never said."""
        if self._forgotten(decision.candidate):
            return _refusal(decision, "tombstone", "forgotten on request, and not said again since")
        if not self._said(decision.candidate):
            return _refusal(decision, "evidence", "the user's turn does not say that")
        return decision

    def _said(self, candidate: Candidate) -> bool:
        """Whether the stored turn says it, whoever distilled: the quote and the speaker."""
        span = candidate.evidence
        turn = self._turns.get(span.turn_id)
        if turn is None:
            return True
        heard = candidate.source is not Source.USER or turn.role == Role.USER
        return heard and bool(turn.text[span.start : span.end] == span.quote)

    def _forgotten(self, candidate: Candidate) -> bool:
        tomb = self._tombs.get(self._fingerprint(candidate))
        if tomb is None:
            return False
        turn = self._turns.get(candidate.evidence.turn_id)
        return bool(self._at <= tomb.at if turn is None else turn.seq <= tomb.turn_seq)

    def _fingerprint(self, candidate: Candidate) -> str:
        return self._rules.seal.of_candidate(self._owner.id, candidate)

    def _changes(self, judgement: Judgement) -> FactChanges:
        return FactChanges(
            self._connection,
            self._owner.id,
            against=[fact_id for decision in judgement.decisions for fact_id in decision.against],
            version=self._version,
            now=self._now,
            slots=self._rules.slots,
            embedder=self._rules.embedder,
        )

    def _decide(self, decision: Decision, changes: FactChanges, vector: bytes) -> None:
        if decision.verdict is Verdict.ADMIT:
            moment = self._moment(decision.candidate)
            changes.apply(decision, moment=moment, vector=vector)
        self._entries.append(
            {
                "owner_id": self._owner.id,
                "id": new_id(),
                "at": self._now,
                "version": self._version,
                "verdict": decision.verdict,
                "fingerprint": self._fingerprint(decision.candidate),
                "decision": dump(decision),
            }
        )

    def _enter(self) -> None:
        """Write the ledger; entries held earlier for what is admitted now are marked promoted."""
        admitted = [e["fingerprint"] for e in self._entries if e["verdict"] is Verdict.ADMIT]
        if self._entries:
            self._connection.execute(insert(ledger), self._entries)
        if admitted:
            self._connection.execute(
                update(ledger)
                .where(
                    ledger.c.owner_id == self._owner.id,
                    ledger.c.fingerprint.in_(admitted),
                    ledger.c.verdict == Verdict.HOLD,
                    ledger.c.promoted_at.is_(None),
                )
                .values(promoted_at=self._now)
            )

    # questions

    def _settle(self, settlements: Iterable[Settlement]) -> None:
        for settlement in settlements:
            done = self._connection.execute(
                update(questions)
                .where(*self._open_question(settlement.question))
                .values(state=QuestionState.ANSWERED, answer=settlement.answer)
            )
            if done.rowcount == 0:
                raise NotFound("the question that was answered is not open any more")

    def _open_question(self, id: str) -> tuple[Any, ...]:
        mine = questions.c.owner_id == self._owner.id
        return mine, questions.c.id == id, questions.c.state == QuestionState.OPEN

    def _expire(self, gone: Iterable[str]) -> None:
        """Close the questions whose time has passed, or one side of which is gone."""
        rows = self._connection.execute(
            select(questions).where(
                questions.c.owner_id == self._owner.id, questions.c.state == QuestionState.OPEN
            )
        )
        closed = set(gone)
        moot = [
            row.id
            for row in rows
            if not closed.isdisjoint(row.against)
            or (row.expires_at is not None and row.expires_at <= self._now)
        ]
        self._connection.execute(
            update(questions)
            .where(questions.c.owner_id == self._owner.id, questions.c.id.in_(moot))
            .values(state=QuestionState.EXPIRED)
        )

    def _put(self, new: Iterable[Question], ask: Question | None) -> None:
        for question in new:
            if not self._forgotten(question.candidate) and self._said(question.candidate):
                self._insert_question(question)
        if ask is not None:
            self._connection.execute(
                update(questions).where(*self._open_question(ask.id)).values(asked_at=self._at)
            )
            self._connection.execute(
                update(owners).where(owners.c.id == self._owner.id).values(turns_since_question=0)
            )

    def _insert_question(self, question: Question) -> None:
        self._connection.execute(
            insert(questions).values(
                owner_id=self._owner.id,
                id=question.id,
                candidate=dump(question.candidate),
                against=list(question.against),
                created_at=question.created_at,
                asked_at=question.asked_at,
                expires_at=question.expires_at,
                state=QuestionState.OPEN,
            )
        )

    # the end

    def _raise_version(self) -> None:
        self._connection.execute(
            update(owners)
            .where(owners.c.id == self._owner.id)
            .values(version=self._version, recorded_at=self._now)
        )

    def _committed(self, changes: FactChanges) -> Committed:
        touched = {*changes.opened, *changes.confirmed} - {*changes.closed}
        return Committed(
            version=self._version,
            opened=self._facts(touched),
            closed=self._facts(changes.closed),
        )

    def _facts(self, ids: Iterable[str]) -> tuple[Fact, ...]:
        wanted = list(ids)
        if not wanted:
            return ()
        return load_facts(self._connection, self._owner.id, facts.c.id.in_(wanted))


def _refusal(decision: Decision, policy: str, reason: str) -> Decision:
    """The decision as a refusal that doesn't hold the words any more."""
    candidate = decision.candidate
    blank = replace(candidate.evidence, start=0, end=0, quote=FORGOTTEN)
    return replace(
        decision,
        candidate=replace(candidate, value=FORGOTTEN, evidence=blank, cues=()),
        verdict=Verdict.REFUSE,
        against=(),
        policy=policy,
        reason=reason,
    )
