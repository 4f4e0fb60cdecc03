"""Refusal metrics, and what an answer that only declines leaves unscored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.metrics.registry import METRICS, find_metric
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.types import Passage, Sample
from tests.core.scoring.model_sets import model_set


class HashEncoder:
    name, revision, dimension = "fake", "ef" * 32, 8

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


CONTEXT = (Passage("p", "The fee is 25 euros."),)
DECLINES = "I could not find this in the handbook."


def _sample(name: str, answer: str | None, reference: str | None = None) -> Sample:
    return Sample(name, "What is the fee?", answer, CONTEXT, reference)


def test_one_where_it_declines_and_unscored_where_there_is_no_answer() -> None:
    run = [_sample("a", DECLINES), _sample("b", "25 euros"), _sample("c", None), _sample("d", " ")]
    table = score_samples(run, metrics="refusal", models=model_set(HashEncoder()))
    assert [table.score(name, "refusal").value for name in "abcd"] == [1.0, 0.0, None, None]
    assert table.reasons("refusal") == {"no answer": 1, "empty answer": 1}


def test_the_explanation_names_the_phrase() -> None:
    explained = explain_sample(_sample("a", DECLINES), metrics="refusal", models=model_set(HashEncoder()))["refusal"]
    assert explained == {
        "kind": "refused",
        "because": "declines",
        "wholly": True,
        "declining": [{"phrase": "I could not find", "text": DECLINES, "start": 0, "end": len(DECLINES)}],
        "sentences": ["declines"],
    }


@pytest.mark.parametrize(
    ("answer", "reference", "value", "verdict"),
    [
        (DECLINES, "25 euros", 0.0, "wrong refusal"),
        (DECLINES, "The handbook does not cover fees.", 1.0, "correct refusal"),
        ("25 euros", "25 euros", 1.0, "answers what the corpus holds"),
        ("25 euros", "The handbook does not cover fees.", 0.0, "should have refused"),
    ],
)
def test_whether_declining_was_right(answer: str, reference: str, value: float, verdict: str) -> None:
    sample = _sample("a", answer, reference)
    assert (
        score_samples([sample], metrics="refusal_correct", models=model_set(HashEncoder())).values("refusal_correct")
        == value
    )
    explained = explain_sample(sample, metrics="refusal_correct", models=model_set(HashEncoder()))["refusal_correct"]
    assert explained["verdict"] == verdict  # type: ignore[index, call-overload]


def test_unscored_where_nobody_knows_what_the_corpus_holds() -> None:
    table = score_samples([_sample("a", DECLINES)], metrics="refusal_correct", models=model_set(HashEncoder()))
    assert table.score("a", "refusal_correct").reason == "not known whether the corpus holds the answer"


def test_a_refusal_is_no_hallucination_and_no_bad_answer() -> None:
    run = [
        _sample("declines", DECLINES, "25 euros"),
        _sample("states", f"{DECLINES} The fee was dropped in March.", "25 euros"),
        _sample("answers", "The context does not name a day, but the fee is 25 euros.", "25 euros"),
    ]
    table = score_samples(run, metrics=[metric.name for metric in METRICS], models=model_set(HashEncoder()))
    skips = {metric.name: metric.skip_refusals for metric in METRICS}
    assert {skips[name] for name in ("groundedness", "groundedness_nli", "faithfulness")} == {"whole"}
    assert {skips[name] for name in ("answer_f1", "token_f1", "bertscore_f1", "answer_correctness")} == {"any"}
    for name, skipped in skips.items():
        assert (table.score("declines", name).reason == "refusal") == (skipped != "never")
        assert (table.score("states", name).reason == "refusal") == (skipped == "any")
        assert table.score("answers", name).reason != "refusal"


def test_a_metric_that_needs_the_answer_skips_refusals_unless_it_says_otherwise() -> None:
    scoring_refusals = {metric.name for metric in METRICS if metric.skip_refusals == "never"}
    assert {name for name in scoring_refusals if "answer" in find_metric(name).needs} == {
        "refusal",
        "refusal_correct",
        "answer_length",
        "pii_leak",
        "toxicity",
        "unprofessional",
        "sentiment",
    }
    assert "recall@8" in scoring_refusals
    assert "context_relevancy" in scoring_refusals


def test_the_table_carries_the_state_of_each_answer() -> None:
    run = [_sample("a", DECLINES, "25 euros"), _sample("b", "25 euros"), _sample("c", None), _sample("d", DECLINES)]
    table = score_samples(run, metrics="answer_f1", models=model_set(HashEncoder()))
    assert table.answer_states == ("wrong_refusal", "answered", "no_answer", "refusal")
    assert table.refused.tolist() == [True, False, False, True]
    assert table.reasons("answer_f1") == {"no reference": 2, "no answer": 1, "refusal": 1}
