"""Corrected pass rates, or their difference, from the labels and scores of one run or two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.calibration.answer_scores import answer_scores
from hcat.core.calibration.dataset import positions_in
from hcat.core.display.messages import say
from hcat.core.errors import HcatError, NoMaximumError, NotEnoughLabelsError
from hcat.core.estimates.crossfit import cross_fit
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.paired_difference import DifferenceEstimates, estimate_difference
from hcat.core.labelling.consensus import Labels, resolve_labels
from hcat.core.records.samples.by_sample import NumberBySample, SampleOrder
from hcat.core.statistics.effective_n import kish_n
from hcat.core.statistics.partition import FOLDS
from hcat.core.types import Criterion

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


T = TypeVar("T")

EXTREME_WEIGHT = 5.0
"""A label with more than so many times the average weight is extreme."""
LEAST_EFFECTIVE_SHARE = 1 / 2
"""Kish's effective number of labels, as a share of all, below which a design is reported as extreme."""


@dataclass(frozen=True, slots=True)
class LabelDraw:
    """Whether labelled samples were drawn by stratum, and whether a sampling design drew their test cases; how many
    of them have no scores and are not counted."""

    by_stratum: bool = False
    by_design: bool = False
    without_scores: int = 0


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run joined with its labels. `left_out` counts labelled samples by the reason why; `note` says what was not
    done."""

    run: LabelledRun
    left_out: Mapping[str, int]
    note: str = ""

    @property
    def drawn(self) -> LabelDraw:
        """The way in which the labelled samples were drawn."""
        foreign = self.left_out.get("not in the scores", 0)
        return LabelDraw(self.run.strata is not None, self.run.design is not None, foreign)


def compare_runs(
    first: tuple[Labels, ScoreTable],
    second: tuple[Labels, ScoreTable],
    *,
    criterion: Criterion,
    metrics: Sequence[str],
    method: str = "logistic",
    clusters: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
    strata: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
    designs: tuple[Mapping[str, float] | None, Mapping[str, float] | None] = (None, None),
    folds: int = FOLDS,
    level: float = 0.95,
) -> DifferenceEstimates:
    """The difference in pass rate, second run less first, paired by cluster.

    Each run is its labels and its scores. `clusters` map the sample ids of each run to clusters; without them equal
    sample ids are one cluster. Each run has its own maps, with folds by cluster."""
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
                design=designs[position],
                folds=folds,
            )
        )
    note = "; ".join(dict.fromkeys(run.note for run in prepared if run.note))
    return estimate_difference(prepared[0].run, prepared[1].run, level=level, note=note)


def unequal_design(weights: Floats) -> str:
    """A warning if labels were drawn with probabilities too unequal for reliable intervals, else "".

    The interval depends on the spread of weighted labels, which the few heavy ones dominate; if they are few, and the
    metric that drew them misleads, it covers less than it says (decision 0087). Source: Kish 1965, section 11.7; Potter
    1990, on extreme weights."""
    if not len(weights):
        return ""
    heaviest, effective = float(weights.max() / weights.mean()), kish_n(weights)
    if heaviest <= EXTREME_WEIGHT and effective >= LEAST_EFFECTIVE_SHARE * len(weights):
        return ""
    return say(
        "Labels were drawn with very unequal probabilities: the heaviest stands for {heaviest:.0f} times as many "
        "samples as the average one, and by weight {labels} labels count as {effective:.0f}. Intervals may cover less "
        "often than they say if the scores that drew them mislead; draw some labels at random.",
        heaviest=heaviest,
        labels=len(weights),
        effective=effective,
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
    design: Mapping[str, float] | None = None,
    folds: int = FOLDS,
) -> PreparedRun:
    """The labels joined with scores, and a prediction for every sample by cross-fitting; slices can be estimated from
    it, too.

    Labels are of this run (the caller filters) and of any criterion; several of one sample count as their majority.
    `strata` and `clusters` map a sample id to the stratum that it was drawn from and to its cluster. All samples of
    `scores` are the population's sample, unscored ones and refusals included: these have no prediction, but the labels
    on them count. `design` are design weights by sample id, by default those that the scores record. With too few
    labels to fit a map, see `cross_fit`, or labels that the method has no map for, every prediction is NaN, so that
    PPI++ is equal to labels only, and `note` says so."""
    names = tuple(dict.fromkeys(metrics))
    if not names:
        raise HcatError("a corrected pass rate needs at least one metric")
    judged = resolve_labels(labels, criterion)
    joined = join_labels(
        judged,
        scores.sample_ids,
        criterion=criterion,
        positions=positions_in(scores, judged),
        strata=strata,
        clusters=clusters,
        design=scores.design_weights if design is None else design,
    )
    run, note = joined.run, ""
    try:
        prediction = cross_fit(
            answer_scores(scores, names),
            run.passed,
            keys=_column(scores.sample_ids, clusters, "cluster") or scores.sample_ids,
            metrics=names,
            method=method,
            weights=run.label_weights,
            folds=folds,
            directions=tuple(scores.directions(names).values()),
            strata=None if run.strata is None else run.strata.tolist(),
        )
    except (NotEnoughLabelsError, NoMaximumError) as error:
        prediction = run.prediction
        note = say("No metric was used: {error}.", error=error)
    return replace(joined, run=replace(run, prediction=prediction), note=f"{note} {joined.note}".strip())


def join_labels(
    labels: Labels,
    sample_ids: Sequence[str],
    *,
    criterion: Criterion,
    strata: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
    design: Mapping[str, float] | None = None,
    positions: Ints | None = None,
) -> PreparedRun:
    """The samples of a run with their labels, without predictions: estimates from it use labels alone.

    `positions` (n,) of the judged samples among all, −1 if they are not there, are looked up by default."""
    judged = resolve_labels(labels, criterion)
    rows = SampleOrder(sample_ids).rows(judged.sample_ids) if positions is None else positions
    inside = rows >= 0
    passed, weights = np.full(len(sample_ids), np.nan), np.ones(len(sample_ids))
    passed[rows[inside]] = judged.levels[inside] >= criterion.passing
    weights[rows[inside]] = judged.weights[inside]
    drawn_from, keys = _column(sample_ids, strata, "stratum"), _column(sample_ids, clusters, "cluster")
    run = LabelledRun(
        passed,
        np.full(len(sample_ids), math.nan),
        weights,
        None if drawn_from is None else np.array(drawn_from, dtype=np.str_),
        None if keys is None else np.array(keys, dtype=np.str_),
        _design(sample_ids, design),
    )
    left_out = {"tie": judged.ties, "not in the scores": int(np.sum(~inside))}
    return PreparedRun(run, left_out, unequal_design(run.label_weights[rows[inside]]))


def _design(sample_ids: Sequence[str], design: Mapping[str, float] | None) -> Floats | None:
    if isinstance(design, NumberBySample):
        weights: Floats = design.at(sample_ids)
        if not np.isnan(weights).any():
            return weights
    stated = _column(sample_ids, design, "design weight")
    return None if stated is None else np.array(stated, dtype=np.float64)


def _column(ids: Sequence[str], mapping: Mapping[str, T] | None, what: str) -> list[T] | None:
    if mapping is None:
        return None
    missing = next((sample_id for sample_id in ids if sample_id not in mapping), None)
    if missing is not None:
        raise HcatError(f"every sample of the run needs a {what}: there is none for {missing!r}")
    return [mapping[sample_id] for sample_id in ids]
