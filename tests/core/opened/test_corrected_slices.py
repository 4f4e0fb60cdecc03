"""Corrected pass rates of slices by the sums of cells, beside the walk over the rows of each slice."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.slices_by_rows import corrected_by_rows, rates_by_rows
from hcat.core.capabilities.estimates.label_rates import pass_rates
from hcat.core.estimates import domains
from hcat.core.estimates.domains import DomainSums
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_labels_only, rate_at
from hcat.core.estimates.stratified_domains import StratifiedSums
from hcat.core.records.samples.columns import Levels
from hcat.core.slices.estimators.labelled import LabelledSlice

FIRST, SECOND = tuple("wxyz"), tuple("uv")
MINIMUM = 3


def frame() -> pd.DataFrame:
    """All levels of two dimensions, and one that no sample has; all pairs of them."""
    rows: list[tuple[str, str, str | None, str | None]]
    rows = [("one", level, None, None) for level in (*FIRST, "nowhere")]
    rows += [("two", level, None, None) for level in SECOND]
    rows += [("one", a, "two", b) for a in FIRST for b in SECOND]
    return pd.DataFrame(rows, columns=["dimension_1", "level_1", "dimension_2", "level_2"])


def made(rng: np.random.Generator, n: int) -> tuple[LabelledRun, dict[str, Levels]]:
    """A run of which anything may be missing or unequal; some of its levels are small, and some samples have none."""
    clusters = np.arange(n) if rng.random() < 0.4 else rng.integers(0, max(n // int(rng.integers(1, 5)), 1), n)
    chance = rng.beta(3, 2, n)
    passed = (rng.random(n) < chance).astype(np.float64)
    if rng.random() < 0.2:  # a part in which all labels agree
        passed[: n // 2] = 1.0
    passed[rng.random(n) < rng.uniform(0.1, 0.9)] = np.nan
    prediction = np.where(rng.random(n) < rng.choice([0.0, 0.3, 1.0], p=[0.5, 0.4, 0.1]), np.nan, chance)
    if rng.random() < 0.2:
        prediction = np.round(prediction)
    run = LabelledRun(
        passed,
        prediction,
        weights=rng.uniform(1, 9, n) if rng.random() < 0.5 else None,
        clusters=clusters[rng.permutation(n)],
        design=rng.choice([1.0, 3.0, 10.0], n) if rng.random() < 0.5 else None,
    )
    one = np.minimum(rng.geometric(0.4, n), 5) - 2
    return run, {
        "one": Levels(one.astype(np.int32), FIRST),
        "two": Levels(rng.integers(0, 2, n).astype(np.int32), SECOND),
    }


def made_of_strata(rng: np.random.Generator, n: int) -> tuple[LabelledRun, dict[str, Levels]]:
    """The same of independent samples, in strata of which some are small, without labels or in one level alone."""
    run, levels = made(rng, n)
    strata = rng.integers(0, int(rng.integers(1, 6)), n)
    if rng.random() < 0.3:
        strata = np.where(levels["one"].codes == 1, 9, strata)
    if rng.random() < 0.3:
        run.passed[strata == 0] = np.nan
    return replace(run, strata=np.char.add("s", strata.astype(np.str_)), clusters=np.arange(n)), levels


def made_of_strata_and_clusters(rng: np.random.Generator, n: int) -> tuple[LabelledRun, dict[str, Levels]]:
    """The same in clusters, which may or may not be of several strata and of several levels."""
    run, levels = made_of_strata(rng, n)
    clusters = rng.integers(0, max(n // int(rng.integers(1, 5)), 1), n)
    assert run.strata is not None
    strata = run.strata if rng.random() < 0.5 else run.strata[clusters]
    if rng.random() < 0.5:
        levels = {name: replace(of, codes=of.codes[clusters]) for name, of in levels.items()}
    return replace(run, strata=strata, clusters=clusters), levels


def numbers(of: LabelledSlice) -> list[float]:
    parts = (of.rate,) if of.difference is None else (of.rate, of.difference)
    return [of.error, of.p, *(x for part in parts for x in (part.value, part.low, part.high))]


def assert_same(run: LabelledRun, levels: dict[str, Levels]) -> int:
    """How many slices were compared; both ways alike."""
    by_cell, labels = pass_rates(run, levels, frame(), corrected_from=MINIMUM)
    by_rows, expected = corrected_by_rows(run, levels, frame(), corrected_from=MINIMUM)
    assert labels == expected
    assert [each is None for each in by_cell] == [each is None for each in by_rows]
    pairs = [(a, b) for a, b in zip(by_cell, by_rows, strict=True) if a is not None and b is not None]
    for cell, row in pairs:
        np.testing.assert_allclose(numbers(cell), numbers(row), rtol=1e-10, atol=1e-12, equal_nan=True)
        assert (cell.rate.n, cell.rate.method) == (row.rate.n, row.rate.method)
        assert cell.difference is not None and row.difference is not None
        assert (cell.difference.n, cell.difference.method) == (row.difference.n, row.difference.method)
    return len(pairs)


@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
@example(seed=1033, n=40)  # a slice whose predictions are all alike
def test_cells_and_rows_say_the_same(seed: int, n: int) -> None:
    assert_same(*made(np.random.default_rng(seed), n))


def test_a_slice_that_holds_all_labels_has_a_rate() -> None:
    """Its rest has none, with which nothing is compared."""
    passed = np.where(np.arange(40) < 20, np.arange(40) % 3 > 0, math.nan)
    domains = DomainSums(LabelledRun(passed, np.full(40, 0.5))).domains((np.arange(40) > 24).astype(np.intp), 2)
    full, empty = (rate_at(domains.sides(place)[1]) for place in (0, 1))
    alone = estimate_labels_only(LabelledRun(passed[:25], np.full(25, 0.5))).rate
    assert (full.rate.n, full.rate.low, full.rate.high) == pytest.approx((20, alone.low, alone.high))
    assert empty.rate.n == 0 and math.isnan(empty.rate.value)


@settings(max_examples=80)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
def test_rates_by_labels_are_the_same(seed: int, n: int) -> None:
    run, levels = made(np.random.default_rng(seed), n)
    assert_same_rates(replace(run, prediction=np.full(n, np.nan)), levels)


def assert_same_rates(run: LabelledRun, levels: dict[str, Levels]) -> None:
    by_cell, labels = pass_rates(run, levels, frame())
    by_rows, expected = rates_by_rows(run, levels, frame())
    assert labels == expected
    for cell, row in zip(by_cell, by_rows, strict=True):
        assert cell is not None and row is not None
        assert (cell.rate.n, cell.rate.method) == (row.rate.n, row.rate.method)
        np.testing.assert_allclose(numbers(cell), numbers(row), rtol=1e-10, atol=1e-12, equal_nan=True)


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
@example(seed=249, n=249)  # a slice whose labels all pass
@example(seed=750, n=40)  # another, of which every prediction is alike
@example(seed=8480869, n=40)  # predictions that are all alike
@example(seed=573197972, n=303)  # a slice with one degree of freedom
def test_strata_and_rows_say_the_same(seed: int, n: int) -> None:
    run, levels = made_of_strata(np.random.default_rng(seed), n)
    if np.isfinite(run.passed).any():
        assert_same(run, levels)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
def test_rates_by_labels_of_strata_are_the_same(seed: int, n: int) -> None:
    run, levels = made_of_strata(np.random.default_rng(seed), n)
    if np.isfinite(run.passed).any():
        assert_same_rates(replace(run, prediction=np.full(n, np.nan)), levels)


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
def test_strata_of_clusters_and_rows_say_the_same(seed: int, n: int) -> None:
    run, levels = made_of_strata_and_clusters(np.random.default_rng(seed), n)
    if np.isfinite(run.passed).any():
        assert_same(run, levels)


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1), st.integers(40, 400))
def test_rates_by_labels_of_strata_of_clusters_are_the_same(seed: int, n: int) -> None:
    run, levels = made_of_strata_and_clusters(np.random.default_rng(seed), n)
    if np.isfinite(run.passed).any():
        assert_same_rates(replace(run, prediction=np.full(n, np.nan)), levels)


def test_slices_are_compared_at_all() -> None:
    run, levels = made_of_strata(np.random.default_rng(4), 400)
    found = StratifiedSums(run).domains(levels["two"].codes, 2)
    assert [found.is_certain(place) for place in range(2)] == [True, True]
    assert assert_same(run, levels) > 8
    assert assert_same(*made(np.random.default_rng(4), 400)) > 8


def test_clusters_that_differ_alike_go_over_the_rows() -> None:
    """Each cluster has one sample in each level, both passed or both failed: nothing is left of the variance of the
    difference, and sums can't tell that from rounding."""
    n = 40
    one = np.tile([0, 1], n)
    clusters = np.repeat(np.arange(n), 2)
    passed = np.repeat(np.arange(n) % 2, 2).astype(np.float64)
    run = LabelledRun(passed, np.full(2 * n, 0.5), clusters=clusters)
    levels = {"one": Levels(one.astype(np.int32), FIRST), "two": Levels(np.zeros(2 * n, dtype=np.int32), SECOND)}
    found = DomainSums(run).domains(one, 2)
    assert not any(found.is_certain(place) for place in range(2))
    by_cell, _ = pass_rates(run, levels, frame(), corrected_from=MINIMUM)
    assert by_cell[0] is not None and by_cell[0].difference is not None
    assert by_cell[0].difference.method == "all pairs differ alike, Tango"
    assert_same(run, levels)


