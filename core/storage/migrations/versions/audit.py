"""Keep who changed what, in rows that the database itself never changes or deletes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0020"
branch_labels = None
depends_on = None

REFUSAL = "the audit log is append-only"


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("sequence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("project", sa.String(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("after", sa.String(), nullable=False),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_action"), "audit", ["action"])
    if op.get_bind().dialect.name == "postgresql":
        _refuse_on_postgresql()
    else:
        _refuse_on_sqlite()


def _refuse_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
    )
    for when, each in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER audit_no_{each.lower()}_change BEFORE {when} ON audit "
            f"FOR EACH {each} EXECUTE FUNCTION refuse_audit_change()"
        )
    op.execute("REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM PUBLIC, CURRENT_USER")


def _refuse_on_sqlite() -> None:
    """INSERT OR REPLACE deletes a row without asking the triggers of deletions: so no row may take an earlier place."""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    op.execute(f"CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit {refuse}")
    op.execute(f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit {refuse}")
    taken = "EXISTS (SELECT 1 FROM audit WHERE sequence >= NEW.sequence)"
    op.execute(f"CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN {taken} {refuse}")


def downgrade() -> None:
    """Who changed what would be lost."""
    raise NotImplementedError("the audit log can't be held by an older schema")
