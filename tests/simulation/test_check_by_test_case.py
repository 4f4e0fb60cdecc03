"""Coverage of the check's intervals where its labels are trials of few test cases that agree within them."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.calibration.checks.diagnostics import Diagnostics, diagnose
from hcat.core.types import Estimate

DRAWS = int(os.environ.get("HCAT_DRAWS", "150"))
"""1000 in `make simulate`."""

TRIALS, Q_HAT = 5, 0.7


def draw(rng: np.random.Generator, cases: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Scores of trials scatter a little around those of test cases, which alone decide the label."""
    x = rng.normal(size=cases)
    passed = rng.random(cases) < 1 / (1 + np.exp(-1.5 * x))
    score = np.repeat(x, TRIALS) + 0.3 * rng.normal(size=cases * TRIALS)
    return 1 / (1 + np.exp(-1.5 * score)), np.repeat(passed, TRIALS)


def parts(d: Diagnostics) -> dict[str, Estimate]:
    assert d.decided is not None
    return {
        "AUC": d.auc,
        "Brier": d.brier,
        "coverage": d.coverage,
        "undecided": d.undecided,
        "type I": d.type_1,
        "type II": d.type_2,
        "error of decided": d.decided.error,
    }


@pytest.mark.parametrize("cases", [20, 40])
def test_coverage_by_test_case(cases: int) -> None:
    truth = {
        name: e.value
        for name, e in parts(diagnose(*draw(np.random.default_rng(1), 20000), q_hat=Q_HAT, replicates=0)).items()
    }
    rng, names = np.random.default_rng(7), [f"c{k}" for k in np.repeat(np.arange(cases), TRIALS)]
    held: dict[str, list[tuple[bool, bool]]] = {name: [] for name in truth}
    for _ in range(DRAWS):
        p, y = draw(rng, cases)
        by_case = parts(diagnose(p, y, q_hat=Q_HAT, test_cases=names, replicates=0))
        by_sample = parts(diagnose(p, y, q_hat=Q_HAT, replicates=0))
        for name, true in truth.items():
            ends = by_case[name], by_sample[name]
            held[name].append((ends[0].low <= true <= ends[0].high, ends[1].low <= true <= ends[1].high))
    for name, rows in held.items():
        by_case_share, by_sample_share = np.mean(rows, axis=0)
        print(f"{cases} test cases, {name}: {by_case_share:.3f}, by sample {by_sample_share:.3f}")
        # Means of few skewed values, as of the Brier score, are held a little less often than 95%.
        assert by_case_share >= 0.92 - 3 * (0.92 * 0.08 / DRAWS) ** 0.5
        assert by_sample_share < 0.85
