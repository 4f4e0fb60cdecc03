"""Slices of independent values from the sums of their cells, against the same slices from the rows."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.records.samples.columns import Levels
from hcat.core.slices import table
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.comparison import moments
from hcat.core.slices.dependence import Dependence
from hcat.core.slices.drawn_sets.by_size import ValuesBySize
from hcat.core.slices.drawn_sets.tail_bound import Population
from hcat.core.slices.estimators.clustered import ClusteredEstimator
from hcat.core.slices.estimators.independent import IndependentEstimator
from hcat.core.slices.fisher import fisher_p
from hcat.core.slices.marginal import Grouping
from hcat.core.slices.membership import Partition
from hcat.core.slices.rows import as_frame
from hcat.core.statistics.hypergeometric import hypergeometric_tails
from hcat.core.statistics.refitted import Refitted
from tests.core.slices.by_rows import RowsEstimator, lower_tail_bound, permuted, scored_rows
from tests.core.slices.refits import held

DRAWS = int(os.environ.get("HCAT_DRAWS", "40"))


def run(n: int, seed: int = 0, *, two: bool = False) -> tuple[np.ndarray, list[Grouping]]:
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(n) < 0.5, 1.0, rng.beta(2, 2, n))
    values = np.round(values) if two else values
    values[rng.random(n) < 0.1] = np.nan
    groupings = [
        Grouping(f"d{k}", rng.choice(levels, n, p=rng.dirichlet(np.ones(levels))), tuple(map(str, range(levels))))
        for k, levels in enumerate((5, 12, 3))
    ]
    return values, groupings


def frames(
    values: np.ndarray, groupings: list[Grouping], refits: Refitted | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """With refits each value is of a case of its own."""
    rows = rows_of(len(values), Levels.of(["answered", "refusal", None] * (len(values) // 3)))
    scored = replace(scored_rows(values), rows=rows, refits=refits)
    of = [*((one, None) for one in groupings), (groupings[0], groupings[1]), (groupings[1], groupings[2])]
    tied = Dependence(np.arange(len(scored.values)))
    by_rows = RowsEstimator(scored) if refits is None else ClusteredEstimator(scored, tied)
    return tuple(as_frame(each.estimates(of), metric="m") for each in (by_rows, IndependentEstimator(scored)))


def test_all_numbers_are_as_from_rows() -> None:
    pd.testing.assert_frame_equal(*frames(*run(3000)), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("spread", [0.0, 0.02])
def test_refits_move_slices_as_they_do_from_rows(two: bool, spread: float) -> None:
    values, groupings = run(3000, seed=1, two=two)
    values[groupings[1].codes == 2] = 1.0  # a level without any spread
    values[np.flatnonzero(groupings[1].codes == 3)[1:]] = np.nan  # and one of a single value
    known, rng = values[~np.isnan(values)], np.random.default_rng(2)
    moved = known + spread * rng.normal(size=(6, 1)) + spread * rng.normal(size=(6, len(known)))
    pd.testing.assert_frame_equal(*frames(values, groupings, held(moved)), rtol=1e-10, atol=1e-12)


def test_of_two_values_p_and_all_intervals_are_as_from_rows() -> None:
    by_rows, by_cells = frames(*run(3000, two=True))
    pd.testing.assert_frame_equal(by_rows, by_cells, rtol=1e-12, atol=1e-13)


def test_p_and_intervals_by_size_are_those_of_permutations_but_for_the_draws() -> None:
    values, groupings = run(6000, 3)
    y = values[~np.isnan(values)]
    codes = groupings[1].codes[~np.isnan(values)]
    y = np.where(codes == 2, y * 0.9, y)
    part = Partition(codes, np.bincount(codes, minlength=12) >= 10)
    of = moments(y, codes, slices=12)
    p, low, high = permuted(y, part, draws=3_999)
    drawn = ValuesBySize(y).tests(of.n, of.mean, of.squares, part.tested)
    tested = part.tested
    seen = np.flatnonzero(tested) != 2
    # Tails of 100 draws and more have 10 % error.
    assert np.abs(np.log(drawn.p[tested] / p))[seen].max() < 0.45
    assert (np.abs(drawn.low[tested] - low) < 0.1 * (high - low)).all()
    assert (np.abs(drawn.high[tested] - high) < 0.1 * (high - low)).all()
    # Far below what draws can tell p is the bound of the values, at the nearest of a row of tilts.
    inside, sign = codes == 2, np.sign(y.mean() - y[codes == 2].mean())
    z = sign * (y - y.mean()) / y.std()
    bound = 2 * lower_tail_bound(z, np.array([float(inside.sum())]), np.array([z[inside].mean()]))[0]
    assert drawn.p[2] == pytest.approx(bound, rel=0.05) and drawn.p[2] < 1e-5


@pytest.mark.parametrize("n", [24, 60, 300, 700, 1500])
@pytest.mark.parametrize("kind", ["beta", "zero-inflated", "three values"])
def test_in_runs_of_any_size_sets_say_what_permutations_say(n: int, kind: str) -> None:
    """Whatever blocks sets are put together of, p and intervals differ from those of all permutations by the draws."""
    rng = np.random.default_rng([n, 8])
    values = {
        "beta": rng.beta(2, 2, n),
        "zero-inflated": np.where(rng.random(n) < 0.9, 0.0, rng.random(n)),
        "three values": rng.choice([0.0, 0.5, 1.0], n),
    }[kind]
    codes = rng.permutation(np.repeat([0, 1, 2], [n // 6, n // 3, n - n // 6 - n // 3]))
    values = np.where(codes == 0, 0.85 * values, values)
    part = Partition(codes, np.ones(3, dtype=bool))
    of = moments(values, codes, slices=3)
    p, low, high = permuted(values, part)
    drawn = ValuesBySize(values).tests(of.n, of.mean, of.squares, part.tested)
    error = np.sqrt(2 * 2 * p * (1 - p / 2) / 9_999)  # of the difference of two such p
    assert (np.abs(drawn.p - p) < 4.5 * error + 1e-3).all()
    width = high - low
    assert (np.abs(drawn.low - low) < 0.1 * width).all() and (np.abs(drawn.high - high) < 0.1 * width).all()


def test_neither_the_order_of_rows_nor_other_slices_change_a_bit() -> None:
    rng = np.random.default_rng(2)
    values, n = rng.beta(1, 3, 2000), np.array([15.0, 40.0, 700.0, 1500.0])
    mean, squares, tested = values.mean() + np.array([0.1, -0.05, 0.01, 0.0]), n * values.var(), np.ones(4, dtype=bool)
    all_four = ValuesBySize(values).tests(n, mean, squares, tested)
    for k in range(4):
        alone = ValuesBySize(rng.permutation(values)).tests(n[[k]], mean[[k]], squares[[k]], tested[:1])
        assert [float(alone.p[0]), float(alone.low[0])] == [float(all_four.p[k]), float(all_four.low[k])]


@pytest.mark.parametrize("draws", [DRAWS, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", ["skewed", "zero-inflated"])
def test_slices_that_are_random_sets_have_uniform_p(shape: str, draws: int) -> None:
    """p ≤ 0.05 in no more than 5 % of random slices of any size, for values of which Welch's t would not hold."""
    rng = np.random.default_rng(4)
    values = rng.lognormal(0, 1.5, 5000) if shape == "skewed" else np.where(rng.random(5000) < 0.97, 1.0, 0.0) * 1.0
    values = values + (rng.random(5000) * 1e-3 if shape == "zero-inflated" else 0)
    drawn, wrong, total = ValuesBySize(values), 0, 0
    for _ in range(draws):
        sizes = np.array([10, 25, 80, 300, 1200, 2000])
        codes = rng.permutation(np.repeat(np.arange(7), [*sizes, 5000 - sizes.sum()]))
        of = moments(values, codes, slices=7)
        p = drawn.tests(of.n, of.mean, of.squares, np.ones(7, dtype=bool)).p
        wrong, total = wrong + int((p <= 0.05).sum()), total + 7
    # The slices of one partition depend on one another a little: half as much again is allowed for that.
    assert wrong <= stats.binom.ppf(0.999, total, 0.05) * 1.2


