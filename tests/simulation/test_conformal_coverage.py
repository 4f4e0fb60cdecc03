"""Coverage by simulation with fixed seeds: over many draws of labels, sets hold the label as often as promised."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.conformal.threshold import conformal_quantile, nonconformity, prediction_sets
from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.discrimination import auc_estimate
from hcat.core.types import Criterion, Label

DRAWS = 1000
ALPHAS = (0.2, 0.1, 0.05)

Draws = NDArray[np.float64]


def labelled(rng: np.random.Generator, *shape: int) -> tuple[Draws, NDArray[np.bool_]]:
    """Scores and labels that follow no logistic curve: a map can't be right, and coverage must hold all the same."""
    score = rng.normal(size=shape)
    return score, rng.random(shape) < 0.1 + 0.8 * (np.abs(score) < 0.8)


def binomial_interval(probability: float, n: int) -> tuple[float, float]:
    """Where a share of n hits lies in 99.9 % of cases."""
    low, high = stats.binom.interval(0.999, n, probability)
    return low / n, high / n


def covered(p: Draws, passed: NDArray[np.bool_], q_hat: float) -> NDArray[np.bool_]:
    sets = prediction_sets(p, q_hat)
    return np.where(passed, sets[:, 1], sets[:, 0])


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [20, 57, 200])
def test_marginal_coverage(n: int, alpha: float) -> None:
    rng = np.random.default_rng(int(1000 * alpha) + n)
    fitted = fit_logistic(*labelled(rng, 300))
    score, passed = labelled(rng, DRAWS, n + 1)
    hits = 0
    for x, y in zip(score, passed, strict=True):
        p = fitted.probability(x)
        q_hat = conformal_quantile(nonconformity(p[:n], y[:n]), alpha=alpha).q_hat
        hits += int(covered(p[n:], y[n:], q_hat)[0])
    # Of n + 1 exchangeable samples the new one is as likely to hold any rank: coverage is ⌈(n+1)(1−α)⌉/(n+1), which
    # lies between 1 − α and 1 − α + 1/(n+1).
    expected = np.ceil(round((n + 1) * (1 - alpha), 9)) / (n + 1)
    assert 1 - alpha <= expected <= 1 - alpha + 1 / (n + 1)
    low, high = binomial_interval(expected, DRAWS)
    assert low <= hits / DRAWS <= high


@pytest.mark.parametrize("alpha", ALPHAS)
def test_coverage_under_unequal_sampling(alpha: float) -> None:
    """Samples that mostly fail were labelled ten times less often. Weighted sets cover them all, unweighted do not."""
    rng = np.random.default_rng(int(1000 * alpha))
    fitted = fit_logistic(*labelled(rng, 300))
    n, hits, naive_hits = 150, 0, 0
    for _ in range(DRAWS):
        score, passed = labelled(rng, 1200)
        drawn_with = np.where(np.abs(score) < 0.8, 1.0, 0.1)
        p = fitted.probability(score)
        s = nonconformity(p, passed)
        new = 1199  # a sample of the population; the others are there to be drawn
        drawn = np.flatnonzero(rng.random(new) < drawn_with[:new])[:n]
        weighted = conformal_quantile(s[drawn], alpha=alpha, weights=1 / drawn_with[drawn]).q_hat
        hits += int(s[new] <= weighted)
        naive_hits += int(s[new] <= conformal_quantile(s[drawn], alpha=alpha).q_hat)
    assert hits / DRAWS >= binomial_interval(1 - alpha, DRAWS)[0]
    # Conservative, not useless: the heaviest weight costs at most its share of all weight.
    assert hits / DRAWS <= 1 - alpha + 0.1
    if alpha >= 0.1:
        assert naive_hits / DRAWS < binomial_interval(1 - alpha, DRAWS)[0]


def test_coverage_of_the_whole_calibration() -> None:
    """Labels in, sets out, on samples that no calibration has seen; and the check reports the same."""
    rng = np.random.default_rng(11)
    hits, reported, draws = [], [], 250
    for draw in range(draws):
        score, passed = labelled(rng, 260)
        index = pd.Index([f"{draw}-{i}" for i in range(260)], name="sample_id", dtype="str")
        table = ScoreTable(pd.DataFrame({"m": score}, index=index), Provenance("0", "h", ("m",)))
        labels = [Label(index[i], "c", int(passed[i])) for i in range(160)]
        result = calibrate(labels, table, criterion=Criterion("c"), metrics=["m"], alpha=0.1, repeats=0, replicates=0)
        hits.append(result.sets_at(score[160:, None])[np.arange(100), passed[160:].astype(int)].mean())
        assert result.diagnostics is not None
        reported.append(result.diagnostics.coverage.value)
    # Coverage lies between 0.9 and 0.9 + 1/161, and a little above where scores share a cell. Four standard errors.
    for found in (np.array(hits), np.array(reported)):
        error = 4 * found.std() / np.sqrt(draws)
        assert 0.9 - error <= found.mean() <= 0.9 + 1 / 40 + error


@pytest.mark.parametrize(("passes", "fails", "shift"), [(25, 25, 1.0), (40, 10, 1.5), (15, 15, 2.5)])
def test_the_auc_interval_covers(passes: int, fails: int, shift: float) -> None:
    rng = np.random.default_rng(passes)
    truth = float(stats.norm.cdf(shift / np.sqrt(2)))
    y = np.arange(passes + fails) < passes
    inside = 0
    for _ in range(DRAWS):
        estimate = auc_estimate(rng.normal(size=len(y)) + shift * y, y)
        inside += estimate.low <= truth <= estimate.high
    assert inside / DRAWS >= binomial_interval(0.95, DRAWS)[0]
