"""Krippendorff's α of any number of annotators; labels may be missing."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.capabilities.agreement.kinds import item_kinds, unseen_pairs, value_counts
from hcat.core.errors import HcatError
from hcat.core.statistics.bootstrap import LEAST_ITEMS, REPLICATES, bootstrap_by_item, complete_agreement
from hcat.core.types import Estimate

Measurement = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    levels: ArrayLike,
    *,
    rng: np.random.Generator,
    measurement: Measurement = "nominal",
    test_cases: ArrayLike | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
) -> Estimate:
    """α = 1 − observed / expected disagreement of all annotators over n items, with an interval by item.

    `levels` is (items, annotators), any finite numbers, NaN if missing; items with fewer than two labels contain no
    information on agreement and are left out, so that n counts the others. Disagreement of two labels is 1 if they
    differ ("nominal"), the squared number of labels between them ("ordinal"), or their squared difference ("interval").
    NaN if all labels are one level. The interval is that of `bootstrap_by_item`; complete agreement has the bound of
    `complete_agreement`. Bounds are NaN below 5 items. If items are trials, `test_cases` (items,) name that of each,
    and the interval is by test case. Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, sections C
    and D."""
    table = np.asarray(levels, dtype=np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise HcatError("levels must be a table of numbers: a row per item, a column per annotator, NaN for none")
    if measurement not in get_args(Measurement):
        raise HcatError(f"no measurement {measurement!r}: choose one of {', '.join(get_args(Measurement))}")
    values = np.unique(table[~np.isnan(table)])
    counts = value_counts(table, values)
    paired = counts.sum(axis=1) >= 2
    cases = None if test_cases is None else np.asarray(test_cases)[paired]
    kinds, kind_of = item_kinds(counts[paired])
    name = f"Krippendorff's α, {measurement}"
    if not len(kinds):
        return Estimate(math.nan, math.nan, math.nan, 0, level, name)
    kinds, unseen = unseen_pairs(kinds)
    coincidences = _coincidences(kinds)

    def statistic(drawn: Floats) -> Floats:
        return _alphas(np.einsum("rk,kij->rij", drawn, coincidences, optimize=True), values, measurement)

    n = len(kind_of)
    together = np.einsum("k,kij->ij", np.bincount(kind_of, minlength=len(kinds)).astype(np.float64), coincidences)
    if n >= LEAST_ITEMS and not (together - np.diag(np.diag(together))).any() and np.count_nonzero(together) > 1:
        expected, largest = _expected(together, values, measurement)
        return complete_agreement(expected, n, largest=largest, level=level, name=name, test_cases=cases)
    return bootstrap_by_item(
        statistic, kind_of, unseen, level=level, replicates=replicates, rng=rng, name=name, test_cases=cases
    )


def _coincidences(kinds: Floats) -> Floats:
    """The coincidence matrices of kinds of items, (kinds, levels, levels), each item weighted by its number of
    labels."""
    labels = kinds.sum(axis=1)
    pairs = kinds[:, :, None] * kinds[:, None, :] - kinds[:, :, None] * np.eye(kinds.shape[1])
    weighted: Floats = pairs / (labels - 1)[:, None, None]
    return weighted


def _alphas(coincidences: Floats, values: Floats, measurement: Measurement) -> Floats:
    """α of each matrix (replicates, levels, levels)."""
    margins = coincidences.sum(axis=2)
    n = margins.sum(axis=1)
    distance = _distances(margins, values, measurement)
    observed = (coincidences * distance).sum(axis=(1, 2)) * (n - 1)
    expected = np.einsum("ri,rij,rj->r", margins, distance, margins)
    ratio: Floats = np.divide(observed, expected, out=np.full(len(n), np.nan), where=expected > 0)
    return 1 - ratio


def _distances(margins: Floats, values: Floats, measurement: Measurement) -> Floats:
    """Squared distances of levels, (replicates, levels, levels): ordinal ones depend on how often each was given."""
    if measurement == "ordinal":
        # Labels below a level plus half of its own: the difference of two such ranks is what lies between them.
        ranks = np.cumsum(margins, axis=1) - margins / 2
        return (ranks[:, :, None] - ranks[:, None, :]) ** 2
    apart = np.subtract.outer(values, values)
    fixed = np.sign(np.abs(apart)) if measurement == "nominal" else apart**2
    return np.broadcast_to(fixed, (len(margins), *fixed.shape))


def _expected(together: Floats, values: Floats, measurement: Measurement) -> tuple[float, float]:
    """The expected disagreement by chance, and the largest disagreement of two labels."""
    margins = together.sum(axis=1)[None, :]
    distance = _distances(margins, values, measurement)[0]
    total = float(margins.sum())
    expected = float(margins[0] @ distance @ margins[0]) / (total * (total - 1))
    return expected, float(distance.max())
