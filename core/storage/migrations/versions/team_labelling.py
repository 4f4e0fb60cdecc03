"""Add what a team of annotators needs, kept column mappings, and who cares for a finding."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _widen_labels()
    _widen_queues()
    _make_claims()
    _make_criterion_examples()
    _make_gold()
    _make_adjudications()
    _make_column_mappings()
    op.add_column("project", sa.Column("pseudonym_key", sa.String(), nullable=True))
    op.add_column("finding", sa.Column("owner", sa.String(), nullable=False, server_default=""))
    op.add_column("finding", sa.Column("due", sa.Date(), nullable=True))
    op.add_column("finding", sa.Column("frozen", sa.JSON(), nullable=True))
    op.add_column("finding", sa.Column("frozen_hash", sa.String(), nullable=True))


def _widen_labels() -> None:
    # Plain ADD COLUMN: rebuilding the table would lose the triggers that make it append-only.
    op.add_column("label", sa.Column("confidence", sa.Integer(), nullable=True))
    op.add_column("label", sa.Column("flagged", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("label", sa.Column("comment", sa.Text(), nullable=True))
    op.add_column("label", sa.Column("spans", sa.JSON(), nullable=True))
    op.add_column("label", sa.Column("shown", sa.JSON(), nullable=True))
    op.add_column("label", sa.Column("blind", sa.Boolean(), nullable=True))
    op.add_column("label", sa.Column("occurrence", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("label", sa.Column("purpose", sa.String(), nullable=False, server_default="estimate"))
    op.drop_index("uq_label_first", "label")
    op.create_index(
        "uq_label_first",
        "label",
        ["run_id", "criterion_id", "sample_id", "annotator", "occurrence"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )


def _widen_queues() -> None:
    with op.batch_alter_table("label_queue") as queues:
        queues.add_column(sa.Column("round", sa.Integer(), nullable=False, server_default="1"))
        queues.add_column(sa.Column("overlap", sa.Integer(), nullable=True))
        queues.add_column(sa.Column("settings", sa.JSON(), nullable=False, server_default="{}"))
        queues.drop_constraint("uq_label_queue_run_id_criterion_id_kind_dimension", type_="unique")
        queues.create_unique_constraint(
            "uq_label_queue_run_id_criterion_id_kind_dimension_round",
            ["run_id", "criterion_id", "kind", "dimension", "round"],
        )


def _make_claims() -> None:
    op.create_table(
        "claim",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("queue_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("occurrence", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=True),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("label_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["queue_id"], ["label_queue.id"], name=op.f("fk_claim_queue_id_label_queue")),
        sa.ForeignKeyConstraint(["label_id"], ["label.id"], name=op.f("fk_claim_label_id_label")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_claim")),
        sa.UniqueConstraint("queue_id", "sample_id", "slot", name=op.f("uq_claim_queue_id_sample_id_slot")),
        sa.UniqueConstraint(
            "queue_id",
            "sample_id",
            "annotator",
            "occurrence",
            name=op.f("uq_claim_queue_id_sample_id_annotator_occurrence"),
        ),
    )
    op.create_index(
        "uq_claim_open",
        "claim",
        ["queue_id", "annotator"],
        unique=True,
        sqlite_where=sa.text("label_id IS NULL"),
        postgresql_where=sa.text("label_id IS NULL"),
    )


def _make_criterion_examples() -> None:
    op.create_table(
        "criterion_example",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["criterion_id"], ["criterion.id"], name=op.f("fk_criterion_example_criterion_id_criterion")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_criterion_example")),
    )
    op.create_index(op.f("ix_criterion_example_criterion_id"), "criterion_example", ["criterion_id"], unique=False)


def _make_gold() -> None:
    op.create_table(
        "gold",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_gold_run_id_run")),
        sa.ForeignKeyConstraint(["criterion_id"], ["criterion.id"], name=op.f("fk_gold_criterion_id_criterion")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gold")),
        sa.UniqueConstraint("run_id", "criterion_id", "sample_id", name=op.f("uq_gold_run_id_criterion_id_sample_id")),
    )


def _make_adjudications() -> None:
    op.create_table(
        "adjudication",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("criterion_id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.String(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("label_ids", sa.JSON(), nullable=False),
        sa.Column("guideline_version", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_adjudication_run_id_run")),
        sa.ForeignKeyConstraint(
            ["criterion_id"], ["criterion.id"], name=op.f("fk_adjudication_criterion_id_criterion")
        ),
        sa.ForeignKeyConstraint(
            ["supersedes"], ["adjudication.id"], name=op.f("fk_adjudication_supersedes_adjudication")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
        sa.UniqueConstraint("supersedes", name=op.f("uq_adjudication_supersedes")),
    )
    op.create_index(
        "uq_adjudication_first",
        "adjudication",
        ["run_id", "criterion_id", "sample_id"],
        unique=True,
        sqlite_where=sa.text("supersedes IS NULL"),
        postgresql_where=sa.text("supersedes IS NULL"),
    )
    _make_append_only()


def _make_append_only() -> None:
    """A decision over labels is evidence as they are: the database itself refuses to change or delete it."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION refuse_adjudication_change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'adjudications are append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER adjudication_append_only BEFORE UPDATE OR DELETE ON adjudication "
            "FOR EACH ROW EXECUTE FUNCTION refuse_adjudication_change()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER adjudication_no_{change.lower()} BEFORE {change} ON adjudication "
            "BEGIN SELECT RAISE(ABORT, 'adjudications are append-only'); END"
        )


def _make_column_mappings() -> None:
    op.create_table(
        "column_mapping",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("mapping", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_column_mapping_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_column_mapping")),
        sa.UniqueConstraint("project_id", "fingerprint", name=op.f("uq_column_mapping_project_id_fingerprint")),
    )


def downgrade() -> None:
    """Labels are never deleted, so there is no way back to tables that can't hold them."""
    raise NotImplementedError("labels of a team can't be held by the first schema")
