"""Retrieval metrics against trec_eval, through pytrec_eval and ir-measures."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import SampleView
from hcat.core.types import Passage, Sample

pytrec_eval = pytest.importorskip("pytrec_eval")
ir_measures = pytest.importorskip("ir_measures")


def _rankings(n: int) -> list[tuple[list[str], dict[str, int]]]:
    """Random rankings of 1 to 120 passages with graded, some negative, relevance; some passages are not retrieved."""
    rng = np.random.default_rng(3)
    made = []
    while len(made) < n:
        pool = [f"d{i}" for i in range(int(rng.integers(2, 150)))]
        retrieved = list(rng.permutation(pool)[: int(rng.integers(1, 120))])
        judged = rng.choice(pool, size=int(rng.integers(1, len(pool) + 1)), replace=False)
        grades = {str(name): int(rng.choice([-1, 0, 1, 2, 3], p=[0.05, 0.35, 0.3, 0.2, 0.1])) for name in judged}
        if any(grade >= 1 for grade in grades.values()):
            made.append(([str(name) for name in retrieved], grades))
    return made


RANKINGS = _rankings(400)


def _ours(name: str) -> list[float]:
    metric = find_metric(name)
    values = []
    for retrieved, grades in RANKINGS:
        contexts = tuple(Passage(one, "") for one in retrieved)
        sample = Sample("s", "q", None, contexts, relevant_ids=grades, metadata={"candidates": [*retrieved]})
        value = metric(SampleView(sample, dict.fromkeys(("query", "contexts", "answer", "reference"), ()))).score.value
        assert value is not None
        values.append(value)
    return values


def _run() -> dict[str, dict[str, float]]:
    return {
        f"q{i}": {name: float(len(retrieved) - rank) for rank, name in enumerate(retrieved)}
        for i, (retrieved, _) in enumerate(RANKINGS)
    }


def _qrels() -> dict[str, dict[str, int]]:
    return {f"q{i}": grades for i, (_, grades) in enumerate(RANKINGS)}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        *((f"precision@{k}", f"P_{k}") for k in (8, 16, 100)),
        *((f"recall@{k}", f"recall_{k}") for k in (8, 16, 100)),
        *((f"map@{k}", f"map_cut_{k}") for k in (8, 16)),
        *((f"ndcg@{k}", f"ndcg_cut_{k}") for k in (8, 16)),
        ("rr", "recip_rank"),
    ],
)
def test_trec_eval(ours: str, theirs: str) -> None:
    measure = theirs if theirs == "recip_rank" else ".".join(theirs.rsplit("_", 1))
    found = pytrec_eval.RelevanceEvaluator(_qrels(), {measure}).evaluate(_run())
    np.testing.assert_allclose(_ours(ours), [found[f"q{i}"][theirs] for i in range(len(RANKINGS))], atol=1e-12)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("precision@8", "P@8"), ("recall@16", "R@16"), ("map@16", "AP@16"), ("ndcg@8", "nDCG@8"), ("rr", "RR")],
)
def test_ir_measures(ours: str, theirs: str) -> None:
    measure = ir_measures.parse_measure(theirs)
    found = {row.query_id: row.value for row in ir_measures.iter_calc([measure], _qrels(), _run())}
    np.testing.assert_allclose(_ours(ours), [found[f"q{i}"] for i in range(len(RANKINGS))], atol=1e-12)


@pytest.mark.parametrize("k", [8, 16, 100])
def test_f1_is_the_harmonic_mean_of_trec_evals_precision_and_recall(k: int) -> None:
    found = pytrec_eval.RelevanceEvaluator(_qrels(), {f"P.{k}", f"recall.{k}"}).evaluate(_run())
    pairs = [(found[f"q{i}"][f"P_{k}"], found[f"q{i}"][f"recall_{k}"]) for i in range(len(RANKINGS))]
    expected = [2 * p * r / (p + r) if p + r > 0 else 0.0 for p, r in pairs]
    np.testing.assert_allclose(_ours(f"f1@{k}"), expected, atol=1e-12)