def test_a_whole_run_by_hand() -> None:
    """Eight samples, each for itself; labels of the slice 1, 1, 0 and of the rest 0, 1, 0, without predictions."""
    nan = math.nan
    run = LabelledRun(np.array([1, 1, 0, nan, 0, 1, 0, nan]), np.full(8, nan))
    found = DomainSums(run).domains(np.array([0, 0, 0, 0, 1, 1, 1, 1]), 2)
    rest, own = found.sides(0)
    assert own.labels_only == pytest.approx(2 / 3)
    assert rest.labels_only == pytest.approx(1 / 3)
    # The variance of a mean of 3 with s² = 1/3.
    assert own.error(0.0) ** 2 == pytest.approx((1 / 3) / 3)
    assert own.plain.spread == pytest.approx(1 / 3)
    assert (found.labels.tolist(), found.clusters.tolist(), found.rest_clusters.tolist()) == ([3, 3], [3, 3], [3, 3])


def test_strata_are_refused() -> None:
    with pytest.raises(ValueError, match="stratified"):
        DomainSums(LabelledRun(np.zeros(2), np.zeros(2), strata=np.array(["a", "b"])))


def test_four_numbers_have_the_products_of_many() -> None:
    rng = np.random.default_rng(1)
    many = rng.normal(size=(5, 4, 30)) * np.array([1.0, 1e-6, 0.0, 1e3])[None, :, None]
    few = domains.with_products(many @ many.transpose(0, 2, 1))
    assert few.shape == (5, 4, 4)
    np.testing.assert_allclose(few @ few.transpose(0, 2, 1), many @ many.transpose(0, 2, 1), rtol=1e-9, atol=1e-15)
    assert not few[:, 2].any()


def test_the_angle_of_what_is_rounding_lengthens_nothing() -> None:
    products = np.diag([0.02, 5e-34, 0.01, 1e-4])
    products[0, 1] = products[1, 0] = 7e-18  # more than the product of the two lengths
    vectors = domains.with_products(products[None])[0]
    np.testing.assert_allclose((vectors**2).sum(axis=1), [0.02, 0, 0.01, 1e-4], rtol=1e-12)
