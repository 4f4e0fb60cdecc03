"""Alembic's entry: runs the steps on the connection of `hcat.core.storage.database`, in its transaction."""

from __future__ import annotations

from alembic import context

from hcat.core.storage.tables.row import Row

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
