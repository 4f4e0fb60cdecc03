"""What was found in all answers of a run, and what a filter does to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from hcat.core.privacy.context_filter import FilterRule
from hcat.core.privacy.leaks import TracedHit
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class KindOfHit:
    """How many hits of a kind there are, by who else holds them, in how many answers, and how many are leaks."""

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
    """The hits of every answer, by sample. `leaking` is the share of answers that leak, of those whose contexts are
    known, clustered as everywhere; `without_contexts` counts the others. `copying` is the mean share of copied words,
    `copied` that of each sample with any."""

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
    """A metric before and after a filter, and the paired difference over all answers: 0 where it changes nothing."""

    metric: str
    before: float
    after: float
    difference: Estimate


@dataclass(frozen=True, slots=True)
class FilterCost:
    """What a filter does to a run: the samples whose answers it changes, how many spans it holds back, and what that
    does to each metric."""

    rule: FilterRule
    changed: tuple[str, ...]
    spans: int
    metrics: tuple[MetricChange, ...]
