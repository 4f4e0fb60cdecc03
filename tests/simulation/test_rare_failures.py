"""Pass rates where few fail, by simulation: queues that look for failures, clusters, and the run's own samples."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from hcat.core.arrays import Floats
from hcat.core.estimates.labelled_run import LabelledRun, labelled_run
from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.labelling.unequal import boundary_sizes, draw_unequal, inclusion_probabilities
from tests.draws import fewer

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(300)))
Drawn = tuple[LabelledRun, float, float]
"""A run, the pass rate of its own samples, and that of samples like these."""
Draw = Callable[[np.random.Generator], Drawn]
SLOPE = 2.0
QUANTILES = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)


def by_boundary(rng: np.random.Generator, *, shift: float, n: int, total: int = 1000, right: float = 1.0) -> Drawn:
    """n labels near ½ of the probability that a score gives; the truth follows it with the correlation `right`."""
    x, other = rng.normal(size=total), rng.normal(size=total)
    p = expit(shift + SLOPE * x)
    passed = rng.random(total) < expit(shift + SLOPE * (right * x + np.sqrt(1 - right**2) * other))
    names = [str(place) for place in range(total)]
    pi = inclusion_probabilities(boundary_sizes(p), planned=n)
    items = draw_unequal(dict(zip(names, pi.tolist(), strict=True)), queue="boundary", rng=rng)
    rows = np.array([int(item.sample_id) for item in items])
    return _known(passed, rows, p, weights=1 / pi), float(passed.mean()), float(expit(shift + SLOPE * QUANTILES).mean())


def at_random(rng: np.random.Generator, *, fails: float, n: int, total: int = 1000) -> Drawn:
    """n labels at random, with a metric that knows little."""
    passed = rng.random(total) >= fails
    metric = np.clip(0.85 + 0.1 * passed + rng.normal(0, 0.05, total), 0, 1)
    return _known(passed, rng.permutation(total)[:n], metric), float(passed.mean()), 1 - fails


def in_clusters(rng: np.random.Generator, *, fails: float, alike: float, n: int = 80, total: int = 1000) -> Drawn:
    """All five samples of n clusters; two of one have this correlation."""
    cluster = np.repeat(np.arange(total // 5), 5)
    shared = (rng.random(total // 5) >= fails)[cluster]
    passed = np.where(rng.random(total) < np.sqrt(alike), shared, rng.random(total) >= fails)
    rows = np.flatnonzero(np.isin(cluster, rng.permutation(total // 5)[:n]))
    return _known(passed, rows, np.full(total, 0.9), clusters=cluster), float(passed.mean()), 1 - fails


def _known(
    passed: Floats, rows: Floats, prediction: Floats, *, weights: Floats | None = None, clusters: Floats | None = None
) -> LabelledRun:
    known = np.full(len(passed), np.nan)
    known[rows] = np.asarray(passed, dtype=np.float64)[rows]
    return labelled_run(known, prediction, weights=weights, clusters=clusters)


def tried(draw: Draw, draws: int) -> tuple[dict[str, float], float, float]:
    """How often each interval covers, the mean width of PPI++, and the median effective n of labels alone over that
    of the estimator, which is the variance of one label over that of the rates."""
    rng = np.random.default_rng(87)
    hits = dict.fromkeys(("labels only", "PPI++", "labels only, these", "PPI++, these"), 0)
    widths, worth, rates, like = [], [], [], 0.0
    for _ in range(draws):
        run, these, like = draw(rng)
        made: PassRateEstimates = estimate_pass_rate(run)
        assert made.of_these is not None
        for name, interval, truth in (
            ("labels only", made.labels_only, like),
            ("PPI++", made.ppi, like),
            ("labels only, these", made.of_these.labels_only, these),
            ("PPI++, these", made.of_these.ppi, these),
        ):
            hits[name] += interval.low - 1e-12 <= truth <= interval.high + 1e-12
        widths.append(made.ppi.high - made.ppi.low)
        worth.append(made.labels_only_effective_n)
        rates.append(made.labels_only.value)
    claimed = float(np.median(worth) * np.var(rates) / (like * (1 - like)))
    return {name: count / draws for name, count in hits.items()}, float(np.mean(widths)), claimed


CELLS: dict[str, Draw] = {
    **{
        f"boundary queue, {n} labels, {rate}": partial(by_boundary, shift=shift, n=n)
        for rate, shift in ((0.985, 5.94), (0.971, 5.13), (0.934, 4.04))
        for n in (60, 150, 300)
    },
    "boundary queue that misleads, 60 labels": partial(by_boundary, shift=5.94, n=60, right=0.3),
    "40 labels at random, 1.2 % fail": partial(at_random, fails=0.012, n=40),
    "80 clusters that are alike, 1.5 % fail": partial(in_clusters, fails=0.015, alike=0.8),
    "80 clusters that are hardly alike, 1.5 % fail": partial(in_clusters, fails=0.015, alike=0.1),
}


@pytest.mark.parametrize("name", CELLS)
def test_intervals_cover_where_few_fail(name: str) -> None:
    covered, width, claimed = tried(CELLS[name], DRAWS)
    print(f"{name}: {covered}, PPI++ {width:.3f} wide, effective n {claimed:.2f} of the true one")
    least = float(stats.binom.ppf(0.0005, DRAWS, 0.93)) / DRAWS
    assert min(covered.values()) >= least, covered
    assert claimed <= 1.6  # 4 to 8 before pseudo-labels


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize(
    "draw",
    [
        partial(at_random, fails=0.2, total=300),
        partial(at_random, fails=0.02, total=300),
        partial(by_boundary, shift=1.9, total=300),
        partial(by_boundary, shift=5.94, total=300),
    ],
    ids=["random", "random, rare", "boundary", "boundary, rare"],
)
def test_the_rate_of_these_answers_is_covered_at_any_share_of_labels(draw: Callable[..., Drawn], share: float) -> None:
    covered, _, _ = tried(partial(draw, n=int(300 * share)), DRAWS // 2)
    least = float(stats.binom.ppf(0.0005, DRAWS // 2, 0.93)) / (DRAWS // 2)
    assert min(covered["labels only, these"], covered["PPI++, these"]) >= least, covered
