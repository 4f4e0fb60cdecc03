"""What the answers of an opened run show of groups of people: over the same questions, or matched."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.robustness_outcomes import PairedOutcome, paired_outcomes
from core.analysis.run_data import RunData
from core.analysis.slice_metrics import default_score
from core.arrays import Floats
from core.calibration.calibration import Calibration
from core.errors import HcatError
from core.estimates.fairness.gap import Gap, judged, paired_gap
from core.estimates.fairness.matched import matched_gap
from core.metrics.registry import metrics
from core.metrics.sample_view import SampleView, placed_sentences
from core.records.clusters import clusters_of
from core.records.fairness import ALL_OUTCOMES, FairnessSettings
from core.testgen.variants.counterfactual.comparison import Comparable, ComparedGroups, Fairness, OutcomeGaps
from core.testgen.variants.counterfactual.pairing import GroupPair, groups_asked, pair_groups
from core.text import sentences
from core.types import Criterion, Sample
from core.weakness.keys import CORRECTED

if TYPE_CHECKING:
    import pandas as pd

OF_ANSWERS = ("refusal", "answer_length")
"""What every answer shows without scores."""
BY_DEFAULT = (CORRECTED, *OF_ANSWERS, "sentiment", "toxicity")
"""Compared where there are values of them, with labels and the metric that the run is judged by."""
MINIMUM_N = 10


@dataclass(frozen=True)
class _Outcomes:
    """The outcomes to compare by, with the settings of the comparison."""

    outcomes: tuple[PairedOutcome, ...]
    settings: FairnessSettings


def comparable(
    run: RunData,
    *,
    by: str | None = None,
    criteria: Sequence[Criterion] = (),
    calibration: Calibration | None = None,
) -> Comparable:
    """The groups and the outcomes that `compare_groups`, or `compare_levels` of the dimension `by`, can compare."""
    groups = groups_asked(run.columns.samples)
    if by is not None:
        frame = run.columns.dimensions
        groups = {by: tuple(sorted({*_levels(frame[by])} - {""}))} if by in frame.columns else {}
    return Comparable(groups, tuple(_present(run, criteria, calibration)))


def compare_groups(
    run: RunData,
    settings: FairnessSettings,
    *,
    criteria: Sequence[Criterion] = (),
    calibration: Calibration | None = None,
    minimum_n: int = MINIMUM_N,
) -> Fairness:
    """Each group beside its reference over the same questions. HcatError where the run has no two groups to compare."""
    samples = run.columns.samples
    pairs = pair_groups(samples, settings.references)
    if not pairs:
        raise HcatError(
            f"run {run.name!r} has no counterfactual variants of two groups: make them with `hcat perturb --family "
            "gender`, ask the system, and give that run; or name with --by a dimension that holds groups"
        )
    outcomes = _outcomes(run, criteria, calibration, settings)
    clusters = clusters_of(samples)
    values = {each.name: _paired(each, pairs) for each in outcomes.outcomes}
    gaps = [
        (outcome, gap)
        for outcome in outcomes.outcomes
        for gap in _gaps(outcome, pairs, values[outcome.name], clusters, settings, minimum_n)
    ]
    compared = tuple(
        ComparedGroups(pair, {name: (float(own[n]), float(other[n])) for name, (own, other) in values.items()})
        for n, pair in enumerate(pairs)
    )
    return _fairness(run.name, outcomes, gaps, compared, minimum_n, None)


def compare_levels(
    run: RunData,
    dimension: str,
    settings: FairnessSettings,
    *,
    match: Sequence[str] = ("topic", "query_type"),
    criteria: Sequence[Criterion] = (),
    calibration: Calibration | None = None,
    minimum_n: int = MINIMUM_N,
) -> Fairness:
    """The levels of a dimension that says whom each sample concerns, compared within strata of the dimensions `match`
    that the run has. HcatError for an unknown dimension, or one level alone."""
    frame, samples = run.columns.dimensions, run.columns.samples
    if dimension not in frame.columns:
        listed = ", ".join(map(str, frame.columns)) or "none"
        raise HcatError(f"no dimension {dimension!r} in run {run.name!r}: there are {listed}")
    matched = tuple(name for name in match if name in frame.columns and name != dimension)
    levels = _levels(frame[dimension])
    of_strata = [_levels(frame[name]) for name in matched]
    strata = ["\n".join(levels[n] for levels in of_strata) for n in range(len(samples))]
    present = sorted({level for level in levels if level})
    reference = settings.references.get(dimension, present[0] if present else "")
    if reference not in present or len(present) < 2:
        raise HcatError(f"{dimension!r} needs two groups or more, one of them {reference!r}: there are {present}")
    outcomes = _outcomes(run, criteria, calibration, settings)
    clusters = clusters_of(samples)
    gaps = [
        (
            outcome,
            matched_gap(
                np.array([outcome.variants.get(sample.id, math.nan) for sample in samples], dtype=np.float64),
                levels,
                strata,
                [clusters[sample.id] for sample in samples],
                attribute=dimension,
                group=group,
                reference=reference,
                margin=settings.margin_of(outcome.name, outcome.within),
                minimum_n=minimum_n,
                alpha=settings.alpha,
            ),
        )
        for outcome in outcomes.outcomes
        for group in present
        if group != reference
    ]
    return _fairness(run.name, outcomes, gaps, (), minimum_n, matched)


def _levels(column: pd.Series) -> list[str]:
    """The level of each sample, "" where it has none."""
    return ["" if level is None or level != level else str(level) for level in column]


def _fairness(
    name: str,
    outcomes: _Outcomes,
    gaps: Sequence[tuple[PairedOutcome, Gap]],
    pairs: tuple[ComparedGroups, ...],
    minimum_n: int,
    matched_on: tuple[str, ...] | None,
) -> Fairness:
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


def _gaps(
    outcome: PairedOutcome,
    pairs: Sequence[GroupPair],
    values: tuple[Floats, Floats],
    clusters: dict[str, str],
    settings: FairnessSettings,
    minimum_n: int,
) -> Iterator[Gap]:
    for attribute, group in dict.fromkeys((pair.attribute, pair.group) for pair in pairs):
        rows = [n for n, pair in enumerate(pairs) if (pair.attribute, pair.group) == (attribute, group)]
        yield paired_gap(
            values[0][rows],
            values[1][rows],
            [clusters[pairs[n].answers[0].id] for n in rows],
            attribute=attribute,
            group=group,
            reference=pairs[rows[0]].reference,
            margin=settings.margin_of(outcome.name, outcome.within),
            within=outcome.within,
            minimum_n=minimum_n,
            alpha=settings.alpha,
        )


def _paired(outcome: PairedOutcome, pairs: Sequence[GroupPair]) -> tuple[Floats, Floats]:
    """The mean over trials of each question, for the group and for its reference."""
    mean = partial(_mean, outcome)
    own = np.array([mean(pair.answers) for pair in pairs], dtype=np.float64)
    return own, np.array([mean(pair.of_reference) for pair in pairs], dtype=np.float64)


def _mean(outcome: PairedOutcome, samples: Sequence[Sample]) -> float:
    values = [value for sample in samples if math.isfinite(value := outcome.variants.get(sample.id, math.nan))]
    return sum(values) / len(values) if values else math.nan


def _outcomes(
    run: RunData, criteria: Sequence[Criterion], calibration: Calibration | None, settings: FairnessSettings
) -> _Outcomes:
    """Those asked for, in that order; by default labels, the calibrated probability, and what concerns people."""
    scored = run.columns.given_scores is not None
    present = _present(run, criteria, calibration)
    asked = settings.outcomes
    if ALL_OUTCOMES in asked:
        return _Outcomes(tuple(present.values()), settings)
    if unknown := [name for name in asked if name not in present]:
        raise HcatError(f"no values of {', '.join(unknown)} in run {run.name!r}: there are {', '.join(present)}")
    by_default = (*BY_DEFAULT, *([default_score(run.columns)] if scored else []))
    chosen = asked or [name for name, each in present.items() if each.by_labels or name in by_default]
    return _Outcomes(tuple(present[name] for name in chosen), settings)


def _present(run: RunData, criteria: Sequence[Criterion], calibration: Calibration | None) -> dict[str, PairedOutcome]:
    present = {each.name: each for each in paired_outcomes(run, run, criteria, calibration, None)}
    return present | {each.name: each for each in _of_answers(run.columns.samples) if each.name not in present}


def _of_answers(samples: Sequence[Sample]) -> Iterator[PairedOutcome]:
    for metric in metrics():
        if metric.name in OF_ANSWERS:
            values = {
                sample.id: float(value)
                for sample in samples
                if sample.answer is not None and (value := metric(_view(sample)).score.value) is not None
            }
            yield PairedOutcome(metric.name, metric.direction, metric.range, values, values)


def _view(sample: Sample) -> SampleView:
    return SampleView(sample, {"answer": placed_sentences(sample, "answer", sentences)})
