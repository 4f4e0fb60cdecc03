"""Keep topics of corpora: each search, and the names that people gave."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "corpus_topics",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("corpus_version_id", sa.Integer(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["corpus_version_id"], ["corpus_version.id"], name=op.f("fk_corpus_topics_corpus_version_id_corpus_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpus_topics")),
    )
    op.create_index(op.f("ix_corpus_topics_corpus_version_id"), "corpus_topics", ["corpus_version_id"])
    op.create_table(
        "topic_name",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("corpus_topics_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["corpus_topics_id"], ["corpus_topics.id"], name=op.f("fk_topic_name_corpus_topics_id_corpus_topics")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_topic_name")),
    )
    op.create_index(op.f("ix_topic_name_corpus_topics_id"), "topic_name", ["corpus_topics_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_topic_name_corpus_topics_id"), "topic_name")
    op.drop_table("topic_name")
    op.drop_index(op.f("ix_corpus_topics_corpus_version_id"), "corpus_topics")
    op.drop_table("corpus_topics")
