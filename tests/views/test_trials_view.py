"""What people see of repeated trials."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.trials.answer_diversity import AnswerDiversity, answer_diversity
from hcat.core.capabilities.trials.trials import (
    Checker,
    PeoplesExpectations,
    cases_of,
    factor_scores,
    judgement_split,
)
from hcat.core.capabilities.trials.view import (
    diversity_view,
    factors_view,
    lowest_view,
    most_varied,
    runs_view,
    variance_view,
)
from hcat.core.types import Sample
from tests.views import snapshots

CASES, TRIALS = 12, 4


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    """The last test case has one trial more, and of the first three people say what they expect."""
    made = [
        Sample(
            f"q{case}#{trial}",
            f"What is fee {case}?",
            f"answer {trial % (1 + case % 3)}",
            dimensions={"topic": "cards" if case % 3 else "limits"},
            test_case=f"q{case}",
            trial=trial,
            expected=0.75 if case < 3 else None,
        )
        for case in range(CASES)
        for trial in range(TRIALS)
    ]
    last = made[-1]
    return [*made, Sample(f"{last.id}+", last.query, last.answer, dimensions=last.dimensions, test_case=last.test_case)]


@pytest.fixture(scope="module")
def checkers(samples: list[Sample]) -> list[Checker]:
    said = {sample.id: float(k % 7 > 1) for k, sample in enumerate(samples[:-3])}
    longer = {sample.id: float(k % 5 > 1) for k, sample in enumerate(samples)}
    return [Checker("labels on correctness", "labels", said), Checker("answer_length ≥ 3", "metric", longer)]


def diversity(samples: list[Sample]) -> AnswerDiversity:
    return answer_diversity([str(sample.answer) for sample in samples], cases_of(samples))


def test_scores_by_checker(samples: list[Sample], checkers: list[Checker], capsys: pytest.CaptureFixture[str]) -> None:
    factors = [factor_scores(samples, checker) for checker in checkers]
    expected = PeoplesExpectations({}, 3, 2, 2, 0.25)
    snapshots.check("trials", lambda: factors_view(factors, expected=expected), capsys)
    snapshots.check("trials-lowest", lambda: lowest_view(factors[0]), capsys)


def test_scores_at_each_level(
    samples: list[Sample], checkers: list[Checker], capsys: pytest.CaptureFixture[str]
) -> None:
    levels = [str(sample.dimensions["topic"]) for sample in samples]
    factor = factor_scores(samples, checkers[0], levels)
    snapshots.check("trials-levels", lambda: factors_view([factor], by="topic"), capsys)


def test_scores_of_runs(samples: list[Sample], checkers: list[Checker], capsys: pytest.CaptureFixture[str]) -> None:
    scores = factor_scores(samples, checkers[0]).scores
    snapshots.check("trials-runs", lambda: runs_view([(("pilot", "correctness"), scores)]), capsys)


def test_how_answers_vary(samples: list[Sample], capsys: pytest.CaptureFixture[str]) -> None:
    found = diversity(samples)
    questions = {case: f"What is fee {case[1:]}?" for case in most_varied(found)[:5]}
    snapshots.check("trials-diversity", lambda: diversity_view(found, questions), capsys)


def test_where_variance_lies(
    samples: list[Sample], checkers: list[Checker], capsys: pytest.CaptureFixture[str]
) -> None:
    splits = [
        judgement_split(
            samples,
            [(name, checker.name, value) for checker in some for name, value in checker.outcomes.items()],
            judge="checker",
            generator=np.random.default_rng(1),
        )
        for some in (checkers, checkers[:1])
    ]
    snapshots.check("trials-variance", lambda: variance_view(splits), capsys)
