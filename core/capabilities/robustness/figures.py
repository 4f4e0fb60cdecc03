"""The change of each family of variants as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from hcat.core.capabilities.robustness.change import FamilyChange
from hcat.core.display.messages import say
from hcat.core.figures.forest import ForestPlot, ForestRow


def family_forest(changes: Sequence[FamilyChange], *, title: str) -> ForestPlot:
    """The change of each family of variants from its origins, worst first, against no change."""
    rows = tuple(
        ForestRow("variants", say(each.family), each.change, each.verdict, each.change.value, each.q)
        for each in changes
        if isfinite(each.change.value)
    )
    return ForestPlot(say("change in {title}", title=title), rows, 0.0)
