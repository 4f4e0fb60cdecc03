"""The first schema that hcat reads. A new store is made from the tables themselves, and has the newest at once."""

from __future__ import annotations

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: every store that is brought to a newer schema has this one at least."""
