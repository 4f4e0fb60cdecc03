"""Keep a digest of each row that a write left, so that a change past the log is seen where other rows were touched."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit", sa.Column("digests", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """What each row was would be lost, and the hashes of the log would no longer fit it."""
    raise NotImplementedError("the digests of the audit log can't be held by an older schema")
