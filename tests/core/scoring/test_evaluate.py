"""Evaluation of runs: each sentence encoded once, in blocks, the same with and without a cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from hcat.core import __version__
from hcat.core.errors import FileFormatError, UnknownMetricError
from hcat.core.metrics.registry import METRICS
from hcat.core.models.cache import MemoryEmbeddings, ParquetEmbeddings
from hcat.core.models.nli.cached import KIND, CachedEntailment
from hcat.core.models.nli.entailment import EntailmentResult
from hcat.core.models.nli.premises import READING
from hcat.core.records.run_file import content_hash
from hcat.core.scoring import block
from hcat.core.scoring.evaluate import explain_sample, explanations, score_samples
from hcat.core.types import Passage, Progress, Sample
from tests.core.scoring.model_sets import model_set


class HashEncoder:
    """A unit vector made from the text's hash."""

    name, revision, dimension = "fake", "ef" * 32, 8

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        rows = np.stack([np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class HashEntailment:
    """D made from the pair's hash, with more digits than 32 bits hold."""

    name, revision, pieces = "fake nli", "ab" * 32, 64

    def __init__(self) -> None:
        self.taken: list[tuple[str, str]] = []

    def entail(self, pairs: Sequence[tuple[str, str]]) -> EntailmentResult:
        self.taken += pairs
        digests = [hashlib.sha256("|".join(pair).encode()).digest()[:4] for pair in pairs]
        return EntailmentResult.of(np.array([int.from_bytes(one) / 2**30 - 2 for one in digests]))


def _run(n: int) -> list[Sample]:
    shared = Passage("doc#1", "Every sample has this. And this too.")
    return [
        Sample(
            f"s{i}",
            f"Question {i % 7}?",
            f"Answer {i + 100}. It is so.",
            (shared, Passage(f"doc#{i}", f"Fact {i}.")),
            "Ref 99.",
            relevant_ids={"doc#1": 1},
            metadata={"candidates": ["doc#1", f"doc#{i}"]},
        )
        for i in range(n)
    ]


def test_every_metric_scores_every_sample_in_order() -> None:
    run = _run(5)
    table = score_samples(run, metrics="all", models=model_set(HashEncoder(), HashEntailment()))
    assert table.sample_ids == ("s0", "s1", "s2", "s3", "s4")
    scored = [one for one in METRICS if not one.on_request and not {"language", "tokens"} & set(one.models)]
    assert table.metrics == tuple(metric.name for metric in scored)
    assert not table.frame.isna().any().any()


def test_all_says_which_metrics_it_leaves_out_and_why() -> None:
    table = score_samples(_run(2), metrics="all", models=model_set(HashEncoder()))
    assert set(table.metrics) | set(table.provenance.left_out) == {metric.name for metric in METRICS}
    assert table.provenance.left_out["groundedness_nli"] == "no entailment model"
    named = score_samples(_run(2), metrics="groundedness_nli", models=model_set(HashEncoder()))
    assert named.reasons("groundedness_nli") == {"no model that verifies claims": 2}
    assert named.provenance.left_out == {}


def test_a_pair_is_taken_once_in_all_blocks_and_for_all_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = score_samples(_run(9), metrics="all", models=model_set(HashEncoder(), HashEntailment()))
    monkeypatch.setattr(block, "BLOCK", 2)
    model = HashEntailment()
    table = score_samples(_run(9), metrics="all", models=model_set(HashEncoder(), model))
    assert len(model.taken) == len(set(model.taken)) > 0
    pd.testing.assert_frame_equal(table.frame, whole.frame, check_exact=True)


def test_kept_distances_give_bitwise_the_same_scores_and_are_not_computed_again(tmp_path: Path) -> None:
    run, names = _run(4), ["groundedness_nli", "faithfulness", "context_precision"]

    def kept(model: HashEntailment) -> CachedEntailment:
        return CachedEntailment(model, ParquetEmbeddings(str(tmp_path), revision=model.revision, kind=KIND))

    fresh = score_samples(run, metrics=names, models=model_set(HashEncoder(), HashEntailment()))
    first = score_samples(run, metrics=names, models=model_set(HashEncoder(), kept(HashEntailment())))
    idle = HashEntailment()
    warm = score_samples(run, metrics=names, models=model_set(HashEncoder(), kept(idle)))
    assert idle.taken == []
    for table in (first, warm):
        pd.testing.assert_frame_equal(table.frame, fresh.frame, check_exact=True)


def test_nothing_is_verified_for_what_is_unscored_anyhow() -> None:
    model = HashEntailment()
    run = [
        Sample("none", "Question?", None, (Passage("p", "A fact."),)),
        Sample("refused", "Question?", "I don't know.", (Passage("p", "A fact."),)),
        Sample("bare", "Question?", "The fee is 5."),
    ]
    score_samples(run, metrics="groundedness_nli,faithfulness", models=model_set(HashEncoder(), model))
    assert model.taken == []


def test_verifying_is_a_stage_of_the_progress() -> None:
    steps: list[Progress] = []
    models = model_set(HashEncoder(), HashEntailment())
    score_samples(_run(6), metrics="faithfulness", models=models, on_progress=steps.append)
    assert [(step.done, step.total) for step in steps if step.stage == "verify"] == [(6, 6)]


def test_the_provenance_names_the_entailment_model_and_who_verified_claims() -> None:
    model = HashEntailment()
    names = "groundedness_nli,faithfulness"
    provenance = score_samples(_run(2), metrics=names, models=model_set(HashEncoder(), model)).provenance
    assert provenance.models == {"fake": HashEncoder.revision, "fake nli": model.revision}
    assert provenance.parameters["faithfulness"] == {
        "verifier": {"by": "nli", "name": "fake nli", "revision": model.revision, **READING}
    }
    without = score_samples(_run(2), metrics="groundedness", models=model_set(HashEncoder(), model)).provenance
    assert without.models == {"fake": HashEncoder.revision}


def test_each_distinct_sentence_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "BLOCK", 4)
    encoder = HashEncoder()
    score_samples(_run(10), metrics="all", models=model_set(encoder))
    assert len(encoder.encoded) == len(set(encoder.encoded))
    # 7 questions, 10 answers + "It is so.", 2 shared sentences, 10 facts, 1 reference
    assert len(encoder.encoded) == 7 + 11 + 2 + 10 + 1


def test_only_what_the_metrics_need_is_encoded() -> None:
    encoder = HashEncoder()
    table = score_samples(_run(2), metrics="token_f1,answer_length", models=model_set(encoder))
    assert encoder.encoded == []
    assert table.provenance.models == {}
    score_samples(_run(2), metrics="groundedness", models=model_set(encoder))
    assert not any(text.startswith(("Question", "Ref")) for text in encoder.encoded)


def test_the_size_of_a_block_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = score_samples(_run(11), metrics="all", models=model_set(HashEncoder()))
    monkeypatch.setattr(block, "BLOCK", 3)
    pd.testing.assert_frame_equal(
        score_samples(_run(11), metrics="all", models=model_set(HashEncoder())).frame, whole.frame
    )


def test_a_warm_cache_encodes_nothing_and_gives_bitwise_the_same_scores(tmp_path: Path) -> None:
    run = _run(9)
    cold = score_samples(run, metrics="all", models=model_set(HashEncoder()), store=MemoryEmbeddings())
    store = ParquetEmbeddings(str(tmp_path), revision=HashEncoder.revision)
    first = score_samples(run, metrics="all", models=model_set(HashEncoder()), store=store)
    idle = HashEncoder()
    fresh = ParquetEmbeddings(str(tmp_path), revision=HashEncoder.revision)
    warm = score_samples(run, metrics="all", models=model_set(idle), store=fresh)
    assert idle.encoded == []
    for table in (first, warm):
        pd.testing.assert_frame_equal(table.frame, cold.frame, check_exact=True)


def test_a_samples_scores_do_not_depend_on_the_other_samples() -> None:
    run = _run(6)
    together = score_samples(run, metrics="all", models=model_set(HashEncoder()))
    alone = score_samples(run[3:4], metrics="all", models=model_set(HashEncoder()))
    pd.testing.assert_frame_equal(alone.frame, together.frame.loc[["s3"]], check_exact=True)


def test_progress_counts_samples_and_ends_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "BLOCK", 4)
    steps: list[Progress] = []
    score_samples(_run(10), metrics="all", models=model_set(HashEncoder()), on_progress=steps.append)
    assert [(s.done, s.total) for s in steps if s.stage == "score"] == [(k, 10) for k in range(1, 11)]
    assert [(s.done, s.total) for s in steps if s.stage == "encode"] == [(4, 10), (8, 10), (10, 10)]
    shares = [s.share for s in steps if s.share is not None]
    assert len(shares) == len(steps)
    assert shares == sorted(shares)
    assert (shares[0] > 0, shares[-1]) == (True, 1.0)


