"""Keep test sets: a name in a project, its versions, and what reviewers decided on their cases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "test_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_test_set_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_set")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_test_set_project_id_name")),
    )
    op.create_table(
        "test_set_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("n_cases", sa.Integer(), nullable=False),
        sa.Column("frozen", sa.Boolean(), nullable=False),
        sa.Column("corpus_version_id", sa.Integer(), nullable=True),
        sa.Column("account", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name=op.f("fk_test_set_version_test_set_id_test_set")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_set_version")),
        sa.UniqueConstraint("test_set_id", "version", name=op.f("uq_test_set_version_test_set_id_version")),
    )
    op.create_table(
        "case_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_version_id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("previous", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("edited", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reviewer", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_set_version_id"],
            ["test_set_version.id"],
            name=op.f("fk_case_decision_test_set_version_id_test_set_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_decision")),
        sa.UniqueConstraint(
            "test_set_version_id",
            "case_id",
            "previous",
            name=op.f("uq_case_decision_test_set_version_id_case_id_previous"),
        ),
    )
    op.create_index(op.f("ix_case_decision_test_set_version_id"), "case_decision", ["test_set_version_id"])


def downgrade() -> None:
    op.drop_table("case_decision")
    op.drop_table("test_set_version")
    op.drop_table("test_set")
