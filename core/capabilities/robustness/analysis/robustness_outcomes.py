"""Outcomes for the comparison of variants with origins: labels, the calibrated probability of a pass, metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.slices.keys import CORRECTED, criterion_of, pass_rate_key
from hcat.core.types import Criterion, Direction


@dataclass(frozen=True, slots=True)
class PairedOutcome:
    """One outcome, and its value by sample id in the run of the variants and in that of the origins."""

    name: str
    direction: Direction
    within: tuple[float, float]
    variants: Mapping[str, float]
    origins: Mapping[str, float]

    @property
    def by_labels(self) -> bool:
        """Whether labels say it: these judge each answer by its own question."""
        return criterion_of(self.name) is not None


def paired_outcomes(
    run: Opened,
    origins: Opened,
    metrics: Sequence[str] | None = None,
) -> Iterator[PairedOutcome]:
    """Labels on each criterion that both have, then the calibrated probability, then the metrics (all by default)."""
    calibration = run.calibration
    for criterion in run.criteria:
        passes = [_passes(each, criterion) for each in (run, origins)]
        if all(passes):
            yield PairedOutcome(pass_rate_key(criterion.name), "higher", (0.0, 1.0), passes[0], passes[1])
    table, other = run.columns.given_scores, origins.columns.given_scores
    if table is None or other is None:
        if calibration is not None or metrics:
            raise HcatError("calibrated probabilities and metrics need scores: what `hcat score` wrote for the run")
        return
    if calibration is not None:
        chances = [
            dict(zip(each.sample_ids, calibration.probability(each).tolist(), strict=True)) for each in (table, other)
        ]
        yield PairedOutcome(CORRECTED, "higher", (0.0, 1.0), chances[0], chances[1])
    for metric in table.metrics if metrics is None else metrics:
        if metric not in table.metrics or metric not in other.metrics:
            if metrics is not None:
                raise HcatError(f"no scores of {metric!r} for both variants and origins: score them on it")
            continue
        values = [dict(zip(each.sample_ids, each.values(metric).tolist(), strict=True)) for each in (table, other)]
        yield PairedOutcome(metric, table.direction_of(metric), table.facts(metric).range, values[0], values[1])


def _passes(run: Opened, criterion: Criterion) -> dict[str, float]:
    labels = run.labels(criterion)
    passes = np.asarray(labels.levels) >= criterion.passing
    return dict(zip(labels.sample_ids, passes.astype(np.float64).tolist(), strict=True))
