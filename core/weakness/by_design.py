"""Slices of a run whose test cases were drawn with unequal probabilities: as estimates of all cases that could be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.arrays import Bools, Codes, Floats
from core.statistics.clusters import clustered_variance, count_clusters
from core.statistics.effective_n import t_quantile
from core.statistics.intervals import mean_interval
from core.statistics.shrinkage import shrink
from core.types import Estimate
from core.weakness.marginal import Grouping

if TYPE_CHECKING:
    import pandas as pd

_NO_SPREAD = 1e-15
_REPLACED = ("mean", "low", "high", "difference", "difference_low", "difference_high", "p")
_UNWEIGHTED = ("effect", "effect_low", "effect_high", "interaction", "interaction_low", "interaction_high")


def weighted_rows(
    rows: pd.DataFrame,
    values: Floats,
    weights: Floats,
    groupings: list[Grouping],
    *,
    cases: Codes,
    refits: Floats | None,
    level: float,
    within: tuple[float, float],
) -> pd.DataFrame:
    """The rows with means, intervals, differences from the rest and p by design weights (N,) of the values (N,).

    Means are Hájek's; the difference is compared by t with its linearised variance by cluster, which leaves out that
    cases were drawn by stratum and so is rather too large. Effects and interactions, which have no weighted form here,
    are left empty. Where neither side shows any spread, the p of the unweighted test stays.
    Source: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 5.7 and 10.3.
    """
    scored = ~np.isnan(values)
    sample = _Weighted(values[scored], weights[scored], cases[scored], None if refits is None else refits[:, scored])
    frame = rows.copy()
    numbers = {name: frame[name].to_numpy(dtype=np.float64, copy=True) for name in _REPLACED}
    errors = np.full(len(frame), np.nan)
    for place, everywhere in enumerate(_masks(frame, groupings)):
        inside = everywhere[scored]
        if not inside.any():
            continue
        mean, errors[place] = sample.mean(inside, level=level, within=within)
        numbers["mean"][place], numbers["low"][place], numbers["high"][place] = mean.value, mean.low, mean.high
        if inside.all() or math.isnan(numbers["p"][place]):
            continue
        difference, p = sample.difference(inside, level=level)
        numbers["difference"][place] = difference.value
        if not math.isnan(p):
            numbers["difference_low"][place], numbers["difference_high"][place] = difference.low, difference.high
            numbers["p"][place] = p
    frame[list(numbers)] = np.column_stack(list(numbers.values()))
    frame[list(_UNWEIGHTED)] = np.nan
    for group in frame.groupby(["dimension_1", "dimension_2"], dropna=False).groups.values():
        at = frame.index.get_indexer(group)
        towards = shrink(numbers["mean"][at], errors[at] ** 2, level=level)
        frame.loc[group, ["shrunken", "shrunken_low", "shrunken_high"]] = np.column_stack(
            [towards.values, towards.low, towards.high]
        )
    return frame


def _masks(frame: pd.DataFrame, groupings: list[Grouping]) -> Iterator[Bools]:
    of_name = {one.name: one for one in groupings}
    place = {one.name: {level: code for code, level in enumerate(one.levels)} for one in groupings}
    rows = [frame[name].tolist() for name in ("dimension_1", "level_1", "dimension_2", "level_2")]
    for one, level, two, other in zip(*rows, strict=True):
        inside: Bools = of_name[one].codes == place[one][level]
        if isinstance(two, str) and isinstance(other, str):
            inside &= of_name[two].codes == place[two][other]
        yield inside


@dataclass(frozen=True, eq=False)
class _Weighted:
    """Scored samples: values, weights and cluster codes (n,), and values under refitted calibrations (B, n)."""

    y: Floats
    w: Floats
    codes: Codes
    refits: Floats | None

    def mean(self, inside: Bools, *, level: float, within: tuple[float, float]) -> tuple[Estimate, float]:
        """The mean of a slice with its interval, and its standard error."""
        shares = _shares(self.w, inside)
        made_with = 0.0 if self.refits is None else float(np.var(self.refits[:, inside] @ shares, ddof=1))
        y, codes = self.y[inside], self.codes[inside]
        mean = mean_interval(y, weights=self.w[inside], clusters=codes, level=level, within=within, made_with=made_with)
        return mean, math.sqrt(clustered_variance(shares * (y - mean.value), codes) + made_with)

    def difference(self, inside: Bools, *, level: float) -> tuple[Estimate, float]:
        """The mean of a slice less that of the rest, and its p; NaN where nothing shows any spread."""
        from scipy.special import stdtr

        y, shares = self.y, np.zeros(len(self.y))
        shares[inside], shares[~inside] = _shares(self.w, inside), -_shares(self.w, ~inside)
        value = float(shares @ y)
        centre = np.where(inside, shares[inside] @ y[inside], -(shares[~inside] @ y[~inside]))
        variance = clustered_variance(shares * (y - centre), self.codes)
        if self.refits is not None:
            variance += float(np.var(self.refits @ shares, ddof=1))
        degrees = min(count_clusters(self.codes[side]) for side in (inside, ~inside)) - 1
        if variance <= _NO_SPREAD or degrees < 1:
            return Estimate(value, math.nan, math.nan, len(y), level), math.nan
        error = math.sqrt(variance)
        half = t_quantile(level, degrees) * error
        return Estimate(value, value - half, value + half, len(y), level), 2 * float(
            stdtr(degrees, -abs(value) / error)
        )


def _shares(w: Floats, rows: Bools) -> Floats:
    return np.asarray(w[rows] / w[rows].sum(), dtype=np.float64)
