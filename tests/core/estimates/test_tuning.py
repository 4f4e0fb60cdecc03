"""The two λ of a difference are those of SciPy's solver, and sums by cluster those of pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from hcat.core.estimates.influence import _least_squares_in_bounds
from hcat.core.estimates.labelled_run import sum_by


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["free", "alike", "opposed", "one is 0"]))
def test_lambdas_are_those_of_a_solver(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    slopes = rng.normal(size=(40, 2)) * rng.uniform(0.1, 3, 2)
    if kind == "one is 0":
        slopes[:, 1] = 0
    elif kind != "free":
        slopes[:, 1] = slopes[:, 0] * (1 if kind == "alike" else -1)
    constant = rng.normal(size=40) - slopes @ rng.uniform(-1, 2, 2)
    lambdas = _least_squares_in_bounds(slopes.T @ slopes, slopes.T @ constant)
    solved = lsq_linear(slopes, -constant, bounds=(0.0, 1.0), tol=1e-14).x
    assert ((lambdas >= 0) & (lambdas <= 1)).all()
    ours, theirs = (float(np.sum((constant + slopes @ each) ** 2)) for each in (lambdas, solved))
    assert ours <= theirs * (1 + 1e-9)
    if kind == "free":  # else several pairs are as good
        assert lambdas == pytest.approx(solved, abs=1e-4)


@settings(max_examples=200)
@given(
    st.lists(st.one_of(st.integers(-3, 30), st.integers(0, 10**9)), min_size=1, max_size=60),
    st.integers(0, 2**32 - 1),
)
def test_sums_by_cluster_are_those_of_pandas(keys: list[int], seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=len(keys))
    expected = pd.Series(values).groupby(np.array(keys)).sum().to_numpy()
    np.testing.assert_allclose(sum_by(np.array(keys), values), expected, rtol=0, atol=1e-12)
