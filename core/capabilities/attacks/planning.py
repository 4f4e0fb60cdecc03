"""The number of seeds that attacks need, and the upper bound if none of them succeeded."""

from __future__ import annotations

import math

from hcat.core.errors import HcatError


def clean_bound(n: int, *, level: float = 0.95) -> float:
    """The upper confidence bound of the success rate if none of n independent attacks succeeded.

    1 − (1 − level)^(1/n), Clopper and Pearson's one-sided bound: 0.0950 for n = 30. It is for what the detector
    reports: if the detector overlooks some, the true rate can be higher. 1 for n = 0."""
    return 1.0 if n == 0 else -math.expm1(math.log1p(-level) / n)


def seeds_for_bound(below: float, *, level: float = 0.95) -> int:
    """The least number of seeds whose failure alone shows a rate below `below`, in (0, 1), with this confidence."""
    if not 0 < below < 1:
        raise HcatError(f"the rate to stay below must lie between 0 and 1, not {below:g}")
    return math.ceil(math.log1p(-level) / math.log1p(-below) - 1e-9)
