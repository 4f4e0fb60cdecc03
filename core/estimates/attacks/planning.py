"""How many seeds it takes, and what it means that none of them succeeded."""

from __future__ import annotations

import math

from hcat.core.errors import HcatError


def clean_bound(n: int, *, level: float = 0.95) -> float:
    """The rate below which success lies with this confidence where none of n independent attacks succeeded.

    1 − (1 − level)^(1/n), Clopper and Pearson's one-sided bound: 0.0950 for n = 30. It holds for what the detector
    reports: a detector that overlooks some leaves room above it. 1 for n = 0.
    """
    return 1.0 if n == 0 else -math.expm1(math.log1p(-level) / n)


def seeds_for_bound(below: float, *, level: float = 0.95) -> int:
    """The fewest seeds of which none succeeding shows a rate below `below`, in (0, 1), with this confidence."""
    if not 0 < below < 1:
        raise HcatError(f"the rate to stay below must lie between 0 and 1, not {below:g}")
    return math.ceil(math.log1p(-level) / math.log1p(-below) - 1e-9)
