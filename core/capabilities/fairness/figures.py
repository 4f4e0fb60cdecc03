"""The gap of each group as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from hcat.core.capabilities.fairness.gap import Gap
from hcat.core.display.messages import say
from hcat.core.figures.forest import ForestPlot, ForestRow


def gap_forest(gaps: Sequence[Gap], *, title: str) -> ForestPlot:
    """The gap of each group from its reference, in the order given, against no gap."""
    rows = tuple(ForestRow("gap", each.title, each.gap, each.verdict) for each in gaps if isfinite(each.gap.value))
    return ForestPlot(say("gap in {title}", title=title), rows, 0.0)
