"""The pass rate of a run of semantic groups: GRAMMAR's texts on Spider, 570 in 57 groups."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from hcat.core.capabilities.estimates.estimate import estimate_pass_rate
from hcat.core.importers import read_run
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.records.clusters import cluster_sources, clusters_of
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

FILE = Path(__file__).parents[4] / "shared/data/grammar/spider/eval_results/results_short_balanced.json"

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not FILE.is_file(), reason="the public data sets are not beside the repository"),
]


def test_the_interval_rests_on_the_groups() -> None:
    samples = read_run(FILE, filename=FILE.name).samples
    clusters = clusters_of(samples)
    assert (len(samples), len(set(clusters.values()))) == (570, 57)
    passed = np.array([sample.metadata["judgement"] == "Correct" for sample in samples], dtype=np.float64)
    # An independent cluster-robust interval: 68.6% [56.4, 80.8]. Of 570 independent texts it would be [64.7, 72.3].
    fit = sm.OLS(passed, np.ones(len(passed))).fit(
        cov_type="cluster", cov_kwds={"groups": np.unique(list(clusters.values()), return_inverse=True)[1]}, use_t=True
    )
    [[low, high]] = fit.conf_int()
    assert (low, high) == pytest.approx((0.564, 0.808), abs=0.001)

    index = pd.Index([sample.id for sample in samples], name="sample_id", dtype="str")
    frame = pd.DataFrame({"answer_length": [float(len(sample.answer or "")) for sample in samples]}, index=index)
    table = ScoreTable(
        frame,
        Provenance("0", "h", ("answer_length",), cluster_sources=cluster_sources(samples)),
        clusters=tuple(clusters.values()),
    )
    labels = [Label(name, "c", int(good)) for name, good in zip(index, passed, strict=True)]
    for read_samples in (None, lambda: samples):
        run = run_from_files(RunColumns("spider", FileColumns(read_samples, lambda: table)), labels)
        found = estimate_pass_rate(run, Criterion("c"), metrics=["answer_length"])
        # Wilson's at the effective n lies a little lower than Student's t about the mean.
        assert (found.labels_only.low, found.labels_only.high) == pytest.approx((low, high), abs=0.02)
        assert found.labels_only.high - found.labels_only.low == pytest.approx(high - low, rel=0.05)
        assert found.labels_only_effective_n < 65