def test_the_provenance_names_all_that_the_numbers_rest_on() -> None:
    run = _run(3)
    provenance = score_samples(
        run, metrics="groundedness,answer_length", models=model_set(HashEncoder()), seed=3
    ).provenance
    assert provenance.version == __version__
    assert provenance.run_hash == content_hash(run)
    assert provenance.models == {"fake": HashEncoder.revision}
    assert provenance.seed == 3
    assert provenance.parameters == {"groundedness": {"flag_below": 0.5}}


def test_samples_that_can_not_be_scored_carry_the_reason() -> None:
    run = [
        Sample("none", "Question?", None),
        Sample("blank", "Question?", " \n", (Passage("p", " "),), ""),
        *_run(1),
    ]
    table = score_samples(run, metrics="all", models=model_set(HashEncoder()))
    assert table.score("none", "groundedness").reason == "no answer"
    assert table.score("blank", "groundedness").reason == "empty answer"
    assert table.score("none", "context_relevancy").reason == "no contexts"
    assert table.score("blank", "context_relevancy").reason == "empty contexts"
    assert table.score("s0", "answer_recall").value is not None
    assert table.summary()["groundedness"].unscored == {"no answer": 1, "empty answer": 1}


def test_no_samples_give_an_empty_table() -> None:
    assert score_samples([], metrics="all", models=model_set(HashEncoder())).sample_ids == ()


