"""Every metric there is. Pickers, the command line, documentation and reports follow from `METRICS`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from types import ModuleType

from core.errors import UnknownMetricError
from core.metrics import answer, completeness, context, groundedness, numbers, overlap, reference, refusal, retrieval
from core.metrics.declaration import Metric, metric
from core.metrics.encoded import relevant_ids
from core.types import Sample

FAMILIES: tuple[ModuleType, ...] = (
    context,
    groundedness,
    completeness,
    answer,
    reference,
    numbers,
    refusal,
    retrieval,
    overlap,
)

__all__ = ["FAMILIES", "METRICS", "Metric", "find_metric", "metric", "metrics", "range_of", "runnable", "select"]


def _declared(family: ModuleType) -> tuple[Metric, ...]:
    values = [value if isinstance(value, tuple) else (value,) for value in vars(family).values()]
    return tuple(one for some in values for one in some if isinstance(one, Metric))


METRICS: tuple[Metric, ...] = tuple(metric for family in FAMILIES for metric in _declared(family))


def metrics() -> tuple[Metric, ...]:
    """All metrics, family by family."""
    return METRICS


def find_metric(name: str) -> Metric:
    """The metric of that name. Raises UnknownMetricError, which names the known ones."""
    for candidate in METRICS:
        if candidate.name == name:
            return candidate
    known = [candidate.name for candidate in METRICS]
    close = get_close_matches(name, known, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownMetricError(f"No metric {name!r}.{hint} Known: {', '.join(known)}.")


def range_of(name: str) -> tuple[float, float]:
    """The smallest and largest value of a metric; unbounded where the registry does not know it."""
    return next((known.range for known in METRICS if known.name == name), (-math.inf, math.inf))


def select(names: str | Sequence[str]) -> tuple[Metric, ...]:
    """The metrics of those names, each once: "all", names joined by commas, or a sequence of them.

    Raises UnknownMetricError, also for an empty selection.
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    wanted = [name.strip() for name in wanted if name.strip()]
    if not wanted:
        raise UnknownMetricError("No metric chosen: name at least one, or all.")
    if "all" in wanted:
        return METRICS
    return tuple(find_metric(name) for name in dict.fromkeys(wanted))


def runnable(samples: Iterable[Sample]) -> tuple[Metric, ...]:
    """The metrics whose needs at least one of the samples meets."""
    given = {_parts(sample) for sample in samples}
    return tuple(candidate for candidate in METRICS if any(set(candidate.needs) <= parts for parts in given))


def _parts(sample: Sample) -> frozenset[str]:
    texts = {
        "query": sample.query,
        "answer": sample.answer,
        "reference": sample.reference,
        "contexts": "".join(passage.text for passage in sample.contexts),
        "context_ids": "".join(passage.id for passage in sample.contexts),
        "relevant_ids": "".join(relevant_ids(sample)),
    }
    return frozenset(part for part, text in texts.items() if text is not None and text.strip())
