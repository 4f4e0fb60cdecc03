"""All metrics. Pickers, the command line, documentation and reports follow from `METRICS`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType

from hcat.core.errors import UnknownMetricError
from hcat.core.metrics import (
    answer,
    bertscore,
    claims,
    combined,
    completeness,
    context,
    entailment,
    groundedness,
    numbers,
    overlap,
    privacy,
    reference,
    refusal,
    retrieval,
    reverse,
    tone,
)
from hcat.core.metrics.declaration import Metric, metric
from hcat.core.metrics.sample_view import TRUTH, relevant_ids
from hcat.core.records.samples.columns import retrieved_of
from hcat.core.types import Sample

FAMILIES: tuple[ModuleType, ...] = (
    context,
    groundedness,
    entailment,
    combined,
    completeness,
    answer,
    reverse,
    reference,
    bertscore,
    claims,
    numbers,
    refusal,
    retrieval,
    overlap,
    tone,
    privacy,
)

__all__ = [
    "FAMILIES",
    "METRICS",
    "Choice",
    "Metric",
    "choose",
    "find_metric",
    "known_metric",
    "metric",
    "metrics",
    "select",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen metrics, and the reasons why "all" left others out."""

    metrics: tuple[Metric, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def _declared(family: ModuleType) -> tuple[Metric, ...]:
    values = [value if isinstance(value, tuple) else (value,) for value in vars(family).values()]
    return tuple(candidate for some in values for candidate in some if isinstance(candidate, Metric))


METRICS: tuple[Metric, ...] = tuple(metric for family in FAMILIES for metric in _declared(family))

ON_REQUEST = "only where it is asked for by name"
"""The reason why "all" leaves a metric out."""


def metrics() -> tuple[Metric, ...]:
    """All metrics, family by family."""
    return METRICS


def find_metric(name: str) -> Metric:
    """The metric of that name: in `METRICS`, or of retrieval at any other cut-off, such as "ndcg@5".

    Raises UnknownMetricError, which names the known ones."""
    if (found := known_metric(name)) is not None:
        return found
    names = [candidate.name for candidate in METRICS]
    close = get_close_matches(name, names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownMetricError(
        f"No metric {name!r}.{hint} Known: {', '.join(names)}; those with @ at any k from 1 on, such as ndcg@5."
    )


def known_metric(name: str) -> Metric | None:
    """The metric of that name, as `find_metric` finds it; None if there is none."""
    listed = next((candidate for candidate in METRICS if candidate.name == name), None)
    return listed or retrieval.at_cutoff(name)


def select(names: str | Sequence[str]) -> tuple[Metric, ...]:
    """The metrics of those names, each once: "all", names joined by commas, or a sequence of them.

    "all" means those that are not on request. Raises UnknownMetricError, also for an empty selection."""
    wanted = _wanted(names)
    named = tuple(find_metric(name) for name in dict.fromkeys(wanted) if name != "all")
    if "all" not in wanted:
        return named
    listed = tuple(metric for metric in METRICS if not metric.on_request or metric in named)
    return (*listed, *(metric for metric in named if metric not in listed))


def choose(names: str | Sequence[str], samples: Iterable[Sample], *, unfilled: Mapping[str, str]) -> Choice:
    """The metrics to compute: all named ones, and for "all" those that some sample and the available models allow.

    `unfilled` are the roles of `Metric.models` that no model fills, and why. Raises UnknownMetricError."""
    chosen, named = select(names), _wanted(names)
    if "all" not in named:
        return Choice(chosen)
    present = {_parts(sample) for sample in samples}
    reasons = {
        metric.name: None if metric.name in named else _not_allowed(metric, present, unfilled) for metric in chosen
    }
    unnamed = {metric.name: ON_REQUEST for metric in METRICS if metric not in chosen}
    return Choice(
        tuple(metric for metric in chosen if reasons[metric.name] is None),
        {name: reason for name, reason in reasons.items() if reason is not None} | unnamed,
    )


def _wanted(names: str | Sequence[str]) -> list[str]:
    wanted = names.split(",") if isinstance(names, str) else list(names)
    wanted = [name.strip() for name in wanted if name.strip()]
    if not wanted:
        raise UnknownMetricError("No metric chosen: name at least one, or all.")
    return wanted


def _not_allowed(metric: Metric, present: Collection[frozenset[str]], unfilled: Mapping[str, str]) -> str | None:
    """The reason why no sample can be scored: what all of them lack, or which model is missing."""
    for role in metric.models:
        if role in unfilled:
            return unfilled[role]
    if any(set(metric.needs) <= parts for parts in present):
        return None
    absent = [need for need in metric.needs if not any(need in parts for parts in present)]
    words = [_WORDS.get(need, need) for need in absent or metric.needs]
    return f"no sample has {(' and ' if absent else ' with ').join(words)}"


_WORDS = {"relevant_ids": "relevant ids", "context_ids": "contexts", "query": "a query", "answer": "an answer"}
_WORDS |= {"reference": "a reference", TRUTH: "a reference or an answer"}


def _parts(sample: Sample) -> frozenset[str]:
    texts = {
        "query": sample.query,
        "answer": sample.answer,
        "reference": sample.reference,
        TRUTH: f"{sample.reference or ''}{sample.answer or ''}",
        "contexts": "".join(passage.text for passage in sample.contexts),
        "context_ids": "".join(passage.id for passage in sample.contexts),
        "relevant_ids": "".join(relevant_ids(sample)),
        "candidates": None if retrieved_of(sample).candidates is None else "candidates",
    }
    return frozenset(name for name, text in texts.items() if text is not None and text.strip())
