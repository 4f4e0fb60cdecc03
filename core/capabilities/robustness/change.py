"""The change from origins to variants, family by family: means of paired differences, tested over whole clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.statistics.mean_score import MeanScore, difference_score
from hcat.core.statistics.multiplicity import benjamini_hochberg
from hcat.core.types import Direction, Estimate
from hcat.core.types import Verdict as Declared

Verdict = Literal["worse", "better", "lower", "higher", "not shown to differ", "insufficient evidence"]
"""The conclusions about a change; lower and higher for a metric without a direction."""


CHANGE = Declared(
    name="robustness",
    words=("worse", "better", "lower", "higher"),
    claim="The mean outcome of the family's variants differs from that of their origins.",
    error=0.05,
    family="all families of variants on one outcome (false discovery rate)",
    decides="hcat.core.capabilities.robustness.change:changes_by_family",
    carried_by="hcat.core.capabilities.robustness.change:FamilyChange.verdict",
)


@dataclass(frozen=True, slots=True)
class FamilyChange:
    """One family of variants on one outcome.

    It has the numbers of pairs and clusters, the means of variants and of their origins, and the mean change with its
    interval. p and q are NaN if there are too few clusters."""

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
    """The change of passes over pairs: `lost` if only the origin passes, `gained` if only the variant does.

    Counts are integers if each origin has one answer; with several trials a pair is divided by their passes. `p` is of
    no change, that of the family's change: for one pair a cluster McNemar's test. NaN if that is not tested."""

    both: float
    lost: float
    gained: float
    neither: float
    p: float
    test: str = "score"

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
    """The change for each family: variants (N,) less origins (N,), NaN if either is unscored, worst first.

    Intervals and p are of one test, that of gaps between groups (`difference_score`): p is at most 1 − level if the
    interval excludes 0. q is Benjamini and Hochberg's over families. Families with fewer than `minimum_n` clusters are
    not tested."""
    clear = np.isfinite(values - of_origins)
    codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)[1].astype(np.intp)
    names = np.asarray(families, dtype=np.str_)
    inside = {family: (names == family) & clear for family in dict.fromkeys(families)}
    tests = [_test(values[mask], of_origins[mask], codes[mask], within) for mask in inside.values()]
    p = np.array([each.p() if each.clusters >= max(minimum_n, 2) else math.nan for each in tests], dtype=np.float64)
    adjusted = benjamini_hochberg(p)
    changes = [
        FamilyChange(
            family,
            int(mask.sum()),
            tests[place].clusters,
            float(values[mask].mean()) if mask.any() else math.nan,
            float(of_origins[mask].mean()) if mask.any() else math.nan,
            tests[place].interval(level, int(mask.sum())),
            float(p[place]),
            float(adjusted[place]),
            _verdict(tests[place].value, float(adjusted[place]), direction, q=q),
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


def pass_changes(passes: Floats, of_origins: Floats, clusters: Sequence[str], *, minimum_n: int = 10) -> PassChanges:
    """The change of passes from variants (N,) and the share of passes of their origins' trials (N,), NaN if unknown."""
    clear = np.isfinite(passes) & np.isfinite(of_origins)
    variant, origin = passes[clear], of_origins[clear]
    codes = np.unique(np.asarray(clusters, dtype=np.str_)[clear], return_inverse=True)[1].astype(np.intp)
    test = _test(variant, origin, codes, (0.0, 1.0))
    return PassChanges(
        both=float(origin @ variant),
        lost=float(origin @ (1 - variant)),
        gained=float((1 - origin) @ variant),
        neither=float((1 - origin) @ (1 - variant)),
        p=test.p() if test.clusters >= max(minimum_n, 2) else math.nan,
    )


def _test(values: Floats, of_origins: Floats, codes: Codes, within: tuple[float, float]) -> MeanScore:
    return difference_score(values, of_origins, np.unique(codes, return_inverse=True)[1].astype(np.intp), within=within)


def _verdict(change: float, adjusted: float, direction: Direction, *, q: float) -> Verdict:
    if math.isnan(adjusted):
        return "insufficient evidence"
    if adjusted > q or change == 0:
        return "not shown to differ"
    if direction == "none":
        return "lower" if change < 0 else "higher"
    return "worse" if (change < 0) == (direction == "higher") else "better"
