"""Public labels of people, beside the metrics that hcat gives the same answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from hcat.core.importers import read_run
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.scoring.evaluate import score_samples
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Passage, Sample
from tests.core.scoring.model_sets import model_set

DATA = Path(__file__).parents[3].parent / "shared/data"
REFERENCE_BASED = (
    "token_precision", "token_recall", "token_f1", "answer_precision", "answer_recall", "answer_f1",
    "factual_numbers_reference", "factual_numbers_recall", "answer_length",
)  # fmt: skip
CONTEXT_BASED = ("token_groundedness", "groundedness", "groundedness_min", "factual_numbers", "answer_length")


@cache
def financebench() -> tuple[list[Label], ScoreTable, dict[str, str]]:
    """Answers of four systems that see the filing, by what people say of correctness; a refusal is not correct."""
    runs = ["gpt-4_oracle", "gpt-4-1106-preview_inContext", "llama2_singleStore", "gpt-4-1106-preview_sharedStore"]
    with (DATA / "financebench/labels.csv").open(encoding="utf-8") as file:
        said = {f"{row['run']}/{row['sample_id']}": row["label"] for row in csv.DictReader(file)}
    samples = [
        replace(sample, id=f"{run}/{sample.id}", test_case=sample.id, contexts=(), reference_contexts=())
        for run in runs
        for sample in read_run(DATA / "financebench" / f"{run}.jsonl", filename=f"{run}.jsonl").samples
        if f"{run}/{sample.id}" in said
    ]
    labels = [Label(s.id, "correctness", int(said[s.id] == "Correct Answer")) for s in samples]
    scored = score_samples(samples, metrics=REFERENCE_BASED, models=model_set(load_encoder()))
    answers, references = (load_encoder().encode(texts) for texts in zip(*map(whole_texts, samples), strict=True))
    cosine = (answers * references).sum(axis=1) / np.linalg.norm(answers, axis=1) / np.linalg.norm(references, axis=1)
    provenance = replace(scored.provenance, metrics=(*scored.metrics, "whole_cosine"))
    scores = ScoreTable(scored.frame.assign(whole_cosine=cosine.astype(np.float64)), provenance)
    return labels, scores, {s.id: s.test_case or s.id for s in samples}


def whole_texts(sample: Sample) -> tuple[str, str]:
    return sample.answer or "", sample.reference or ""


@cache
def begin() -> tuple[list[Label], ScoreTable]:
    """Every sixth reply of dialogue systems, by whether people find it fully attributable to its context."""
    rows = [json.loads(line) for line in (DATA / "groundedness/begin.jsonl").read_text("utf-8").splitlines()][::6]
    samples = [Sample(r["id"], r["query"] or "?", r["claim"], (Passage("c", r["context"]),)) for r in rows]
    labels = [Label(r["id"], "groundedness", int(r["label"] == "Fully attributable")) for r in rows]
    return labels, score_samples(samples, metrics=CONTEXT_BASED, models=model_set(load_encoder()))


@dataclass(frozen=True)
class Judged:
    """Labels of people beside scores; `cases` maps samples to test cases."""

    labels: list[Label]
    scores: ScoreTable
    criterion: Criterion
    method: str
    cases: Mapping[str, str]

    def renamed(self, turn: int) -> Judged:
        """The same with other ids, which fall into other splits."""
        frame = self.scores.frame.rename(index=lambda sample_id: f"{turn}/{sample_id}")
        return replace(
            self,
            labels=[label._replace(sample_id=f"{turn}/{label.sample_id}") for label in self.labels],
            scores=ScoreTable(frame, self.scores.provenance),
            cases={f"{turn}/{sample_id}": f"{turn}/{case}" for sample_id, case in self.cases.items()},
        )


def of_financebench() -> Judged:
    labels, scores, cases = financebench()
    return Judged(labels, scores, Criterion("correctness"), "combined", cases)


def of_begin() -> Judged:
    labels, scores = begin()
    return Judged(labels, scores, Criterion("groundedness"), "combined", {})


@cache
def of_alce() -> Judged:
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    ids = [f"{row['run']}/{row['id']}" for row in rows]
    columns = {
        "length": [float(np.log1p(len(row["output"].split()))) for row in rows],
        "right": [float(np.mean(row["automatic_correctness_scores"])) for row in rows],
        "distinct": [len(set(row["output"].split())) / max(len(row["output"].split()), 1) for row in rows],
    }
    frame = pd.DataFrame(columns, index=pd.Index(ids, name="sample_id", dtype="str"))
    return Judged(
        [Label(sample_id, "utility", row["utility_score"] - 1) for sample_id, row in zip(ids, rows, strict=True)],
        ScoreTable(frame, Provenance("0", "alce", tuple(columns))),
        Criterion("utility", ("1", "2", "3", "4", "5"), passing=3),
        "multinomial",
        {sample_id: str(row["id"]) for sample_id, row in zip(ids, rows, strict=True)},
    )


SETS: dict[str, Callable[[], Judged]] = {
    "FinanceBench correctness": of_financebench,
    "BEGIN groundedness": of_begin,
    "ALCE utility": of_alce,
}
