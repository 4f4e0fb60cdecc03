"""Slices by people's labels alone: false alarms where none is weak, and coverage of intervals, by simulation."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.slices.table import WeaknessTable
from hcat.core.types import Criterion, Label, Sample
from tests.grids import each_value_once

DRAWS = max(20, int(os.environ.get("HCAT_DRAWS", "0")) // 5)
CRITERION = Criterion("correctness")


def draw(rng: np.random.Generator, *, n: int, labelled: int, unequal: bool, trials: int, rate: float) -> WeaknessTable:
    """A run of which no slice is weak: whether people pass an answer depends on its test case alone."""
    cases = np.arange(n) // trials
    kinds, areas = rng.integers(4, size=n), rng.integers(3, size=n)
    quality = rng.normal(size=n)[cases] if trials > 1 else rng.normal(size=n)
    limit = stats.norm.ppf(rate) * np.sqrt(2)
    passed = quality + rng.normal(size=n) < limit
    chance = np.full(n, labelled / n)
    if unequal:
        chance = np.where(quality > 0.5, 2.0, 0.7) * labelled / n
        chance = np.minimum(chance, 1.0)
    samples = tuple(
        Sample(f"s{k}", "q", "a", dimensions={"kind": f"k{kinds[k]}", "area": f"a{areas[k]}"}, test_case=f"t{cases[k]}")
        for k in range(n)
    )
    labels = [
        Label(f"s{k}", CRITERION.name, int(passed[k]), "ann", probability=float(chance[k]))
        for k in np.flatnonzero(rng.random(n) < chance)
    ]
    run = run_from_files(RunColumns("r", FileColumns(lambda: samples)), labels)
    return find_pass_rate_weaknesses(run, CRITERION, by=["kind", "area"], pairs=True)


@pytest.mark.parametrize(
    ("unequal", "trials", "n", "labelled"), each_value_once([(False, 1), (True, 1), (False, 3)], [(80, 80), (400, 120)])
)
def test_no_slice_is_weak_by_chance_and_intervals_cover(n: int, labelled: int, unequal: bool, trials: int) -> None:
    rng = np.random.default_rng(n + labelled + 7 * unequal + trials)
    counts: Counter[str] = Counter()
    rate = 0.8
    for _ in range(DRAWS):
        frame = draw(rng, n=n, labelled=labelled, unequal=unequal, trials=trials, rate=rate).frame
        counts["weak"] += bool((frame["verdict"] == "weak").any())
        tested = frame[frame["verdict"] != "insufficient evidence"]
        counts["tested"] += len(tested)
        counts["covered"] += int(((tested["low"] <= rate) & (rate <= tested["high"])).sum())
    print(f"weak {counts['weak'] / DRAWS:.3f} of {DRAWS}; intervals cover {counts['covered'] / counts['tested']:.3f}")
    assert counts["weak"] <= stats.binom.ppf(0.999, DRAWS, 0.05)
    assert counts["tested"] > 5 * DRAWS
    assert counts["covered"] / counts["tested"] > 0.95 - 3 * np.sqrt(0.95 * 0.05 / DRAWS)
