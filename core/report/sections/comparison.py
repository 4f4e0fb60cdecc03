"""Two runs against each other, paired by question."""

from __future__ import annotations

import math

from hcat.core.display.messages import say
from hcat.core.display.numbers import format_number, format_percent, p_value_text
from hcat.core.report.evidence.records import ComparisonEvidence, Evidence
from hcat.core.report.sections.metrics import leading, shortened
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Column, Heading, Paragraph, Quantity, Section, Table, Value
from hcat.core.wording.paired import until_different

INTRODUCTION = (
    "Differences in pass rate between runs that answer the same questions, each the second run less the first. Labels "
    "on both runs of one question are paired, so that what makes a question hard is subtracted. PPI++ adds what the "
    "metrics say of unlabelled answers, corrected by the labels."
)
SIDE_BY_SIDE = "Runs may answer different questions and hold different labels: these numbers alone show no difference."
NOT_COMPARED = "No two runs share questions and have labels: no difference between runs was estimated."
RATES_BY = {
    "people": "Pass rate on {each.criterion} by labels of people",
    "rule": "Pass rate on {each.criterion} by labels of rule (no person)",
}
MEAN, MACHINE_MEAN = "Mean of {metric}", "Mean of {metric} (machine says)"
MORE = "By labels and machine together, {item.second} passes {points} percentage points more answers than {item.first}"
FEWER = (
    "By labels and machine together, {item.second} passes {points} percentage points fewer answers than {item.first}"
)
SEVERAL = "Each interval and p is of one difference and does not allow for how many are compared."


def comparison_section(evidence: Evidence) -> Section | None:
    """None where there are no two runs."""
    if len(evidence.runs) < 2:
        return None
    several = f" {say(SEVERAL)}" if len(evidence.comparisons) > 1 else ""
    blocks: list[Block] = [_side_by_side(evidence)]
    blocks.append(Paragraph((say(INTRODUCTION) + several if evidence.comparisons else say(NOT_COMPARED),)))
    for item in evidence.comparisons:
        blocks += _comparison(evidence, item)
    return Section("comparison", say("Comparison of runs"), tuple(blocks))


def _side_by_side(evidence: Evidence) -> Table:
    """A row a result, a column a run: pass rates, then the means of the leading scores. A dash where a run has none."""
    names = [run.name for run in evidence.runs]
    first = {name for run in evidence.runs for name in leading(evidence, run)}
    more = shortened(len(first), len({name for run in evidence.runs for name in run.scores}))
    rates = {
        (say("Pass rate on {each.criterion} (PPI++)", each=each), each.run): each.estimates.ppi
        for each in evidence.pass_rates
    }
    labels = {
        (
            say(RATES_BY[each.kind], each=each),
            each.run,
        ): each.passes
        for each in evidence.labels
    }
    shares = {place: Quantity(estimate, "share") for place, estimate in {**rates, **labels}.items()}
    means = {
        (
            say(MACHINE_MEAN if summary.judged else MEAN, metric=evidence.title(name)),
            run.name,
        ): Quantity(summary.mean, "estimate")
        for run in evidence.runs
        for name, summary in run.scores.items()
        if name in first
    }
    cells = {**shares, **means}
    results = dict.fromkeys(result for result, _ in cells)
    rows = tuple((result, *(cells.get((result, name)) for name in names)) for result in results)
    columns = (column("Result"), *(Column(name, "estimate") for name in names))
    return Table(say("Runs side by side"), columns, rows, (f"{say(SIDE_BY_SIDE)} {more}".strip(),))


def _comparison(evidence: Evidence, item: ComparisonEvidence) -> list[Block]:
    title = say("{item.second} against {item.first}, {item.criterion}", item=item)
    estimates = item.estimates
    rows: tuple[tuple[Value, ...], ...] = (
        (say("Pass rate of {item.first} (PPI++)", item=item), *_cells(estimates.first.ppi)),
        (say("Pass rate of {item.second} (PPI++)", item=item), *_cells(estimates.second.ppi)),
        (say("Difference (PPI++)"), *_cells(estimates.ppi)),
        (say("Difference, labels only"), *_cells(estimates.labels_only)),
    )
    columns = (
        column("Quantity"),
        *(column("Value", "percent"), column("95% low", "percent"), column("95% high", "percent")),
    )
    note = say(
        "{item.shared} questions in both runs; {estimates.pairs} of them labelled in both. {p} against "
        "no difference. Correlation of the two estimates {correlation}. Predictions: {titles}. "
        "{estimates.note}",
        item=item,
        estimates=estimates,
        p=p_value_text("p", estimates.p),
        correlation=format_number(estimates.correlation),
        titles=evidence.titles(item.metrics),
    )
    table = Table(say("Pass rates, {title}", title=title), (*columns, column("Labels", "count")), rows, (note.strip(),))
    return [Heading(title), Paragraph((_sentence(item),)), table]


def _sentence(item: ComparisonEvidence) -> str:
    """What the difference shows, and no more."""
    value = item.estimates.ppi
    if not math.isfinite(value.low):
        return say("There are too few labels for any interval of the difference.")
    points = format_number(abs(100 * value.value), decimals=1)
    said = say(MORE if value.value >= 0 else FEWER, item=item, points=points)
    ends = say("95% interval {low} to {high}", low=format_percent(value.low), high=format_percent(value.high))
    if value.low > 0 or value.high < 0:
        return say("{said} ({ends}): more than chance explains.", said=said, ends=ends)
    open_still = say(
        "{said} ({ends}). The interval contains 0: these labels do not show which run is better.", said=said, ends=ends
    )
    return f"{open_still} {until_different(item.estimates)}".rstrip()


def _cells(estimate: Estimate) -> tuple[Value, ...]:
    return estimate.value, estimate.low, estimate.high, estimate.n
