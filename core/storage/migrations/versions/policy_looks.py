"""Keep who saw what labels show of a policy's promise, by which maps: each is a try that the promise pays for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "policy_look",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("statement", sa.String(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("labels_hash", sa.String(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_policy_look_run_id_run")),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_policy_look_criterion_id_criterion")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_policy_look")),
        sa.UniqueConstraint(
            "run_id",
            "criterion_id",
            "statement",
            "labels_hash",
            name=op.f("uq_policy_look_run_id_criterion_id_statement_labels_hash"),
        ),
    )


def downgrade() -> None:
    op.drop_table("policy_look")
