"""Slices of large runs from the sums of their cells, against the same slices from the rows."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.records.samples.columns import Levels
from hcat.core.statistics.hypergeometric import hypergeometric_tails
from hcat.core.statistics.refitted import Refitted
from hcat.core.weakness import permutation, table
from hcat.core.weakness.cells.counts import rows_of
from hcat.core.weakness.comparison import moments
from hcat.core.weakness.dependence import Dependence
from hcat.core.weakness.drawn_sets.by_size import ValuesBySize
from hcat.core.weakness.drawn_sets.tail_bound import Population, lower_tail_bound
from hcat.core.weakness.fisher import fisher_p, fisher_p_of_large
from hcat.core.weakness.large import LargeRows
from hcat.core.weakness.marginal import Grouping
from hcat.core.weakness.membership import Partition
from hcat.core.weakness.permutation import permutation_tests
from hcat.core.weakness.rows import ScoredRows
from tests.core.weakness.refits import held

DRAWS = int(os.environ.get("HCAT_DRAWS", "40"))
BY_PERMUTATION = ["p", "difference_low", "difference_high", "effect_low", "effect_high"]


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
    scored = ~np.isnan(values)
    rows = rows_of(len(values), Levels.of(["answered", "refusal", None] * (len(values) // 3)))
    of = [(one, None) for one in groupings] + [(groupings[0], groupings[1]), (groupings[1], groupings[2])]
    tied = None if refits is None else Dependence(np.arange(int(scored.sum())))
    by_rows = ScoredRows(rows, scored, values[scored], tied, 10, 0.95, refits=refits).frame(of, metric="m")
    return by_rows, LargeRows(rows, scored, values[scored], 10, 0.95, refits=refits).frame(of, metric="m")


def test_all_but_the_permutations_is_as_from_rows() -> None:
    by_rows, by_cells = frames(*run(3000))
    assert by_rows["p"].isna().tolist() == by_cells["p"].isna().tolist()
    same = [name for name in by_rows if name not in BY_PERMUTATION]
    pd.testing.assert_frame_equal(by_rows[same], by_cells[same], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("spread", [0.0, 0.02])
def test_refits_move_slices_as_they_do_from_rows(two: bool, spread: float) -> None:
    values, groupings = run(3000, seed=1, two=two)
    values[groupings[1].codes == 2] = 1.0  # a level without any spread
    values[np.flatnonzero(groupings[1].codes == 3)[1:]] = np.nan  # and one of a single value
    known, rng = values[~np.isnan(values)], np.random.default_rng(2)
    moved = known + spread * rng.normal(size=(6, 1)) + spread * rng.normal(size=(6, len(known)))
    by_rows, by_cells = frames(values, groupings, held(moved))
    same = [name for name in by_rows if two or name not in BY_PERMUTATION]
    pd.testing.assert_frame_equal(by_rows[same], by_cells[same], rtol=1e-10, atol=1e-12)


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
    permuted = permutation_tests(y, [part])[0]
    drawn = ValuesBySize(y).tests(of.n, of.mean, of.squares, part.tested)
    tested = part.tested
    # A tail settled by 100 permutations has 10 % error.
    assert np.abs(np.log(drawn.p / permuted.p))[tested].max() < 0.45
    width = (permuted.high - permuted.low)[tested]
    assert (np.abs(drawn.low - permuted.low)[tested] < 0.2 * width).all()
    assert (np.abs(drawn.high - permuted.high)[tested] < 0.2 * width).all()
    # Far below what draws can tell p is the same bound, at the nearest of a row of tilts.
    assert drawn.p[2] == pytest.approx(permuted.p[2], rel=0.05) and drawn.p[2] < 1e-5


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
    np.testing.assert_allclose(
        fisher_p_of_large(hits, n.astype(float), 5000, 3100), fisher_p(hits, n.astype(float), 5000, 3100), rtol=1e-11
    )
    few, many = hypergeometric_tails(50_100, total=10**6, marked=10**5, drawn=500_000, narrow=True)
    assert few == pytest.approx(stats.hypergeom.cdf(50_100, 10**6, 10**5, 500_000), rel=1e-6)
    assert many == pytest.approx(stats.hypergeom.sf(50_099, 10**6, 10**5, 500_000), rel=1e-6)


def test_a_large_table_goes_by_cells_and_a_slice_found_by_rows_has_the_same_q(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit the table is the same whether slices come from cells or, one partition at a time, from rows."""
    monkeypatch.setattr(table, "LARGE", 1000)
    monkeypatch.setattr(permutation, "LARGE", 1000)
    values, groupings = run(6000, 7)
    values = np.where(groupings[0].codes == 1, values * 0.93, values)
    index = pd.Index([f"s{k}" for k in range(6000)])
    dimensions = pd.DataFrame({one.name: np.array(one.levels)[one.codes] for one in groupings}, index=index)
    scores = pd.Series(values, index=index)
    cells = table.find_weaknesses(dimensions, scores, metric="m", direction="higher", pairs=True)
    monkeypatch.setattr(table, "LARGE", 10**9)
    rows = table.find_weaknesses(dimensions, scores, metric="m", direction="higher", pairs=True)
    pd.testing.assert_frame_equal(cells.frame, rows.frame, rtol=1e-12, atol=1e-13)
    assert (cells.frame["q"] <= 0.05).any()
    np.testing.assert_array_equal(cells.frame["q"], rows.frame["q"])
