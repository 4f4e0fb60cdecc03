"""One verdict tried on the nulls: how often any result of one family makes a false claim."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import binom

from benchmarks.battery.nulls import NULLS, Null
from hcat.core.types import Verdict

CHANCE = 1e-4
"""With which a verdict that errs as often as it may is called too frequent, in one cell."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How `verdict` is tried: `wrong(null, rng)` makes one data set in which its claim is false, and says whether it
    was made. `skips` says of each null that can't apply why. `thin` data sets are made in `make test`."""

    verdict: Verdict
    wrong: Callable[[Null, np.random.Generator], bool]
    skips: Mapping[str, str] = field(default_factory=dict)
    thin: int = 100

    @property
    def nulls(self) -> tuple[Null, ...]:
        """Those that apply."""
        return tuple(null for null in NULLS if null.name not in self.skips)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a verdict was given where its claim is false, in `n` data sets of one null."""

    verdict: Verdict
    null: Null
    false: int
    n: int

    @property
    def share(self) -> float:
        """Of the data sets."""
        return self.false / self.n

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share, at the nominal error."""
        return math.sqrt(self.verdict.error * (1 - self.verdict.error) / self.n)

    @property
    def is_too_frequent(self) -> bool:
        """Whether a verdict that keeps its error would be given so often with a probability below `CHANCE` only."""
        return self.false > 0 and float(binom.sf(self.false - 1, self.n, self.verdict.error)) < CHANCE


def tried(trial: Trial, null: Null, draws: int, *, seconds: float = math.inf) -> Rate:
    """The trial on so many data sets of one null, the same each time; on no more once so many seconds have passed."""
    seed = zlib.crc32(f"{trial.verdict.name} · {null.name}".encode())
    false, made, end = 0, 0, time.monotonic() + seconds
    for rng in np.random.default_rng(seed).spawn(draws):
        false, made = false + bool(trial.wrong(null, rng)), made + 1
        if time.monotonic() > end:
            break
    return Rate(trial.verdict, null, false, made)
