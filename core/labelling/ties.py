"""Samples on which annotators tie, decided one way or the other: the bounds of the results of any decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hcat.core.labelling.consensus import ConsensusLabels, Labels, deciding_labels, resolve_labels
from hcat.core.types import Criterion, Estimate


@dataclass(frozen=True, slots=True)
class TieBounds:
    """A pass rate with all `ties` decided as fail, and with all decided as pass; any decision is between these."""

    ties: int
    failed: Estimate
    passed: Estimate


def tie_bounds(
    labels: Labels, criterion: Criterion, estimate: Callable[[ConsensusLabels], Estimate]
) -> TieBounds | None:
    """The estimate with all ties failed and with all passed; None if annotators tie on no sample.

    A consensus leaves ties out, and these are samples that somebody failed: so a second annotator raises the rate among
    decided samples. The bounds are those of Manski 1989, Anatomy of the selection problem: they assume nothing about
    the decision of a tie."""
    judged = resolve_labels(labels, criterion)
    if not judged.ties:
        return None
    failed, passed = (estimate(with_ties_decided(judged, passed=side)) for side in (False, True))
    return TieBounds(judged.ties, failed, passed)


def with_ties_decided(judged: ConsensusLabels, *, passed: bool) -> ConsensusLabels:
    """The consensus if every tied sample were decided as pass, or as fail."""
    criterion, decided = judged.criterion, set(judged.sample_ids)
    level = criterion.passing if passed else criterion.passing - 1
    tied = {label.sample_id: label for label in deciding_labels(judged.labels) if label.sample_id not in decided}
    decisions = [label._replace(level=level, source="adjudication") for label in tied.values()]
    return resolve_labels([*judged.labels, *decisions], criterion)
