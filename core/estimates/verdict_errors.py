"""Agreement of a machine's verdicts with people's labels, and the pass rate corrected by labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import estimate_pass_rate
from hcat.core.records.codec import JSON
from hcat.core.records.layout import JsonObject
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Direction, Estimate

MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class VerdictErrors:
    """A metric's verdicts compared with the labels on a criterion.

    `says` is the share of samples that the machine passes, which estimates nothing. `sensitivity` is the share of the
    samples labelled “pass” which the machine passes too, `specificity` that of those labelled “fail” which it fails.
    `corrected` is the share of samples that would be labelled “pass”, by labels and scores together (PPI++)."""

    metric: str
    criterion: str
    says: float
    n: int
    sensitivity: Estimate
    specificity: Estimate
    corrected: Estimate

    def document(self) -> JsonObject:
        """The parts of a row of `hcat estimate --json`."""
        return JSON.write_object(self)


def machine_verdicts(values: Floats, *, within: tuple[float, float], direction: Direction) -> Floats | None:
    """1 for scores (n,) on the good side of the middle of their range, 0 for others, NaN for none.

    None if the range is not bounded, or no direction is better: such scores are not verdicts."""
    low, high = within
    if direction == "none" or not math.isfinite(high - low):
        return None
    good = values >= low + MIDDLE * (high - low) if direction == "higher" else values <= low + MIDDLE * (high - low)
    return np.where(np.isnan(values), np.nan, good.astype(np.float64))


def verdict_errors(
    run: LabelledRun, verdicts: Floats, *, metric: str, criterion: str, level: float = 0.95
) -> VerdictErrors:
    """Sensitivity and specificity over labelled samples with a verdict, and the corrected pass rate of the run.

    Shares are weighted if samples were drawn with unequal probabilities, and clustered if these share test cases.
    Sources: Rogan & Gladen 1978 on why the share that a test finds is not the prevalence; Angelopoulos, Duchi & Zrnic
    2023 (PPI++) for the correction, which needs no constant error rates."""
    decided = run.labelled & ~np.isnan(verdicts)
    passes, fails = decided & (run.passed == 1), decided & (run.passed == 0)
    scored = verdicts[~np.isnan(verdicts)]
    return VerdictErrors(
        metric=metric,
        criterion=criterion,
        says=float(scored.mean()) if len(scored) else math.nan,
        n=len(scored),
        sensitivity=_share(run, passes, verdicts[passes] == 1, level),
        specificity=_share(run, fails, verdicts[fails] == 0, level),
        corrected=estimate_pass_rate(run, level=level).ppi,
    )


def _share(run: LabelledRun, rows: Bools, hits: Sequence[bool] | Bools, level: float) -> Estimate:
    weights = run.label_weights[rows]
    unequal = len(np.unique(weights)) > 1
    clusters = None if run.clusters is None else run.clusters[rows]
    return weighted_proportion(hits, weights=weights if unequal else None, clusters=clusters, level=level)
