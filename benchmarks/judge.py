"""A language model as judge of answers that people judged: `python -m benchmarks.judge DATA --endpoint URL --model NAME
--journal FILE`.

One answer to each of 60 FinanceBench questions, of a system drawn at random, is judged on the captured rate, the score
before the reason. Answers that people call a refusal are left out beforehand, since a judge is never asked about one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.journal import add_model, opened
from benchmarks.quality_answers import CORRECT, REFUSAL, LabelledAnswers, financebench
from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.baselines import BASELINES
from hcat.core.capabilities.calibration.wording.in_force import FITNESS
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.judges.against_people import judge_agreement
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.judge import Judge, Judgement, judge_samples
from hcat.core.capabilities.judges.scores import judge_score_table
from hcat.core.capabilities.judges.verdict import mean_scores
from hcat.core.capabilities.judges.view import beside_people_view, both_levels_view
from hcat.core.capabilities.judges.wording.verdicts import reasons_text, usage_sentence
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.merging import joined
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Progress, Sample
from hcat.dashboard.commands.printed_view import print_view

QUESTIONS, SEED, TOKENS = 60, 15, 200
JUDGED = "captured_rate"
PEOPLE = Criterion("correctness", ("not correct", "correct"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    add_model(parser)
    arguments = parser.parse_args()
    samples, labels = one_a_question(financebench(arguments.data), questions=QUESTIONS)
    judge = Judge(FUNNEL.only([JUDGED]), (opened(arguments, tokens=TOKENS),), order="verdict first")
    judgement = judge_samples(judge, samples, on_progress=_show)
    _print_verdicts(judgement, labels)
    agreement = judge_agreement(
        mean_scores(judgement.verdicts, JUDGED),
        labels,
        people=PEOPLE,
        judge=judge.rubric.criterion(JUDGED),
        rng=np.random.default_rng(SEED),
    )
    print_view(beside_people_view([(JUDGED, PEOPLE.name, agreement)]))
    print_view(both_levels_view(agreement, judge.rubric.criterion(JUDGED), PEOPLE))
    print_fitness(samples, labels, judge_score_table(judgement.verdicts, samples, judge))


def one_a_question(answers: LabelledAnswers, *, questions: int) -> tuple[list[Sample], list[Label]]:
    """An answer that is no refusal to each of so many questions, each drawn at random, with its label."""
    rng = np.random.default_rng(SEED)
    judged = answers.label != REFUSAL
    names = rng.permutation(np.unique(answers.question[judged]))[:questions]
    rows = [int(rng.choice(np.flatnonzero(judged & (answers.question == name)))) for name in names]
    samples = [answers.samples[row] for row in rows]
    labels = [Label(answers.samples[row].id, PEOPLE.name, int(answers.label[row] == CORRECT), "people") for row in rows]
    return samples, labels


def print_fitness(
    samples: Sequence[Sample], labels: Sequence[Label], judged: ScoreTable, *, people: Criterion = PEOPLE
) -> None:
    """The verdict of a calibration on these labels, beside the trivial scores that a metric must beat."""
    trivial = score_samples(samples, metrics=list(BASELINES), models=ModelSet((ENCODER.of(load_encoder()),)))
    scores = joined(trivial, judged)
    try:
        calibration = calibrate(labels, scores, criterion=people, metrics=list(judged.metrics))
    except NotEnoughLabelsError as error:
        print(f"Fit for use: not measured. {error}")
        return
    verdict = FITNESS[calibration.fit_for_use.value]
    print(f"Fit for use: {verdict}. {verdict_reason_of(calibration)}")


def _print_verdicts(judgement: Judgement, labels: Sequence[Label]) -> None:
    scores = Counter(verdict.score for verdict in judgement.verdicts)
    reasons = Counter(verdict.reason for verdict in judgement.verdicts if verdict.score is None)
    passed = sum(label.level for label in labels)
    print(f"{len(labels)} answers, {passed} of them correct by people")
    print(f"{sum(scores.values()) - scores[None]} scored, {scores[None]} not: {reasons_text(reasons) or 'none'}")
    print(usage_sentence({**judgement.usage.record(), "cached": judgement.cached}))


def _show(progress: Progress) -> None:
    print(f"\r{progress.done} of {progress.total}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
