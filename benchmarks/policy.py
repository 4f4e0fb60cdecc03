"""Whether a policy keeps its promise on answers that people judged: `python -m benchmarks.policy DATA`.

FinanceBench's answers that are no refusal, with the probability of a pass that a map fitted on other questions gives
them, stand for all answers that there are: so the error let through at each threshold is known. Labels are drawn from
them again and again, single answers or whole questions with all their answers, and a policy is fitted to each draw. The
promise is broken in a draw where any threshold that it shows lets more than ε through.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.quality_answers import CORRECT, REFUSAL, combined, financebench
from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.stakes import GRID, largest_above
from hcat.core.capabilities.policy.thresholds import OtherSamples, certify
from hcat.core.display.numbers import format_estimate, format_percent
from hcat.core.models.model_set import ModelSet
from hcat.core.scoring.evaluate import score_samples
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate

METRICS = ("factual_numbers_reference", "factual_numbers_recall", "token_precision", "token_recall", "token_f1")
PROMISES = (Promise(0.1, 0.9), Promise(0.2, 0.9))
DRAWS, LABELS, OTHERS, QUESTIONS, SEED = 2_000, 200, 200, 80, 12
"""A draw has so many labels and other answers, or the answers to so many questions for either."""


@dataclass(frozen=True, eq=False)
class JudgedAnswers:
    """All answers: the map's probability of a pass, whether people fail them, and their questions, all (n,)."""

    probability: Floats
    failed: Bools
    question: Codes

    def error_from(self, threshold: float) -> float:
        """The share of failures from a threshold on; 0 where no answer lies there."""
        above = self.probability >= threshold
        return float(self.failed[above].mean()) if above.any() else 0.0


Draw = Callable[[JudgedAnswers, np.random.Generator], tuple[HeldOutLabels, OtherSamples]]


@dataclass(frozen=True)
class Kept:
    """How often the promise was broken, and the share of answers accepted on average, over draws."""

    broken: Estimate
    accepted: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds financebench")
    answers = judged_answers(parser.parse_args().data)
    share = format_percent(float(answers.failed.mean()))
    print(
        f"Policy on FinanceBench: {len(answers.failed)} answers, {share} of them fail by people; {DRAWS:,} draws each"
    )
    for promise in PROMISES:
        for name, draw in DESIGNS.items():
            kept = keep(answers, promise, draw, draws=DRAWS)
            print(
                f"  error at most {promise.error:g} with confidence {promise.confidence:g}, {name}: the promise is "
                f"broken in {format_estimate(kept.broken, percent=True)} of draws ({format_percent(promise.risk)} are "
                f"allowed); "
                f"{format_percent(kept.accepted)} of answers accepted on average"
            )


def judged_answers(data: Path) -> JudgedAnswers:
    """The answers that people do not call a refusal, with the probability of a map fitted on other questions."""
    labelled = financebench(data)
    rows = labelled.label != REFUSAL
    samples = [sample for sample, chosen in zip(labelled.samples, rows.tolist(), strict=True) if chosen]
    table = score_samples(samples, metrics=list(METRICS), models=ModelSet(()))
    scores = np.column_stack([np.nan_to_num(table.values(name), nan=0.0) for name in METRICS])
    passed = labelled.label[rows] == CORRECT
    probability = combined(scores, passed, labelled.question[rows])
    return JudgedAnswers(probability, ~passed, np.unique(labelled.question[rows], return_inverse=True)[1])


def keep(answers: JudgedAnswers, promise: Promise, draw: Draw, *, draws: int) -> Kept:
    """Fit a policy to each of so many draws of labels, and hold what it shows against the known error."""
    rng = np.random.default_rng(SEED)
    errors = {threshold: answers.error_from(threshold) for threshold in GRID.tolist()}
    broken, accepted = [], []
    for _ in range(draws):
        labels, others = draw(answers, rng)
        certificate = certify({"correctness": labels}, others, promise)
        broken.append(any(errors[each] > promise.error for each in errors if certificate.covers(each)))
        from_here = certificate.accept_from
        accepted.append(0.0 if from_here is None else float((answers.probability >= from_here).mean()))
    return Kept(weighted_proportion(broken), float(np.mean(accepted)))


def single_answers(answers: JudgedAnswers, rng: np.random.Generator) -> tuple[HeldOutLabels, OtherSamples]:
    """Labels of answers drawn one by one."""
    rows: Ints = rng.integers(len(answers.failed), size=LABELS + OTHERS)
    labelled, others = rows[:LABELS], rows[LABELS:]
    return HeldOutLabels(answers.probability[labelled], answers.failed[labelled]), _others(answers, others)


def whole_questions(answers: JudgedAnswers, rng: np.random.Generator) -> tuple[HeldOutLabels, OtherSamples]:
    """Labels of all answers to questions drawn one by one."""
    questions = rng.integers(int(answers.question.max()) + 1, size=2 * QUESTIONS)
    groups = [np.flatnonzero(answers.question == each) for each in questions.tolist()]
    labelled, others = (np.concatenate(half) for half in (groups[:QUESTIONS], groups[QUESTIONS:]))
    clusters = np.repeat(np.arange(2 * QUESTIONS), list(map(len, groups)))
    largest = largest_above(
        np.concatenate([answers.probability[labelled], answers.probability[others]]), None, clusters
    )
    labels = HeldOutLabels(
        answers.probability[labelled], answers.failed[labelled], None, clusters[: len(labelled)], largest
    )
    return labels, _others(answers, others)


def _others(answers: JudgedAnswers, rows: Ints) -> OtherSamples:
    return OtherSamples(answers.probability[rows])


DESIGNS: dict[str, Draw] = {"answers drawn singly": single_answers, "whole questions drawn": whole_questions}


if __name__ == "__main__":
    main()
