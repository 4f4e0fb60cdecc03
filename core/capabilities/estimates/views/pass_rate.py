"""The pass rate of a run by labels and machine, at each level of a dimension, and what machine verdicts are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isnan

from hcat.core.capabilities.estimates.wording.pass_rate import ESTIMANDS, ONE_TIE, TIES, in_words
from hcat.core.capabilities.judges.wording.machine_verdicts import ERRORS
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.run_estimates import LabelDraw
from hcat.core.estimates.slices import INSUFFICIENT, MINIMUM_N, SliceEstimate
from hcat.core.estimates.verdict_errors import VerdictErrors
from hcat.core.labelling.ties import TieBounds
from hcat.core.slices.slices import MISSING, OTHER
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import Block, Callout, Column, Paragraph, Quantity, Table, Text, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

FEW_LABELS = 30
LEADING_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
RATES = (
    "Each pass rate is stated in three ways. Naive: the machine's verdicts taken as if they were people's; biased, so "
    "that it has no interval. Labels only: the share of labels that pass, weighted by how samples were drawn. "
    "Prediction-powered (PPI++): the machine's mean, corrected by its average error on the labelled samples; valid "
    "however good or bad the machine is. The effective number of labels says how many labels of a simple random sample "
    "would be about as precise."
)
HOW = (
    "{labelled} of {samples} labelled, {unscored} unscored; {drawn}. Predictions: {method} on {titles}, cross-fitted: "
    "each comes from a map that never saw the sample's own label. Their weight λ = {weight} (0: labels alone, 1: full "
    "weight) is tuned for the narrowest interval."
)
DESIGN = ", and by the inverse of the probability with which the sampling design drew their test case"
LEVELS = (
    "Below {least} labels, or clusters where these have several samples, there is no rate. Each interval is valid on "
    "its own; they are not valid jointly: of twenty, one misses on average. Which levels are worse after allowing for "
    "that, the analysis of weaknesses says."
)


def explanation_of_rates() -> View:
    """An explanation of the three estimates and of their estimands."""
    return View((Paragraph((say(RATES),)), Paragraph((say(ESTIMANDS),))))


def pass_rate_view(
    rates: PassRateEstimates,
    *,
    run: str,
    criterion: str,
    metrics: Sequence[str],
    method: str,
    drawn: LabelDraw,
    tied: TieBounds | None = None,
    by_rule: int = 0,
) -> View:
    """The three estimates in words and as a table, after warnings: of `by_rule` labels that no person gave, of ties,
    and of few labels."""
    of = _of(criterion, run)
    columns = (
        *(column("Estimate"), column("Of answers like these", "share"), column("Of these answers", "share")),
        column("Effective labels", "count"),
    )
    alone, powered = (None, None) if rates.of_these is None else (rates.of_these.labels_only, rates.of_these.ppi)
    rows: tuple[tuple[Value, ...], ...] = (
        (say("Naive"), rates.naive, None, None),
        (say("Labels only"), rates.labels_only, alone, rates.labels_only_effective_n),
        (say("Prediction-powered"), rates.ppi, powered, rates.effective_n),
    )
    note = _how(rates, metrics, method, drawn)
    return View(
        (
            *_warnings(rates, of, tied, by_rule),
            Paragraph((in_words(rates),)),
            Table(say("Pass rate {of}", of=of), columns, rows, note),
        )
    )


def level_rates_view(slices: Sequence[SliceEstimate], *, dimension: str, criterion: str, run: str) -> View:
    """The pass rate at each level of a dimension, in the order of `ordered_levels`."""
    columns = (
        *(Column(dimension), column("Samples", "count"), column("Labels", "count"), column("Naive", "share")),
        *(column("Labels only", "share"), column("Prediction-powered", "share"), column("Effective labels", "count")),
    )
    title = say("Pass rate by {dimension}, {of}", dimension=dimension, of=_of(criterion, run))
    rows = tuple(_level(each) for each in ordered_levels(slices))
    return View((Table(title, columns, rows, (say(LEVELS, least=MINIMUM_N),)),))


def ordered_levels(slices: Sequence[SliceEstimate]) -> list[SliceEstimate]:
    """Ranges of numbers in rising order; other levels with the lowest rate first, those without a rate last."""
    starts = {each.level: LEADING_NUMBER.match(each.level) for each in slices}
    if all(start for level, start in starts.items() if level not in (MISSING, OTHER)):
        return sorted(slices, key=lambda each: float(start[0]) if (start := starts[each.level]) else inf)
    return sorted(slices, key=lambda each: (not each.enough, each.estimates.ppi.value))


def verdict_errors_view(errors: Sequence[tuple[str, VerdictErrors]]) -> View:
    """Sensitivity and specificity of machine verdicts by the labels, a row for each run, criterion and metric; empty
    where no verdict has a label."""
    columns = (
        *(column("Run"), column("Criterion"), column("Metric"), column("Answers", "count")),
        *(column("Machine passes", "percent"), column("Sensitivity", "share"), column("Specificity", "share")),
        column("Corrected pass rate", "share"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(run, item.criterion, slice_metric_title(item.metric), item.n),
            *(item.says, item.sensitivity, item.specificity, item.corrected),
        )
        for run, item in errors
    )
    return View((Table(say("Machine verdicts against labels"), columns, rows, (say(ERRORS),)),) if rows else ())


def _of(criterion: str, run: str) -> str:
    return say("on {criterion}, run {run}", criterion=criterion, run=run)


def _warnings(rates: PassRateEstimates, of: str, tied: TieBounds | None, by_rule: int) -> list[Block]:
    blocks: list[Block] = []
    if by_rule:
        text = tell(
            "{by_rule} of the {n_labels} labelled samples behind these rates were labelled by a rule, "
            "since no person labelled them. To that extent the rates describe that rule, not human "
            "judgement.",
            by_rule=Quantity(by_rule, "count"),
            n_labels=Quantity(rates.n_labels, "count"),
        )
        blocks.append(Callout("warning", say("Labels by a rule, {of}", of=of), text))
    if tied is not None:
        blocks.append(Callout("warning", say("Ties"), _ties(rates, tied)))
    if rates.note:
        blocks.append(Callout("warning", say("Note"), (rates.note,)))
    if rates.n_labels < FEW_LABELS:
        few = say(
            "Only {labels}: below {least}, intervals miss the true value more often than stated.",
            labels=counted(rates.n_labels, "label"),
            least=FEW_LABELS,
        )
        blocks.append(Callout("warning", say("Few labels"), (few,)))
    return blocks


def _ties(rates: PassRateEstimates, tied: TieBounds) -> Text:
    return tell(
        TIES if tied.ties > 1 else ONE_TIE,
        rate=Quantity(rates.ppi.value, "percent"),
        samples=counted(rates.ppi.n, "sample"),
        ties=Quantity(tied.ties, "count"),
        failed=Quantity(tied.failed.value, "percent"),
        passed=Quantity(tied.passed.value, "percent"),
    )


def _how(rates: PassRateEstimates, metrics: Sequence[str], method: str, drawn: LabelDraw) -> Text:
    """The method of the estimates, for reviewers."""
    by = say("drawn by stratum") if drawn.by_stratum else say("weighted by how samples were drawn")
    left = (
        say(" {samples} without scores, not counted.", samples=counted(drawn.without_scores, "labelled sample"))
        if drawn.without_scores
        else ""
    )
    said = tell(
        HOW,
        labelled=Quantity(rates.n_labels, "count"),
        samples=counted(rates.n_samples, "sample"),
        unscored=Quantity(rates.unscored, "count"),
        drawn=by + (say(DESIGN) if drawn.by_design else ""),
        method=method,
        titles=" + ".join(map(slice_metric_title, metrics)),
        weight=Quantity(None if isnan(rates.lambda_) else rates.lambda_),
    )
    return (*said, left) if left else said


def _level(each: SliceEstimate) -> tuple[Value, ...]:
    rates = each.estimates
    if not each.enough:
        return each.level, rates.n_samples, rates.n_labels, None, None, say(INSUFFICIENT), None
    return (
        *(each.level, rates.n_samples, rates.n_labels),
        *(rates.naive, rates.labels_only, rates.ppi, rates.effective_n),
    )
