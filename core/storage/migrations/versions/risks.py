"""Keep risk registers, version by version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "risk_register",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_risk_register_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_risk_register")),
        sa.UniqueConstraint("project_id", "version", name=op.f("uq_risk_register_project_id_version")),
    )


def downgrade() -> None:
    op.drop_table("risk_register")
