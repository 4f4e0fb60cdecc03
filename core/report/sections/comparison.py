"""Two runs against each other, paired by question."""

from __future__ import annotations

import math

from core.display.numbers import format_number, format_percent, p_value_text
from core.report.evidence.records import ComparisonEvidence, Evidence
from core.report.sections.people import KIND_NAMES
from core.report.tree import Block, Column, Heading, Paragraph, Quantity, Section, Table, Value
from core.types import Estimate

INTRODUCTION = (
    "Differences in pass rate between runs that answer the same questions, each the second run less the first. Labels "
    "on both runs of one question are paired, so that what makes a question hard is subtracted. PPI++ adds what the "
    "metrics say of unlabelled answers, corrected by the labels."
)
SIDE_BY_SIDE = "Runs may answer different questions and hold different labels: these numbers alone show no difference."
NOT_COMPARED = "No two runs share questions and have labels: no difference between runs was estimated."
MACHINE = " (machine says)"
SEVERAL = "Each interval and p is of one difference and does not allow for how many are compared."


def comparison_section(evidence: Evidence) -> Section | None:
    """None where there are no two runs."""
    if len(evidence.runs) < 2:
        return None
    several = f" {SEVERAL}" if len(evidence.comparisons) > 1 else ""
    blocks: list[Block] = [_side_by_side(evidence)]
    blocks.append(Paragraph((INTRODUCTION + several if evidence.comparisons else NOT_COMPARED,)))
    for item in evidence.comparisons:
        blocks += _comparison(evidence, item)
    return Section("comparison", "Comparison of runs", tuple(blocks))


def _side_by_side(evidence: Evidence) -> Table:
    """A row a result, a column a run: pass rates, then the mean of every score. A dash where a run has none."""
    names = [run.name for run in evidence.runs]
    rates = {(f"Pass rate on {each.criterion} (PPI++)", each.run): each.estimates.ppi for each in evidence.pass_rates}
    labels = {
        (f"Pass rate on {each.criterion} by labels of {KIND_NAMES[each.kind]}", each.run): each.passes
        for each in evidence.labels
    }
    shares = {place: Quantity(estimate, "share") for place, estimate in {**rates, **labels}.items()}
    means = {
        (f"Mean of {evidence.title(name)}{MACHINE if summary.judged else ''}", run.name): Quantity(
            summary.mean, "estimate"
        )
        for run in evidence.runs
        for name, summary in run.scores.items()
    }
    cells = {**shares, **means}
    results = dict.fromkeys(result for result, _ in cells)
    rows = tuple((result, *(cells.get((result, name)) for name in names)) for result in results)
    columns = (Column("Result"), *(Column(name, "estimate") for name in names))
    return Table("Runs side by side", columns, rows, (SIDE_BY_SIDE,))


def _comparison(evidence: Evidence, item: ComparisonEvidence) -> list[Block]:
    title = f"{item.second} against {item.first}, {item.criterion}"
    estimates = item.estimates
    rows: tuple[tuple[Value, ...], ...] = (
        (f"Pass rate of {item.first} (PPI++)", *_cells(estimates.first.ppi)),
        (f"Pass rate of {item.second} (PPI++)", *_cells(estimates.second.ppi)),
        ("Difference (PPI++)", *_cells(estimates.ppi)),
        ("Difference, labels only", *_cells(estimates.labels_only)),
    )
    columns = (Column("Quantity"), *(Column(name, "percent") for name in ("Value", "95% low", "95% high")))
    note = (
        f"{item.shared} questions in both runs; {estimates.pairs} of them labelled in both. "
        f"{p_value_text('p', estimates.p)} against no difference. Correlation of the two estimates "
        f"{format_number(estimates.correlation)}. Predictions: {evidence.titles(item.metrics)}. {estimates.note}"
    )
    table = Table(f"Pass rates, {title}", (*columns, Column("Labels", "count")), rows, (note.strip(),))
    return [Heading(title), Paragraph((_sentence(item),)), table]


def _sentence(item: ComparisonEvidence) -> str:
    """What the difference shows, and no more."""
    value = item.estimates.ppi
    if not math.isfinite(value.low):
        return "There are too few labels for any interval of the difference."
    points = format_number(abs(100 * value.value), decimals=1)
    more = "more" if value.value >= 0 else "fewer"
    said = f"In these labels {item.second} passes {points} percentage points {more} answers than {item.first}"
    ends = f"95% interval {format_percent(value.low)} to {format_percent(value.high)}"
    if value.low > 0 or value.high < 0:
        return f"{said} ({ends}): more than chance explains."
    return f"{said} ({ends}). The interval contains 0: these labels do not show which run is better."


def _cells(estimate: Estimate) -> tuple[Value, ...]:
    return estimate.value, estimate.low, estimate.high, estimate.n
