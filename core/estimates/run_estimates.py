"""Corrected pass rates, or their difference, from the labels and scores of one run or two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Floats
from core.calibration.answer_scores import answer_scores
from core.calibration.dataset import positions_in
from core.errors import HcatError, NoMaximumError, NotEnoughLabelsError
from core.estimates.crossfit import cross_fit
from core.estimates.influence import LabelledRun
from core.estimates.paired_difference import DifferenceEstimates, estimate_difference
from core.labelling.consensus import Labels, resolve_labels
from core.statistics.effective_n import kish_n
from core.statistics.partition import FOLDS
from core.types import Criterion

if TYPE_CHECKING:
    from core.scoring.score_table import ScoreTable


EXTREME_WEIGHT = 5.0
"""A label that stands for more than so many times the average is an extreme one."""
LEAST_EFFECTIVE_SHARE = 1 / 3
"""Kish's effective number of labels below which, as a share of all, a design is said to be extreme."""


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run joined with its labels. `left_out` counts labelled samples by the reason why; `note` what was not done."""

    run: LabelledRun
    left_out: Mapping[str, int]
    note: str = ""


def compare_runs(
    first: tuple[Labels, ScoreTable],
    second: tuple[Labels, ScoreTable],
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    clusters: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
    strata: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
    folds: int = FOLDS,
    level: float = 0.95,
) -> DifferenceEstimates:
    """The difference in pass rate, second run minus first, paired by cluster.

    Each run is its labels and its scores. `clusters` map the sample ids of each run to clusters; without them equal
    sample ids are one cluster. Each run has its own maps, with folds by cluster.
    """
    prepared = []
    for position, (labels, scores) in enumerate((first, second)):
        ids = scores.sample_ids
        prepared.append(
            prepare_run(
                labels,
                scores,
                criterion=criterion,
                metrics=metrics,
                method=method,
                strata=None if strata is None else strata[position],
                clusters=dict(zip(ids, ids, strict=True)) if clusters is None else clusters[position],
                folds=folds,
            )
        )
    note = "; ".join(dict.fromkeys(run.note for run in prepared if run.note))
    return estimate_difference(prepared[0].run, prepared[1].run, level=level, note=note)


def unequal_design(weights: Floats) -> str:
    """A warning where labels were drawn with probabilities so unequal that their intervals can't be trusted, else "".

    The interval rests on the spread of weighted labels, which the few heavy ones decide; where they are few, it covers
    less than it says. Source: Kish 1965, section 11.7; Potter 1990, on extreme weights.
    """
    if not len(weights):
        return ""
    heaviest, effective = float(weights.max() / weights.mean()), kish_n(weights)
    if heaviest <= EXTREME_WEIGHT and effective >= LEAST_EFFECTIVE_SHARE * len(weights):
        return ""
    return (
        f"Labels were drawn with very unequal probabilities: the heaviest stands for {heaviest:.0f} times as many "
        f"samples as the average one, and by weight {len(weights)} labels count as {effective:.0f}. Intervals may "
        "cover less often than they say; draw some labels at random."
    )


def prepare_run(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    strata: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
    folds: int = FOLDS,
) -> PreparedRun:
    """Join labels with scores and predict every sample by cross-fitting; slices of the result can be estimated too.

    Labels are of this run (the caller filters) and of any criterion; several of one sample count as their majority.
    `strata` and `clusters` map a sample id to the stratum that it was drawn from and to its cluster. All samples of
    `scores` are the population's sample, unscored ones and refusals included: these have no prediction, but the labels
    on them count. Too few labels to fit a map, see `cross_fit`, or labels that the method has no map for, leave every
    prediction NaN, so that PPI++ is equal to labels only, and `note` says so.
    """
    names = tuple(dict.fromkeys(metrics))
    if not names:
        raise HcatError("a corrected pass rate needs at least one metric")
    ids = scores.sample_ids
    judged = resolve_labels(labels, criterion)
    rows = positions_in(scores, judged)
    in_scores = rows >= 0
    passed, weights = np.full(len(ids), np.nan), np.ones(len(ids))
    passed[rows[in_scores]] = judged.levels[in_scores] >= criterion.passing
    weights[rows[in_scores]] = judged.weights[in_scores]
    keys = _column(ids, clusters, "cluster")
    X = answer_scores(scores, names)
    note = ""
    try:
        prediction = cross_fit(
            X,
            passed,
            keys=keys or ids,
            metrics=names,
            method=method,
            weights=weights,
            folds=folds,
            directions=tuple(scores.directions(names).values()),
        )
    except (NotEnoughLabelsError, NoMaximumError) as error:
        prediction = np.full(len(ids), math.nan)
        note = f"No metric was used: {error}."
    strata_column = _column(ids, strata, "stratum")
    run = LabelledRun(
        passed,
        prediction,
        weights,
        None if strata_column is None else np.array(strata_column, dtype=np.str_),
        None if keys is None else np.array(keys, dtype=np.str_),
    )
    if warning := unequal_design(weights[rows[in_scores]]):
        note = f"{note} {warning}".strip()
    return PreparedRun(run, {"tie": judged.ties, "not in the scores": int(np.sum(~in_scores))}, note)


def _column(ids: Sequence[str], mapping: Mapping[str, str] | None, what: str) -> list[str] | None:
    if mapping is None:
        return None
    missing = next((sample_id for sample_id in ids if sample_id not in mapping), None)
    if missing is not None:
        raise HcatError(f"every sample of the run needs a {what}: there is none for {missing!r}")
    return [mapping[sample_id] for sample_id in ids]
