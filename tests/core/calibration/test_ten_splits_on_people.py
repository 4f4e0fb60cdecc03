"""Ten random splits of public labels of people: how coverage, set sizes and AUC vary, and what PPI++ saves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.calibration.calibration import calibrate
from core.estimates.run_estimates import estimate_run
from core.scores import Provenance, ScoreTable
from core.types import Criterion, Label
from tests.core.calibration.test_calibration_on_people import begin, financebench

DATA = Path(__file__).parents[3].parent / "shared/data"
ROUNDS = 10
ALPHA = 0.1

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository"),
]


@dataclass(frozen=True)
class Judged:
    """Labels of people beside scores; `cases` maps samples to test cases."""

    labels: list[Label]
    scores: ScoreTable
    criterion: Criterion
    method: str
    cases: Mapping[str, str]

    def renamed(self, turn: int) -> Judged:
        """The same with other ids, which fall into other splits."""
        frame = self.scores.frame.rename(index=lambda sample_id: f"{turn}/{sample_id}")
        return replace(
            self,
            labels=[replace(label, sample_id=f"{turn}/{label.sample_id}") for label in self.labels],
            scores=ScoreTable(frame, self.scores.provenance),
            cases={f"{turn}/{sample_id}": f"{turn}/{case}" for sample_id, case in self.cases.items()},
        )


def of_financebench() -> Judged:
    labels, scores, cases = financebench()
    return Judged(labels, scores, Criterion("correctness"), "combined", cases)


def of_begin() -> Judged:
    labels, scores = begin()
    return Judged(labels, scores, Criterion("groundedness"), "combined", {})


@cache
def of_alce() -> Judged:
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    ids = [f"{row['run']}/{row['id']}" for row in rows]
    columns = {
        "length": [float(np.log1p(len(row["output"].split()))) for row in rows],
        "right": [float(np.mean(row["automatic_correctness_scores"])) for row in rows],
        "distinct": [len(set(row["output"].split())) / max(len(row["output"].split()), 1) for row in rows],
    }
    frame = pd.DataFrame(columns, index=pd.Index(ids, name="sample_id", dtype="str"))
    return Judged(
        [Label(sample_id, "utility", row["utility_score"] - 1) for sample_id, row in zip(ids, rows, strict=True)],
        ScoreTable(frame, Provenance("0", "alce", tuple(columns))),
        Criterion("utility", ("1", "2", "3", "4", "5"), passing=3),
        "multinomial",
        {sample_id: str(row["id"]) for sample_id, row in zip(ids, rows, strict=True)},
    )


SETS: dict[str, Callable[[], Judged]] = {
    "FinanceBench correctness": of_financebench,
    "BEGIN groundedness": of_begin,
    "ALCE utility": of_alce,
}


@pytest.mark.parametrize("name", SETS)
def test_coverage_over_ten_splits(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    coverage, auc, size, n = [], [], [], []
    for turn in range(ROUNDS):
        judged = SETS[name]().renamed(turn)
        made = calibrate(
            judged.labels,
            judged.scores,
            criterion=judged.criterion,
            metrics=judged.scores.metrics,
            method=judged.method,
            alpha=ALPHA,
            test_cases=judged.cases,
            directions=dict.fromkeys(judged.scores.metrics, "none") if judged.method == "multinomial" else None,
        )
        assert made.diagnostics is not None
        sizes = made.diagnostics.set_sizes
        coverage.append(made.diagnostics.coverage.value)
        auc.append(made.diagnostics.auc.value)
        size.append(sum(k * count for k, count in sizes.items()) / sum(sizes.values()))
        n.append((made.split_sizes["conformal"], made.split_sizes["check"]))
    with capsys.disabled():
        print(
            f"\n{name}: coverage {np.mean(coverage):.3f} (sd {np.std(coverage, ddof=1):.3f}, goal {1 - ALPHA}), "
            f"AUC {np.mean(auc):.3f}, mean set size {np.mean(size):.2f} of {len(made.levels)}, "
            f"threshold and check on about {n[0][0]} and {n[0][1]} labels"
        )
    # One split's coverage varies by its threshold's n and its check's n; the mean of ten overlapping splits by less.
    one = np.sqrt(ALPHA * (1 - ALPHA) * np.mean([1 / a + 1 / b for a, b in n]))
    assert abs(np.mean(coverage) - (1 - ALPHA)) < 2 * one
    assert np.std(coverage, ddof=1) < 2 * one


@pytest.mark.parametrize("name", SETS)
def test_labels_that_ppi_saves_at_equal_width(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A quarter of the labels is taken, ten times, as if the others were not known; all of them are the truth."""
    judged = SETS[name]()
    truth = float(np.mean([label.level >= judged.criterion.passing for label in judged.labels]))
    rng = np.random.default_rng(7)
    saved, inside, narrower = [], 0, 0
    for _ in range(ROUNDS):
        taken = rng.choice(len(judged.labels), len(judged.labels) // 4, replace=False)
        found = estimate_run(
            [replace(judged.labels[k], probability=0.25) for k in taken],
            judged.scores,
            criterion=judged.criterion,
            metrics=judged.scores.metrics,
            method="combined" if judged.method == "combined" else "logistic",
        )
        saved.append(found.effective_n / found.labels_only_effective_n - 1)
        inside += found.ppi.low <= truth <= found.ppi.high
        narrower += found.ppi.high - found.ppi.low <= 1.02 * (found.labels_only.high - found.labels_only.low)
    with capsys.disabled():
        print(
            f"\n{name}: {len(taken)} labels do the work of {np.mean(saved) + 1:.2f} times as many (range "
            f"{min(saved) + 1:.2f}–{max(saved) + 1:.2f}); {inside} of {ROUNDS} intervals hold the rate of all labels"
        )
    assert inside >= 7  # of ten at 95 %: fewer has a chance below 0.2 %
    assert narrower == ROUNDS
