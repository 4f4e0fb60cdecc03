"""Keep who submitted, returned and approved a report, with the hashes of what it rests on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hcat.core.storage.migrations.append_only import make_append_only

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signature",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("report_version_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("condition", sa.Text(), nullable=False),
        sa.Column("report_hash", sa.String(), nullable=False),
        sa.Column("basis", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_signature_project_id_project")),
        sa.ForeignKeyConstraint(
            ["report_version_id"], ["report_version.id"], name=op.f("fk_signature_report_version_id_report_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature")),
        sa.UniqueConstraint("report_version_id", "position", name=op.f("uq_signature_report_version_id_position")),
    )
    make_append_only("signature", "signatures")


def downgrade() -> None:
    """Who signed which report would be lost."""
    raise NotImplementedError("signatures can't be held by an older schema")
