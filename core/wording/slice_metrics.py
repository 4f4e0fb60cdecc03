"""Titles of what slices are compared by."""

from __future__ import annotations

from collections.abc import Mapping

from core.scoring.file_metric import facts_of
from core.weakness.keys import CORRECTED, criterion_of
from core.weakness.table import LabelCounts


def slice_metric_title(key: str, labels: Mapping[str, LabelCounts] | None = None) -> str:
    """The title of a metric or of a rate of passing; with the `labels` of a table, who gave them."""
    if key == CORRECTED:
        return "Corrected pass rate"
    criterion = criterion_of(key)
    if criterion is None:
        return facts_of(key, {}).title
    counts = (labels or {}).get(key)
    by = "a reference rule" if counts is not None and counts.rule and not counts.people else "people"
    return f"Pass rate by {by}: {criterion}"
