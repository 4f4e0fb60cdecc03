"""What is said beside a metric is the verdict of its calibration; without labels, that there is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hcat.core.capabilities.calibration import calibrate as calibrating
from hcat.core.capabilities.calibration.fitness import (
    FIT,
    NEVER,
    NOT_FIT,
    NOT_SHOWN_FIT,
    fitness_beside,
    metric_fitness,
)
from hcat.core.capabilities.calibration.wording.fitness import fitness_sentence
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.run_file import content_hash
from hcat.core.scoring.score_table import Provenance, ScoreTable, score_table
from hcat.core.types import Criterion, Label, LabelSource, Sample, Score

CRITERION = Criterion("correctness")
N = 300
SAMPLES = tuple(Sample(f"s{k}", "question", "yes", dimensions={"area": "ab"[k % 2]}) for k in range(N))
PASSED = [int(k % 10 > 2) for k in range(N)]
NOISE = np.random.default_rng(5).random(N)


def scores() -> ScoreTable:
    values = {
        "answer_f1": [Score(0.5 * PASSED[k] + 0.5 * float(NOISE[k])) for k in range(N)],
        "groundedness": [Score(float(NOISE[k])) for k in range(N)],
        "completeness": [Score(1 - PASSED[k] + float(NOISE[k])) for k in range(N)],
    }
    return score_table([s.id for s in SAMPLES], values, Provenance("0", content_hash(SAMPLES), tuple(values)))


def run_of(labelled: Sequence[int], *criteria: Criterion, source: LabelSource = "person") -> Opened:
    labels = [Label(f"s{k}", CRITERION.name, PASSED[k], "ann", source=source) for k in labelled]
    return run_from_files(RunColumns("r", FileColumns(lambda: SAMPLES, scores)), labels, criteria)


@pytest.mark.parametrize(
    ("metric", "labelled", "verdict"),
    [("answer_f1", N, FIT), ("groundedness", 60, NOT_SHOWN_FIT), ("completeness", N, NOT_FIT)],
)
def test_the_verdict_and_auc_are_those_of_the_calibration_page(metric: str, labelled: int, verdict: str) -> None:
    run = run_of(range(labelled))
    beside = metric_fitness(run, CRITERION, metric)
    fitted = calibrating.calibrate(run, CRITERION, metrics=[metric])
    assert (
        beside.verdict == verdict == {"yes": FIT, "no": NOT_FIT, "not shown": NOT_SHOWN_FIT}[fitted.fit_for_use.value]
    )
    assert fitted.evidence is not None and beside.auc == fitted.evidence.discrimination.auc
    assert (beside.labels, beside.by_people) == (labelled, labelled)
    said = fitness_sentence(beside)
    assert f"{beside.auc.value:.2f}" in said and f"{labelled} labels" in said
    assert ("does not say that people pass fewer" in said) == (verdict != FIT)


def test_without_labels_it_was_never_compared() -> None:
    beside = fitness_beside(run_of([], CRITERION), "answer_f1")
    assert beside is not None and beside.verdict == NEVER
    assert "never compared with people" in fitness_sentence(beside)
    assert metric_fitness(run_of([]), CRITERION, "answer_f1").verdict == NEVER


def test_with_few_labels_it_is_not_shown_and_says_how_few() -> None:
    beside = metric_fitness(run_of(range(6)), CRITERION, "answer_f1")
    assert beside.verdict == NOT_SHOWN_FIT and "6 labels, too few" in fitness_sentence(beside)


def test_labels_of_a_rule_are_named_as_such() -> None:
    beside = metric_fitness(run_of(range(N), source="rule"), CRITERION, "answer_f1")
    assert beside.by_people == 0 and "of a reference rule, none of people" in fitness_sentence(beside)


def test_people_themselves_need_no_verdict_and_a_calibration_has_its_own() -> None:
    run = run_of(range(N), CRITERION)
    assert fitness_beside(run, "pass_rate:correctness") is None
    assert fitness_beside(run, "pass_probability") is None
    fitted = calibrating.calibrate(run, CRITERION, metrics=["completeness"])
    beside = fitness_beside(run.by(fitted), "pass_probability")
    assert beside is not None and beside.verdict == NOT_FIT
    assert "behind the corrected pass rate is not fit" in fitness_sentence(beside)


def test_the_criterion_with_most_labels_decides() -> None:
    run = run_of(range(40), Criterion("tone"), CRITERION)
    beside = fitness_beside(run, "answer_f1")
    assert beside is not None and (beside.criterion, beside.labels) == ("correctness", 40)
