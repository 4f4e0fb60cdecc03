"""Keep corpora: a name in a project, and the versions that were imported under it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "corpus",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_corpus_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_corpus_project_id_name")),
    )
    op.create_table(
        "corpus_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("corpus_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("documents_artifact", sa.String(), nullable=False),
        sa.Column("n_documents", sa.Integer(), nullable=False),
        sa.Column("n_passages", sa.Integer(), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["corpus_id"], ["corpus.id"], name=op.f("fk_corpus_version_corpus_id_corpus")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_version")),
        sa.UniqueConstraint("corpus_id", "version", name=op.f("uq_corpus_version_corpus_id_version")),
    )


def downgrade() -> None:
    op.drop_table("corpus_version")
    op.drop_table("corpus")
