"""Predictions for every sample of a run from maps that were not fitted to the sample's own label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.maps.methods import find_method
from hcat.core.errors import HcatError, NotEnoughLabelsError
from hcat.core.statistics.partition import FOLDS, assign_folds
from hcat.core.types import Direction

LEAST_TO_FIT = 10
LEAST_OF_EACH_CLASS = 3
LEAST_OF_A_STRATUM = 20
"""The least number of labels outside a fold, about 25 in all, for a stratum to have a map of its own.

With fewer it was slightly worse than one map for all (decision 0096)."""


def cross_fit(
    X: Floats,
    passed: Floats,
    *,
    keys: Sequence[str],
    metrics: Sequence[str],
    method: str = "logistic",
    weights: Floats | None = None,
    folds: int = FOLDS,
    directions: Sequence[Direction] | None = None,
    strata: Sequence[str] | None = None,
) -> Floats:
    """The probability of a pass of each of N samples, (N,); NaN if the method lacks a score that it needs.

    `X` (N, metrics), `passed` (N,) 1, 0 or NaN if unlabelled, `weights` (N,) as in `LabelledRun`. Every sample,
    labelled or not, belongs to a fold by the hash of its key (its cluster, if it has one), and gets its probability
    from a map fitted on the labels of all other folds. So within a fold labelled and unlabelled samples are treated
    alike, and a label that corrects a prediction did not influence it: no label serves twice. `directions` say in which
    direction each metric improves, by default those of the registry. If labels were drawn by `strata` (N,), a stratum
    with enough labels is predicted by maps of its own labels: a metric that is uninformative there then has no effect,
    and does not weaken the map of the others. NotEnoughLabelsError if the labels outside some fold are fewer than 10,
    or fewer than 3 of a class; NoMaximumError if the method has no map for them. Source: Zrnic & Candès 2024,
    Cross-Prediction-Powered Inference; Chernozhukov et al. 2018, section 3; for strata Fisch et al. 2024, Stratified
    Prediction-Powered Inference."""
    if folds < 2:
        raise HcatError(f"cross-fitting takes at least 2 folds, not {folds}")
    fitting = find_method(method)
    fold_of = assign_folds(tuple(keys), folds=folds)
    names = np.array(keys, dtype=np.object_) if fitting.inner_folds else None
    finite = np.isfinite(X)
    scored = finite.any(axis=1) if fitting.takes_unscored else finite.all(axis=1)
    usable = np.flatnonzero(scored & ~np.isnan(passed))
    equal = weights is None or not len(usable) or np.ptp(weights[usable]) == 0
    probability = np.full(len(passed), np.nan)
    codes = np.zeros(len(passed), dtype=np.intp) if strata is None else np.unique(strata, return_inverse=True)[1]
    for fold in range(folds):
        to_predict = (fold_of == fold) & scored
        for members, outside in _parts(codes, usable[fold_of[usable] != fold], passed):
            inside = np.flatnonzero(to_predict & members)
            if not len(inside):
                continue
            labels = passed[outside]
            _require(labels, folds)
            fitted = fitting.fit(
                X[outside],
                labels,
                metrics=metrics,
                weights=None if weights is None or equal else weights[outside],
                groups=None if names is None else names[outside],
                directions=directions,
            )
            probability[inside] = fitted.probability(X[inside])
    return probability


def _parts(codes: Ints, outside: Ints, passed: Floats) -> Iterator[tuple[Bools, Ints]]:
    """The samples (N,) that share a map, and the labelled rows outside the fold to which it is fitted.

    Each stratum with enough labels has its own; the others share all rows. No label of the fold influences its own
    prediction."""
    others = np.ones(len(codes), dtype=np.bool_)
    for code in range(int(codes.max(initial=0)) + 1):
        own = outside[codes[outside] == code]
        if LEAST_OF_A_STRATUM <= len(own) < len(outside) and _short(passed[own]) <= 0:
            others &= codes != code
            yield codes == code, own
    yield others, outside


def _require(passed: Floats, folds: int) -> None:
    passes = int(passed.sum())
    fails = len(passed) - passes
    short = _short(passed)
    if short > 0:
        raise NotEnoughLabelsError(
            f"a map for one fold of {folds} has {passes} labels “pass” and {fails} “fail” to fit on: it needs "
            f"{LEAST_TO_FIT}, with {LEAST_OF_EACH_CLASS} of each",
            needed=short,
        )


def _short(passed: Floats) -> int:
    """The number of labels that a map lacks; 0 or less if there are enough."""
    passes = int(passed.sum())
    fails = len(passed) - passes
    return max(LEAST_TO_FIT - len(passed), LEAST_OF_EACH_CLASS - passes, LEAST_OF_EACH_CLASS - fails)
