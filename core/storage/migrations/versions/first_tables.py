"""Make the first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _make_projects()
    _make_labels()
    _make_results()
    _make_jobs()
    _make_append_only()


def _make_projects() -> None:
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("name", name=op.f("uq_project_name")),
    )
    op.create_table(
        "criterion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("levels", sa.JSON(), nullable=False),
        sa.Column("passing", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_criterion_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_criterion")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_criterion_project_id_name")),
    )
    op.create_table(
        "guideline",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_guideline_criterion_id_criterion")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guideline")),
        sa.UniqueConstraint("criterion_id", "version", name=op.f("uq_guideline_criterion_id_version")),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("filename", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_run_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("project_id", "name", name=op.f("uq_run_project_id_name")),
    )


def _make_labels() -> None:
    op.create_table(
        "label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=True),
        sa.Column("rationale", sa.Text(), nullable=True),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("queue", sa.String(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("guideline_version", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_label_criterion_id_criterion")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_label_run_id_run")),
        sa.ForeignKeyConstraint(["supersedes"], ["label.id"], name=op.f("fk_label_supersedes_label")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label")),
        sa.UniqueConstraint("supersedes", name=op.f("uq_label_supersedes")),
    )
    op.create_index("ix_label_run_id_criterion_id", "label", ["run_id", "criterion_id"], unique=False)
    op.create_index(
        "uq_label_first",
        "label",
        ["run_id", "criterion_id", "sample_id", "annotator"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    op.create_table(
        "label_queue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("dimension", sa.String(), nullable=False),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_label_queue_criterion_id_criterion")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_label_queue_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_queue")),
        sa.UniqueConstraint(
            "run_id",
            "criterion_id",
            "kind",
            "dimension",
            name=op.f("uq_label_queue_run_id_criterion_id_kind_dimension"),
        ),
    )


def _make_results() -> None:
    op.create_table(
        "scoring",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("provenance", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_scoring_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scoring")),
        sa.UniqueConstraint("run_id", "version", name=op.f("uq_scoring_run_id_version")),
    )
    op.create_table(
        "topics",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("artifact", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_topics_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_topics")),
    )
    op.create_index(op.f("ix_topics_run_id"), "topics", ["run_id"], unique=False)
    op.create_table(
        "calibration",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_calibration_criterion_id_criterion")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_calibration_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_calibration")),
    )
    op.create_index(op.f("ix_calibration_run_id"), "calibration", ["run_id"], unique=False)
    op.create_table(
        "finding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("slice", sa.JSON(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("severity", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_finding_project_id_project")),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_finding_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
    )
    op.create_index(op.f("ix_finding_project_id"), "finding", ["project_id"], unique=False)


def _make_jobs() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("host", sa.String(), nullable=True),
        sa.Column("pid", sa.Integer(), nullable=True),
        sa.Column("process_started", sa.Float(), nullable=True),
        sa.Column("heartbeat", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_job_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(op.f("ix_job_project_id"), "job", ["project_id"], unique=False)


def _make_append_only() -> None:
    """The label log is evidence: the database itself refuses to change or delete an entry."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION refuse_label_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'labels are append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER label_append_only BEFORE UPDATE OR DELETE ON label "
            "FOR EACH ROW EXECUTE FUNCTION refuse_label_change()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER label_no_{change.lower()} BEFORE {change} ON label "
            "BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END"
        )


def downgrade() -> None:
    """There is nothing older to go back to."""
    raise NotImplementedError("the first schema has no older one")
