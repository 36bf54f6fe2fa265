"""Schema migrations: run when a store is opened, by one process at a time."""

import threading

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from hma.errors import SchemaMismatch
from hma.longterm.engine import Database

# Alembic keeps the running migration in a global of its own.
_alembic = threading.Lock()


def migrate(database: Database) -> None:
    """Bring the schema to this version of hma. Does nothing when it is there already.

    Raises:
        SchemaMismatch: a newer hma has written this database.
    """
    config = Config()
    config.set_main_option("script_location", "hma.longterm:migrations")
    scripts = ScriptDirectory.from_config(config)
    head = scripts.get_current_head()
    with _alembic:
        with database.reading() as connection:
            if _revision(connection) == head:
                return
        with database.migrating() as connection:
            _check_known(_revision(connection), scripts)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _check_known(revision: str | None, scripts: ScriptDirectory) -> None:
    known = {script.revision for script in scripts.walk_revisions()}
    if revision is not None and revision not in known:
        raise SchemaMismatch(
            f"the database has schema {revision}, which this version of hma does not know; "
            "upgrade hma, or open another database"
        )
