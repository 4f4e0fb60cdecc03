"""How well metrics agree with people on FinanceBench: correctness by reference-based metrics, and refusals.

Answers of 16 system configurations to the same questions. A combination is fitted on other questions than it is
measured on, and intervals draw whole questions, since answers to one question fail together.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hcat.core.calibration.maps.logistic import fit_logistic
from hcat.core.display.numbers import format_estimate
from hcat.core.metrics.registry import METRICS
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.records.run_file import from_record
from hcat.core.refusals.detection import answering
from hcat.core.scoring.evaluate import score_samples
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Estimate, Sample

FOLDS = 10
PENALTY = 1.0
CORRECT, REFUSAL = "Correct Answer", "Refusal"

TEN_PHRASES = re.compile(
    r"do(?:es)? not (?:provide|include|contain|mention)|not (?:provided|available)|cannot (?:provide|determine|answer)"
    r"|can't (?:provide|answer)|unable to|do(?:es)?n't have|not possible to|no information|I'm sorry|as an AI",
    re.IGNORECASE,
)
"""The baseline of the refusal rule: what anybody would write in a minute."""


@dataclass(frozen=True)
class LabelledAnswers:
    """Answers with people's labels; `question` says which answers share a question."""

    samples: tuple[Sample, ...]
    label: NDArray[np.str_]
    question: NDArray[np.str_]


def financebench(data: Path) -> LabelledAnswers:
    """All runs, each sample with the run's name before its id."""
    folder = data / "financebench"
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        labels = {(row["run"], row["sample_id"]): row["label"] for row in csv.DictReader(file)}
    samples, label, question = [], [], []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            samples.append(from_record({**record, "id": f"{path.stem}/{record['id']}"}))
            label.append(labels[path.stem, record["id"]])
            question.append(record["id"])
    return LabelledAnswers(tuple(samples), np.array(label), np.array(question))


def reference_metrics() -> list[str]:
    """The metrics that compare an answer with its reference and need only the encoder."""
    against = [metric.name for metric in METRICS if set(metric.needs) == {"answer", "reference"}]
    return [name for name in against if set(_models(name)) <= {"encoder"}] + ["answer_length"]


def correctness_columns(labelled: LabelledAnswers) -> dict[str, NDArray[np.float64]]:
    """Each metric's scores, signed so that more is better, an unscored one at the least; then all of them combined."""
    names = reference_metrics()
    table = score_samples(labelled.samples, metrics=names, models=ModelSet((ENCODER.of(load_encoder()),)))
    scores = np.column_stack([table.values(name) for name in names])
    filled, truth = _filled(scores), labelled.label == CORRECT
    columns = {name: filled[:, place] for place, name in enumerate(names)}
    columns["answer_length"] = -columns["answer_length"]
    columns["combined"] = combined(_with_gaps(scores), truth, labelled.question)
    return columns


def combined(X: NDArray[np.float64], truth: NDArray[np.bool_], clusters: NDArray[np.str_]) -> NDArray[np.float64]:
    """The probability of a pass by a logistic combination, for each fold of clusters from the others."""
    names = np.unique(clusters)
    fold_of = dict(
        zip(np.random.default_rng(7).permutation(names).tolist(), np.arange(len(names)) % FOLDS, strict=True)
    )
    fold = np.array([fold_of[str(name)] for name in clusters])
    probability = np.empty(len(truth))
    for held_out in range(FOLDS):
        fitted = fit_logistic(X[fold != held_out], truth[fold != held_out], penalty=PENALTY)
        probability[fold == held_out] = fitted.probability(X[fold == held_out])
    return probability


def refusal_rows(labelled: LabelledAnswers) -> Iterator[tuple[str, str]]:
    """Precision and recall of the rule and of ten phrases against people's "Refusal", with intervals by question."""
    true = labelled.label == REFUSAL
    answers = [sample.answer or "" for sample in labelled.samples]
    rule = np.array([answering(answer).kind == "refused" for answer in answers])
    phrases = np.array([TEN_PHRASES.search(answer) is not None for answer in answers])
    for name, detected in (("rule", rule), ("ten phrases", phrases)):
        yield f"{name}, precision", format_estimate(_rate(true[detected], labelled.question[detected]))
        yield f"{name}, recall", format_estimate(_rate(detected[true], labelled.question[true]))
    yield "rule, refused or not as people say", format_estimate(_rate(rule == true, labelled.question))


def _rate(hits: NDArray[np.bool_], question: NDArray[np.str_]) -> Estimate:
    return mean_interval(hits.astype(np.float64), clusters=question, within=(0.0, 1.0))


def _models(name: str) -> Sequence[str]:
    return next(metric.models for metric in METRICS if metric.name == name)


def _filled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(scores), np.nanmin(scores, axis=0), scores)


def _with_gaps(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores with their column's mean where there is none, and a column that says so for each column with gaps."""
    gaps = np.isnan(scores)
    filled = np.where(gaps, np.nanmean(scores, axis=0), scores)
    return np.column_stack([filled, gaps[:, gaps.any(axis=0)].astype(np.float64)])
