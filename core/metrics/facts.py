"""The facts about a metric that are needed to read its numbers, whoever computed them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hcat.core.metrics.registry import known_metric
from hcat.core.types import Direction

UNBOUNDED = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """A metric's title, the direction in which it improves, its smallest and largest value, and its source.

    `direction` is "none" if neither direction is better or none is stated; `range` is unbounded if none is stated.
    `judges_answers` says whether an answer that declines has no probability by this metric. `judged` says that scores
    are verdicts of a machine (`Metric.judged`), which hcat can't rule out for others' metrics."""

    name: str
    title: str
    direction: Direction = "none"
    range: tuple[float, float] = UNBOUNDED
    source: str = ""
    description: str = ""
    family: str = ""
    judges_answers: bool = True
    judged: bool = True


def registered_facts(name: str) -> MetricFacts | None:
    """The facts of a metric in the registry; None for any other name."""
    metric = known_metric(name)
    if metric is None:
        return None
    return MetricFacts(
        name=name,
        title=metric.title,
        direction=metric.direction,
        range=metric.range,
        source=metric.source,
        description=metric.description,
        family=metric.family,
        judges_answers=metric.skip_refusals != "never",
        judged=metric.judged,
    )
