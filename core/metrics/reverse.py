"""Answer relevance by reverse questions: would somebody ask the query for this answer? (LEGAL)"""

from __future__ import annotations

from core.claims.questions import QUESTIONS, ReverseQuestions
from core.metrics.declaration import Explanation, Outcome, metric, scored
from core.metrics.sample_view import SampleView
from core.types import JsonValue, Score

FAMILY = "answer relevancy"
NO_MODEL = "no language model"
DECIMALS = 6
"""Of the embeddings in an explanation."""


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
    found = sample.result(ReverseQuestions)
    if found is None:
        return _unscored(NO_MODEL, {})
    if found.reason is not None:
        return _unscored(found.reason, {"asked": dict(found.asked)})
    return scored(float(found.cosines.mean()), lambda: _explain(sample.sample.query, found))


def _unscored(reason: str, explanation: Explanation) -> Outcome:
    return Outcome(Score(None, reason), lambda: {"unscored": reason, **explanation})


def _explain(query: str, found: ReverseQuestions) -> Explanation:
    """Questions, embeddings and cosines, as the source asks for."""
    questions: list[JsonValue] = [
        {"text": text, "cosine": float(cosine), "embedding": _rounded(row.tolist())}
        for text, cosine, row in zip(found.texts, found.cosines, found.rows, strict=True)
    ]
    return {
        "query": {"text": query, "embedding": _rounded(found.query.tolist())},
        "questions": questions,
        "aggregate": "mean",
        "asked": dict(found.asked),
    }


def _rounded(row: list[float]) -> list[JsonValue]:
    return [round(value, DECIMALS) for value in row]
