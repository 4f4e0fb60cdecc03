"""Keep the opinions that people sign, and the versions of reports that were built."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "opinion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("rating", sa.String(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("conditions", sa.JSON(), nullable=False),
        sa.Column("limitations", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_opinion_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_opinion")),
        sa.UniqueConstraint("project_id", "version", name=op.f("uq_opinion_project_id_version")),
    )
    op.create_table(
        "report_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("contents", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_report_version_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_version")),
        sa.UniqueConstraint("project_id", "version", name=op.f("uq_report_version_project_id_version")),
    )


def downgrade() -> None:
    op.drop_table("report_version")
    op.drop_table("opinion")
