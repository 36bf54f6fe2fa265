"""Alembic's entry: runs the migrations inside the transaction that `schema.migrate` opened."""

from alembic import context

from hma.longterm.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can alter a table only by copying it
)
with context.begin_transaction():
    context.run_migrations()
