"""Keep what somebody fixed before the first label on a criterion: plans with their hashes, only ever added."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hcat.core.storage.migrations.append_only import make_append_only

revision = "0020"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preregistration",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_preregistration_project_id_project")),
        sa.ForeignKeyConstraint(
            ["criterion_id"], ["criterion.id"], name=op.f("fk_preregistration_criterion_id_criterion")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preregistration")),
        sa.UniqueConstraint("criterion_id", "version", name=op.f("uq_preregistration_criterion_id_version")),
    )
    make_append_only("preregistration", "registered plans")


def downgrade() -> None:
    """What was fixed before the labels would be lost."""
    raise NotImplementedError("registered plans can't be held by an older schema")