def test_the_bound_of_a_population_is_the_bound_of_its_values() -> None:
    rng = np.random.default_rng(5)
    values = np.sort(np.where(rng.random(20_000) < 0.6, 1.0, rng.beta(2, 2, 20_000)))
    y = (values - values.mean()) / values.std()
    n, mean = np.array([20.0, 200.0, 2000.0, 50.0]), np.array([-0.8, -0.3, -0.15, 0.2])
    exact, binned = lower_tail_bound(y, n, mean), Population(y).lower_tail_bound(n, mean)
    assert (binned >= exact * (1 - 1e-9)).all()
    assert binned == pytest.approx(exact, rel=0.01)


def test_fishers_p_of_many_is_that_of_each() -> None:
    rng = np.random.default_rng(6)
    n = rng.integers(10, 900, 300)
    hits = rng.binomial(n, rng.uniform(0.5, 0.75, 300))
    each = [
        2 * min(hypergeometric_tails(int(k), total=5000, marked=3100, drawn=int(of)))
        for k, of in zip(hits, n, strict=True)
    ]
    np.testing.assert_allclose(fisher_p(hits, n.astype(float), 5000, 3100), np.minimum(1.0, each), rtol=1e-11)
    few, many = hypergeometric_tails(50_100, total=10**6, marked=10**5, drawn=500_000, narrow=True)
    assert few == pytest.approx(stats.hypergeom.cdf(50_100, 10**6, 10**5, 500_000), rel=1e-6)
    assert many == pytest.approx(stats.hypergeom.sf(50_099, 10**6, 10**5, 500_000), rel=1e-6)


def test_a_table_goes_by_cells_and_a_slice_found_by_rows_has_the_same_q(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is the same whether slices come from cells or, one partition at a time, from rows."""
    values, groupings = run(6000, 7)
    values = np.where(groupings[0].codes == 1, values * 0.93, values)
    index = pd.Index([f"s{k}" for k in range(6000)])
    dimensions = pd.DataFrame({one.name: np.array(one.levels)[one.codes] for one in groupings}, index=index)
    scores = pd.Series(values, index=index)
    cells = table.find_weaknesses(dimensions, scores, metric="m", direction="higher", pairs=True)
    monkeypatch.setattr(table, "estimator_of", lambda scored, *_: RowsEstimator(scored))
    rows = table.find_weaknesses(dimensions, scores, metric="m", direction="higher", pairs=True)
    pd.testing.assert_frame_equal(cells.frame, rows.frame, rtol=1e-10, atol=1e-12)
    assert (cells.frame["q"] <= 0.05).any()
    np.testing.assert_array_equal(cells.frame["q"], rows.frame["q"])
