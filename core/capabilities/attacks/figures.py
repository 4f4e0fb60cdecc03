"""The excess of each family of attacks over its control, for the figure of page and report."""

from __future__ import annotations

from math import isfinite

from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.display.messages import say
from hcat.core.figures.forest import ForestPlot, ForestRow


def attack_forest(results: AttackResults) -> ForestPlot:
    """Families with the largest excess on top, corrected by labels if possible; those not tested are left out."""
    rows = []
    for each in results.families:
        rates = each.success.corrected or each.success.detected
        if isfinite(rates.excess.value) and each.verdict != "not tested":
            name = say(each.family)
            name = name if each.success.corrected is None else say("{family} (corrected)", family=name)
            rows.append(ForestRow("attacks", name, rates.excess, each.verdict, rates.excess.value, each.adjusted_p))
    return ForestPlot(say("success under attack less that of the control"), tuple(rows), 0.0)
