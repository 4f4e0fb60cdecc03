"""The outcomes that groups of people are compared on, and the verdicts over all comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.capabilities.fairness.counterfactual.comparison import ComparedGroups, Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.gap import Gap, judged
from hcat.core.capabilities.robustness.analysis.robustness_outcomes import PairedOutcome, paired_outcomes
from hcat.core.capabilities.weaknesses.slice_metrics import default_score
from hcat.core.errors import HcatError
from hcat.core.metrics.registry import metrics
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.fairness import ALL_OUTCOMES, FairnessSettings
from hcat.core.refusals.state import REFUSALS
from hcat.core.slices.keys import CORRECTED

OF_ANSWERS = ("refusal", "answer_length")
"""The outcomes that every answer has without scores."""
BY_DEFAULT = (CORRECTED, *OF_ANSWERS, "sentiment", "toxicity")
"""Compared where there are values of them, with labels and the metric that the run is judged by."""
MINIMUM_N = 10


@dataclass(frozen=True)
class Outcomes:
    """The outcomes to compare by, with the settings of the comparison."""

    outcomes: tuple[PairedOutcome, ...]
    settings: FairnessSettings


def chosen_outcomes(run: Opened, settings: FairnessSettings) -> Outcomes:
    """Those asked for, in that order; by default labels, the calibrated probability, and what concerns people."""
    scored = run.columns.given_scores is not None
    present = present_outcomes(run)
    asked = settings.outcomes
    if ALL_OUTCOMES in asked:
        return Outcomes(tuple(present.values()), settings)
    if unknown := [name for name in asked if name not in present]:
        raise HcatError(f"no values of {', '.join(unknown)} in run {run.name!r}: there are {', '.join(present)}")
    by_default = (*BY_DEFAULT, *([default_score(run.columns)] if scored else []))
    chosen = asked or [name for name, each in present.items() if each.by_labels or name in by_default]
    return Outcomes(tuple(present[name] for name in chosen), settings)


def present_outcomes(run: Opened) -> dict[str, PairedOutcome]:
    """By name, all outcomes that the run has values of."""
    present = {each.name: each for each in paired_outcomes(run, run)}
    return present | {each.name: each for each in _of_answers(run.columns) if each.name not in present}


def _of_answers(columns: RunColumns) -> Iterator[PairedOutcome]:
    """By the columns of the run, for the samples whose answers these metrics score."""
    tokens = columns.sample_columns.numbers("answer_tokens")
    states = columns.sample_columns.levels("answer_state")
    declined = np.isin(states.codes, [code for code, name in enumerate(states.names) if name in REFUSALS])
    numbers = {"refusal": np.where(np.isnan(tokens), np.nan, declined.astype(np.float64)), "answer_length": tokens}
    ids = np.array(columns.sample_ids, dtype=object)
    for metric in metrics():
        if metric.name in OF_ANSWERS:
            known = ~np.isnan(numbers[metric.name])
            values = dict(zip(ids[known].tolist(), numbers[metric.name][known].tolist(), strict=True))
            yield PairedOutcome(metric.name, metric.direction, metric.range, values, values)


def judged_fairness(
    name: str,
    outcomes: Outcomes,
    gaps: Sequence[tuple[PairedOutcome, Gap]],
    pairs: tuple[ComparedGroups, ...],
    minimum_n: int,
    matched_on: tuple[str, ...] | None,
) -> Fairness:
    """The gaps with their verdicts over all of them (Holm), by outcome."""
    settings = outcomes.settings
    verdicts = judged([gap for _, gap in gaps], alpha=settings.alpha)
    by_outcome = {each.name: [gap for (of, _), gap in zip(gaps, verdicts, strict=True) if of is each]
                  for each in outcomes.outcomes}  # fmt: skip
    return Fairness(
        name,
        settings,
        tuple(
            OutcomeGaps(each.name, each.direction, _margin(settings, each), tuple(by_outcome[each.name]))
            for each in outcomes.outcomes
        ),
        pairs,
        sum(math.isfinite(gap.p) for gap in verdicts),
        minimum_n,
        matched_on,
    )


def _margin(settings: FairnessSettings, outcome: PairedOutcome) -> float | None:
    margin = settings.margin_of(outcome.name, outcome.within)
    return None if math.isnan(margin) else margin
