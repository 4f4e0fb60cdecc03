"""The looks at labels that a verdict may use, with their levels: one that was declared beforehand, or any other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from hcat.core.labelling.consensus import ConsensusLabels, labelled_at
from hcat.core.records.preregistration import RegisteredPlan
from hcat.core.statistics.looks import watched_level

FALSE_POSITIVE_RATE = 0.05
"""The probability that any useless metric of a run is ever called fit for use, over all metrics and looks."""
OF_ONE_KIND = FALSE_POSITIVE_RATE / 2
"""Single metrics have one half of this probability and learned maps the other."""
DECLARED_SHARE = 0.9
"""The declared look's share of the probability of a false verdict; all other looks together have the rest."""
LEAST_LABELS = 20
"""The least number of labels for a verdict of fit for use."""


@dataclass(frozen=True, slots=True)
class DeclaredLook:
    """A look that was fixed before the first label: at the first `n` labelled samples, for these `metrics` (any if
    empty).

    `sample_ids` are those samples, fewer as long as they are not all labelled."""

    n: int
    metrics: tuple[str, ...]
    sample_ids: frozenset[str]

    @property
    def is_due(self) -> bool:
        """Whether all of its samples have a label."""
        return len(self.sample_ids) >= self.n

    def is_at(self, sample_ids: Iterable[str]) -> bool:
        """Whether it is due, and these samples are exactly its own: there are no further labels."""
        return self.is_due and set(sample_ids) <= self.sample_ids

    def names(self, metrics: Iterable[str]) -> bool:
        """Whether it includes all of these metrics."""
        return not self.metrics or set(metrics) <= set(self.metrics)


def level_of_any_look(n: int, *, tries: float = 1.0, declared: DeclaredLook | None = None) -> float:
    """The one-sided level at n labels of a look that was not declared.

    All such looks together, over all n and as many independent `tries`, are wrong with a probability of at most 2.5%,
    or of what the declared look leaves of it."""
    left = OF_ONE_KIND if declared is None else OF_ONE_KIND * (1 - DECLARED_SHARE)
    return watched_level(n, left / tries) if n else 0.0


def level_of_declared_look(*, tries: float = 1.0) -> float:
    """The one-sided level of the declared look, shared by as many independent `tries`."""
    return OF_ONE_KIND * DECLARED_SHARE / tries


def level_alone(sample_ids: Sequence[str], declared: DeclaredLook | None) -> float:
    """The one-sided level of a test on all these labelled samples that is shared with no other evaluator."""
    if declared is not None and declared.is_at(sample_ids):
        return level_of_declared_look()
    return level_of_any_look(len(sample_ids), declared=declared)


def declared_look(plans: Sequence[RegisteredPlan], judged: ConsensusLabels) -> DeclaredLook | None:
    """The look at the first n labelled samples of the run, by the last plan on the criterion before any label.

    None without such a plan. `plans` are in the order of their numbers. Samples are in the order of their first labels
    in time. If the n-th sample has no earlier label than the next, the first n are not determined: the look is then not
    due."""
    since: dict[str, datetime] = {}
    for label in judged.labels:
        at, earlier = labelled_at(label), since.get(label.sample_id)
        since[label.sample_id] = at if earlier is None else min(at, earlier)
    first = min(since.values(), default=None)
    before = [each for each in plans if each.is_before_labels and (first is None or _in_utc(each.at) <= first)]
    if not before:
        return None
    plan = before[-1].plan
    ordered = sorted(((since[name], name) for name in judged.sample_ids), key=lambda item: item[0])
    if len(ordered) > plan.n and ordered[plan.n][0] == ordered[plan.n - 1][0]:
        ordered = []
    return DeclaredLook(plan.n, plan.metrics, frozenset(name for _, name in ordered[: plan.n]))


def _in_utc(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
