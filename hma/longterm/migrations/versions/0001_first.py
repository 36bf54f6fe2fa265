"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "change_log",
        sa.Column("seq", _BIG, nullable=False),
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("fact_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_change_log")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_change_log_owner_id"), "change_log", ["owner_id"], unique=False)
    op.create_index(op.f("ix_change_log_state_seq"), "change_log", ["state", "seq"], unique=False)
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "owner",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("tenant", sa.String(length=256), nullable=False),
        sa.Column("user", sa.String(length=256), nullable=False),
        sa.Column("agent", sa.String(length=256), nullable=False),
        sa.Column("group", sa.String(length=256), nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("previous_seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("turns_since_question", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
        sa.UniqueConstraint(
            "tenant", "user", "agent", "group", name=op.f("uq_owner_tenant_user_agent_group")
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "fact",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("attribute", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("normal", sa.Text(), nullable=False),
        sa.Column("polarity", sa.String(length=1), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closing", sa.String(length=16), nullable=True),
        sa.Column("superseded_by", sa.String(length=64), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("needs_review_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("embedder", sa.String(length=256), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_fact_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact")),
    )
    op.create_index(
        op.f("ix_fact_owner_id_attribute"), "fact", ["owner_id", "attribute"], unique=False
    )
    op.create_index(
        op.f("ix_fact_owner_id_closed_at"), "fact", ["owner_id", "closed_at"], unique=False
    )
    op.create_table(
        "ledger",
        sa.Column("seq", _BIG, nullable=False),
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", _BIG, nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("promoted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decision", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_ledger_owner_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ledger")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_ledger_owner_id_fingerprint"), "ledger", ["owner_id", "fingerprint"], unique=False
    )
    op.create_index(
        op.f("ix_ledger_owner_id_verdict"), "ledger", ["owner_id", "verdict"], unique=False
    )
    op.create_table(
        "question",
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("candidate", sa.JSON(), nullable=False),
        sa.Column("against", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_question_owner_id")),
        sa.PrimaryKeyConstraint("owner_id", "id", name=op.f("pk_question")),
    )
    op.create_index(
        op.f("ix_question_owner_id_state"), "question", ["owner_id", "state"], unique=False
    )
    op.create_table(
        "tombstone",
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn_seq", _BIG, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_tombstone_owner_id")),
        sa.PrimaryKeyConstraint("owner_id", "fingerprint", name=op.f("pk_tombstone")),
    )
    op.create_table(
        "trace",
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_trace_owner_id")),
        sa.PrimaryKeyConstraint("owner_id", "id", name=op.f("pk_trace")),
    )
    op.create_table(
        "turn",
        sa.Column("seq", _BIG, nullable=False),
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_turn_owner_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_turn")),
        sa.UniqueConstraint("owner_id", "id", name=op.f("uq_turn_owner_id_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_turn_owner_id_state"), "turn", ["owner_id", "state"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("owner_id", _BIG, nullable=False),
        sa.Column("fact_id", sa.String(length=64), nullable=False),
        sa.Column("turn_id", sa.String(length=64), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["fact_id"], ["fact.id"], name=op.f("fk_evidence_fact_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["owner.id"], name=op.f("fk_evidence_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_evidence_fact_id"), "evidence", ["fact_id"], unique=False)
    op.create_index(
        op.f("ix_evidence_owner_id_turn_id"), "evidence", ["owner_id", "turn_id"], unique=False
    )


def downgrade() -> None:
    for name in (
        "evidence",
        "turn",
        "trace",
        "tombstone",
        "question",
        "ledger",
        "fact",
        "owner",
        "meta",
        "change_log",
    ):
        op.drop_table(name)
