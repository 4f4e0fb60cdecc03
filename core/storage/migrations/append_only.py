"""Triggers by which the database itself refuses to change or delete the rows of a table."""

from __future__ import annotations

from alembic import op

UNDER_DELETION = (
    "EXISTS (SELECT 1 FROM housekeeping AS h WHERE h.action = 'delete' AND h.finished_at IS NULL "
    "AND h.kind = 'project' AND h.item_id = OLD.project_id)"
)
"""Whether the log has an unfinished deletion of the row's project: only its transaction sees it."""


def make_append_only(table: str, words: str) -> None:
    """Rows of the table, which have a `project_id`, go only with their whole project, and never change."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            f"CREATE FUNCTION refuse_{table}_change() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF TG_OP = 'DELETE' THEN IF {UNDER_DELETION} THEN RETURN OLD; END IF; END IF; "
            f"RAISE EXCEPTION '{words} are append-only'; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION refuse_{table}_change()"
        )
        return
    refusal = f"BEGIN SELECT RAISE(ABORT, '{words} are append-only'); END"
    op.execute(f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refusal}")
    op.execute(f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN NOT {UNDER_DELETION} {refusal}")
