"""The combined evaluator on public labels of people: what it adds to the best single metric."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from core.calibration.calibration import calibrate
from core.calibration.comparison import Candidate, Comparison, compare_methods
from core.calibration.folds import grouped_folds
from core.calibration.methods import FitData, LevelMap, find_method
from core.evaluate import score_samples
from core.importers import read_run
from core.models.encoder import load_encoder
from core.scores import Provenance, ScoreTable
from core.types import Criterion, Label, Passage, Sample

DATA = Path(__file__).parents[3].parent / "shared/data"
EVERY_SPLIT = ("fit", "conformal", "check")
Record = Callable[[str, object], None]

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository"),
]

REFERENCE_BASED = (
    "token_precision", "token_recall", "token_f1", "answer_precision", "answer_recall", "answer_f1",
    "factual_numbers_reference", "factual_numbers_recall", "answer_length",
)  # fmt: skip
CONTEXT_BASED = ("token_groundedness", "groundedness", "groundedness_min", "factual_numbers", "answer_length")


@cache
def financebench() -> tuple[list[Label], ScoreTable, dict[str, str]]:
    """Answers of four systems that see the filing, by what people say of correctness; a refusal is not correct."""
    runs = ["gpt-4_oracle", "gpt-4-1106-preview_inContext", "llama2_singleStore", "gpt-4-1106-preview_sharedStore"]
    samples = [
        replace(sample, id=f"{run}/{sample.id}", test_case=sample.id, contexts=(), reference_contexts=())
        for run in runs
        for sample in read_run(DATA / "financebench" / f"{run}.jsonl", filename=f"{run}.jsonl").samples
    ]
    with (DATA / "financebench/labels.csv").open(encoding="utf-8") as file:
        said = {f"{row['run']}/{row['sample_id']}": row["label"] for row in csv.DictReader(file)}
    labels = [Label(s.id, "correctness", int(said[s.id] == "Correct Answer")) for s in samples if s.id in said]
    scored = score_samples(samples, metrics=REFERENCE_BASED, encoder=load_encoder())
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
    return labels, score_samples(samples, metrics=CONTEXT_BASED, encoder=load_encoder())


def shown(found: Comparison) -> str:
    def line(one: Candidate) -> str:
        low, high = one.auc.low, one.auc.high
        return f"  {one.title}: log-loss {one.log_loss.value:.3f}, AUC {one.auc.value:.3f} ({low:.3f}–{high:.3f})"

    return "\n".join(
        [f"n = {found.n}, {found.passes} passes", *(line(one) for one in found.candidates), found.sentence]
    )


def best(found: Comparison, *, several: bool) -> Candidate:
    some = [one for one in found.candidates if (len(one.metrics) > 1) == several]
    return max(some, key=lambda one: one.auc.value)


def holds_up(found: Comparison) -> None:
    """The combination is not below the best single metric by more than noise."""
    combined = next(one for one in found.candidates if one.method == "combined")
    single = best(found, several=False)
    noise = (single.auc.high - single.auc.low) / 2
    assert combined.auc.value >= single.auc.value - noise
    assert combined.auc.low > 0.5


def test_correctness_from_reference_based_metrics(record_property: Record) -> None:
    labels, scores, cases = financebench()
    found = compare_methods(
        labels,
        scores,
        criterion=Criterion("correctness"),
        metrics=scores.metrics,
        test_cases=cases,
        directions={"whole_cosine": "higher"},
        splits=EVERY_SPLIT,
        repeats=2,
    )
    print(shown(found))
    record_property("auc", {one.title: one.auc.value for one in found.candidates})
    holds_up(found)


def test_numbers_that_an_answer_lacks_need_not_cost_the_label(record_property: Record) -> None:
    labels, scores, cases = financebench()
    everything = {"criterion": Criterion("correctness"), "metrics": scores.metrics, "test_cases": cases}
    strict = calibrate(labels, scores, method="logistic", **everything)  # type: ignore[arg-type]
    lenient = calibrate(labels, scores, method="combined", **everything)  # type: ignore[arg-type]
    counts = {made.method: (sum(made.split_sizes.values()), dict(made.left_out)) for made in (strict, lenient)}
    print(counts, lenient.map.parameters())
    record_property("labels used", counts)
    assert lenient.left_out["unscored"] < strict.left_out["unscored"]
    decisions = lenient.predict(scores)["decision"]
    assert (decisions == "unscored").mean() <= 0.05


def test_groundedness_from_context_based_metrics(record_property: Record) -> None:
    labels, scores = begin()
    found = compare_methods(
        labels, scores, criterion=Criterion("groundedness"), metrics=scores.metrics, splits=EVERY_SPLIT, repeats=2
    )
    print(shown(found))
    record_property("auc", {one.title: one.auc.value for one in found.candidates})
    holds_up(found)


def test_utility_on_five_levels(record_property: Record) -> None:
    """Rank correlation of the expected level with people's, over folds that keep the answers to a question together."""
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    tokens = [row["output"].lower().split() for row in rows]
    asked = [set(row["question"].lower().split()) for row in rows]
    X = np.column_stack(
        [
            [np.log1p(len(words)) for words in tokens],
            [len(set(words) & query) / max(len(query), 1) for words, query in zip(tokens, asked, strict=True)],
            [len(set(words)) / max(len(words), 1) for words in tokens],
            [float(np.mean(row["automatic_correctness_scores"])) for row in rows],
            [float(row["output"].rstrip().endswith((".", "!", "?", '"'))) for row in rows],
        ]
    )
    names = ("log_length", "query_overlap", "distinct_words", "automatic_correctness", "finished")
    levels = np.array([row["utility_score"] - 1 for row in rows], dtype=np.intp)
    fold_of = grouped_folds([row["id"] for row in rows], levels >= 3, folds=5)
    found = {}
    for method in ("ordinal", "multinomial"):
        expected = np.empty(len(rows))
        for fold in range(5):
            out = fold_of == fold
            data = FitData(X[~out], levels[~out], names, n_levels=5, passing=3, directions=("none",) * 5)
            fitted = find_method(method).fit_data(data)
            assert isinstance(fitted, LevelMap)
            expected[out] = fitted.level_probabilities(X[out]) @ np.arange(5)
        found[method] = float(spearmanr(expected, levels).statistic)
    singles = {name: float(spearmanr(column, levels).statistic) for name, column in zip(names, X.T, strict=True)}
    print({"rank correlation": found, "single metrics": singles})
    record_property("rank correlation", found)
    largest = max(abs(value) for value in singles.values())
    # With n = 800 a rank correlation has a standard error of about 1/√800 = 0.035.
    assert all(value >= largest - 2 * 0.035 and value > 2 * 0.035 for value in found.values())


