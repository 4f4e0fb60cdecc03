"""Keep texts of samples sealed: their keys, which of them were erased by whom, and for how long they are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hcat.core.storage.migrations.append_only import make_append_only

revision = "0021"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _table(
        "text_keys",
        sa.Column("ring", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("keys", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("ring", "part", "block", name=op.f("uq_text_keys_ring_part_block")),
    )
    _table(
        "erasure",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("run_hash", sa.String(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    _table(
        "erased_file",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    _table(
        "retention",
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.add_column("run", sa.Column("key_ring", sa.String(), nullable=True))
    make_append_only("erasure", "erasures of texts")
    make_append_only("retention", "settings of retention")


def _table(name: str, *columns: sa.Column[object] | sa.UniqueConstraint) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f(f"fk_{name}_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )
    op.create_index(op.f(f"ix_{name}_project_id"), name, ["project_id"])


def downgrade() -> None:
    """Texts could not be read without their keys."""
    raise NotImplementedError("the keys of texts can't be held by an older schema")
