"""Session key of the content that the page shows once something new is stored."""

from __future__ import annotations

NEXT = "next-test-set"
"""The name of the test set."""
NEXT_VIEW = "next-test-set-view"
"""The view of it."""
