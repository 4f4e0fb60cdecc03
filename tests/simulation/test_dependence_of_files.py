"""Runs of trials as they come from files: intervals cover and useless metrics pass no check, with and without run file.

Trials of a test case share most of their score and of their label. Scores without clusters, as score files of earlier
versions have them, show what these are needed for (`test_what_is_lost_without_clusters`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.estimates.estimate import estimate_pass_rate
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.clusters import clusters_of
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample, Variant
from tests.draws import fewer
from tests.grids import each_value_once

DRAWS = int(os.environ.get("HCAT_DRAWS", fewer(60)))
"""1000 in `make simulate`."""
CRITERION = Criterion("c")

Opened = Callable[[list[Sample], ScoreTable, list[Label]], Opened]


def trials(case: int, trial: int) -> Sample:
    return Sample(f"q{case}-{trial}", f"question {case}", "a", test_case=f"q{case}", trial=trial)


def texts_of_groups(case: int, trial: int) -> Sample:
    return Sample(f"q{case}-{trial}", f"question {case}, said {trial}", "a", group=f"g{case}")


def variants(case: int, trial: int) -> Sample:
    return Sample(f"q{case}-{trial}", "q", "a", variant=Variant("typo", f"q{case}-0") if trial else None)


KINDS = (trials, texts_of_groups, variants)


def scores_alone(samples: list[Sample], table: ScoreTable, labels: list[Label]) -> Opened:
    """As `hcat estimate scores.parquet labels.csv` opens them."""
    return run_from_files(RunColumns("r", FileColumns(None, lambda: ScoreTable.from_bytes(table.to_bytes()))), labels)


def with_run_file(samples: list[Sample], table: ScoreTable, labels: list[Label]) -> Opened:
    return run_from_files(RunColumns("r", FileColumns(lambda: samples, lambda: table)), labels)


def old_scores_alone(samples: list[Sample], table: ScoreTable, labels: list[Label]) -> Opened:
    return scores_alone(samples, replace(table, clusters=None), labels)


def draw(
    rng: np.random.Generator,
    cases: int,
    size: int,
    *,
    slope: float,
    labelled: float = 1.0,
    kind: Callable[[int, int], Sample] = trials,
) -> tuple[list[Sample], ScoreTable, list[Label]]:
    """Of so many test cases, all samples of one labelled or none. Labels have an intraclass correlation of about 0.8;
    `slope` is what the shared part of the score tells of them."""
    samples = [kind(case, trial) for case in range(cases) for trial in range(size)]
    shared = np.repeat(rng.normal(size=cases), size)
    score = shared + 0.3 * rng.normal(size=cases * size)
    own = np.repeat(rng.normal(size=cases), size)
    latent = slope * shared + 2.0 * own + 0.5 * rng.normal(size=cases * size) + 0.5
    index = pd.Index([sample.id for sample in samples], name="sample_id", dtype="str")
    table = ScoreTable(
        pd.DataFrame({"m": score}, index=index),
        Provenance("0", "h", ("m",)),
        clusters=tuple(clusters_of(samples).values()),
    )
    chosen = np.repeat(rng.permutation(cases) < labelled * cases, size)
    labels = [
        Label(name, "c", int(value > 0)) for name, value, drawn in zip(index, latent, chosen, strict=True) if drawn
    ]
    return samples, table, labels


def pass_rate(slope: float) -> float:
    return float(stats.norm.cdf(0.5 / np.sqrt(slope**2 + 4.25)))


def coverage(opened: Opened, *, cases: int, kind: Callable[[int, int], Sample] = trials, slope: float = 1.5) -> float:
    rng, truth, hits = np.random.default_rng(11), pass_rate(slope), 0
    for _ in range(DRAWS):
        run = opened(*draw(rng, 3 * cases, 5, slope=slope, labelled=1 / 3, kind=kind))
        found = estimate_pass_rate(run, CRITERION, metrics=["m"]).ppi
        hits += found.low <= truth <= found.high
    return hits / DRAWS


def share_fit(opened: Opened, *, cases: int, size: int, method: str, slope: float = 0.0) -> float:
    """How often a metric, unrelated to the labels where the slope is 0, is found fit for use."""
    rng, fit = np.random.default_rng(23), 0
    for _ in range(DRAWS):
        run = opened(*draw(rng, cases, size, slope=slope))
        fit += calibrate(run, CRITERION, metrics=["m"], method=method).fit_for_use.value == "yes"
    return fit / DRAWS


def slack(share: float) -> float:
    """Three standard errors of a share over the draws."""
    return 3 * float(np.sqrt(share * (1 - share) / DRAWS))


@pytest.mark.parametrize(("cases", "kind"), [(60, trials), *((20, kind) for kind in KINDS)])
def test_intervals_cover_without_the_run_file(cases: int, kind: Callable[[int, int], Sample]) -> None:
    share = coverage(scores_alone, cases=cases, kind=kind)
    print(f"{cases} labelled clusters of 5 ({kind.__name__}), scores alone: {share:.3f}")
    assert 0.93 - slack(0.93) <= share <= 0.97 + slack(0.97)


@pytest.mark.parametrize(("cases", "size", "method"), each_value_once([(40, 5), (30, 10)], ["logistic", "isotonic"]))
def test_useless_metrics_are_not_fit_without_the_run_file(cases: int, size: int, method: str) -> None:
    share = share_fit(scores_alone, cases=cases, size=size, method=method)
    print(f"{cases} test cases of {size} trials, {method}, scores alone: {share:.3f} fit for use")
    assert share <= 0.05 + slack(0.05)


def test_useful_metrics_of_trials_are_fit() -> None:
    assert share_fit(scores_alone, cases=200, size=5, method="logistic", slope=8.0) > 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_the_run_file_changes_nothing_where_the_scores_know_the_clusters(kind: Callable[[int, int], Sample]) -> None:
    drawn = draw(np.random.default_rng(5), 30, 5, slope=1.5, labelled=0.5, kind=kind)
    first, second = scores_alone(*drawn), with_run_file(*drawn)
    assert first.columns.clusters == second.columns.clusters
    estimates = [estimate_pass_rate(run, CRITERION, metrics=["m"]) for run in (first, second)]
    assert estimates[0] == estimates[1]


def test_what_is_lost_without_clusters() -> None:
    covered = coverage(old_scores_alone, cases=60)
    print(f"60 test cases of 5 trials, without clusters: coverage {covered:.3f}")
    assert covered < 0.85
