"""Two runs against each other, paired by question."""

from __future__ import annotations

from hcat.core.capabilities.estimates.views.difference import difference_view
from hcat.core.capabilities.metrics.chapter import leading, shortened
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import ComparisonEvidence, Evidence
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Column, Heading, Paragraph, Quantity, Section, Table

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
SEVERAL = "Each interval and p is of one difference and does not allow for how many are compared."


def comparison_section(evidence: Evidence) -> Section | None:
    """None where there are no two runs."""
    if len(evidence.runs) < 2:
        return None
    several = f" {say(SEVERAL)}" if len(evidence.comparisons) > 1 else ""
    blocks: list[Block] = [_side_by_side(evidence)]
    blocks.append(Paragraph((say(INTRODUCTION) + several if evidence.comparisons else say(NOT_COMPARED),)))
    for item in evidence.comparisons:
        blocks += _comparison(item)
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


def _comparison(item: ComparisonEvidence) -> list[Block]:
    title = say("{second} against {first}, {criterion}", first=item.first, second=item.second, criterion=item.criterion)
    view = difference_view(
        item.estimates, first=item.first, second=item.second, criterion=item.criterion, metrics=item.metrics
    )
    shared = say("{shared} questions are in both runs.", shared=item.shared)
    return [Heading(title), Paragraph((shared,)), *view.blocks]


CHAPTER = Chapter("comparison", "Comparison of runs", comparison_section, after="results")
