"""Keep who has seen the labels of others on a sample, so that what they say of it later counts as not blind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unblinding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_unblinding_run_id_run")),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_unblinding_criterion_id_criterion")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unblinding")),
        sa.UniqueConstraint(
            "run_id",
            "criterion_id",
            "annotator",
            "sample_id",
            name=op.f("uq_unblinding_run_id_criterion_id_annotator_sample_id"),
        ),
    )


def downgrade() -> None:
    op.drop_table("unblinding")
