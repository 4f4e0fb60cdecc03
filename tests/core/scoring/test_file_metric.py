"""Metrics whose scores came from a file: declared beside their scores, and asked about like any other."""

from __future__ import annotations

import math

import pytest

from hcat.core.calibration.answer_scores import declined
from hcat.core.errors import HcatError
from hcat.core.metrics.registry import find_metric
from hcat.core.scoring.file_metric import FileMetric
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.types import Score

JUDGE = FileMetric("judge", "theirs.csv", "ab" * 32, direction="lower", low=0.0, high=5.0)


def table() -> ScoreTable:
    provenance = Provenance(
        version="1.0", run_hash="", metrics=("their_judge", "answer_f1", "odd"), from_files={"their_judge": JUDGE}
    )
    values = {"their_judge": [0.0, 5.0], "answer_f1": [0.5, 0.5], "odd": [1.0, 2.0]}
    scores = {name: [Score(value) for value in column] for name, column in values.items()}
    return score_table(["a", "b"], scores, provenance, answer_states=["answered", "wrong_refusal"])


def test_a_score_file_carries_the_declaration() -> None:
    back = ScoreTable.from_bytes(table().to_bytes())
    assert back.provenance.from_files == {"their_judge": JUDGE}
    assert back.direction_of("their_judge") == "lower"
    assert back.facts("their_judge").range == (0.0, 5.0)
    assert "theirs.csv, SHA-256 abababababab" in back.facts("their_judge").source


def test_the_registry_answers_for_ours_and_nobody_for_a_metric_that_nobody_declared() -> None:
    registered = find_metric("answer_f1")
    assert table().facts("answer_f1").range == registered.range
    assert table().directions(["answer_f1", "odd"]) == {"answer_f1": "higher", "odd": "none"}
    assert table().facts("odd").range == (-math.inf, math.inf)


def test_a_mean_of_scores_that_may_be_a_machines_verdicts_has_no_interval() -> None:
    summary = table().summary()["their_judge"]
    assert summary.judged
    assert summary.mean.value == 2.5
    assert math.isnan(summary.mean.low)


def test_a_direction_that_nobody_stated_is_no_direction() -> None:
    assert FileMetric("judge", "theirs.csv", "").facts("judge").direction == "none"


def test_a_metric_from_a_file_gives_refusals_no_probability() -> None:
    assert declined(table(), ["their_judge"]).tolist() == [False, True]


def test_a_range_goes_upwards() -> None:
    with pytest.raises(HcatError, match="smaller number to a larger"):
        FileMetric("judge", "theirs.csv", "", low=5.0, high=0.0)
