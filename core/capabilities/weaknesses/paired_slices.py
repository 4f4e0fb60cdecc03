"""Two opened runs compared slice by slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hcat.core.capabilities.estimates.estimate import clusters_of_both
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.slices.keys import CORRECTED, criterion_of
from hcat.core.slices.paired import PairedSlices, compare_slices, pair_by_sample


def compare_runs_by_slice(
    run: Opened,
    against: Opened,
    metric: str,
    *,
    by: Sequence[str],
    minimum_n: int = 10,
    q: float = 0.05,
) -> PairedSlices:
    """The metric of `run` less that of `against` in the slices of `run`, over samples scored in both.

    The pass rate by labels, with its `criterion`, is compared over samples with a label in both runs, each counted
    once. HcatError for the corrected pass rate, whose calibrations would have to be refitted together, and for a
    metric that a run does not have.
    """
    if metric == CORRECTED:
        raise HcatError(
            "corrected pass rates of two runs are not compared by slice: compare people's pass rates or a metric, or "
            "the whole runs under Estimates"
        )
    clusters = clusters_of_both(run.columns, against.columns)
    paired = pair_by_sample(
        [str(sample_id) for sample_id in run.columns.dimensions.index],
        _values(run, metric),
        _values(against, metric),
        clusters=(clusters[0], clusters[1]),
    )
    by_people = criterion_of(metric) is not None
    return compare_slices(
        run.columns.dimensions,
        paired,
        runs=(run.name, against.name),
        metric=metric,
        direction="higher" if by_people else run.columns.scores.direction_of(metric),
        by=by,
        within=(0.0, 1.0) if by_people else run.columns.scores.facts(metric).range,
        minimum_n=minimum_n,
        q=q,
    )


def _values(run: Opened, metric: str) -> Mapping[str, float]:
    """The score of each sample by its id, or whether labels pass it."""
    if (name := criterion_of(metric)) is not None:
        criterion = run.criterion(name)
        labels = run.labels(criterion)
        passes = np.asarray(labels.levels) >= criterion.passing
        return dict(zip(labels.sample_ids, passes.astype(np.float64).tolist(), strict=True))
    scores = run.columns.scores
    if metric not in scores.metrics:
        raise HcatError(f"run {run.name!r} has no scores of {metric!r}: score it on the same metrics")
    return dict(zip(scores.sample_ids, scores.values(metric).tolist(), strict=True))
