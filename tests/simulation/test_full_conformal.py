"""Full conformal sets of one metric: how often they hold the label, and how many samples they decide, beside the split.

`HCAT_DRAWS=1000 pytest -s tests/simulation/test_full_conformal.py` prints the table of decision 0091.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.calibration.conformal.candidates import candidates_of
from hcat.core.calibration.conformal.full import FullConformal, full_sets
from hcat.core.calibration.conformal.mondrian import BY_CLASS, class_thresholds, conditional_sets
from hcat.core.calibration.conformal.score_cells import score_cells
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity
from hcat.core.calibration.maps.methods import find_method
from hcat.core.errors import NoMaximumError
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", "40"))
RUN = 600
ALPHA = 0.1

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _logistic(score: Floats, slope: float, at: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-slope * (score - at))))


@dataclass(frozen=True)
class Kind:
    """Scores of a run and what people say of them; `design` gives the probability to be drawn, relative to others."""

    draw: Callable[[np.random.Generator], tuple[Floats, Bools]]
    method: str = "logistic"
    by_class: bool = False
    design: Callable[[Floats], Floats] | None = None


def _of(
    slope: float, at: float = 0.0, digits: int | None = None
) -> Callable[[np.random.Generator], tuple[Floats, Bools]]:
    def draw(rng: np.random.Generator) -> tuple[Floats, Bools]:
        score = rng.normal(size=RUN) if digits is None else np.round(rng.normal(size=RUN), digits)
        return score, rng.random(RUN) < _logistic(score, slope, at)

    return draw


def _hump(rng: np.random.Generator) -> tuple[Floats, Bools]:
    score = rng.normal(size=RUN)
    return score, rng.random(RUN) < 0.1 + 0.8 * (np.abs(score) < 0.8)


def _skewed(rng: np.random.Generator) -> tuple[Floats, Bools]:
    score = rng.lognormal(sigma=1.5, size=RUN)
    return score, rng.random(RUN) < _logistic(np.log(score), 2.0, 0.0)


KINDS = {
    "useful": Kind(_of(2.5)),
    "useless": Kind(_of(0.0)),
    "rare failures": Kind(_of(2.0, at=-2.5)),
    "five scores": Kind(_of(2.5, digits=0)),
    "no curve": Kind(_hump),
    "skewed": Kind(_skewed),
    "isotonic": Kind(_of(2.5), method="isotonic"),
    "platt": Kind(_of(2.5), method="platt"),
    "by class": Kind(_of(2.5), by_class=True),
    "weights": Kind(_of(2.5), design=lambda score: np.where(np.abs(score) < 0.7, 1.0, 0.15)),
}


def _drawn(rng: np.random.Generator, kind: Kind, score: Floats, n: int) -> tuple[NDArray[np.intp], Floats | None]:
    """The labelled samples, and the weight of each sample of the run."""
    if kind.design is None:
        return rng.choice(RUN, n, replace=False), None
    # Each sample is drawn by itself, so that its probability is the one that is stated.
    rate = kind.design(score)
    rate = np.minimum(rate * n / rate.sum(), 1.0)
    return np.flatnonzero(rng.random(RUN) < rate), 1 / rate


def _full(kind: Kind, score: Floats, passed: Bools, drawn: NDArray[np.intp], weights: Floats | None) -> Bools:
    candidates = candidates_of(kind.method, "higher", by_level=False)
    assert candidates is not None
    sets = full_sets(
        FullConformal(score_cells(score), candidates),
        score[drawn],
        passed[drawn].astype(np.intp),
        n_levels=2,
        alpha=ALPHA,
        by=BY_CLASS if kind.by_class else None,
        weights=None if weights is None else weights[drawn],
    )
    return sets.sets_at(score, weights=weights)


def _divided(kind: Kind, score: Floats, passed: Bools, drawn: NDArray[np.intp], weights: Floats | None) -> Bools:
    """What 40% of the labels to fit with and 30% to set the threshold with give."""
    fit, rest = drawn[: round(0.4 * len(drawn))], drawn[round(0.4 * len(drawn)) : round(0.7 * len(drawn))]
    w = None if weights is None else weights[fit]
    fitted = find_method(kind.method).fit(score[fit], passed[fit], metrics=("m",), weights=w, directions=("higher",))
    p = fitted.probability(score[:, None])
    s, given = nonconformity(p[rest], passed[rest]), passed[rest].astype(np.intp)
    if kind.by_class:
        made = class_thresholds(s, given, names=("fail", "pass"), alpha=ALPHA)
        return conditional_sets(np.column_stack([p, 1 - p]), made)
    heaviest, lightest = (None, None) if weights is None else (float(weights.max()), float(weights.min()))
    of_rest = None if weights is None else weights[rest]
    threshold = conformal_quantile(s, alpha=ALPHA, weights=of_rest, new_weight=heaviest, lightest=lightest)
    return np.column_stack([p, 1 - p]) <= threshold.q_hats_at(weights, RUN)[:, None]


def _measured(name: str, n: int, by: Callable[..., Bools], draws: int) -> tuple[Floats, Floats, Floats]:
    """Of each draw: the coverage of the samples without a label, that of fails among them, and the share decided."""
    kind, rng = KINDS[name], np.random.default_rng(n)
    found: list[tuple[float, float, float]] = []
    while len(found) < draws:
        score, passed = kind.draw(rng)
        drawn, weights = _drawn(rng, kind, score, n)
        # A draw without a class takes no map, full or divided: those with one of each are compared.
        if len(np.unique(passed[drawn[: round(0.4 * len(drawn))]])) < 2:
            continue
        other = np.ones(RUN, dtype=bool) if weights is not None else ~np.isin(np.arange(RUN), drawn)
        try:
            sets = by(kind, score, passed, drawn, weights)[other]
        except NoMaximumError:
            continue
        given = passed[other].astype(np.intp)
        held = sets[np.arange(len(given)), given]
        fails = held[given == 0].mean() if (given == 0).any() else np.nan
        found.append((float(held.mean()), float(fails), float((sets.sum(axis=1) == 1).mean())))
    coverage, of_fails, decided = np.array(found).T
    return coverage, of_fails, decided


def _said(values: Floats) -> str:
    low, high = np.quantile(values, [0.05, 0.95])
    return f"{values.mean():.3f} ({low:.2f}–{high:.2f})"


@pytest.mark.parametrize(("name", "n"), each_value_once(list(KINDS), [20, 40, 63, 100, 300]))
def test_sets_hold_the_label_as_often_as_promised(name: str, n: int) -> None:
    coverage, of_fails, decided = _measured(name, n, _full, DRAWS)
    before = _measured(name, n, _divided, DRAWS)
    error = coverage.std() / np.sqrt(DRAWS)
    print(
        f"{name:14s} n={n:3d}: coverage {_said(coverage)} ± {error:.4f}, decided {_said(decided)}; divided: coverage "
        f"{_said(before[0])}, decided {_said(before[2])}; {DRAWS} draws"
    )
    least = of_fails[np.isfinite(of_fails)] if KINDS[name].by_class else coverage
    assert least.mean() >= 1 - ALPHA - 4 * least.std() / np.sqrt(len(least))
