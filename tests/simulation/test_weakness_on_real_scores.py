"""Weak slices of FinanceBench's oracle run where scores are drawn independently of its dimensions: none is real."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.importers import read_run
from hcat.core.metrics.registry import METRICS
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.evaluate import score_samples
from hcat.core.slices.slices import dimension_frame
from hcat.core.slices.table import find_weaknesses
from tests.draws import fewer

DRAWS = max(fewer(6), int(os.environ.get("HCAT_DRAWS", "100")) // 20)
RUN = Path(__file__).parents[3] / "shared" / "data" / "financebench" / "gpt-4_oracle.jsonl"

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not RUN.is_file(), reason="the public data sets are not beside the repository"),
]


@pytest.fixture(scope="module")
def run() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Its dimensions, and its scores on the metrics that take no model."""
    samples = read_run(RUN, filename=RUN.name).samples
    plain = [metric.name for metric in METRICS if not metric.models and metric.direction != "none"]
    table = score_samples(
        samples, metrics=[name for name in plain if "@" not in name and name != "rr"], models=ModelSet(())
    )
    return dimension_frame(samples), pd.DataFrame({name: table.values(name) for name in table.metrics})


@pytest.mark.parametrize(
    ("n", "trials"), [(83, 1), (300, 1), *([(1000, 1), (250, 4)] if "HCAT_DRAWS" in os.environ else [(100, 4)])]
)
def test_no_slice_is_weak_by_chance(run: tuple[pd.DataFrame, pd.DataFrame], n: int, trials: int) -> None:
    """Rows of dimensions and rows of scores are resampled apart (83: permuted). Welch's t at 500: token_precision .55,
    factual_numbers_reference .59, token_f1 .27."""
    dimensions, scores = run
    rng = np.random.default_rng(n)
    wrong = dict.fromkeys(scores.columns, 0)
    for _ in range(DRAWS):
        rows, others = (rng.permutation(83) if n == 83 else rng.integers(0, 83, n) for _ in range(2))
        frame = dimensions.iloc[np.repeat(rows, trials)].reset_index(drop=True)
        cases = [str(k) for k in np.repeat(np.arange(n), trials)]
        for name in scores.columns:
            values = scores[name].iloc[np.repeat(others, trials)].reset_index(drop=True)
            if values.nunique() < 2:
                continue
            found = find_weaknesses(
                frame, values, metric=str(name), direction="higher", pairs=True, test_cases=cases
            ).frame
            wrong[name] += bool((found["verdict"] == "lower score").any())
    limit = stats.binom.ppf(0.999, DRAWS, 0.05)
    assert {name: count for name, count in wrong.items() if count > limit} == {}
    assert sum(wrong.values()) <= stats.binom.ppf(0.9999, DRAWS * len(wrong), 0.05)
