"""Keep what kind of annotator gave a label, which the beginning of the annotator's name told until now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

RULE, DECISION = "reference-rule", "adjudication by "


def upgrade() -> None:
    op.add_column("label", sa.Column("source", sa.String(), nullable=False, server_default="person"))
    # The index first: who decided on a sample and labelled it too has two entries of one name from here on.
    op.drop_index("uq_label_first", "label")
    op.create_index(
        "uq_label_first",
        "label",
        ["run_id", "criterion_id", "sample_id", "source", "annotator", "occurrence"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    _allow_changes()
    _fill_sources()
    _refuse_changes()


def _fill_sources() -> None:
    labels = sa.table("label", sa.column("annotator", sa.String), sa.column("source", sa.String))
    name = labels.c.annotator
    own_name = sa.func.substr(name, len(DECISION) + 1)
    op.execute(labels.update().where(_begins(name, RULE)).values(source="rule"))
    op.execute(labels.update().where(_begins(name, DECISION)).values(source="adjudication", annotator=own_name))


def _begins(name: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.func.substr(name, 1, len(beginning)) == beginning  # LIKE would not tell small letters from capitals


def _allow_changes() -> None:
    """The log is append-only, and stays so: what it says is written in another way once, in this transaction."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE label DISABLE TRIGGER label_append_only")
    else:
        op.execute("DROP TRIGGER label_no_update")


def _refuse_changes() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE label ENABLE TRIGGER label_append_only")
    else:
        op.execute(
            "CREATE TRIGGER label_no_update BEFORE UPDATE ON label "
            "BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END"
        )


def downgrade() -> None:
    """A person and a decision by the same name can't be told apart without the source."""
    raise NotImplementedError("the sources of labels can't be held by an older schema")
