"""Groups that ask different questions: matched gaps cover the truth, and are called as seldom as they say; plain ones
are not."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.battery.nulls import CLUSTERED, WITHIN_CLUSTERS
from hcat.core.capabilities.fairness.gap import Gap
from hcat.core.capabilities.fairness.matched import matched_gap

RUNS = int(os.environ.get("HCAT_DRAWS", "120"))
LEAST = 0.93 if RUNS >= 1000 else 0.89
TOPICS, MARGIN = 6, 0.1
PASS = np.linspace(0.95, 0.45, TOPICS)
"""The later topics are harder, and the group asks more about them."""
IN_GROUP = np.linspace(0.2, 0.7, TOPICS)


def drawn(rng: np.random.Generator, n: int, strata: int, gap: float, trials: int) -> Gap:
    """Answers to `n` questions in `strata` strata of six topics, each asked `trials` times, half of them alike."""
    stratum = rng.integers(0, strata, n)
    topic = stratum % TOPICS
    group = rng.random(n) < IN_GROUP[topic]
    chance = np.clip(PASS[topic] - gap * group, 0, 1)
    answers = rng.random((n, trials)) < chance[:, None]
    answers = np.where(rng.random((n, 1)) < 0.5, answers[:, :1], answers)  # trials of one question hang together
    every = np.repeat(np.arange(n), trials)
    return matched_gap(
        answers.ravel().astype(float),
        np.where(group, "a", "b")[every].tolist(),
        [str(s) for s in stratum[every]],
        [str(q) for q in every],
        group="a",
        reference="b",
        margin=0.15,
        within=(0.0, 1.0),
    )


@pytest.mark.parametrize(("n", "strata", "trials"), [(120, 6, 2), (200, 90, 1), (400, 12, 1)])
def test_matched_gaps_cover_where_plain_ones_do_not(n: int, strata: int, trials: int) -> None:
    rng = np.random.default_rng(n)
    for gap in (0.0, 0.1):
        draws = [drawn(rng, n, strata, gap, trials) for _ in range(RUNS)]
        covered = np.mean([each.gap.low <= -gap <= each.gap.high for each in draws])
        plain = [each.matching.unmatched for each in draws if each.matching is not None]
        of_plain = np.mean([each.low <= -gap <= each.high for each in plain])
        called = np.mean([each.p <= 0.05 for each in draws])
        print(
            f"n {n}, {strata} strata, gap {gap}: matched covers {covered:.3f} and is called in {called:.3f}, ", end=""
        )
        print(f"mean {np.mean([each.gap.value for each in draws]):.3f}; plain covers {of_plain:.3f}, ", end="")
        print(f"mean {np.mean([each.value for each in plain]):.3f}")
        assert LEAST <= covered <= 0.99
        assert of_plain < 0.75
        assert np.mean([each.gap.value for each in draws]) == pytest.approx(-gap, abs=0.02)
        if gap == 0.0:
            assert called <= 1 - LEAST


def test_equivalence_is_called_at_the_margin_in_one_of_twenty() -> None:
    rng = np.random.default_rng(7)
    draws = [drawn(rng, 300, 12, 0.15, 1) for _ in range(RUNS)]
    called = np.mean([each.p_equivalence <= 0.05 for each in draws])
    print(f"equivalence called at the margin in {called:.3f}")
    assert called <= 1 - LEAST


@pytest.mark.parametrize(("n", "in_group", "failures"), [(400, 40, 0.03), (400, 20, 0.05), (1000, 30, 0.02)])
def test_a_small_group_in_which_nothing_failed_is_not_called_different(n: int, in_group: int, failures: float) -> None:
    rng = np.random.default_rng(n + in_group)
    called = covered = found = 0
    names = [str(q) for q in range(n)]
    groups = ["a"] * in_group + ["b"] * (n - in_group)
    for _ in range(RUNS):
        strata = [str(place) for place in rng.integers(0, 8, n)]
        for gap in (0.0, 0.1):
            chance = np.where(np.arange(n) < in_group, failures + gap, failures)
            values = (rng.random(n) < chance).astype(float)
            made = matched_gap(values, groups, strata, names, group="a", reference="b", margin=0.05, within=(0.0, 1.0))
            assert made.detectable > 0.1  # of so few, no smaller one is found with 80%
            if gap:
                found += made.p <= 0.05
            else:
                called += made.p <= 0.05
                covered += made.gap.low <= 0 <= made.gap.high
    print(f"{in_group} of {n}: called {called / RUNS:.3f}, covers {covered / RUNS:.3f}, .1 found {found / RUNS:.3f}")
    assert called <= binom.ppf(0.9995, RUNS, 0.055)
    assert covered >= binom.ppf(0.0005, RUNS, 0.94)
    assert found / RUNS > 0.35


@pytest.mark.parametrize("passing", [0.8, 0.95, 1.0])
def test_clusters_of_unlike_size_cover_and_are_not_held_equivalent_at_the_margin(passing: float) -> None:
    """Clusters of 1 to 12 questions whose answers are alike at .3; the group passes less often by the margin itself."""
    rng = np.random.default_rng(5)
    covered = equivalent = 0
    for _ in range(RUNS):
        clusters = CLUSTERED.draw_passes(rng, 300).units
        cases = int(clusters.max()) + 1
        group = (rng.random(cases) < 0.4)[clusters]
        first = np.unique(clusters, return_index=True)[1]
        answers = rng.random(300) < np.where(group, passing - MARGIN, passing)
        answers = np.where(rng.random(300) < np.sqrt(WITHIN_CLUSTERS), answers[first][clusters], answers)
        gap = matched_gap(
            answers.astype(float),
            np.where(group, "a", "b").tolist(),
            [str(stratum) for stratum in rng.integers(0, 3, cases)[clusters]],
            [str(cluster) for cluster in clusters],
            group="a",
            reference="b",
            margin=MARGIN,
            within=(0.0, 1.0),
        )
        covered += gap.gap.low <= -MARGIN <= gap.gap.high
        equivalent += gap.p_equivalence <= 0.05
    print(f"{passing}: covers {covered / RUNS:.3f}, equivalent {equivalent / RUNS:.3f}")
    assert covered >= binom.ppf(0.0005, RUNS, 0.94)
    assert equivalent <= binom.ppf(0.9995, RUNS, 0.05)