@pytest.mark.parametrize("method", ["ordinal", "multinomial"])
def test_sets_of_levels_cover_people(method: str, record_property: Record) -> None:
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    ids = [f"{row['run']}/{row['id']}" for row in rows]
    lengths = [float(np.log1p(len(row["output"].split()))) for row in rows]
    right = [float(np.mean(row["automatic_correctness_scores"])) for row in rows]
    frame = pd.DataFrame({"length": lengths, "right": right}, index=pd.Index(ids, name="sample_id", dtype="str"))
    utility = Criterion("utility", ("1", "2", "3", "4", "5"), passing=3)
    made = calibrate(
        [Label(sample_id, "utility", row["utility_score"] - 1) for sample_id, row in zip(ids, rows, strict=True)],
        ScoreTable(frame, Provenance("0", "alce", ("length", "right"))),
        criterion=utility,
        metrics=["length", "right"],
        method=method,
        alpha=0.2,
    )
    assert made.diagnostics is not None
    print(method, made.diagnostics.coverage, dict(made.diagnostics.set_sizes))
    print(made.proportional_odds.sentence if made.proportional_odds else "")
    record_property("coverage", made.diagnostics.coverage.value)
    # Coverage given one calibration varies by the threshold's own n too: about √(0.16/240 + 0.16/240) = 0.037.
    assert abs(made.diagnostics.coverage.value - 0.8) < 3 * 0.037
