"""Put what people state in versions into one table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hcat.core.errors import StorageError
from hcat.core.storage.audit.guards import make_guards

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

COLUMNS = "project_id, run_id, criterion_id, kind, series, version, hash, document, author, note, at"
OF_CRITERION = "JOIN criterion ON criterion.id = d.criterion_id"
COUNTED = "row_number() OVER (PARTITION BY d.project_id ORDER BY d.id)"
OPINION = "'rating', rating, 'reasons', reasons, 'conditions', {conditions}, 'limitations', limitations"


def upgrade() -> None:
    on_server = op.get_bind().dialect.name == "postgresql"
    _check_runs()
    _make_table()
    # Jobs name policies by their ids, so these stay; nothing names the others so.
    op.execute(
        f"INSERT INTO document (id, {COLUMNS}) SELECT d.id, criterion.project_id, run_id, criterion_id, 'policy', "  # noqa: S608
        f"CAST(criterion_id AS VARCHAR), version, hash, document, author, reason, at FROM policy AS d {OF_CRITERION}"
    )
    if on_server:
        op.execute("SELECT setval(pg_get_serial_sequence('document', 'id'), max(id)) FROM document HAVING max(id) > 0")
    made, conditions = ("json_build_object", "conditions") if on_server else ("json_object", "json(conditions)")
    opinion = f"{made}({OPINION.format(conditions=conditions)})"
    plan = "CAST(criterion_id AS VARCHAR)"
    _move("preregistration", "plan", "version", "document", criterion="criterion_id", series=plan, hash="hash")
    _move("risk_register", "risks", "version", "document")
    _move("fairness_settings", "fairness", COUNTED, "settings", author="actor", at="created_at")
    _move("opinion", "opinion", "version", opinion)
    _move("rubric", "rubric", "version", "document", series="name", note="note")
    _move("retention", "retention", COUNTED, f"{made}('days', days)")
    op.drop_table("policy")
    if on_server:
        for table in ("preregistration", "retention"):
            op.execute(f"DROP FUNCTION refuse_{table}_change()")
    make_guards(op.get_bind(), ["document"])


def _check_runs() -> None:
    """StorageError where texts of a run are not sealed: they could be neither read nor erased."""
    unsealed = op.get_bind().execute(sa.text("SELECT name FROM run WHERE key_ring IS NULL ORDER BY id")).scalars().all()
    if unsealed:
        raise StorageError(
            f"{len(unsealed)} of the runs, such as {unsealed[0]!r}, were stored by an hcat that was never released and "
            "are not read: import runs and labels into a new store"
        )


def _make_table() -> None:
    op.create_table(
        "document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("criterion_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("series", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.ForeignKeyConstraint([f"{of}_id"], [f"{of}.id"], name=op.f(f"fk_document_{of}_id_{of}"))
            for of in ("project", "run", "criterion")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
        sa.UniqueConstraint(
            "project_id", "kind", "series", "version", name=op.f("uq_document_project_id_kind_series_version")
        ),
    )


def _move(
    table: str,
    kind: str,
    version: str,
    document: str,
    *,
    criterion: str = "NULL",
    series: str = "''",
    hash: str = "''",  # noqa: A002
    author: str = "author",
    note: str = "''",
    at: str = "at",
) -> None:
    """Each row of the table as a document, in their order."""
    op.execute(
        f"INSERT INTO document ({COLUMNS}) SELECT project_id, CAST(NULL AS INTEGER), CAST({criterion} AS INTEGER), "  # noqa: S608
        f"'{kind}', {series}, {version}, {hash}, {document}, {author}, {note}, {at} FROM {table} AS d ORDER BY d.id"
    )
    op.drop_table(table)


def downgrade() -> None:
    """An older hcat has no such table."""
    raise NotImplementedError("documents can't be held by an older schema")
