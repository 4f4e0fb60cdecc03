"""The results overall: the share of answers that people would pass, in three estimates; and the same by slice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.estimates.slices import SliceEstimate
from hcat.core.report.evidence.records import Evidence, PassRateEvidence
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import Block, Callout, Column, Paragraph, Quantity, Section, Table, Value
from hcat.core.wording.pass_rate import ESTIMANDS, answers_like_these_sentence, these_answers_sentence

LEADING_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
RATES = (
    "Each pass rate is stated in three ways. Naive: the machine's verdicts taken as if they were people's; biased, so "
    "that it has no interval. Labels only: the share of labels that pass, weighted by how samples were drawn. "
    "Prediction-powered (PPI++): the machine's mean, corrected by its average error on the labelled samples; valid "
    "however good or bad the machine is. The effective number of labels says how many labels of a simple random sample "
    "would be about as precise."
)
NONE = "No pass rate was corrected: that needs labels and a saved calibration."


def results_section(evidence: Evidence) -> Section:
    """The pass rate of every run on every criterion, corrected by labels."""
    if not evidence.pass_rates:
        return Section("results", say("Results overall"), (Paragraph((say(NONE),)),))
    blocks: list[Block] = [Paragraph((say(RATES),)), Paragraph((say(ESTIMANDS),))]
    for item in evidence.pass_rates:
        what = say(
            "Predictions: {item.method} on {titles}, cross-fitted. {item.estimates.note}",
            item=item,
            titles=evidence.titles(item.metrics),
        )
        blocks += [
            *_by_rule(item),
            _rates(say("Pass rate {of}", of=_of(item)), say("Run"), {item.run: item.estimates}, what.strip()),
            *_of_these(item),
            *_tied(item),
        ]
    return Section("results", say("Results overall"), tuple(blocks))


def slice_rates(evidence: Evidence) -> Iterator[Table]:
    """The corrected pass rates by level of each dimension; levels with too few labels are counted only."""
    for item in evidence.pass_rates:
        for dimension, slices in item.slices.items():
            shown = {estimate.level: estimate.estimates for estimate in _in_order(slices) if estimate.enough}
            left_out = len(slices) - len(shown)
            note = say("Each interval is valid on its own; they are not valid jointly.")
            note += (
                say(" {levels} with too few labels left out.", levels=counted(left_out, "level")) if left_out else ""
            )
            if shown:
                yield _rates(
                    say("Pass rate by {dimension}, {of}", dimension=dimension, of=_of(item)), dimension, shown, note
                )


def _of(item: PassRateEvidence) -> str:
    return say("on {item.criterion}, run {item.run}", item=item)


def _of_these(item: PassRateEvidence) -> list[Block]:
    """The same rate in two sentences, of these answers and of answers like these."""
    here = these_answers_sentence(item.estimates)
    return [Paragraph((f"{here} {answers_like_these_sentence(item.estimates)}",))] if here else []


def _tied(item: PassRateEvidence) -> list[Block]:
    """What the rate would be once the samples on which annotators tie are decided."""
    if item.tied is None:
        return []
    text = tell(
        "The prediction-powered rate leaves out {ties} tied samples: it would be {failed} if all of these failed, and "
        "{passed} if all passed.",
        ties=Quantity(item.tied.ties, "count"),
        failed=Quantity(item.tied.failed.value, "percent"),
        passed=Quantity(item.tied.passed.value, "percent"),
    )
    return [Paragraph(text)]


def _by_rule(item: PassRateEvidence) -> list[Block]:
    """A warning where no person labelled some of the samples behind a rate."""
    if not item.by_rule:
        return []
    text = tell(
        "{by_rule} of the {n_labels} labelled samples behind these rates were labelled by a rule, "
        "since no person labelled them. To that extent the rates describe that rule, not human "
        "judgement.",
        by_rule=Quantity(item.by_rule, "count"),
        n_labels=Quantity(item.estimates.n_labels, "count"),
    )
    return [Callout("warning", say("Labels by a rule, {of}", of=_of(item)), text)]


def _in_order(slices: Sequence[SliceEstimate]) -> list[SliceEstimate]:
    """Ranges of numbers in rising order; other levels as they come."""
    starts = [LEADING_NUMBER.match(estimate.level) for estimate in slices]
    if not all(starts):
        return list(slices)
    return sorted(slices, key=lambda estimate: float(LEADING_NUMBER.findall(estimate.level)[0]))


def _rates(title: str, first: str, rows: dict[str, PassRateEstimates], note: str) -> Table:
    columns = (
        Column(first),
        column("Samples", "count"),
        column("Labels", "count"),
        column("Naive", "share"),
        column("Labels only", "share"),
        column("Prediction-powered", "share"),
        column("Effective labels", "count"),
    )
    return Table(title, columns, tuple(_row(name, rates) for name, rates in rows.items()), (note,))


def _row(name: str, rates: PassRateEstimates) -> tuple[Value, ...]:
    return (name, rates.n_samples, rates.n_labels, rates.naive, rates.labels_only, rates.ppi, rates.effective_n)
