"""The difference in pass rate between two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

from hcat.core.capabilities.estimates.wording.paired import until_different
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_number, format_percent, p_value_text
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.estimates.systems import SystemDifference, SystemEstimates
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Column, Paragraph, Table, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

MORE = "By labels and machine together, {second} passes {points} percentage points more answers than {first}"
FEWER = "By labels and machine together, {second} passes {points} percentage points fewer answers than {first}"

HOLM = (
    "p by Holm allows for all {pairs}: if no two runs differ, any p (Holm) is at most 0.05 in 5% of cases. Intervals, "
    "and p alone, are of one difference."
)


def difference_view(
    found: DifferenceEstimates, *, first: str, second: str, criterion: str, metrics: Sequence[str]
) -> View:
    """The conclusion on the difference, and each estimate with its interval: the second run less the first."""
    rows: tuple[tuple[Value, ...], ...] = (
        (say("Pass rate of {run} (PPI++)", run=first), *_cells(found.first.ppi)),
        (say("Pass rate of {run} (PPI++)", run=second), *_cells(found.second.ppi)),
        (say("Difference (PPI++)"), *_cells(found.ppi)),
        (say("Difference, labels only"), *_cells(found.labels_only)),
        (say("Difference, naive (machine verdicts, uncorrected)"), *_cells(found.naive)[:3], None),
    )
    columns = (
        *(column("Quantity"), column("Value", "percent"), column("95% low", "percent")),
        *(column("95% high", "percent"), column("Labels", "count")),
    )
    note = say(
        "{p} against no difference. {pairs} test cases or other clusters are labelled in both runs and subtracted "
        "before errors are squared; correlation of the two estimates {correlation}. Predictions: {titles}; their "
        "weights λ in the two runs, tuned for the difference, are {weights} (0: labels alone, 1: full weight). {note}",
        p=p_value_text("p", found.p),
        pairs=found.pairs,
        correlation=format_number(found.correlation),
        titles=" + ".join(map(slice_metric_title, metrics)),
        weights=" / ".join(map(format_number, found.lambdas)),
        note=found.note,
    )
    title = say("{second} against {first}, {criterion}", first=first, second=second, criterion=criterion)
    table = Table(say("Pass rates, {title}", title=title), columns, rows, (note.strip(),))
    return View((Paragraph((_conclusion(found, first, second),)), table))


def systems_view(
    systems: Sequence[SystemEstimates], differences: Sequence[SystemDifference], *, criterion: str
) -> View:
    """Several runs side by side: their pass rates, the mean of each metric, and the difference of each two runs."""
    rates = Table(
        say("Runs side by side: pass rate on {criterion} (PPI++)", criterion=criterion),
        (
            *(column("Run"), column("Samples", "count"), column("Labels", "count")),
            column("Prediction-powered", "share"),
        ),
        tuple((one.run, one.n, one.rates.n_labels, one.rates.ppi) for one in systems),
    )
    means = [{name: summary.mean for name, summary in one.metrics.items()} for one in systems]
    metrics = Table(
        say("Mean of each metric"),
        (column("Metric"), *(Column(one.run, "estimate") for one in systems)),
        tuple(
            (slice_metric_title(name), *(of_run.get(name) for of_run in means)) for name in dict.fromkeys(chain(*means))
        ),
        (say("Means of metrics are no pass rates."),),
    )
    each_two = Table(
        say("Differences in pass rate (PPI++), the later run less the earlier"),
        (
            *(column("Runs"), column("Difference", "percent"), column("95% low", "percent")),
            *(column("95% high", "percent"), column("p", "p-value"), column("p (Holm)", "p-value")),
        ),
        tuple(
            (f"{one.second} − {one.first}", *_cells(one.found.ppi)[:3], one.found.p, one.p_holm) for one in differences
        ),
        (say(HOLM, pairs=counted(len(differences), "pair")),),
    )
    return View((rates, metrics, each_two))


def _conclusion(found: DifferenceEstimates, first: str, second: str) -> str:
    """The conclusion that the interval of the difference allows, in a sentence."""
    value = found.ppi
    if not math.isfinite(value.low):
        return say("There are too few labels for any interval of the difference.")
    points = format_number(abs(100 * value.value), decimals=1)
    said = say(MORE if value.value >= 0 else FEWER, first=first, second=second, points=points)
    ends = say("95% interval {low} to {high}", low=format_percent(value.low), high=format_percent(value.high))
    if value.low > 0 or value.high < 0:
        return say("{said} ({ends}): more than chance explains.", said=said, ends=ends)
    still = say(
        "{said} ({ends}). The interval contains 0: these labels do not show which run is better.", said=said, ends=ends
    )
    return f"{still} {until_different(found)}".rstrip()


def _cells(estimate: Estimate) -> tuple[Value, ...]:
    return estimate.value, estimate.low, estimate.high, estimate.n
