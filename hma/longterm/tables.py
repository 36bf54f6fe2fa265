"""The tables of the long-term store, as SQLAlchemy metadata.

Every table that holds what a user said carries `owner_id`, and every query names it.
Migrations create these tables; a test keeps both alike.
"""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class TurnState(StrEnum):
    """Where a turn stands: waiting to be distilled, distilled, or kept without distilling (not a
    user's, or forgotten)."""

    QUEUED = "queued"
    DISTILLED = "distilled"
    KEPT = "kept"


class QuestionState(StrEnum):
    """Where a question stands. It expires by time, or when a side of it is gone."""

    OPEN = "open"
    ANSWERED = "answered"
    EXPIRED = "expired"


class ChangeKind(StrEnum):
    """What the vector index has to do about a fact: hold it, drop it, or leave no byte of it."""

    UPSERT = "upsert"
    DELETE = "delete"
    ERASE = "erase"


class ChangeState(StrEnum):
    """Whether the vector index has done it."""

    PENDING = "pending"
    DONE = "done"


class Utc(TypeDecorator[datetime]):
    """An aware time in UTC. SQLite keeps no zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Drop the zone where the dialect has none; the value is in UTC already."""
        if value is None or dialect.name != "sqlite":
            return value
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Put UTC back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_BIG = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _owner_id(*, primary_key: bool = False) -> "Column[int]":
    return Column("owner_id", _BIG, ForeignKey("owner.id"), nullable=False, primary_key=primary_key)


# Ids are never used twice (AUTOINCREMENT), so nothing cached for an erased owner can
# be taken for the next one's.
owners = Table(
    "owner",
    metadata,
    Column("id", _BIG, primary_key=True),
    Column("tenant", String(256), nullable=False),
    Column("user", String(256), nullable=False),
    Column("agent", String(256), nullable=False),
    Column("group", String(256), nullable=False),
    Column("version", _BIG, nullable=False, default=0),
    Column("recorded_at", Utc, nullable=False),
    Column("last_seen_at", Utc),
    Column("previous_seen_at", Utc),
    Column("turns_since_question", Integer),
    UniqueConstraint("tenant", "user", "agent", "group"),
    sqlite_autoincrement=True,
)

turns = Table(
    "turn",
    metadata,
    Column("seq", _BIG, primary_key=True),
    _owner_id(),
    Column("id", String(64), nullable=False),
    Column("role", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Utc, nullable=False),
    Column("state", String(16), nullable=False),
    UniqueConstraint("owner_id", "id"),
    Index(None, "owner_id", "state"),
    sqlite_autoincrement=True,
)

facts = Table(
    "fact",
    metadata,
    Column("id", String(64), primary_key=True),
    _owner_id(),
    Column("version", _BIG, nullable=False),
    Column("subject", Text, nullable=False),
    Column("attribute", String(64), nullable=False),
    Column("value", Text, nullable=False),
    Column("normal", Text, nullable=False),
    Column("polarity", String(1), nullable=False),
    Column("scope", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("source", String(16), nullable=False),
    Column("valid_from", Utc, nullable=False),
    Column("valid_to", Utc),
    Column("recorded_at", Utc, nullable=False),
    Column("closed_at", Utc),
    Column("closing", String(16)),
    Column("superseded_by", String(64)),
    Column("confirmed_at", Utc, nullable=False),
    Column("needs_review_since", Utc),
    Column("embedder", String(256), nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Index(None, "owner_id", "closed_at"),
    Index(None, "owner_id", "attribute"),
)

evidence = Table(
    "evidence",
    metadata,
    Column("id", _BIG, primary_key=True),
    _owner_id(),
    Column("fact_id", String(64), ForeignKey("fact.id"), nullable=False),
    Column("turn_id", String(64), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("quote", Text, nullable=False),
    Index(None, "fact_id"),
    Index(None, "owner_id", "turn_id"),
    sqlite_autoincrement=True,
)

questions = Table(
    "question",
    metadata,
    _owner_id(primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("candidate", JSON, nullable=False),
    Column("against", JSON, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("asked_at", Utc),
    Column("expires_at", Utc),
    Column("state", String(16), nullable=False),
    Column("answer", String(16)),
    Index(None, "owner_id", "state"),
)

ledger = Table(
    "ledger",
    metadata,
    Column("seq", _BIG, primary_key=True),
    _owner_id(),
    Column("id", String(64), nullable=False),
    Column("at", Utc, nullable=False),
    Column("version", _BIG, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("promoted_at", Utc),
    Column("decision", JSON, nullable=False),
    Index(None, "owner_id", "verdict"),
    Index(None, "owner_id", "fingerprint"),
    sqlite_autoincrement=True,
)

# No foreign key: the orders to delete outlive the owner whose facts they name.
change_log = Table(
    "change_log",
    metadata,
    Column("seq", _BIG, primary_key=True),
    Column("owner_id", _BIG, nullable=False),
    Column("fact_id", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("version", _BIG, nullable=False),
    Column("state", String(16), nullable=False),
    Index(None, "state", "seq"),
    Index(None, "owner_id"),
    sqlite_autoincrement=True,
)

traces = Table(
    "trace",
    metadata,
    _owner_id(primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("at", Utc, nullable=False),
    Column("document", JSON, nullable=False),
)

tombstones = Table(
    "tombstone",
    metadata,
    _owner_id(primary_key=True),
    Column("fingerprint", String(64), primary_key=True),
    Column("at", Utc, nullable=False),
    Column("turn_seq", _BIG, nullable=False),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
