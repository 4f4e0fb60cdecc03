"""PPI++ against ppi-python: plain and weighted estimates, λ, and standard errors."""

from __future__ import annotations

import numpy as np
import pytest
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import stats

from hcat.core.arrays import Floats
from hcat.core.estimates.influence import influence, tune
from hcat.core.estimates.labelled_run import labelled_run
from hcat.core.estimates.prediction_powered import estimate_pass_rate


def data(seed: int, *, n: int, total: int, slope: float = 2.0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=total)
    y = (rng.random(total) < 1 / (1 + np.exp(-slope * x - 0.5))).astype(float)
    return y, 1 / (1 + np.exp(-1.5 * x))


@pytest.mark.parametrize("lambda_", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_estimator_at_a_given_lambda(seed: int, lambda_: float) -> None:
    n, total = 60, 500
    y, f = data(seed, n=n, total=total)
    parts = influence(labelled_run(np.where(np.arange(total) < n, y, np.nan), f))
    # λ on all N samples is λ N / (N − n) on the unlabelled ones: the estimator is the same.
    theirs = ppi_mean_pointestimate(y[:n], f[:n], f[n:], lam=lambda_ * (total - n) / total)
    assert parts.labels_only + lambda_ * parts.correction == pytest.approx(np.squeeze(theirs).item(), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_weighted_estimator(seed: int) -> None:
    n, total = 60, 500
    y, f = data(seed, n=n, total=total)
    weights = np.random.default_rng(seed).uniform(1, 20, total)
    parts = influence(labelled_run(np.where(np.arange(total) < n, y, np.nan), f, weights=weights))
    theirs = ppi_mean_pointestimate(y[:n], f[:n], f, lam=0.7, w=weights[:n])
    assert parts.labels_only + 0.7 * parts.correction == pytest.approx(np.squeeze(theirs).item(), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_lambda_and_error_for_many_samples(seed: int) -> None:
    """The variances are estimated from different parts of the data, so that they meet as n grows."""
    n, total = 4000, 40000
    y, f = data(seed, n=n, total=total)
    run = labelled_run(np.where(np.arange(total) < n, y, np.nan), f)
    low, high = ppi_mean_ci(y[:n], f[:n], f[n:], alpha=0.05, lam=0.8 * (total - n) / total)
    error = (float(np.squeeze(high)) - float(np.squeeze(low))) / (2 * stats.norm.ppf(0.975))
    assert influence(run).error(0.8) == pytest.approx(error, rel=0.01)

    estimates = estimate_pass_rate(run)
    covariance = np.cov(y[:n], f[:n])[0, 1]
    assert tune([influence(run)]).lambdas[0] == pytest.approx(min(1.0, covariance / f.var()), rel=0.05)
    low, high = ppi_mean_ci(y[:n], f[:n], f[n:], alpha=0.05)
    assert estimates.ppi.value == pytest.approx((float(np.squeeze(low)) + float(np.squeeze(high))) / 2, abs=0.002)
    assert estimates.ppi.high - estimates.ppi.low == pytest.approx(float(np.squeeze(high - low)), rel=0.03)


def test_useless_predictions_get_no_trust_from_either() -> None:
    rng = np.random.default_rng(8)
    y, f = (rng.random(20000) < 0.4).astype(float), rng.random(20000)
    run = labelled_run(np.where(np.arange(20000) < 2000, y, np.nan), f)
    theirs = ppi_mean_ci(y[:2000], f[:2000], f[2000:], alpha=0.05)
    ours = estimate_pass_rate(run).ppi
    assert (ours.low, ours.high) == (
        pytest.approx(float(np.squeeze(theirs[0])), abs=0.001),
        pytest.approx(float(np.squeeze(theirs[1])), abs=0.001),
    )
