"""Families of attacks with their controls: the excess with its interval, and the data behind it."""

from __future__ import annotations

from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.capabilities.attacks.view import attacks_view
from hcat.core.figures.forest import ForestPlot
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.attacks.loader import attack_results
from hcat.dashboard.capabilities.robustness.chart import family_changes
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.view import show_view


def families_panel(run: RunInfo, criterion: Criterion | None) -> AttackResults:
    """The success of each family, and where to label answers if nobody has."""
    results = attack_results(run, criterion)
    show_view(attacks_view(results), key="attack-families", draw={ForestPlot: family_changes})
    if results.overall.corrected is None:
        link_to("labelling", "Label answers", icon=":material/label:")
    return results
