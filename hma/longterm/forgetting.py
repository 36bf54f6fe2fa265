"""Erasing a fact, or an owner, from every table that may hold its words."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Row,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from hma.errors import NotFound
from hma.longterm.chunks import chunks
from hma.longterm.seal import Seal
from hma.longterm.tables import (
    ChangeKind,
    ChangeState,
    TurnState,
    change_log,
    evidence,
    facts,
    ledger,
    owners,
    questions,
    tombstones,
    traces,
    turns,
)
from hma.longterm.words import FORGOTTEN, Words, strings
from hma.text import normal_form


class Forgetting:
    """One erasure, inside the caller's write transaction. Counts what it erases.

    Args:
        owner: the owner's locked row.
        now: the time that tombstones and the version carry.
    """

    def __init__(self, connection: Connection, owner: Row[Any], *, now: datetime) -> None:
        self._connection = connection
        self._owner = owner
        self._now = now
        self.counts: Counter[str] = Counter()

    def fact(self, fact_id: str, seal: Seal) -> None:
        """Erase a fact with the rows that it replaced, and their words wherever they stand.

        Raises:
            NotFound: this owner has no such fact.
        """
        doomed = self._doomed(fact_id)
        ids = {row.id for row in doomed}
        words = Words(row.value for row in doomed)
        self._bury(doomed, seal)
        turn_ids = self._scrub_turns(self._sources(ids), words)
        self._drop_mentions(ids | turn_ids, words)
        self._drop_facts(ids)
        self._scrub_quotes(words)
        self._raise_version()

    def everything(self) -> None:
        """Erase all rows of the owner, and the owner."""
        ids = self._connection.scalars(select(facts.c.id).where(self._mine(facts))).all()
        for table in (evidence, facts, questions, ledger, traces, turns, tombstones):
            self._delete(table, self._mine(table))
        self._connection.execute(delete(change_log).where(self._mine(change_log)))
        self._order_erasures(ids)
        self.counts["vectors"] = self.counts["facts"]
        self._connection.execute(delete(owners).where(owners.c.id == self._owner.id))

    # what goes

    def _doomed(self, fact_id: str) -> list[Row[Any]]:
        """The fact, all rows that it superseded, and all that say the same."""
        columns = (
            facts.c.id,
            facts.c.superseded_by,
            facts.c.subject,
            facts.c.attribute,
            facts.c.value,
            facts.c.normal,
        )
        rows: list[Row[Any]] = [
            *self._connection.execute(select(*columns).where(self._mine(facts)))
        ]
        by_id = {row.id: row for row in rows}
        if fact_id not in by_id:
            raise NotFound("no such fact of this user")
        older = defaultdict(list)
        for row in rows:
            older[row.superseded_by].append(row.id)
        chain = [fact_id]
        for newer in chain:  # grows while it is walked
            chain.extend(older[newer])
        said = _said(by_id[fact_id])
        return [row for row in rows if row.id in chain or _said(row) == said]

    def _bury(self, doomed: Iterable[Row[Any]], seal: Seal) -> None:
        """Leave tombstones: what was said up to now is not learnt again."""
        last = self._connection.scalar(select(func.max(turns.c.seq)).where(self._mine(turns)))
        prints = {
            seal.fingerprint(self._owner.id, row.subject, row.attribute, row.value)
            for row in doomed
        }
        for fingerprint in prints:
            place = (self._mine(tombstones), tombstones.c.fingerprint == fingerprint)
            self._connection.execute(delete(tombstones).where(*place))
            self._connection.execute(
                insert(tombstones).values(
                    owner_id=self._owner.id,
                    fingerprint=fingerprint,
                    at=self._now,
                    turn_seq=last or 0,
                )
            )

    def _sources(self, ids: Iterable[str]) -> set[str]:
        """The turns that the facts rest on."""
        query = select(evidence.c.turn_id).where(
            self._mine(evidence), evidence.c.fact_id.in_(list(ids))
        )
        return {turn_id for turn_id in self._connection.scalars(query) if turn_id}

    # where its words stand

    def _scrub_turns(self, sources: set[str], words: Words) -> set[str]:
        """Blank the source turns and all others with the words; the ids of all of these."""
        rows = self._connection.execute(
            select(turns.c.id, turns.c.text).where(self._mine(turns), turns.c.text != FORGOTTEN)
        ).all()
        blank = [row.id for row in rows if row.id in sources or words.occur_in(row.text)]
        for ids in chunks(blank):
            self._connection.execute(
                update(turns)
                .where(self._mine(turns), turns.c.id.in_(ids))
                .values(text=FORGOTTEN, state=TurnState.KEPT)
            )
        self.counts["turns"] = len(blank)
        return sources | {*blank}

    def _scrub_quotes(self, words: Words) -> None:
        """Blank the quotes of other facts that hold the words."""
        rows = self._connection.execute(
            select(evidence.c.id, evidence.c.quote).where(self._mine(evidence))
        ).all()
        blank = [row.id for row in rows if words.occur_in(row.quote)]
        for ids in chunks(blank):
            self._connection.execute(
                update(evidence)
                .where(self._mine(evidence), evidence.c.id.in_(ids))
                .values(quote=FORGOTTEN, start=0, end=0)
            )
        self.counts["quotes"] = len(blank)

    def _drop_mentions(self, ids: set[str], words: Words) -> None:
        """Delete questions, ledger entries and traces that name the ids or hold the words."""
        for table, key, documents in (
            (questions, questions.c.id, (questions.c.candidate, questions.c.against)),
            (ledger, ledger.c.id, (ledger.c.decision,)),
            (traces, traces.c.id, (traces.c.document,)),
        ):
            rows = self._connection.execute(select(key, *documents).where(self._mine(table)))
            hit = [row_id for row_id, *found in rows if _mentions(found, ids, words)]
            for some in chunks(hit):
                self._delete(table, self._mine(table), key.in_(some))

    def _drop_facts(self, ids: set[str]) -> None:
        for some in chunks(ids):
            self._delete(evidence, self._mine(evidence), evidence.c.fact_id.in_(some))
            self._delete(facts, self._mine(facts), facts.c.id.in_(some))
            self._connection.execute(
                update(facts)
                .where(self._mine(facts), facts.c.superseded_by.in_(some))
                .values(superseded_by=None)
            )
            self._connection.execute(
                delete(change_log).where(self._mine(change_log), change_log.c.fact_id.in_(some))
            )
        self._order_erasures(ids)
        self.counts["vectors"] = self.counts["facts"]

    # small parts

    def _mine(self, table: Table) -> ColumnElement[bool]:
        mine: ColumnElement[bool] = table.c.owner_id == self._owner.id
        return mine

    def _delete(self, table: Table, *where: ColumnElement[bool]) -> None:
        done: CursorResult[Any] = self._connection.execute(delete(table).where(*where))
        self.counts[_NAMES[table.name]] += done.rowcount

    def _order_erasures(self, fact_ids: Iterable[str]) -> None:
        orders = [
            {
                "owner_id": self._owner.id,
                "fact_id": fact_id,
                "kind": ChangeKind.ERASE,
                "version": self._owner.version + 1,
                "state": ChangeState.PENDING,
            }
            for fact_id in fact_ids
        ]
        if orders:
            self._connection.execute(insert(change_log), orders)

    def _raise_version(self) -> None:
        self._connection.execute(
            update(owners)
            .where(owners.c.id == self._owner.id)
            .values(version=self._owner.version + 1, recorded_at=self._now)
        )


_NAMES = {
    "evidence": "evidence",
    "fact": "facts",
    "ledger": "ledger",
    "question": "questions",
    "tombstone": "tombstones",
    "trace": "traces",
    "turn": "turns",
}


def _said(row: Row[Any]) -> tuple[str, str, str]:
    return normal_form(row.subject), row.attribute, row.normal


def _mentions(document: Any, ids: set[str], words: Words) -> bool:
    return any(text in ids or words.occur_in(text) for text in strings(document))
