"""Keep what comparisons of groups of people were settled on: margins, reference groups, outcomes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "fairness_settings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_fairness_settings_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fairness_settings")),
    )
    op.create_index(op.f("ix_fairness_settings_project_id"), "fairness_settings", ["project_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_fairness_settings_project_id"), "fairness_settings")
    op.drop_table("fairness_settings")
