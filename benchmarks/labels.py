"""From a saved label to the recomputed curve, set, diagnostics and corrected pass rate, on 5,000 labels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from benchmarks.rows import Measured
from benchmarks.timing import Ratio, interleaved
from hcat.core.estimates.label_evaluation import CalibrationSpec, ScoredRun, evaluate_labels
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

LABELS, SAMPLES = 5_000, 10_000
REPLICATES = 200
REPEATS = 40
CRITERION = Criterion("correctness")
METRIC = "answer_f1"
INPUT = "5,000 labels of 10,000"


def rows(pairs: int) -> Iterator[Measured]:
    """The ratio to one isotonic fit of scikit-learn, and the 95th percentile of the time over its goal in seconds."""
    scores, labels = _labelled_run(SAMPLES, LABELS)
    run, spec = ScoredRun(scores), CalibrationSpec(CRITERION, (METRIC,))
    before = resolve_labels(labels[:-1], CRITERION)

    def recompute() -> None:
        evaluate_labels(resolve_labels(labels, CRITERION, before=before), run, spec, replicates=0, repeats=0)

    def with_replicates() -> None:
        evaluate_labels(resolve_labels(labels, CRITERION, before=before), run, spec, replicates=REPLICATES)

    recompute()  # what is read once, such as folds of the run's samples, is read before
    ratio = interleaved(recompute, _isotonic(scores, labels), pairs=max(pairs, 5))
    yield Measured("labels", INPUT, "label to PPI++ / one isotonic fit", ratio, at_most=5.0)
    for what, job, goal in (("p95 / 50 ms", recompute, 0.05), ("p95 / 250 ms, 200 replicates", with_replicates, 0.25)):
        yield Measured("labels", INPUT, what, against(job, goal), at_most=1.0)


def against(job: Callable[[], None], goal: float, *, before: Callable[[], None] = lambda: None) -> Ratio:
    """The 95th percentile of the job's seconds over the goal; `before` runs untimed before each."""
    seconds = []
    for _ in range(REPEATS):
        before()
        start = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - start)
    p95 = float(np.quantile(seconds, 0.95))
    return Ratio(p95 / goal, min(seconds) / goal, max(seconds) / goal, p95, goal, REPEATS)


def _labelled_run(total: int, labelled: int) -> tuple[ScoreTable, list[Label]]:
    rng = np.random.default_rng(7)
    score = rng.random(total)
    passed = rng.random(total) < 1 / (1 + np.exp(-6 * (score - 0.4)))
    index = pd.Index([f"sample-{i}" for i in range(total)], name="sample_id", dtype="str")
    table = ScoreTable(pd.DataFrame({METRIC: score}, index=index), Provenance("0", "0" * 64, (METRIC,)))
    start = datetime(2025, 1, 6, 9, tzinfo=UTC)
    labels = [
        Label(
            f"sample-{i}",
            CRITERION.name,
            int(passed[i]),
            annotator="ann",
            at=start + timedelta(seconds=20 * i),
            probability=labelled / total,
        )
        for i in range(labelled)
    ]
    return table, labels


def _isotonic(scores: ScoreTable, labels: list[Label]) -> Callable[[], object]:
    from sklearn.isotonic import IsotonicRegression

    x = scores.values(METRIC)[: len(labels)]
    y = np.array([label.level for label in labels], dtype=np.float64)
    return lambda: IsotonicRegression(out_of_bounds="clip").fit(x, y)
