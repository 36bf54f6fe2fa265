"""The long-term store in SQL: opened once, shared by all threads, handed out per owner."""

from collections.abc import Callable, Sequence
from types import TracebackType

from sqlalchemy import select

from hma.clock import Clock, system_clock
from hma.longterm.checks import checked_owner
from hma.longterm.codec import to_owner
from hma.longterm.commit import Rules
from hma.longterm.engine import Database
from hma.longterm.memory import SqlMemory
from hma.longterm.outbox import Outbox
from hma.longterm.passages import Passages
from hma.longterm.schema import migrate
from hma.longterm.seal import Seal
from hma.longterm.shared import Shared
from hma.longterm.tables import facts, owners
from hma.longterm.temporal import current
from hma.longterm.vectors import reembed
from hma.models.base import Embedder
from hma.records import Owner
from hma.slots import Slots


class SqlStore:
    """Memories in one database. A context manager: leaving it closes the store."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.outbox = Outbox(shared.database, shared.passages)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        embedder: Embedder,
        slots: Slots,
        clock: Clock = system_clock,
        on_commit: Callable[[Owner], object] | None = None,
        durable: bool = False,
        wait: float = 30.0,
    ) -> "SqlStore":
        """Open a database, and create or migrate its tables if need be.

        Args:
            url: `sqlite:///FILE` or `postgresql+psycopg://...`.
            embedder: makes the vectors of facts. Facts of another embedder are embedded
                anew when their owner's vectors are read, or all at once by `reembed`.
            slots: says what competes, and what depends on what.
            clock: recorded time.
            on_commit: called after each change of a memory, outside of the transaction;
                wakes whoever feeds the vector index. What it raises is logged.
            durable: see `Database`.
            wait: seconds to wait for another writer before `StoreBusy`.

        Raises:
            ConfigError: the URL can't be used.
            SchemaMismatch: a newer hma wrote the database, or it is damaged.
            StoreBusy: another process holds the database.
        """
        database = Database(url, durable=durable, wait=wait)
        try:
            migrate(database)
            with database.writing() as connection:
                seal = Seal.of_store(connection)
        except BaseException:
            database.close()
            raise
        rules = Rules(slots=slots, seal=seal, embedder=embedder.name)
        return cls(Shared(database, Passages(embedder, slots), rules, clock, on_commit))

    @property
    def embedder(self) -> Embedder:
        """What makes the vectors of facts."""
        return self._shared.passages.embedder

    @property
    def identity(self) -> str:
        """A name that no other store has, for what is derived from this one."""
        return self._shared.rules.seal.identity

    def of(self, owner: Owner) -> SqlMemory:
        """The handle bound to `owner`. Nothing is written before the owner's first turn.

        Raises:
            InvalidInput: user or tenant is empty, or a part can't be a key.
        """
        return SqlMemory(checked_owner(owner), self._shared)

    def owners(self) -> Sequence[Owner]:
        """All owners that have a memory here (for operators, not for agents)."""
        with self._shared.database.reading() as connection:
            return [
                to_owner(row) for row in connection.execute(select(owners).order_by(owners.c.id))
            ]

    def reembed(self) -> int:
        """Embed anew all current facts that another embedder had embedded; how many."""
        foreign = facts.c.embedder != self._shared.passages.name
        with self._shared.database.reading() as connection:
            ids = connection.scalars(select(facts.c.owner_id).distinct().where(current(), foreign))
            owner_ids = list(ids)
        return sum(reembed(self._shared, owner_id) for owner_id in owner_ids)

    def close(self) -> None:
        """Empty SQLite's log, and close the connections."""
        try:
            self._shared.database.flush_log()
        finally:
            self._shared.database.close()

    def __enter__(self) -> "SqlStore":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
