"""Two runs in the same slices: the paired difference of each, and whether it is shown to be one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.slices.slices import require_dimensions
from hcat.core.slices.verdicts import INSUFFICIENT
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.multiplicity import benjamini_hochberg
from hcat.core.statistics.sign_flip import sign_flip_p
from hcat.core.types import Direction, Estimate, Slice, Verdict

if TYPE_CHECKING:
    import pandas as pd

LOWER_THAN, HIGHER_THAN, NOT_SHOWN = "lower", "higher", "not shown to differ"
IN_SLICES = Verdict(
    name="two runs differ in a slice",
    words=(LOWER_THAN, HIGHER_THAN),
    claim="The mean of one run is lower or higher in the slice than that of the other.",
    error=0.05,
    family="all slices of one comparison of two runs by one metric, levels and pairs of levels",
    decides="hcat.core.slices.paired:compare_slices",
    carried_by="hcat.core.slices.paired:PairedSlice.verdict",
)


@dataclass(frozen=True, slots=True)
class PairedSlice:
    """Comparison of two runs on one slice. It has the number of pairs and of their clusters, the means of both runs
    over the pairs, their difference with its interval, p and q (NaN where there are too few clusters), and the
    verdict."""

    slice: Slice
    n: int
    cases: int
    mean: float
    mean_against: float
    difference: Estimate
    p: float
    q: float
    verdict: str


@dataclass(frozen=True, slots=True)
class PairedSlices:
    """The slices of one metric in run `run` less those in run `against`, over samples that both have scored.

    `unpaired` counts scored samples of `run` without a partner. `n_tests` slices were tested; q accounts for levels
    and for pairs of levels apart. `unit` is the width of the metric's range, NaN where it has none, and `spread` the
    standard deviation of single differences.
    """

    run: str
    against: str
    metric: str
    direction: Direction
    by: tuple[str, ...]
    slices: tuple[PairedSlice, ...]
    overall: PairedSlice
    unpaired: int
    n_tests: int
    minimum_n: int
    q: float
    unit: float
    spread: float


@dataclass(frozen=True, slots=True, eq=False)
class PairedValues:
    """The scores of both runs (N,) in the order of the samples, NaN where one is missing, and the cluster of each."""

    values: Floats
    against: Floats
    clusters: Sequence[str]

    @property
    def difference(self) -> Floats:
        return self.values - self.against


def compare_slices(
    dimensions: pd.DataFrame,
    paired: PairedValues,
    *,
    runs: tuple[str, str],
    metric: str,
    direction: Direction,
    by: Sequence[str],
    within: tuple[float, float] = (-math.inf, math.inf),
    minimum_n: int = 10,
    q: float = 0.05,
    level: float = 0.95,
) -> PairedSlices:
    """The paired difference in every level of the dimensions and every pair of levels of two: first run less second.

    p is that of changed signs of clusters (`sign_flip_p`), q Benjamini and Hochberg's over levels, and over pairs of
    levels; where there are both, each has half of the error. Intervals are of a mean of differences, clustered. Slices
    with fewer than `minimum_n` clusters are not tested.
    """
    require_dimensions(dimensions, by)
    codes = np.unique(np.asarray(paired.clusters, dtype=np.str_), return_inverse=True)[1]
    width = within[1] - within[0]
    bounds = (-width, width) if math.isfinite(width) else (-math.inf, math.inf)
    families = [list(_levels(dimensions, by)), list(_pairs(dimensions, by))]
    slices: list[PairedSlice] = []
    share = 1 / sum(len(family) > 0 for family in families)
    for family in families:
        slices += _family(family, paired, codes, bounds, minimum_n=minimum_n, q=q, level=level, share=share)
    everything = [(Slice("all", "all"), np.ones(len(dimensions), dtype=np.bool_))]
    (overall,) = _family(everything, paired, codes, bounds, minimum_n=minimum_n, q=q, level=level)
    both = np.isfinite(paired.difference)
    return PairedSlices(
        *runs,
        metric,
        direction,
        tuple(by),
        tuple(slices),
        overall,
        unpaired=int((np.isfinite(paired.values) & ~both).sum()),
        n_tests=sum(not math.isnan(each.p) for each in slices),
        minimum_n=minimum_n,
        q=q,
        unit=width if math.isfinite(width) else math.nan,
        spread=float(paired.difference[both].std(ddof=1)) if both.sum() > 1 else math.nan,
    )


def pair_by_sample(
    sample_ids: Sequence[str],
    values: Mapping[str, float],
    against: Mapping[str, float],
    *,
    clusters: tuple[Mapping[str, str], Mapping[str, str]],
) -> PairedValues:
    """Each sample with the score of its partner: the sample of the same id in the other run, else the mean of those of
    its test case there. `clusters` are those of both runs by sample id, named alike."""
    of_case: dict[str, list[float]] = {}
    for sample_id, value in against.items():
        if math.isfinite(value) and sample_id in clusters[1]:
            of_case.setdefault(clusters[1][sample_id], []).append(value)
    names = [clusters[0].get(sample_id, sample_id) for sample_id in sample_ids]
    partners = [
        against[sample_id] if sample_id in against else float(np.mean(of_case.get(name, [math.nan])))
        for sample_id, name in zip(sample_ids, names, strict=True)
    ]
    own = [values.get(sample_id, math.nan) for sample_id in sample_ids]
    return PairedValues(np.array(own, dtype=np.float64), np.array(partners, dtype=np.float64), names)


def _levels(dimensions: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[Slice, Bools]]:
    for name in by:
        column = dimensions[name].astype("str").to_numpy(dtype=np.str_)
        for level in dict.fromkeys(column.tolist()):
            yield Slice(name, level), column == level


def _pairs(dimensions: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[Slice, Bools]]:
    for one, two in combinations(by, 2):
        for first, inside in _levels(dimensions, [one]):
            for second, other in _levels(dimensions, [two]):
                if (both := inside & other).any():
                    yield Slice(one, first.level_1, two, second.level_1), both


def _family(
    family: Sequence[tuple[Slice, Bools]],
    paired: PairedValues,
    codes: Codes,
    bounds: tuple[float, float],
    *,
    minimum_n: int,
    q: float,
    level: float,
    share: float = 1.0,
) -> list[PairedSlice]:
    """The slices with p of each, and q over those that are tested, which have this share of the error."""
    if not family:
        return []
    difference = paired.difference
    scored = np.isfinite(difference)
    inside = [mask & scored for _, mask in family]
    cases = [len(np.unique(codes[mask])) for mask in inside]
    tested = np.array([number >= max(minimum_n, 2) for number in cases])
    clusters = int(codes.max()) + 1
    sums = [np.bincount(codes[mask], weights=difference[mask], minlength=clusters) for mask in inside]
    p = np.where(tested, sign_flip_p(np.stack(sums, axis=1).astype(np.float64)), np.nan)
    adjusted = np.minimum(1.0, benjamini_hochberg(p) / share)
    rows = []
    for place, ((slice_, _), mask) in enumerate(zip(family, inside, strict=True)):
        estimate = mean_interval(difference[mask], clusters=codes[mask], level=level, within=bounds)
        rows.append(
            PairedSlice(
                slice_,
                int(mask.sum()),
                cases[place],
                float(paired.values[mask].mean()) if mask.any() else math.nan,
                float(paired.against[mask].mean()) if mask.any() else math.nan,
                estimate,
                float(p[place]),
                float(adjusted[place]),
                _verdict(estimate.value, float(adjusted[place]), q=q),
            )
        )
    return rows


def _verdict(difference: float, adjusted: float, *, q: float) -> str:
    if math.isnan(adjusted):
        return INSUFFICIENT
    if adjusted > q:
        return NOT_SHOWN
    return LOWER_THAN if difference < 0 else HIGHER_THAN
