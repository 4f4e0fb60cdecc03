"""Two runs compared slice by slice, over the samples that both have."""

from __future__ import annotations

from math import isnan

from hcat.core.capabilities.estimates.wording.paired import paired_sentences
from hcat.core.display.messages import say
from hcat.core.slices.paired import PairedSlice, PairedSlices
from hcat.core.view.telling import column
from hcat.core.view.tree import Bullets, Column, Table
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

MOST_SHOWN = 20


def paired_slices_view(paired: PairedSlices) -> View:
    """The slices in which the first run is furthest behind the second, and the method of the comparison."""
    columns = (
        *(column("Slice"), Column(paired.run, "number"), Column(paired.against, "number")),
        *(column("Difference, 95% interval", "difference"), column("q", "p-value"), column("Verdict", "verdict")),
    )
    shown = sorted(paired.slices, key=lambda each: _worst_first(each, paired))[:MOST_SHOWN]
    rows = tuple(
        (each.slice.title, each.mean, each.mean_against, each.difference, each.q, each.verdict) for each in shown
    )
    title = say(
        "{run} less {against} on {metric}; {shown} of {slices} slices, worst first",
        run=paired.run,
        against=paired.against,
        metric=slice_metric_title(paired.metric),
        shown=len(rows),
        slices=len(paired.slices),
    )
    return View((Table(title, columns, rows), Bullets(tuple((said,) for said in paired_sentences(paired)))))


def _worst_first(each: PairedSlice, paired: PairedSlices) -> tuple[bool, float]:
    """Slices that were not tested come last."""
    value = each.difference.value
    return isnan(each.q), 0.0 if isnan(value) else -value if paired.direction == "lower" else value
