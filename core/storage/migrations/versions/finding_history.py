"""Keep who changed what of a finding, and when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("finding", sa.Column("history", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("finding", "history")
