"""q-values, tests of slices, shrinkage and interactions against statsmodels and SciPy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.multitest import multipletests

from hcat.core.slices.against_rest import against_rest
from hcat.core.slices.marginal import Grouping
from hcat.core.slices.membership import Membership, Partition
from hcat.core.slices.studentised import Arranged, differences
from hcat.core.statistics.multiplicity import benjamini_hochberg
from hcat.core.statistics.shrinkage import shrink
from tests.core.slices.by_rows import estimated


@pytest.mark.parametrize("n", [1, 2, 17, 500])
def test_benjamini_hochberg(n: int) -> None:
    p = np.round(np.random.default_rng(n).beta(0.5, 2, n), 2)  # rounded: with ties and zeros
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], abs=1e-12)


def grouping(codes: np.ndarray, levels: int) -> Grouping:
    return Grouping("d", codes.astype(np.intp), tuple(f"l{k}" for k in range(levels)))


@pytest.mark.parametrize("seed", range(4))
def test_the_studentised_difference_is_welchs_t(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.choice(5, 300, p=[0.05, 0.1, 0.15, 0.3, 0.4])
    values = rng.gamma(2, 1 + codes, 300)
    order = np.argsort(codes, kind="stable")
    found = differences(Membership(codes[order], order, 5, 300), Arranged.once(values))
    intervals = estimated(values, (grouping(codes, 5), None))[0].statistics
    for k in range(5):
        inside, outside = values[codes == k], values[codes != k]
        assert found.statistic[k, 0] == pytest.approx(stats.ttest_ind(inside, outside, equal_var=False).statistic)
        assert found.difference[k, 0] == pytest.approx(inside.mean() - outside.mean(), rel=1e-9)
        low, high = stats.t.interval(0.95, len(inside) - 1, inside.mean(), stats.sem(inside))
        assert (intervals.low[k], intervals.high[k]) == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_permutation_p_of_a_few_values_is_that_of_all_permutations(seed: int) -> None:
    """C(14, 5) = 2,002 ways to choose the slice; by SciPy, which takes all of them, each tail and then doubled."""
    rng = np.random.default_rng(seed)
    values, codes = rng.gamma(0.5, 1, 14), np.repeat([0, 1], [5, 9])
    values[:5] -= seed / 2
    tested = against_rest(values, [Partition(codes, np.ones(2, dtype=bool))])[0]

    def welch(inside: np.ndarray, outside: np.ndarray, axis: int) -> np.ndarray:
        return stats.ttest_ind(inside, outside, axis=axis, equal_var=False).statistic

    exact = stats.permutation_test((values[:5], values[5:]), welch, vectorized=True, n_resamples=np.inf)
    # Tails of some 100 of the 9,999 draws are known to a tenth.
    assert tested.p == pytest.approx([exact.pvalue] * 2, rel=0.2)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("seed", range(4))
def test_fisher(seed: int, rate: float) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.choice(6, 200)
    values = (rng.random(200) < rate).astype(float)
    values[:2] = (0, 1)
    found = against_rest(values, [Partition(codes, np.ones(6, dtype=bool))])[0]
    for k in range(6):
        inside, outside = values[codes == k], values[codes != k]
        table = [[inside.sum(), (1 - inside).sum()], [outside.sum(), (1 - outside).sum()]]
        tails = [stats.fisher_exact(table, alternative=side).pvalue for side in ("less", "greater")]
        assert found.p[k] == pytest.approx(min(1.0, 2 * min(tails)), rel=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_der_simonian_laird(seed: int) -> None:
    rng = np.random.default_rng(seed)
    variances = rng.uniform(0.05, 2, 8)
    means = rng.normal(0, 1.5, 8) + rng.normal(0, np.sqrt(variances))
    oracle = combine_effects(means, variances, method_re="dl")
    found = shrink(means, variances)
    assert found.between_variance == pytest.approx(max(0.0, oracle.tau2), abs=1e-12)
    assert found.centre == pytest.approx(oracle.mean_effect_re if oracle.tau2 > 0 else oracle.mean_effect_fe)


@pytest.mark.parametrize("seed", range(4))
def test_interactions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = rng.choice(3, 120, p=[0.2, 0.3, 0.5]), rng.choice(4, 120)
    values = rng.normal(size=120) + one - two + one * two
    cells = estimated(values, (grouping(one, 3), Grouping("e", two, tuple("wxyz"))))[0]
    groups = pd.DataFrame({"one": one, "two": two, "y": values}).groupby(["one", "two"])["y"]
    means, n = groups.mean(), groups.size()
    levels = means.index.to_frame()
    dummies = pd.get_dummies(levels.astype(str), drop_first=True, dtype=float)
    fit = sm.WLS(means.to_numpy(), sm.add_constant(dummies.to_numpy()), weights=n.to_numpy()).fit()
    assert cells.interaction.value == pytest.approx(fit.resid, abs=1e-9)
