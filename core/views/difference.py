"""The difference in pass rate between two runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hcat.core.display.messages import say
from hcat.core.display.numbers import format_number, format_percent, p_value_text
from hcat.core.estimates.paired_difference import DifferenceEstimates
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Paragraph, Table, Value
from hcat.core.view.view import View
from hcat.core.wording.paired import until_different
from hcat.core.wording.slice_metrics import slice_metric_title

MORE = "By labels and machine together, {second} passes {points} percentage points more answers than {first}"
FEWER = "By labels and machine together, {second} passes {points} percentage points fewer answers than {first}"


def difference_view(
    found: DifferenceEstimates, *, first: str, second: str, criterion: str, metrics: Sequence[str]
) -> View:
    """What the difference shows, and each estimate with its interval: the second run less the first."""
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


def _conclusion(found: DifferenceEstimates, first: str, second: str) -> str:
    """What the difference shows, and no more."""
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
