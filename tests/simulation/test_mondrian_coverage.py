"""Coverage within classes and within groups, and of isotonic maps, by simulation with fixed seeds."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.conformal.mondrian import class_thresholds, conditional_sets, group_thresholds
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity, prediction_sets
from hcat.core.calibration.maps.isotonic import fit_isotonic
from hcat.core.calibration.maps.isotonic_steps import fit_isotonic_steps
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.calibration.maps.maximum_likelihood import fit_maximum_likelihood
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.errors import HcatError

DRAWS = int(os.environ.get("HCAT_DRAWS", "400"))
"""1000 in `make simulate`."""


def labelled(rng: np.random.Generator, n: int) -> tuple[Floats, Bools, NDArray[np.str_]]:
    """Two groups, in the smaller of which the score says little; one class is rare."""
    group = rng.random(n) < 0.3
    score = rng.normal(size=n)
    steep = np.where(group, 0.3, 3.0)
    return score, rng.random(n) < 1 / (1 + np.exp(-(steep * score + 1.2))), np.where(group, "hard", "easy")


def lowest(promised: float, n: int) -> float:
    return float(stats.binom.ppf(0.0005, n, promised)) / n


@pytest.mark.parametrize("alpha", [0.2, 0.1])
def test_coverage_by_class_and_by_group(alpha: float) -> None:
    rng = np.random.default_rng(int(100 * alpha))
    fitted = fit_logistic(*labelled(rng, 400)[:2])
    new, n = 4, 200
    hits: dict[str, list[bool]] = {"fail": [], "pass": [], "hard": [], "easy": []}
    marginal: list[bool] = []
    for _ in range(DRAWS):
        score, passed, group = labelled(rng, n + new)
        p = fitted.probability(score)
        scores = nonconformity(p[:n], passed[:n])
        by_class = class_thresholds(scores, passed[:n], names=("fail", "pass"), alpha=alpha)
        by_group = group_thresholds(scores, group[:n].tolist(), by="area", alpha=alpha)
        plain = conformal_quantile(scores, alpha=alpha)
        table = np.column_stack([p[n:], 1 - p[n:]])
        y = passed[n:].astype(int)
        rows = np.arange(new)
        in_class = conditional_sets(table, by_class)[rows, y]
        in_group = conditional_sets(table, by_group, groups=group[n:].tolist())[rows, y]
        everywhere = prediction_sets(p[n:], plain.q_hat)[rows, y]
        for i in range(new):
            hits["pass" if y[i] else "fail"].append(bool(in_class[i]))
            hits[group[n + i]].append(bool(in_group[i]))
            if not y[i]:
                marginal.append(bool(everywhere[i]))
    for name, found in hits.items():
        # New samples of one draw share its threshold: their hits are taken as of half their number.
        assert np.mean(found) >= lowest(1 - alpha, len(found) // 2), name
        assert np.mean(found) <= 1 - alpha + 0.06, name
    # What this is for: one threshold for all leaves the rare class short of its coverage.
    assert np.mean(marginal) < lowest(1 - alpha, len(marginal) // 2)


@pytest.mark.parametrize("fit", [fit_isotonic, fit_isotonic_steps])
@pytest.mark.parametrize("alpha", [0.2, 0.05])
def test_sets_from_an_isotonic_map_cover(alpha: float, fit: Callable[[Floats, Bools], ProbabilityMap]) -> None:
    """The map has few levels, so that many scores tie: coverage is at least, not exactly, what was promised."""
    rng = np.random.default_rng(int(1000 * alpha))
    hits, n = 0, 60
    for _ in range(DRAWS):
        score, passed, _ = labelled(rng, 80 + n + 1)
        if passed[:80].min() == passed[:80].max():
            continue
        p = fit(score[:80], passed[:80]).probability(score)
        q_hat = conformal_quantile(nonconformity(p[80:-1], passed[80:-1]), alpha=alpha).q_hat
        hits += int(prediction_sets(p[-1:], q_hat)[0, int(passed[-1])])
    assert hits / DRAWS >= lowest(1 - alpha, DRAWS)


@pytest.mark.parametrize("alpha", [0.2, 0.05])
def test_sets_from_a_map_of_maximum_likelihood_cover_where_there_is_one(alpha: float) -> None:
    """A draw whose labels are separated has no map: it is refused by the labels that fit, not by those that set q̂."""
    rng = np.random.default_rng(int(1000 * alpha) + 1)
    hits, fitted, n = 0, 0, 60
    for _ in range(DRAWS):
        score, passed, _ = labelled(rng, 40 + n + 1)
        try:
            p = fit_maximum_likelihood(score[:40], passed[:40]).probability(score)
        except HcatError:
            continue
        fitted += 1
        q_hat = conformal_quantile(nonconformity(p[40:-1], passed[40:-1]), alpha=alpha).q_hat
        hits += int(prediction_sets(p[-1:], q_hat)[0, int(passed[-1])])
    assert fitted > DRAWS / 2
    assert lowest(1 - alpha, fitted) <= hits / fitted <= 1 - lowest(alpha - 1 / 61, fitted)
