"""Answer relevance by reverse questions: whether a user would ask the query to get this answer. (LEGAL)"""

from __future__ import annotations

from hcat.core.claims.questions import QUESTIONS, ReverseQuestions
from hcat.core.metrics.declaration import Explanation, Outcome, metric, scored
from hcat.core.metrics.sample_view import SampleView
from hcat.core.types import JsonValue, Score

FAMILY = "answer relevancy"
NO_MODEL = "no language model"
DECIMALS = 6
"""The decimals of embeddings in an explanation."""


@metric(
    title="Answer relevance, reverse questions",
    family=FAMILY,
    needs=("query", "answer"),
    source="LEGAL, answer relevance; (1/N) Σ cos(E_g,i, E_o) over N generated questions",
    description="Mean similarity of the query to questions that a language model generates from the answer.",
    models=("encoder", "language"),
    parameters={"questions": QUESTIONS},
    formula=r"\frac{1}{N} \sum_{i=1}^{N} \cos(E_{g_i}, E_o)",
)
def answer_relevance_reverse(sample: SampleView) -> Outcome:
    generated = sample.result(ReverseQuestions)
    if generated is None:
        return _unscored(NO_MODEL, {})
    if generated.reason is not None:
        return _unscored(generated.reason, {"asked": dict(generated.asked)})
    return scored(float(generated.cosines.mean()), lambda: _explain(sample.sample.query, generated))


def _unscored(reason: str, explanation: Explanation) -> Outcome:
    return Outcome(Score(None, reason), lambda: {"unscored": reason, **explanation})


def _explain(query: str, generated: ReverseQuestions) -> Explanation:
    """Questions, embeddings and cosines, as the source requires."""
    questions: list[JsonValue] = [
        {"text": text, "cosine": float(cosine), "embedding": _rounded(row.tolist())}
        for text, cosine, row in zip(generated.texts, generated.cosines, generated.rows, strict=True)
    ]
    return {
        "query": {"text": query, "embedding": _rounded(generated.query.tolist())},
        "questions": questions,
        "aggregate": "mean",
        "asked": dict(generated.asked),
    }


def _rounded(row: list[float]) -> list[JsonValue]:
    return [round(value, DECIMALS) for value in row]
