"""A run whose cases were drawn with unequal probabilities: the same weights from its samples and from its scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.estimates import estimate
from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.weaknesses import find_weaknesses
from hcat.core.models.model_set import ModelSet
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample

CRITERION = Criterion("correctness")
N = 60


def sample(k: int, *, probability: float | None) -> Sample:
    metadata = {} if probability is None else {"probability": probability}
    kind = "open" if k % 3 else "yes/no"
    answer = "word " * (1 + k % 7)
    return Sample(f"s{k}", f"query {k}", answer, dimensions={"query_type": kind}, metadata=dict(metadata))


def probability(k: int) -> float:
    return 0.5 if k % 2 else 0.1


def labels() -> list[Label]:
    """Odd samples pass, which are five times as likely to be drawn; every third of all has a label."""
    return [Label(f"s{k}", "correctness", int(k % 2 == 1 or k % 12 == 0)) for k in range(0, N, 3)]


def opened(samples: list[Sample] | None, scores: ScoreTable) -> Opened:
    source = FileColumns(None if samples is None else lambda: tuple(samples), lambda: scores)
    return run_from_files(RunColumns("r", source), labels())


@pytest.fixture
def samples() -> list[Sample]:
    return [sample(k, probability=probability(k)) for k in range(N)]


@pytest.fixture
def scores(samples: list[Sample], tmp_path: Path) -> ScoreTable:
    """Scored, written and read back."""
    table = score_samples(samples, metrics=["answer_length"], models=ModelSet(()), seed=1)
    table.write(tmp_path / "s.parquet")
    return ScoreTable.read(tmp_path / "s.parquet")


def test_score_files_carry_the_probabilities(samples: list[Sample], scores: ScoreTable) -> None:
    assert scores.design_weights == {f"s{k}": pytest.approx(1 / probability(k)) for k in range(N)}
    runs = [opened(samples, scores), opened(None, scores)]
    rates = [estimate.estimate_pass_rate(run, CRITERION, metrics=("answer_length",)) for run in runs]
    assert rates[0] == rates[1]
    # Labelled are k = 0, 3, …, 57. Ten even ones weigh 10, of which 0, 12, 24, 36, 48 pass; ten odd ones weigh 2.
    assert rates[0].labels_only.value == pytest.approx((5 * 10 + 10 * 2) / (10 * 10 + 10 * 2))
    assert scores.summary()["answer_length"].mean.value == pytest.approx(
        np.average(scores.values("answer_length"), weights=[1 / probability(k) for k in range(N)])
    )


def test_slices_by_labels_and_by_scores_are_weighted(samples: list[Sample], scores: ScoreTable) -> None:
    run = opened(samples, scores)
    by_labels = find_pass_rate_weaknesses(run, CRITERION, by=["query_type"], minimum_n=2)
    assert by_labels.settings.overall["pass_rate:correctness"].value == pytest.approx(70 / 120)
    by_score = find_weaknesses(run, "answer_length", by=["query_type"]).frame.set_index("level_1")
    inside = [k for k in range(N) if k % 3]
    by_hand = np.average([1 + k % 7 for k in inside], weights=[1 / probability(k) for k in inside])
    assert by_score.loc["open", "mean"] == pytest.approx(by_hand)


def test_where_one_sample_has_no_probability_none_is_weighted(samples: list[Sample]) -> None:
    mixed = [*samples, sample(N, probability=None)]
    table = score_samples(mixed, metrics=["answer_length"], models=ModelSet(()), seed=1)
    run = opened(mixed, table)
    assert run.columns.design_weights is None
    assert table.design_weights is None
    assert run.columns.design_probabilities[f"s{N}"] is None
