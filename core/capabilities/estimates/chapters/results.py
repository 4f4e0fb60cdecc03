"""The results overall: the share of answers that people would pass, in three estimates; and the same by slice."""

from __future__ import annotations

from collections.abc import Iterator

from hcat.core.capabilities.estimates.views.pass_rate import explanation_of_rates, level_rates_view, pass_rate_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Paragraph, Section

NONE = "No pass rate was corrected: that needs labels and a saved calibration."


def results_section(evidence: Evidence) -> Section:
    """The pass rate of every run on every criterion, corrected by labels."""
    if not evidence.pass_rates:
        return Section("results", say("Results overall"), (Paragraph((say(NONE),)),))
    blocks = [*explanation_of_rates().blocks]
    for item in evidence.pass_rates:
        view = pass_rate_view(
            item.estimates,
            run=item.run,
            criterion=item.criterion,
            metrics=item.metrics,
            method=item.method,
            drawn=item.drawn,
            tied=item.tied,
            by_rule=item.by_rule,
        )
        blocks += view.blocks
    return Section("results", say("Results overall"), tuple(blocks))


def slice_rates(evidence: Evidence) -> Iterator[Block]:
    """The corrected pass rates by level of each dimension in which some level has enough labels."""
    for item in evidence.pass_rates:
        for dimension, slices in item.slices.items():
            if any(each.enough for each in slices):
                view = level_rates_view(slices, dimension=dimension, criterion=item.criterion, run=item.run)
                yield from view.blocks


CHAPTER = Chapter(
    "results", "Results overall", results_section, lambda evidence: evidence.pass_rates, after="calibration"
)
