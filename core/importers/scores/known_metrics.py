"""The direction and range of metrics, as documented by the evaluation tools that compute them.

Only documented metrics are listed; for any other column, users state direction and range. Names are compared in lower
case, with words joined by "_" ("Answer Relevance" is "answer_relevance") and without additions in brackets
("(mode=f1)").

- ragas 0.1 to 0.4: docs.ragas.io, "Available metrics", and `name` in src/ragas/metrics. Noise sensitivity: "lower
  values indicating better performance". Metrics that are cosines, or are mixed with one, can fall below 0, as the page
  on response relevancy says. Aspect critics give 1 if the aspect is present.
- DeepEval 1 to 4: deepeval.com/docs, one page a metric. Thresholds of hallucination, bias and toxicity are the maximum
  that passes.
- RAGChecker 0.1: ragchecker/metrics.py. `self_knowledge` is the share of claims that are correct and in no context.
- TruLens 0.1x to 2: trulens.org, "Feedback functions" (normalised to 0..1).
- Phoenix evals 0.x to 3: arize.com/docs/phoenix, "Pre-tested evals", and `direction` in phoenix/evals/metrics.
  Hallucination is 1 if the answer is made up, toxicity is 1 if it is toxic: both "minimize".
- continuous-eval 0.1 to 0.3: continuous_eval/metrics, one page a metric in its documentation.
- promptfoo 0.90 to 0.120: src/types/index.ts, EvaluateResult: a score is "typically between 0 and 1", so that no range
  is assumed.
- LangSmith and Langfuse store scores that their users define, whose names say nothing about direction or range.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hcat.core.types import Direction


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """The direction in which a metric improves, and its smallest and largest value; None if not documented."""

    direction: Direction
    low: float | None = 0.0
    high: float | None = 1.0


UP, DOWN, NEITHER = KnownMetric("higher"), KnownMetric("lower"), KnownMetric("none")
COSINE = KnownMetric("higher", -1.0, 1.0)

_RAGAS_UP = (
    *("faithfulness", "context_precision", "context_recall", "context_entity_recall", "context_utilization"),
    *("context_relevancy", "factual_correctness", "llm_context_precision_with_reference"),
    *("llm_context_precision_without_reference", "non_llm_context_precision_with_reference", "id_based_context_recall"),
    *("non_llm_context_recall", "id_based_context_precision", "nv_accuracy", "nv_context_relevance"),
    *("nv_response_groundedness", "summary_score", "bleu_score", "rouge_score", "exact_match", "string_present"),
    *("non_llm_string_similarity", "faithfulness_with_hhem", "correctness", "coherence", "conciseness"),
)
_DEEPEVAL_UP = (
    *("answer_relevancy", "faithfulness", "contextual_precision", "contextual_recall", "contextual_relevancy"),
    *("summarization", "json_correctness", "prompt_alignment", "geval", "g-eval"),
)
_CONTINUOUS_EVAL_UP = (
    *("rouge_l_recall", "rouge_l_precision", "rouge_l_f1", "token_overlap_recall", "token_overlap_precision"),
    *("token_overlap_f1", "bleu_score", "rouge_faithfulness", "token_overlap_faithfulness", "bleu_faithfulness"),
    *("context_precision", "context_recall", "context_f1", "average_precision", "reciprocal_rank", "ndcg"),
    *("llm_based_faithfulness", "llm_based_answer_correctness", "llm_based_answer_relevance"),
    *("llm_based_context_precision", "llm_based_context_coverage", "deberta_answer_entailment"),
)

KNOWN_METRICS: Mapping[str, Mapping[str, KnownMetric]] = MappingProxyType(
    {
        "ragas": {
            **dict.fromkeys(_RAGAS_UP, UP),
            **dict.fromkeys(("answer_relevancy", "answer_similarity", "semantic_similarity"), COSINE),
            "answer_correctness": COSINE,
            **dict.fromkeys(("noise_sensitivity", "noise_sensitivity_relevant", "noise_sensitivity_irrelevant"), DOWN),
            **dict.fromkeys(("harmfulness", "maliciousness"), DOWN),
        },
        "deepeval": {
            **dict.fromkeys(_DEEPEVAL_UP, UP),
            **dict.fromkeys(("hallucination", "bias", "toxicity"), DOWN),
        },
        "ragchecker": {
            **dict.fromkeys(("precision", "recall", "f1", "claim_recall", "context_precision"), UP),
            **dict.fromkeys(("context_utilization", "faithfulness"), UP),
            **dict.fromkeys(("noise_sensitivity_in_relevant", "noise_sensitivity_in_irrelevant"), DOWN),
            "hallucination": DOWN,
            "self_knowledge": NEITHER,
        },
        "trulens": dict.fromkeys(("context_relevance", "groundedness", "answer_relevance"), UP),
        "phoenix": {
            **dict.fromkeys(("qa_correctness", "relevance", "faithfulness", "correctness", "document_relevance"), UP),
            **dict.fromkeys(("hallucination", "toxicity"), DOWN),
        },
        "continuous-eval": {
            **dict.fromkeys(_CONTINUOUS_EVAL_UP, UP),
            "deberta_answer_contradiction": DOWN,
            "bert_answer_relevance": COSINE,
            "bert_answer_similarity": COSINE,
            "flesch_reading_ease": KnownMetric("none", None, None),
            "flesch_kincaid_grade_level": KnownMetric("none", None, None),
        },
        "promptfoo": {"success": UP, "score": KnownMetric("higher", None, None)},
    }
)
"""By the name of a tool's format, then of its metric."""

TECHNICAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "deepeval": ("order", "run_duration", "evaluation_cost", "completion_time", "token_cost", "flaky"),
        "trulens": (
            *("latency", "total_tokens", "total_cost", "num_events", "eval_cost", "eval_cost_snowflake", "is_match"),
            *("app_version", "sampled", "sample_rate"),
        ),
        "inspect": ("epoch", "total_time", "working_time", "turn_count", "error_retries"),
        "langsmith": ("execution_time", "repetition", "repetition_number", "num_repetitions"),
        "langfuse": (
            *("latency", "usage", "input_cost", "output_cost", "total_cost", "error_count", "warning_count"),
            *("default_count", "debug_count", "observation_count", "input_tokens", "output_tokens", "total_tokens"),
            *("bookmarked", "public", "version", "release"),
        ),
        "promptfoo": (
            "cost",
            "latency_ms",
            "failure_reason",
            "prompt_idx",
            "test_idx",
            "version",
            "repeat_index",
            "grading_result",
        ),
        "phoenix": ("cumulative_token_count", "latency_ms", "start_time", "end_time"),
    }
)
"""Numbers in the tools' exports that are not scores: costs, times, counts and positions in a list."""

_BRACKETS = re.compile(r"\s*[(\[].*?[)\]]")
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BESIDE_SCORES = (" feedback cost in USD", " direction")
"""The ends of the names of TruLens's columns next to a score."""


def known_metric(framework: str, name: str) -> KnownMetric | None:
    """The documented facts of this metric of the tool; None if there are none."""
    family = KNOWN_METRICS.get(_family(framework), {})
    if framework == "deepeval" and re.search(r"[(\[]g-?eval[)\]]$", name.lower()):
        return UP  # DeepEval rates a G-Eval rubric from 0 to 1, whatever the user called it
    return family.get(_plain(name))


def is_technical(framework: str, name: str) -> bool:
    """Whether the tool writes something other than a score under this name."""
    return _plain(name) in TECHNICAL.get(_family(framework), ()) or name.endswith(_BESIDE_SCORES)


def _family(framework: str) -> str:
    return "ragas" if framework == "ragas-0.1" else framework


def _plain(name: str) -> str:
    bare = _BRACKETS.sub("", name.removeprefix("feedback."))
    return "_".join(_CAPITALS.sub("_", bare).lower().split())
