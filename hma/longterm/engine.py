"""The one place that knows which database this is: connections, locks, foreign errors.

SQLite gets its transactions from here, not from the driver: the driver's own lost half
of the concurrent updates, and a deferred BEGIN fails on the way from reading to writing
however long it may wait. Writers take the lock first (`BEGIN IMMEDIATE`).
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pysqlite3.dbapi2
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    StatementError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from hma.errors import ConfigError, SchemaMismatch, StoreBusy, StoreError

_MIGRATION_LOCK = 0x686D61  # "hma", the key of PostgreSQL's advisory lock


class Database:
    """Connections to one database, for many threads.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://...`.
        durable: SQLite only: survive a loss of power without losing the last commits
            (`synchronous=FULL`, about 15 times slower). A killed process never loses any.
        wait: seconds to wait for another writer before `StoreBusy`.

    Raises:
        ConfigError: the URL can't be used.
    """

    def __init__(self, url: str, *, durable: bool = False, wait: float = 30.0) -> None:
        self._wait = wait
        self._writers = threading.Lock()
        parsed = _parse(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self._engine = _sqlite(parsed, durable=durable, wait=wait)
            self._reader: Engine = self._engine
            self._writer: Engine = self._engine.execution_options(hma_begin="BEGIN IMMEDIATE")
        else:
            self._engine = _engine(parsed, pool_timeout=wait)
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
            self._writer = self._engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database from start to end."""
        with _translated(), self._reader.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that commits at the end, or rolls back when anything is raised.

        Raises:
            StoreBusy: another writer held the lock for too long.
        """
        # SQLite's own wait is a lottery among sleepers; inside a process we queue.
        if not self._writers.acquire(timeout=self._wait):
            raise _busy()
        try:
            with _translated(), self._writer.begin() as connection:
                yield connection
        finally:
            self._writers.release()

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A writing transaction that no other migration can overlap."""
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            yield connection

    def flush_log(self) -> bool:
        """Empty SQLite's write-ahead log, so that what was erased is in no file. False
        when a reader kept it from being emptied; it is tried again at every close."""
        if not self.is_sqlite:
            return True
        with _translated():
            raw = self._engine.raw_connection()
            try:
                cursor = raw.cursor()
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                (busy, *_pages) = cursor.fetchall()[0]
                cursor.close()
            finally:
                raw.close()
        return not busy

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ConfigError(
            "store.url is no database URL; write sqlite:///FILE or postgresql+psycopg://..."
        ) from None
    backend = parsed.get_backend_name()
    if backend not in {"sqlite", "postgresql"}:
        raise ConfigError(f"store.url names {backend!r}; hma stores in sqlite or postgresql")
    if backend == "sqlite" and parsed.database in {None, "", ":memory:"}:
        raise ConfigError("store.url names no file; write sqlite:///FILE")
    return parsed


def _engine(url: URL, **options: Any) -> Engine:
    try:
        return create_engine(
            url,
            hide_parameters=True,
            json_serializer=partial(json.dumps, ensure_ascii=False),
            **options,
        )
    except (ModuleNotFoundError, NoSuchModuleError):
        raise ConfigError(
            "store.url needs a database driver that is not installed; "
            "for PostgreSQL: pip install 'hma-memory[postgresql]'"
        ) from None


def _sqlite(url: URL, *, durable: bool, wait: float) -> Engine:
    _make_private(Path(str(url.database)))
    engine = _engine(url, module=pysqlite3.dbapi2, pool_timeout=wait)

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # stops the driver's own BEGIN
        for pragma in (
            f"busy_timeout={int(wait * 1000)}",
            "foreign_keys=ON",
            "secure_delete=ON",
            "temp_store=MEMORY",  # nothing a user said goes to a temporary file
            f"synchronous={'FULL' if durable else 'NORMAL'}",
        ):
            connection.execute(f"PRAGMA {pragma}")
        _write_ahead(connection, wait)

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        begin = connection.get_execution_options().get("hma_begin", "BEGIN")
        connection.exec_driver_sql(begin)

    return engine


def _make_private(path: Path) -> None:
    """Create the file for its owner's eyes only; SQLite's side files inherit the mode."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Never open a file that SQLite may have open: closing it would drop the locks
        # of this whole process.
        if not path.exists():
            path.touch(mode=0o600)
    except OSError as error:
        raise ConfigError(f"store.url: {path} can't be written: {error.strerror}") from error


def _write_ahead(connection: Any, wait: float) -> None:
    """Turn on the write-ahead log. SQLite doesn't wait here as it does elsewhere, so two
    processes that open a new file at once must."""
    deadline = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except pysqlite3.dbapi2.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _busy() -> StoreBusy:
    return StoreBusy("another writer holds the database; try again")


@contextmanager
def _translated() -> Iterator[None]:
    """Turn the database's errors into ours, without their texts: these may quote a user."""
    try:
        yield
    except PoolTimeout:
        raise _busy() from None
    except IntegrityError as error:
        raise StoreError(f"the database refused a row ({_code(error)})") from None
    except DBAPIError as error:
        raise _error(_code(error)) from None
    except StatementError as error:
        raise StoreError(f"a value can't be stored ({type(error.orig).__name__})") from None


def _code(error: DBAPIError) -> str:
    """SQLite's name for the error, or PostgreSQL's five characters."""
    names = ("sqlite_errorname", "sqlstate")
    found = (getattr(error.orig, name, None) for name in names)
    return next((str(code) for code in found if code), type(error.orig).__name__)


def _error(code: str) -> StoreError:
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or code in {"55P03", "40001", "40P01"}:
        return _busy()
    if code.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return SchemaMismatch("the file is damaged or is no database; restore it from a backup")
    if code in {"SQLITE_FULL", "53100"}:
        return StoreError("the disk is full; free some space, nothing was written")
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return StoreError("the database can't be written; check the file's permissions")
    return StoreError(f"the database failed ({code}); nothing was written")
