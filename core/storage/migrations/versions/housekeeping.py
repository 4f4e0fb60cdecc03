"""Keep what was put away, and a log of what was renamed, put away or deleted, which a deletion of labels needs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

OWNERS = ("project", "criterion", "run", "label_queue")
LOGS = {"label": "labels", "adjudication": "adjudications"}
UNDER_DELETION = (
    "EXISTS (SELECT 1 FROM housekeeping AS h WHERE h.action = 'delete' AND h.finished_at IS NULL AND ("
    "(h.kind = 'run' AND h.item_id = OLD.run_id) OR (h.kind = 'criterion' AND h.item_id = OLD.criterion_id) OR "
    "(h.kind = 'project' AND h.item_id = (SELECT run.project_id FROM run WHERE run.id = OLD.run_id))))"
)
"""Whether the log has an unfinished deletion of the row's run, criterion or project: only its transaction sees it."""


def upgrade() -> None:
    for table in OWNERS:
        op.add_column(table, sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "housekeeping",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("new_name", sa.String(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("contents", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_housekeeping")),
    )
    for table, words in LOGS.items():
        _allow_logged_deletions(table, words)
    _keep_the_log()


def _allow_logged_deletions(table: str, words: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE OR REPLACE FUNCTION refuse_{table}_change() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF TG_OP = 'DELETE' THEN IF {UNDER_DELETION} THEN RETURN OLD; END IF; END IF; "
            f"RAISE EXCEPTION '{words} are append-only'; END $$"
        )
        return
    op.execute(f"DROP TRIGGER {table}_no_delete")
    op.execute(
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN NOT {UNDER_DELETION} "
        f"BEGIN SELECT RAISE(ABORT, '{words} are append-only'); END"
    )


def _keep_the_log() -> None:
    """A line of the log is never deleted, and changed once: when its deletion is done."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION refuse_housekeeping_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF TG_OP = 'UPDATE' THEN IF OLD.finished_at IS NULL THEN RETURN NEW; END IF; END IF; "
            "RAISE EXCEPTION 'the log of housekeeping is append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER housekeeping_append_only BEFORE UPDATE OR DELETE ON housekeeping "
            "FOR EACH ROW EXECUTE FUNCTION refuse_housekeeping_change()"
        )
        return
    refusal = "BEGIN SELECT RAISE(ABORT, 'the log of housekeeping is append-only'); END"
    op.execute(f"CREATE TRIGGER housekeeping_no_delete BEFORE DELETE ON housekeeping {refusal}")
    op.execute(
        "CREATE TRIGGER housekeeping_no_update BEFORE UPDATE ON housekeeping "
        f"WHEN OLD.finished_at IS NOT NULL {refusal}"
    )


def downgrade() -> None:
    """What was put away would be in every list again, and who deleted what would be lost."""
    raise NotImplementedError("the log of housekeeping can't be held by an older schema")