def test_odd_texts_never_raise() -> None:
    odd = ["\ud800", "\x00", "😀" * 300, "‮", "a\u2028b", "." * 3000, "http://127.0.0.1/x.png"]
    run = [Sample(str(i), text, text, (Passage("p", text), Passage("p", text)), text) for i, text in enumerate(odd)]
    encoder = HashEncoder()
    encoder.encode = lambda texts: np.ones((len(texts), 8), dtype=np.float32)  # type: ignore[method-assign]
    assert len(score_samples(run, metrics="all", models=model_set(encoder)).frame) == len(odd)


def test_two_samples_of_one_id_are_refused() -> None:
    with pytest.raises(FileFormatError, match="'s0'"):
        score_samples([*_run(1), *_run(1)], metrics="all", models=model_set(HashEncoder()))


def test_unknown_metrics_are_refused() -> None:
    with pytest.raises(UnknownMetricError):
        score_samples(_run(1), metrics="nonsense", models=model_set(HashEncoder()))


def test_explanations_follow_samples_and_metrics_and_agree_with_the_scores() -> None:
    run, encoder = _run(3), HashEncoder()
    names = ["groundedness", "completeness_transport"]
    table = score_samples(run, metrics=names, models=model_set(encoder))
    records = list(explanations(run, metrics=names, models=model_set(encoder)))
    assert [(r["sample_id"], r["metric"]) for r in records] == [(s.id, name) for s in run for name in names]
    assert all(r["score"] == table.score(str(r["sample_id"]), str(r["metric"])).value for r in records)
    json.dumps(records, allow_nan=False)


def test_offsets_in_an_explanation_point_into_the_samples_texts() -> None:
    sample = _run(1)[0]
    explanation = explain_sample(sample, metrics=["groundedness"], models=model_set(HashEncoder()))["groundedness"]
    passages = {passage.id: passage.text for passage in sample.contexts}
    for sentence in explanation["sentences"]:  # type: ignore[index, call-overload, union-attr]
        assert sample.answer[sentence["start"] : sentence["end"]] == sentence["text"]  # type: ignore[index, call-overload]
        match = sentence["match"]  # type: ignore[index, call-overload]
        assert passages[match["passage"]][match["start"] : match["end"]] == match["text"]
