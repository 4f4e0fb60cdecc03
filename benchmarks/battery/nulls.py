"""Data in which nothing is to be found, of kinds on which tests that rest on normal means go wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats

FEW = 12
"""Independent units of the null "few units"."""
LARGEST_CLUSTER = 12
WITHIN_CLUSTERS = 0.3
"""The correlation of two values of one cluster."""
UNIT, NO_RANGE = (0.0, 1.0), (-np.inf, np.inf)

Values = Callable[[np.random.Generator, int], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Values (n,) of one distribution with this `mean`, exchangeable between `clusters` (n,); `weights` (n,) are
    inverses of the probabilities with which they were drawn. `within` is the range of single values."""

    values: Floats
    clusters: Codes | None
    weights: Floats | None
    within: tuple[float, float]
    mean: float
    has_constant_side: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def with_side(self, side: Bools) -> Floats:
        """The values (n,), where those of `side` (n,) are all at the mean if this null has a constant side."""
        return np.where(side, self.mean, self.values) if self.has_constant_side else self.values

    def split(self) -> tuple[Floats, Floats]:
        """The first and the second half of the values; one of them constant if this null has a constant side."""
        half = len(self) // 2
        first = self.with_side(np.ones(len(self), dtype=np.bool_))[:half]
        return first, self.values[half : 2 * half]

    @property
    def units(self) -> Codes:
        """The cluster of each value (n,); each value is its own where there are none."""
        return np.arange(len(self), dtype=np.intp) if self.clusters is None else self.clusters


@dataclass(frozen=True, slots=True)
class Null:
    """A kind of data: `draw` makes values, `draw_passes` passes and fails of which a share of `failures` fails."""

    name: str
    says: str
    make: Values
    mean: float
    within: tuple[float, float] = UNIT
    failures: float = 0.2
    clustered: bool = False
    weighted: bool = False
    few: bool = False
    constant_side: bool = False

    def draw(self, rng: np.random.Generator, n: int) -> Drawn:
        """At most n values; as many as `FEW` where units are few."""
        return self._drawn(rng, n, self.make, self.mean, self.within)

    def draw_passes(self, rng: np.random.Generator, n: int, *, failures: float | None = None) -> Drawn:
        """The same of passes (1) and fails (0). `failures` sets another share of fails, such as one that was promised.

        With clusters, a value repeats that of its cluster's first with a probability of `WITHIN_CLUSTERS`."""
        rate = 1 - (self.failures if failures is None else failures)
        return self._drawn(rng, n, lambda own, size: (own.random(size) < rate).astype(np.float64), rate, UNIT)

    def _drawn(self, rng: np.random.Generator, n: int, make: Values, mean: float, within: tuple[float, float]) -> Drawn:
        size = min(n, FEW) if self.few else n
        clusters = _unequal_clusters(rng, size) if self.clustered else None
        values = make(rng, size)
        if clusters is not None:
            # Those that repeat one of their cluster have its distribution, so that the mean stays what it is.
            first = np.unique(clusters, return_index=True)[1]
            values = np.where(rng.random(size) < np.sqrt(WITHIN_CLUSTERS), values[first][clusters], values)
        weights = rng.choice([1.0, 2.0, 5.0, 20.0], size) if self.weighted else None
        return Drawn(values, clusters, weights, within, mean, self.constant_side)


def _unequal_clusters(rng: np.random.Generator, n: int) -> Codes:
    """Clusters of 1 to `LARGEST_CLUSTER` values, most of them small: the code of each of n values."""
    sizes = np.minimum(rng.geometric(0.35, n), LARGEST_CLUSTER)
    sizes[rng.random(n) < 0.1] = LARGEST_CLUSTER
    return np.repeat(np.arange(n), sizes)[:n].astype(np.intp)


def _zero_inflated(rng: np.random.Generator, n: int) -> Floats:
    return np.where(rng.random(n) < 0.95, 0.0, rng.random(n))


def _discrete(rng: np.random.Generator, n: int) -> Floats:
    return rng.choice([0.0, 0.5, 1.0], n, p=[0.2, 0.3, 0.5])


def _skewed(rng: np.random.Generator, n: int) -> Floats:
    return np.asarray(rng.lognormal(0.0, 1.5, n))


def _rare(rng: np.random.Generator, n: int) -> Floats:
    return (rng.random(n) < 0.98).astype(np.float64)


def _in_between(rng: np.random.Generator, n: int) -> Floats:
    return np.asarray(rng.beta(2.0, 2.0, n))


def _tied(rng: np.random.Generator, n: int) -> Floats:
    return rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], n, p=[0.05, 0.05, 0.8, 0.05, 0.05])


ZERO_INFLATED = Null("zero-inflated", "95% zeros, the rest spread over 0 to 1", _zero_inflated, 0.025, failures=0.05)
DISCRETE = Null("discrete", "0, ½ and 1", _discrete, 0.65, failures=0.35)
SKEWED = Null("skewed", "log-normal, σ = 1.5", _skewed, float(np.exp(1.125)), (0.0, np.inf), failures=0.1)
RARE = Null("rare", "one in fifty fails", _rare, 0.98, failures=0.02)
CLUSTERED = Null("clustered", "clusters of 1 to 12 values that are alike", _zero_inflated, 0.025, clustered=True)
WEIGHTED = Null("weighted", "weights of 1, 2, 5 and 20", _zero_inflated, 0.025, weighted=True)
FEW_UNITS = Null("few units", f"{FEW} independent units", _in_between, 0.5, failures=0.3, few=True)
TIES = Null("ties", "four in five values are equal", _tied, 0.5, failures=0.5)
CONSTANT_SIDE = Null("constant side", "one side all at the mean", _in_between, 0.5, constant_side=True)

NULLS = (ZERO_INFLATED, DISCRETE, SKEWED, RARE, CLUSTERED, WEIGHTED, FEW_UNITS, TIES, CONSTANT_SIDE)


def together(null: Null, *others: Null) -> Null:
    """A null that has the values of the first, and clusters, weights or few units where any of the others has."""
    every = (null, *others)
    return replace(
        null,
        name=" and ".join(each.name for each in every),
        clustered=any(each.clustered for each in every),
        weighted=any(each.weighted for each in every),
        few=any(each.few for each in every),
    )
