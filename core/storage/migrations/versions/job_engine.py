"""Keep which engine did a job's work, and with how many workers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("engine", sa.String(), nullable=True))
    op.add_column("job", sa.Column("workers", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("job", "workers")
    op.drop_column("job", "engine")
