"""Slices by people's labels alone: the estimates of the Estimates page, Fisher's test, and what pages begin with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.estimates import estimate
from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.slice_metrics import (
    default_dimensions,
    default_metric,
    references_are_numbers,
    slice_metrics,
)
from hcat.core.errors import NotFoundError
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import Provenance, ScoreTable, score_table
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Criterion, Label, LabelSource, Sample, Score
from hcat.core.wording.slice_metrics import slice_metric_title

CRITERION = Criterion("correctness")
N = 80
IDS = [f"s{k}" for k in range(N)]
Change = Callable[[Sample], Sample]


def run_of(
    labels: Mapping[int, int],
    *,
    area: Callable[[int], str] = lambda k: "ab"[k % 2],
    weights: Mapping[int, float] | None = None,
    source: LabelSource = "person",
    trials: int = 1,
    scored: bool = True,
    reference: str | None = None,
) -> Opened:
    samples = tuple(
        Sample(
            f"s{k}",
            f"question {k // trials}",
            "yes",
            dimensions={"area": area(k), "company": f"c{k}"},
            test_case=f"t{k // trials}",
            reference=reference,
        )
        for k in range(N)
    )

    def scores() -> ScoreTable:
        names = ("answer_length", "groundedness", "answer_f1", "factual_numbers_recall")
        values = {name: [Score(k % 10 / 10) for k in range(N)] for name in names}
        return score_table(IDS, values, Provenance("0", content_hash(samples), names))

    given = [
        Label(f"s{k}", CRITERION.name, level, "ann", probability=(weights or {}).get(k, 1.0), source=source)
        for k, level in labels.items()
    ]
    return run_from_files(RunColumns("r", FileColumns(lambda: samples, scores if scored else None)), given, [CRITERION])


def rows_of(run: Opened, **settings: object) -> dict[str, Mapping[str, object]]:
    frame = find_pass_rate_weaknesses(run, CRITERION, by=["area"], **settings).frame  # type: ignore[arg-type]
    return {str(row["level_1"]): row for _, row in frame.iterrows()}


FEW_PASS_IN_A = {k: int(k % 2 == 1 or k % 8 == 0) for k in range(60)}
"""Of 30 labels in a 8 pass, of 30 in b all."""


def test_a_slice_that_people_pass_less_is_weak_by_fishers_test() -> None:
    rows = rows_of(run_of(FEW_PASS_IN_A))
    expected = stats.fisher_exact([[8, 22], [30, 0]]).pvalue
    assert rows["a"]["p"] == pytest.approx(expected)
    assert (rows["a"]["verdict"], rows["b"]["verdict"]) == ("weak", "not shown to be weak")
    assert (rows["a"]["n"], rows["a"]["labels"], rows["a"]["unscored"]) == (30, 30, 10)
    assert rows["a"]["mean"] == pytest.approx(8 / 30) and rows["a"]["difference"] == pytest.approx(8 / 30 - 1)
    assert {row["basis"] for row in rows.values()} == {"people"}


@pytest.mark.parametrize("weights", [None, {k: 0.2 + 0.6 * (k % 3 == 0) for k in range(60)}])
@pytest.mark.parametrize("trials", [1, 2])
def test_rates_and_intervals_are_those_of_the_estimates_page(weights: dict[int, float] | None, trials: int) -> None:
    run = run_of(FEW_PASS_IN_A, weights=weights, trials=trials)
    table = find_pass_rate_weaknesses(run, CRITERION, by=["area"])
    by_level = estimate.estimate_levels(run.columns, estimate.prepare(run, CRITERION, metrics=["answer_f1"]), "area")
    for level in by_level:
        row = table.frame[table.frame["level_1"] == level.level].iloc[0]
        expected = level.estimates.labels_only
        wanted = (expected.value, expected.low, expected.high)
        assert (row["mean"], row["low"], row["high"]) == pytest.approx(wanted, rel=1e-13)  # by sums of cells
    whole = estimate.estimate_pass_rate(run, CRITERION, metrics=["answer_f1"]).labels_only
    assert table.settings.overall["pass_rate:correctness"] == whole


def test_labels_drawn_unequally_count_by_their_weights() -> None:
    # In a, passes were drawn with 0.9 and fails with 0.1: of 8 passes and 22 fails, 8/0.9 = 8.9 stand beside 220.
    weights = {k: 0.9 if level else 0.1 for k, level in FEW_PASS_IN_A.items()}
    rows = rows_of(run_of(FEW_PASS_IN_A, weights=weights))
    assert rows["a"]["mean"] == pytest.approx((8 / 0.9) / (8 / 0.9 + 220))
    assert rows["a"]["verdict"] == "weak"


def test_where_all_labels_agree_on_both_sides_there_is_a_test_too() -> None:
    weights = {k: 0.5 + 0.4 * (k % 3 == 0) for k in range(60)}
    apart = rows_of(run_of({k: k % 2 for k in range(60)}, weights=weights))
    assert apart["a"]["verdict"] == "weak" and apart["a"]["p"] < 1e-6
    alike = rows_of(run_of(dict.fromkeys(range(60), 1), weights=weights))
    assert alike["a"]["p"] == 1.0 and alike["a"]["verdict"] == "not shown to be weak"


def test_several_samples_of_one_test_case_count_once() -> None:
    one_by_one, in_fours = (rows_of(run_of(FEW_PASS_IN_A, trials=trials))["a"] for trials in (1, 4))
    assert in_fours["cases"] == 15 and one_by_one["cases"] == 30
    few = rows_of(run_of({k: FEW_PASS_IN_A[k] for k in range(36)}, trials=4))["a"]
    assert few["n"] == 18 and few["verdict"] == "insufficient evidence"


def test_neither_scores_nor_a_calibration_are_needed() -> None:
    assert rows_of(run_of(FEW_PASS_IN_A, scored=False))["a"]["verdict"] == "weak"
    with pytest.raises(NotFoundError, match="no labels on 'correctness'"):
        rows_of(run_of({}))


def test_who_gave_the_labels_is_said() -> None:
    by_people, by_rule = (
        find_pass_rate_weaknesses(run_of(FEW_PASS_IN_A, source=source), CRITERION, by=["area"]).settings.labels
        for source in ("person", "rule")
    )
    assert slice_metric_title("pass_rate:correctness", by_people) == "Pass rate by people: correctness"
    assert slice_metric_title("pass_rate:correctness", by_rule) == "Pass rate by a reference rule: correctness"
    assert slice_metric_title("pass_probability") == "Corrected pass rate"


def test_pages_begin_with_people_once_labels_allow_a_test() -> None:
    run = run_of(FEW_PASS_IN_A)
    assert default_metric(run) == "pass_rate:correctness"
    assert default_metric(run_of(dict.fromkeys(range(12), 1))) == "answer_f1"
    assert default_metric(run_of({}, reference="$1,577.00")) == "factual_numbers_recall"
    fitted = calibrate(run.labels(CRITERION), run.columns.scores, criterion=CRITERION, metrics=["answer_f1"])
    assert default_metric(run.by(fitted)) == "pass_probability"
    other = replace(fitted, criterion="tone")
    assert default_metric(run.by(other)) == "pass_rate:correctness"
    assert slice_metrics(run.on(CRITERION, Criterion("tone")).by(fitted))[:2] == (
        *("pass_probability", "pass_rate:correctness"),
    )
    assert slice_metrics(run_of({}, scored=False)) == ()


def test_dimensions_with_levels_that_can_be_tested_come_first() -> None:
    run = run_of(FEW_PASS_IN_A)
    assert default_dimensions(run, "pass_rate:correctness", most=1) == ["area"]
    assert "company" in default_dimensions(run, "answer_f1", most=9)


@pytest.mark.parametrize(
    ("references", "numbers"),
    [
        (["$1577.00", "8.70%", "3.5 million USD", "Yes, since margins rose."], True),
        (["$1577.00", "No, revenue fell by 3% in 2022 and margins with it.", "The three segments grew."], False),
        ([None, None], False),
        ([None, "12"], True),
    ],
)
def test_references_that_are_numbers_are_told_from_sentences(references: Sequence[str | None], numbers: bool) -> None:
    samples = [Sample(f"s{k}", "q", "a", reference=r) for k, r in enumerate(references)]
    assert references_are_numbers(ColumnsOfSamples(samples)) == numbers


def test_the_mean_of_all_samples_is_not_that_of_labelled_ones() -> None:
    assert np.isnan(float(str(rows_of(run_of(dict.fromkeys(range(0, 60, 2), 1)))["b"]["mean"])))
