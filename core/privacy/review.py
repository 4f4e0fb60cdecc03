"""The hits in all answers of a run, and the effect of a filter on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hcat.core.privacy.context_filter import FilterRule
from hcat.core.privacy.leaks import TracedHit
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class KindOfHit:
    """The number of hits of a kind, by their origin, the number of answers, and the number of leaks."""

    kind: str
    hits: int
    answers: int
    context: int
    query: int
    confidential: int
    neither: int
    unknown: int
    leaks: int

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers in their order, for tables."""
        holders = (self.context, self.query, self.confidential, self.neither, self.unknown)
        return (self.hits, self.answers, *holders, self.leaks)


@dataclass(frozen=True, eq=False)
class PrivacyReview:
    """The hits of every answer, by sample.

    `leaking` is the share of answers that leak, of those with known contexts, clustered as everywhere;
    `without_contexts` counts the others. `copying` is the mean share of copied words, `copied` that of each sample with
    any."""

    hits: Mapping[str, tuple[TracedHit, ...]]
    kinds: tuple[KindOfHit, ...]
    leaking: Estimate
    copying: Estimate
    copied: Mapping[str, float]
    answers: int
    without_contexts: int

    @cached_property
    def leaks(self) -> Mapping[str, tuple[TracedHit, ...]]:
        """The leaks of each sample that has any."""
        leaks = {name: tuple(each for each in hits if each.is_leak) for name, hits in self.hits.items()}
        return {name: each for name, each in leaks.items() if each}


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric before and after a filter, and the paired difference over all answers: 0 for unchanged ones."""

    metric: str
    before: float
    after: float
    difference: Estimate


@dataclass(frozen=True, slots=True)
class FilterCost:
    """The effect of a filter on a run.

    The samples whose answers it changes, the number of withheld spans, and the change of each metric."""

    rule: FilterRule
    changed: tuple[str, ...]
    spans: int
    metrics: tuple[MetricChange, ...]
