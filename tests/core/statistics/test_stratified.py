"""The difference within strata against least squares by statsmodels, and its error against the formula written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hcat.core.statistics.stratified import stratified_difference


def drawn(seed: int = 3, n: int = 90) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    strata = rng.integers(0, 6, n)
    group = rng.random(n) < 0.2 + 0.1 * strata
    return strata + 0.5 * group + rng.normal(size=n), group, strata


def written_out(y: np.ndarray, group: np.ndarray, strata: np.ndarray, clusters: np.ndarray) -> tuple[float, float]:
    """Error and degrees of freedom by dense matrices, as Pustejovsky & Tipton (2018), equations 4 to 11, have them."""
    design = np.column_stack([group, *(strata == s for s in np.unique(strata))]).astype(float)
    bread = np.linalg.inv(design.T @ design)
    rest = np.eye(len(y)) - design @ bread @ design.T
    residuals, vectors, scores = rest @ y, [], []
    for name in np.unique(clusters):
        rows = np.flatnonzero(clusters == name)
        values, axes = np.linalg.eigh(rest[np.ix_(rows, rows)])
        inverse = np.where(values > 1e-10, 1 / np.sqrt(np.maximum(values, 1e-10)), 0.0)
        weights = (axes * inverse) @ axes.T @ (design[rows] @ bread)[:, 0]
        scores.append(weights @ residuals[rows])
        vectors.append(rest[:, rows] @ weights)
    products = np.array(vectors) @ np.array(vectors).T
    return float(np.sqrt(np.sum(np.square(scores)))), float(np.trace(products) ** 2 / np.sum(products**2))


def test_one_sample_a_cluster_is_hc2_of_statsmodels() -> None:
    from statsmodels.regression.linear_model import OLS

    y, group, strata = drawn()
    result = stratified_difference(y, group, strata, np.arange(len(y)))
    design = np.column_stack([group, *(strata == s for s in range(6))]).astype(float)
    fit = OLS(y, design).fit(cov_type="HC2")
    assert (result.value, result.error) == pytest.approx((fit.params[0], fit.bse[0]))
    assert result.mean - result.mean_of_reference == pytest.approx(result.value)


@pytest.mark.parametrize("clusters", [90, 30, 7])
def test_errors_by_clusters_are_the_formula(clusters: int) -> None:
    y, group, strata = drawn()
    names = np.random.default_rng(1).integers(0, clusters, len(y))
    result = stratified_difference(y, group, strata, names)
    assert (result.error, result.degrees) == pytest.approx(written_out(y, group, strata, names))


def test_strata_of_one_pair_are_a_paired_t_test() -> None:
    rng = np.random.default_rng(8)
    pairs = rng.normal(size=(40, 2))
    result = stratified_difference(
        pairs.ravel(), np.tile([True, False], 40), np.repeat(np.arange(40), 2), np.arange(80)
    )
    differences = pairs[:, 0] - pairs[:, 1]
    assert result.value == pytest.approx(differences.mean())
    # HC2 of a pair: h = 1/2 + 1/(2 · 40), so that the error is s / √40 to one part in 40
    assert result.error == pytest.approx(differences.std(ddof=1) / math.sqrt(40), rel=0.02)
    assert result.degrees == pytest.approx(39, rel=0.03)


def test_strata_with_one_group_are_not_read() -> None:
    y = np.array([1.0, 0.0, 5.0, 5.0] * 10)
    group = np.array([True, False, True, True] * 10)
    result = stratified_difference(y, group, ["s", "s", "only", "only"] * 10, np.arange(40))
    assert (result.value, result.strata, result.clusters, result.clusters_of_reference) == (1.0, 1, 10, 10)
    assert result.error == 0.0  # every answer of a group is alike: no spread
    nothing = stratified_difference(y, group, np.arange(40), np.arange(40))
    assert math.isnan(nothing.value)
    assert nothing.strata == 0
