"""One owner's memory in SQL. Nothing here can name another owner."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select

from hma.errors import NotFound, VersionConflict
from hma.longterm.base import Committed, Vectors
from hma.longterm.checks import (
    checked_document,
    checked_id,
    checked_judgement,
    checked_text,
    checked_turn,
    utc,
)
from hma.longterm.codec import to_turn
from hma.longterm.commit import Commit
from hma.longterm.forgetting import Forgetting
from hma.longterm.ids import new_id
from hma.longterm.outbox import partition_of
from hma.longterm.queries import (
    claim_owner,
    find_owner,
    held_entries,
    ledger_entries,
    load_facts,
    open_questions,
)
from hma.longterm.shared import Shared
from hma.longterm.tables import facts, traces
from hma.longterm.temporal import current, held
from hma.longterm.turns import keep_turn, last_turns, queued_turns, stands, turns_by_id
from hma.longterm.vectors import read_vectors
from hma.records import (
    Effect,
    Fact,
    Judgement,
    LedgerEntry,
    Owner,
    Receipt,
    Snapshot,
    Turn,
    Verdict,
)

T = TypeVar("T")


class SqlMemory:
    """A `Memory` over the tables. Made by `SqlStore.of`; safe for many threads."""

    def __init__(self, owner: Owner, shared: Shared) -> None:
        self._owner = owner
        self._shared = shared
        self._database = shared.database

    @property
    def owner(self) -> Owner:
        """The partition this handle is bound to."""
        return self._owner

    @property
    def partition(self) -> str | None:
        """The owner's key in the vector index; None before the first turn."""
        with self._database.reading() as connection:
            row = find_owner(connection, self._owner)
        return None if row is None else partition_of(row.id)

    # reading

    def snapshot(self) -> Snapshot:
        """What memory holds at its newest version, read in one transaction.

        `last_seen` is the time of the user's last turn but one: the newest is the turn being
        taken. `turns_since_question` counts user turns since a question was put, None if none
        ever was.
        """
        with self._database.reading() as connection:
            row = find_owner(connection, self._owner)
            if row is None:
                return Snapshot(owner=self._owner, version=0, facts=())
            return Snapshot(
                owner=self._owner,
                version=row.version,
                facts=self._current_facts(connection, row),
                questions=open_questions(connection, row.id, self._shared.now()),
                held=held_entries(connection, row.id),
                last_seen=row.previous_seen_at,
                turns_since_question=row.turns_since_question,
            )

    def vectors(self) -> Vectors:
        """Vectors of the current facts, at the newest version; the rows are read-only."""
        return read_vectors(self._shared, self._owner)

    def fact(self, id: str) -> Fact:
        """One fact, current or closed.

        Raises:
            NotFound: this owner has no such fact.
        """
        found = self._facts(facts.c.id == checked_id("fact id", id))
        if not found:
            raise NotFound("no such fact of this user")
        return found[0]

    def history(
        self, *, attribute: str | None = None, subject: str | None = None
    ) -> Sequence[Fact]:
        """All rows, closed ones too, oldest first; of one slot or subject if named."""
        wanted = {"attribute": attribute, "subject": subject}
        return self._facts(
            *(
                facts.c[name] == checked_text(name, value)
                for name, value in wanted.items()
                if value is not None
            )
        )

    def as_of(
        self, *, valid: datetime | None = None, recorded: datetime | None = None
    ) -> Sequence[Fact]:
        """What was true at `valid`, as far as memory knew at `recorded` (both default to now)."""
        then, known = (at and utc("as_of", at) for at in (valid, recorded))
        with self._database.reading() as connection:
            row = find_owner(connection, self._owner)
            if row is None:
                return ()
            now = self._shared.now(after=row.recorded_at)
            return load_facts(connection, row.id, held(then or now, known or now))

    def ledger(self, *, limit: int = 100, admitted: bool = False) -> Sequence[LedgerEntry]:
        """What was held, asked and refused, newest first; with `admitted`, all decisions."""
        return self._read(
            lambda connection, mine: ledger_entries(
                connection, mine, limit=limit, admitted=admitted
            )
        )

    # turns

    def append(self, turn: Turn) -> None:
        """Keep a screened turn; a user's turn is queued until it is distilled. A turn whose
        id is known already is left as it is.

        Raises:
            InvalidInput: a NUL character, a lone surrogate, or a time without a zone.
        """
        checked_turn(turn)
        with self._database.writing() as connection:
            owner = claim_owner(connection, self._owner, self._shared.now())
            keep_turn(connection, owner.id, turn)

    def recent(self, limit: int) -> Sequence[Turn]:
        """The last turns, oldest first."""
        return self._read(lambda connection, mine: last_turns(connection, mine, limit))

    def turn(self, id: str) -> Turn | None:
        """The turn of this id as it stands now; None when it is gone."""
        rows = self._read(
            lambda connection, mine: tuple(turns_by_id(connection, mine, [id]).values())
        )
        return to_turn(rows[0]) if rows else None

    def queued(self) -> Sequence[Turn]:
        """Turns that are not distilled yet, oldest first."""
        return self._read(lambda connection, mine: queued_turns(connection, mine))

    # writing

    def commit(self, judgement: Judgement, *, distilled: Sequence[str], at: datetime) -> Committed:
        """Carry out a judgement in one transaction, and mark the turns of `distilled` as done.

        The version grows by one, unless the judgement is empty.

        Raises:
            VersionConflict: memory has moved on since `judgement.version`; judge again.
            NotFound: it names a fact or question that this owner doesn't have open.
            InvalidInput: a candidate can't be stored.
        """
        checked_judgement(judgement)
        moment = utc("at", at)
        vectors = self._embedded(judgement)
        with self._database.writing() as connection:
            row = claim_owner(connection, self._owner, self._shared.now())
            if row.version != judgement.version:
                raise VersionConflict(judgement.version, row.version)
            now = self._shared.now(after=row.recorded_at)
            commit = Commit(connection, row, self._shared.rules, now=now, at=moment)
            committed = commit.run(judgement, vectors, distilled)
        if committed.version != judgement.version:
            self._shared.carry(row.id, committed, commit.reviewed)
            self._shared.announce(self._owner)
        return committed

    def forget(self, fact_id: str) -> Receipt:
        """Erase a fact, the rows that it replaced, and their words in turns, questions,
        ledger and traces. It is learnt again only from the user saying it anew.

        Another fact that happens to hold the same words stays, without its quote.
        `counts` says how many rows and texts are gone; `log_busy` is 1 while a reader keeps the old
        pages in SQLite's log: they go when the store is closed.

        Raises:
            NotFound: this owner has no such fact.
        """
        checked_id("fact id", fact_id)
        with self._database.writing() as connection:
            row = find_owner(connection, self._owner, lock=True)
            if row is None:
                raise NotFound("no such fact of this user")
            forgetting = self._forgetting(connection, row)
            forgetting.fact(fact_id, self._shared.rules.seal)
        return self._gone(row.id, forgetting.counts)

    def erase(self) -> Receipt:
        """Erase everything of this owner. The receipt counts the rows of each table."""
        with self._database.writing() as connection:
            row = find_owner(connection, self._owner, lock=True)
            if row is None:
                return Receipt(id=new_id(), at=self._shared.now(), counts={})
            forgetting = self._forgetting(connection, row)
            forgetting.everything()
        return self._gone(row.id, forgetting.counts)

    # traces

    def save_trace(
        self,
        id: str,
        at: datetime,
        document: Mapping[str, Any],
        *,
        turn: str | None = None,
        reply: Turn | None = None,
    ) -> bool:
        """Keep the trace of a turn, in place of an earlier one of the same id, and the reply.

        With `turn`, nothing is kept when that turn is gone or something was forgotten since
        it was said. Returns whether it was kept.

        Raises:
            InvalidInput: the document is not JSON, or holds text that can't be stored.
        """
        checked_id("trace id", id)
        checked_document(document)
        if reply is not None:
            checked_turn(reply)
        with self._database.writing() as connection:
            if turn is not None and not self._stands(connection, turn):
                return False
            owner = claim_owner(connection, self._owner, self._shared.now())
            if reply is not None:
                keep_turn(connection, owner.id, reply)
            connection.execute(
                delete(traces).where(traces.c.owner_id == owner.id, traces.c.id == id)
            )
            connection.execute(
                insert(traces).values(
                    owner_id=owner.id, id=id, at=utc("at", at), document=dict(document)
                )
            )
            return True

    def _stands(self, connection: Connection, turn: str) -> bool:
        """See `stands`; an owner who was erased is not made anew by asking."""
        owner = find_owner(connection, self._owner, lock=True)
        return owner is not None and stands(connection, owner.id, turn)

    def trace(self, id: str) -> Mapping[str, Any]:
        """The trace of a turn.

        Raises:
            NotFound: this owner has no such trace.
        """
        wanted = traces.c.id == checked_id("trace id", id)
        found = self._read(
            lambda connection, mine: tuple(
                connection.scalars(
                    select(traces.c.document).where(traces.c.owner_id == mine, wanted)
                )
            )
        )
        if not found:
            raise NotFound("no such trace of this user")
        document: Mapping[str, Any] = found[0]
        return document

    # small parts

    def _read(self, query: Callable[[Connection, int], tuple[T, ...]]) -> tuple[T, ...]:
        """What `query` finds under this owner's id; nothing before the first turn."""
        with self._database.reading() as connection:
            row = find_owner(connection, self._owner)
            return () if row is None else query(connection, row.id)

    def _facts(self, *conditions: ColumnElement[bool]) -> tuple[Fact, ...]:
        return self._read(lambda connection, mine: load_facts(connection, mine, *conditions))

    def _current_facts(self, connection: Connection, row: Row[Any]) -> tuple[Fact, ...]:
        cached = self._shared.facts.get(row.id, row.version)
        if cached is not None:
            return cached
        found = load_facts(connection, row.id, current())
        self._shared.facts.put(row.id, row.version, found)
        return found

    def _embedded(self, judgement: Judgement) -> dict[int, bytes]:
        """Vectors of what may become a fact, by the decision's position."""
        opening = {
            position: decision.candidate
            for position, decision in enumerate(judgement.decisions)
            if decision.verdict is Verdict.ADMIT and decision.effect is not Effect.RETRACT
        }
        packed = self._shared.passages.of_candidates(list(opening.values()))
        return dict(zip(opening, packed, strict=True))

    def _forgetting(self, connection: Connection, row: Row[Any]) -> Forgetting:
        return Forgetting(connection, row, now=self._shared.now(after=row.recorded_at))

    def _gone(self, owner_id: int, counts: Mapping[str, int]) -> Receipt:
        """After the rows: the caches and the log, then the receipt."""
        self._shared.drop(owner_id)
        flushed = self._database.flush_log()
        self._shared.announce(self._owner)
        left = {} if flushed else {"log_busy": 1}
        return Receipt(id=new_id(), at=self._shared.now(), counts={**counts, **left})
