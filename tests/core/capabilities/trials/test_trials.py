"""Trials by a checker: PROB's algebra written out, slices, kinds of answers, and components of variance."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from hcat.core.capabilities.trials.trials import (
    NO_ANSWER,
    Checker,
    answer_kinds,
    cases_of,
    expectations,
    labels_checker,
    level_scores,
    metric_checker,
    most_trials,
    ratings,
    trial_scores,
)
from hcat.core.capabilities.trials.variance_components import split_variance
from hcat.core.capabilities.trials.wording import component_note, trials_note
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample

CRITERION = Criterion("correctness")


def made_run(cases: int = 6, trials: int = 4) -> list[Sample]:
    return [
        Sample(
            f"q{i}#{j}",
            f"question {i}",
            f"answer {j % 2}",
            dimensions={"kind": "odd" if i % 2 else "even"},
            test_case=f"q{i}",
            trial=j,
            expected=1.0 if i < 4 else 0.25,
        )
        for i in range(cases)
        for j in range(trials)
    ]


def checker(samples: list[Sample], outcomes: np.ndarray) -> Checker:
    return Checker("c", "labels", {s.id: float(e) for s, e in zip(samples, outcomes, strict=True)})


def test_scores_are_those_of_the_source_written_as_double_sums() -> None:
    samples = made_run()
    rng = np.random.default_rng(2)
    E = (rng.random((6, 4)) < 0.6).astype(float)
    n, m = E.shape
    # PROB 3.3.3 to 3.4.3, step by step through Bayes' theorem.
    p_given_q = [sum(E[i]) / m for i in range(n)]
    q_given_e = [sum(E[i]) / sum(E[k, j] for k in range(n) for j in range(m)) for i in range(n)]
    unconditional = [p_given_q[i] * (1 / n) / q_given_e[i] for i in range(n) if q_given_e[i]]
    H = [1.0] * 4 + [0.25] * 2
    conditional = [1 - abs(p - h) for p, h in zip(p_given_q, H, strict=True)]
    total = (n * unconditional[0] + sum(conditional)) / (2 * n)
    found = trial_scores(samples, checker(samples, E.ravel()))
    assert unconditional == pytest.approx([found.unconditional.value] * len(unconditional))
    assert found.conditional.value == pytest.approx(sum(conditional) / n)
    assert found.total.value == pytest.approx(total)
    assert [case.probability for case in found.cases] == pytest.approx(p_given_q)
    assert (found.trials, found.equal_trials) == (24, True)


def test_factors_are_the_scores_of_their_own_test_cases() -> None:
    samples = made_run()
    outcomes = np.array([1.0 if s.dimensions["kind"] == "odd" else 0.0 for s in samples])
    even, odd = level_scores(samples, checker(samples, outcomes), [s.dimensions["kind"] for s in samples])
    assert (even.level, even.scores.unconditional.value, even.scores.unconditional.n) == ("even", 0.0, 3)
    assert (odd.level, odd.scores.unconditional.value) == ("odd", 1.0)
    with pytest.raises(HcatError):
        level_scores(samples, checker(samples, outcomes), ["x"])


def test_unscored_trials_are_left_out_and_make_unequal_m() -> None:
    samples = made_run()
    labels = [Label(sample.id, "correctness", 1, annotator="ann") for sample in samples[:-1]]
    tie = [Label(samples[0].id, "correctness", 0, annotator="bea")]
    found = trial_scores(samples, labels_checker([*labels, *tie], CRITERION))
    assert (found.trials, found.unscored, found.equal_trials) == (22, 2, False)
    assert "mean over trials" in trials_note(found)


def test_a_metric_judges_on_its_better_side() -> None:
    index = pd.Index(["a", "b", "c"], name="sample_id", dtype="str")
    table = ScoreTable(
        pd.DataFrame({"groundedness": [0.2, 0.7, np.nan]}, index=index), Provenance("0", "h", ("groundedness",))
    )
    made = metric_checker(table, "groundedness", threshold=0.7)
    assert made.outcomes == {"a": 0.0, "b": 1.0}
    assert made.name == "groundedness ≥ 0.7"


def test_expectations_are_means_over_what_trials_state() -> None:
    samples = [
        Sample("a", "q", "x", test_case="t", expected=1.0),
        Sample("b", "q", "x", test_case="t", expected=0.5),
        Sample("c", "q", "x"),
    ]
    assert expectations(samples) == {"t": 0.75}
    assert cases_of(samples) == ["t", "t", "c"]
    assert (most_trials(samples), most_trials([])) == (2, 0)


def test_answers_are_of_one_kind_where_they_mean_the_same() -> None:
    vectors = {"yes": [1.0, 0.0], "yes indeed": [0.98, 0.199], "no": [0.0, 1.0]}
    answers = ["yes", "yes indeed", "no", None, "  "]
    samples = [Sample(str(i), "q", answer, test_case="t") for i, answer in enumerate(answers)]
    rows = {text: np.array(row, dtype=np.float32) for text, row in vectors.items()}
    kinds = answer_kinds(samples, rows)
    assert kinds[0] == kinds[1] != kinds[2]
    assert kinds[3] == kinds[4] == NO_ANSWER
    assert len(set(answer_kinds(samples, rows, alike=0.999))) == 4
    with pytest.raises(HcatError):
        answer_kinds(samples, rows, alike=2)


def test_ratings_are_peoples_present_judgements() -> None:
    labels = [
        Label("a", "correctness", 0, annotator="ann"),
        Label("a", "correctness", 1, annotator="ann"),
        Label("a", "correctness", 0, annotator="reference-rule", source="rule"),
        Label("a", "other", 0, annotator="bea"),
    ]
    assert ratings(labels, CRITERION) == [("a", "ann", 1.0)]


def test_what_cannot_be_told_apart_is_said() -> None:
    case = [str(i // 3) for i in range(12)]
    values = [0.0, 1.0, 1.0] * 4
    split = split_variance(
        values,
        {"test case": case, "trial": [str(i) for i in range(12)], "annotator": ["ann"] * 12, "again": case},
        clusters=case,
        generator=np.random.default_rng(1),
    )
    found = {component.name: component for component in split.components}
    assert math.isnan(found["trial"].variance)
    assert "one judgement of each" in component_note(found["trial"])
    assert component_note(found["annotator"]) == "there is only one"
    assert "can't be told from test case" in component_note(found["again"])
    assert found["rest"].share.value == 1.0  # every test case has the same mean
    assert "counted as 0" in component_note(found["test case"])


def test_shares_sum_to_one_and_hold_their_intervals() -> None:
    rng = np.random.default_rng(8)
    case = np.repeat(np.arange(30), 6)
    annotator = np.tile(np.arange(3), 60)
    sample = np.repeat(np.arange(60), 3)
    y = rng.normal(size=30)[case] + 0.5 * rng.normal(size=60)[sample] + rng.normal(size=180)
    split = split_variance(
        y,
        {
            "test case": case.astype(str).tolist(),
            "trial": sample.astype(str).tolist(),
            "annotator": annotator.astype(str).tolist(),
        },
        clusters=case.astype(str).tolist(),
        generator=np.random.default_rng(4),
    )
    assert sum(component.share.value for component in split.components) == pytest.approx(1)
    for component in split.components:
        assert component.share.low <= component.share.value <= component.share.high
        assert component.share.n == 30


def test_no_judgements_no_variance() -> None:
    split = split_variance([], {"test case": []}, clusters=[], generator=np.random.default_rng(1))
    assert all(math.isnan(component.variance) for component in split.components)
