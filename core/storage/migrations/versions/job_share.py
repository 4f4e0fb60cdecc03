"""Keep how much of all its work a job has done, beside how far it is in its stage."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("share", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("job", "share")
