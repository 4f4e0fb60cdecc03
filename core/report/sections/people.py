"""The section on human judgement: how far annotators agree, and the pass rates that their labels correct."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.estimates.prediction_powered import PassRateEstimates
from core.estimates.slices import SliceEstimate
from core.report.evidence.records import AgreementEvidence, Evidence, PassRateEvidence
from core.report.tree import Block, Callout, Column, Heading, Paragraph, Quantity, Section, Table, Value
from core.wording.agreement import coefficient_text, few_minority_labels

LEADING_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
RATES = (
    "Each pass rate is estimated in three ways. Naive: the machine's verdicts taken as if they were people's; biased, "
    "with too narrow an interval. Labels only: the share of labels that pass, weighted by how samples were drawn. "
    "Prediction-powered (PPI++): the machine's mean, corrected by its average error on the labelled samples; valid "
    "however good or bad the machine is. The effective number of labels says how many labels of a simple random sample "
    "would give the same standard error."
)


def people_section(evidence: Evidence) -> Section:
    """Agreement between annotators, and corrected pass rates of runs and of their slices."""
    blocks: list[Block] = [Heading("Agreement between annotators")]
    if not evidence.agreements:
        blocks.append(Paragraph(("No two people labelled the same samples: their agreement is unknown.",)))
    blocks += [_agreement(item) for item in evidence.agreements]
    blocks.append(Heading("Corrected pass rates"))
    if not evidence.pass_rates:
        blocks.append(Paragraph(("No pass rate was corrected: that needs labels and a saved calibration.",)))
    else:
        blocks.append(Paragraph((RATES,)))
        blocks += [block for item in evidence.pass_rates for block in _pass_rates(evidence, item)]
    return Section("people", "Human judgement", tuple(blocks))


def _agreement(item: AgreementEvidence) -> Table:
    agreement = item.agreement
    columns = (Column("Coefficient"), Column("Estimate", "estimate"))
    note = (
        "Of ",
        Quantity(agreement.annotators, "count"),
        " people, over the samples that two or more of them labelled. Intervals are by Bayesian bootstrap over "
        "samples, or over clusters where some have several samples.",
        *(() if agreement.enough else (" There are too few of these samples to conclude anything.",)),
        *((f" {few}",) if (few := few_minority_labels(agreement)) else ()),
    )
    rows = tuple(
        (name, made if agreement.is_shown(name) else coefficient_text(agreement, name))
        for name, made in agreement.coefficients.items()
    )
    return Table(f"Agreement on {item.criterion}, run {item.run}", columns, rows, note)


def _pass_rates(evidence: Evidence, item: PassRateEvidence) -> list[Block]:
    of = f"on {item.criterion}, run {item.run}"
    what = f"Predictions: {item.method} on {evidence.titles(item.metrics)}, cross-fitted. {item.estimates.note}"
    tables: list[Block] = []
    if item.by_rule:
        text = (
            Quantity(item.by_rule, "count"),
            " of the ",
            Quantity(item.estimates.n_labels, "count"),
            " labelled samples behind these rates were labelled by a rule, since no person labelled them. To that "
            "extent the rates describe that rule, not human judgement.",
        )
        tables.append(Callout("warning", f"Labels by a rule, {of}", text))
    tables.append(_rates(f"Pass rate {of}", "Run", {item.run: item.estimates}, what.strip()))
    for dimension, slices in item.slices.items():
        shown = {estimate.level: estimate.estimates for estimate in _in_order(slices) if estimate.enough}
        left_out = len(slices) - len(shown)
        note = "Each interval is valid on its own; they are not valid jointly."
        note += f" {left_out} levels with too few labels are left out." if left_out else ""
        if shown:
            tables.append(_rates(f"Pass rate by {dimension}, {of}", dimension, shown, note))
    return tables


def _in_order(slices: Sequence[SliceEstimate]) -> list[SliceEstimate]:
    """Ranges of numbers in rising order; other levels as they come."""
    starts = [LEADING_NUMBER.match(estimate.level) for estimate in slices]
    if not all(starts):
        return list(slices)
    return sorted(slices, key=lambda estimate: float(LEADING_NUMBER.findall(estimate.level)[0]))


def _rates(title: str, first: str, rows: dict[str, PassRateEstimates], note: str) -> Table:
    columns = (
        Column(first),
        Column("Samples", "count"),
        Column("Labels", "count"),
        Column("Naive", "share"),
        Column("Labels only", "share"),
        Column("Prediction-powered", "share"),
        Column("Effective labels", "count"),
    )
    return Table(title, columns, tuple(_row(name, rates) for name, rates in rows.items()), (note,))


def _row(name: str, rates: PassRateEstimates) -> tuple[Value, ...]:
    return (name, rates.n_samples, rates.n_labels, rates.naive, rates.labels_only, rates.ppi, rates.effective_n)
