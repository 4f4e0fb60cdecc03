"""The change from origins to variants, family by family: means of paired differences, tested over whole clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.arrays import Codes, Floats
from core.statistics.intervals import mean_interval
from core.statistics.multiplicity import benjamini_hochberg
from core.statistics.sign_flip import sign_flip_p
from core.types import Direction, Estimate

Verdict = Literal["worse", "better", "lower", "higher", "not shown to differ", "insufficient evidence"]
"""What a change shows; lower and higher of a metric for which neither is better."""


@dataclass(frozen=True, slots=True)
class FamilyChange:
    """One family of variants on one outcome: its pairs and of how many clusters they are, the means of variants and of
    their origins, the mean change with its interval, p and q (NaN where there are too few clusters), the verdict."""

    family: str
    n: int
    cases: int
    mean: float
    mean_of_origins: float
    change: Estimate
    p: float
    q: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class PassChanges:
    """How passes change over pairs: `lost` where the origin passes and its variant does not, `gained` the other way.

    Counts are whole where each origin has one answer; with several trials a pair is shared out by their passes. `p` is
    of no change, two-sided: McNemar's exact test where no cluster has two pairs, else that of changed signs of whole
    clusters. NaN without any pair.
    """

    both: float
    lost: float
    gained: float
    neither: float
    p: float
    test: Literal["McNemar, exact", "sign flips by cluster"]

    @property
    def n(self) -> float:
        return self.both + self.lost + self.gained + self.neither


def changes_by_family(
    values: Floats,
    of_origins: Floats,
    families: Sequence[str],
    clusters: Sequence[str],
    *,
    direction: Direction = "higher",
    within: tuple[float, float] = (-math.inf, math.inf),
    minimum_n: int = 10,
    q: float = 0.05,
    level: float = 0.95,
) -> tuple[FamilyChange, ...]:
    """Variants (N,) less their origins (N,), NaN where either is unscored, for each family, worst first.

    Intervals are of a mean of differences, by sums over clusters. p is that of changed signs of whole clusters, q
    Benjamini and Hochberg's over families; those with fewer than `minimum_n` clusters are not tested.
    """
    difference = values - of_origins
    codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)[1].astype(np.intp)
    names = np.asarray(families, dtype=np.str_)
    inside = {family: (names == family) & np.isfinite(difference) for family in dict.fromkeys(families)}
    width = within[1] - within[0]
    bounds = (-width, width) if math.isfinite(width) else (-math.inf, math.inf)
    cases = {family: len(np.unique(codes[mask])) for family, mask in inside.items()}
    p = np.array(
        [
            _p(difference[mask], codes[mask]) if cases[family] >= max(minimum_n, 2) else math.nan
            for family, mask in inside.items()
        ],
        dtype=np.float64,
    )
    adjusted = benjamini_hochberg(p)
    changes = [
        FamilyChange(
            family,
            int(mask.sum()),
            cases[family],
            float(values[mask].mean()) if mask.any() else math.nan,
            float(of_origins[mask].mean()) if mask.any() else math.nan,
            change := mean_interval(difference[mask], clusters=codes[mask], level=level, within=bounds),
            float(p[place]),
            float(adjusted[place]),
            _verdict(change.value, float(adjusted[place]), direction, q=q),
        )
        for place, (family, mask) in enumerate(inside.items())
    ]
    return tuple(sorted(changes, key=lambda each: _worst_first(each, direction)))


def _worst_first(change: FamilyChange, direction: Direction) -> tuple[float, str]:
    """A key by which the family that loses most comes first, and those without pairs last."""
    value = change.change.value
    if math.isnan(value):
        return math.inf, change.family
    return (value if direction == "higher" else -value if direction == "lower" else -abs(value)), change.family


def pass_changes(passes: Floats, of_origins: Floats, clusters: Sequence[str]) -> PassChanges:
    """Passes of variants (N,) and the share of passes of their origins' trials (N,), NaN where unknown."""
    clear = np.isfinite(passes) & np.isfinite(of_origins)
    variant, origin = passes[clear], of_origins[clear]
    codes = np.unique(np.asarray(clusters, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
    whole = bool(np.isin(variant, (0.0, 1.0)).all() and np.isin(origin, (0.0, 1.0)).all())
    lost, gained = float(origin @ (1 - variant)), float((1 - origin) @ variant)
    both, neither = float(origin @ variant), float((1 - origin) @ (1 - variant))
    exact = whole and len(np.unique(codes)) == len(codes)
    p = _mcnemar_p(int(lost), int(gained)) if exact else _p(variant - origin, codes)
    return PassChanges(
        both, lost, gained, neither, p if clear.any() else math.nan,
        "McNemar, exact" if exact else "sign flips by cluster",
    )  # fmt: skip


def _mcnemar_p(lost: int, gained: int) -> float:
    """Two-sided p of McNemar's exact test: of so many discordant pairs either way is as likely as the other.

    Source: McNemar 1947; the binomial form of Mosteller 1952.
    """
    from scipy.special import bdtr

    discordant = lost + gained
    return min(1.0, 2 * float(bdtr(min(lost, gained), discordant, 0.5))) if discordant else 1.0


def _p(difference: Floats, codes: Codes) -> float:
    """By changed signs of clusters; NaN without any."""
    if not len(difference):
        return math.nan
    _, numbered = np.unique(codes, return_inverse=True)
    sums = np.bincount(numbered, weights=difference).astype(np.float64)
    return float(sign_flip_p(sums[:, None])[0])


def _verdict(change: float, adjusted: float, direction: Direction, *, q: float) -> Verdict:
    if math.isnan(adjusted):
        return "insufficient evidence"
    if adjusted > q or change == 0:
        return "not shown to differ"
    if direction == "none":
        return "lower" if change < 0 else "higher"
    return "worse" if (change < 0) == (direction == "higher") else "better"
