"""Migrations: they make the tables that the code describes, once, whoever comes first."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from hma.errors import SchemaMismatch
from hma.longterm.engine import Database
from hma.longterm.schema import migrate
from hma.longterm.store import SqlStore
from hma.longterm.tables import metadata

OPEN = """
import sys
from hma.longterm.engine import Database
from hma.longterm.schema import migrate
migrate(Database(sys.argv[1]))
"""


def test_migrations_make_the_tables_that_the_code_describes(url: str) -> None:
    """Whoever changes `tables` must write a migration."""
    database = Database(url)
    migrate(database)
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()


def test_opening_twice_migrates_once(open_store: Callable[..., SqlStore], ana: Any) -> None:
    """A second opening finds the schema in place, and the data."""
    ana.learn("home", "Porto")
    assert len(open_store().owners()) == 1


def test_two_processes_may_open_a_new_database_at_once(url: str) -> None:
    """The second waits for the first, and finds the work done."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", OPEN, url]
    processes = [subprocess.Popen(command, cwd=root) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]


def test_a_newer_schema_is_refused_and_left_alone(
    url: str, open_store: Callable[..., SqlStore]
) -> None:
    """The message says which, and what to do."""
    open_store().close()
    database = Database(url)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaMismatch, match=r"9999.*upgrade hma"):
        open_store()
    with database.reading() as connection:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    assert found == "9999"
    database.close()


def test_a_migration_that_fails_leaves_no_half_schema(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables are made in one transaction; the next opening starts from nothing again."""
    database = Database(url)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", cut)
        with pytest.raises(KeyboardInterrupt):
            migrate(database)
    with database.reading() as connection:
        tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
    assert tables == 0
    migrate(database)
    database.close()
