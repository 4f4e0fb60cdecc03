"""Keep which earlier entry holds again, where the one that had taken its place was undone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("label", sa.Column("restores", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("label", "restores")
