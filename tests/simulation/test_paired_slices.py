"""How often slices of two runs that are alike are shown to differ, and how often intervals hold the difference."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hcat.core.slices.paired import PairedValues, compare_slices


def test_runs_that_are_alike_are_shown_to_differ_no_more_often_than_stated() -> None:
    rng = np.random.default_rng(11)
    shown, p, covered = [], [], []
    for _ in range(300):
        frame = pd.DataFrame(
            {name: pd.Categorical(rng.choice(list("abcd"), 90)) for name in ("one", "two")},
            index=pd.Index([f"q{i}" for i in range(90)], dtype="str"),
        )
        case = np.repeat(rng.normal(0, 0.2, 45), 2)  # two trials a test case
        skill = rng.beta(2, 1, 90)
        own, other = (np.clip(skill + case + rng.normal(0, 0.2, 90), 0, 1) for _ in range(2))
        found = compare_slices(
            frame,
            PairedValues(own, other, [f"c{i // 2}" for i in range(90)]),
            runs=("a", "b"),
            metric="m",
            direction="higher",
            by=["one", "two"],
            within=(0.0, 1.0),
        )
        shown.append(any(each.verdict in ("lower", "higher") for each in found.slices))
        p += [each.p for each in found.slices[:8] if each.p == each.p]
        covered += [each.difference.low <= 0 <= each.difference.high for each in found.slices[:8] if each.p == each.p]
    assert np.mean(np.array(p) <= 0.05) < 0.065
    assert np.mean(shown) < 0.13  # levels and pairs are two families of 5% each, and a little for 300 draws
    assert np.mean(covered) > 0.93
