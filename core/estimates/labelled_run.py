"""A run with some labelled samples, and its independent units."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.errors import HcatError

Keys = NDArray[np.str_] | Ints


@dataclass(frozen=True, eq=False)
class LabelledRun:
    """All N samples of a run, of which n are labelled.

    `passed` (N,) is 1 or 0 by labels, NaN without one. `prediction` (N,) is the probability of a pass, NaN if unscored;
    it must come from a map that was not fitted to the sample's own label (see `cross_fit`). `weights` (N,) are inverse
    sampling probabilities for labelling; only their ratios count, and only those of labelled samples. `strata` (N,)
    names the stratum that each sample was drawn from. `clusters` (N,) names the independent units
    (`hcat.core.records.clusters`); by default each sample. `design` (N,) are the inverse probabilities with which the
    test set's design drew each sample's case: estimates are then of all cases that it could have drawn. Only their
    ratios count too."""

    passed: Floats
    prediction: Floats
    weights: Floats | None = None
    strata: NDArray[np.str_] | None = None
    clusters: Keys | None = None
    design: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("passed", "prediction", "weights", "strata", "clusters", "design"):
            column = getattr(self, name)
            if column is not None and np.shape(column) != (len(self.passed),):
                raise HcatError(f"{name} must have one value for each of the {len(self.passed)} samples")
        labels = self.passed[self.labelled]
        if not ((labels == 0) | (labels == 1)).all():
            raise HcatError("labels must be 1 for pass, 0 for fail, or NaN for none")
        if np.isinf(self.prediction).any():
            raise HcatError("predictions must be finite; use NaN for unscored samples")
        if self.weights is not None:
            drawn = self.weights[self.labelled]
            if not (np.isfinite(drawn).all() and (drawn > 0).all()):
                raise HcatError("weights must be positive and finite on every labelled sample")
        if self.design is not None and not (np.isfinite(self.design).all() and (self.design > 0).all()):
            raise HcatError("design weights must be positive and finite on every sample")

    @property
    def labelled(self) -> Bools:
        return ~np.isnan(self.passed)

    @property
    def keys(self) -> Keys:
        return np.arange(len(self.passed)) if self.clusters is None else self.clusters

    @property
    def sample_weights(self) -> Floats:
        """The weight of each sample (N,), 1 on average: its design weight."""
        if self.design is None or not len(self.passed):
            return np.ones(len(self.passed))
        return np.asarray(self.design / self.design.mean(), dtype=np.float64)

    @property
    def label_weights(self) -> Floats:
        """The weight of a label on each sample (N,): the inverse of both probabilities, of its case and its label."""
        weights = np.ones(len(self.passed)) if self.weights is None else self.weights
        return weights if self.design is None else weights * self.sample_weights

    def independent(self, rows: Ints) -> int:
        """The number of clusters among these samples."""
        if self.clusters is None or _rises(self.clusters[rows]):
            return len(rows)
        return len(np.unique(self.clusters[rows]))

    def part(self, rows: Bools) -> LabelledRun:
        """The samples of a mask (N,) as a run of their own: a domain of the same draw."""
        return LabelledRun(
            self.passed[rows],
            self.prediction[rows],
            None if self.weights is None else self.weights[rows],
            None if self.strata is None else self.strata[rows],
            None if self.clusters is None else self.clusters[rows],
            None if self.design is None else self.design[rows],
        )

    def numbered(self) -> LabelledRun:
        """The same run with clusters numbered from 0, since numbers sort much faster than names."""
        if self.clusters is None or self.clusters.dtype.kind == "i":
            return self
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(name, len(numbers)) for name in self.clusters.tolist()]
        return replace(self, clusters=np.array(codes, dtype=np.intp))


def labelled_run(
    passed: ArrayLike,
    prediction: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    design: ArrayLike | None = None,
) -> LabelledRun:
    """A `LabelledRun` from anything array-like. HcatError if lengths or values do not fit."""
    return LabelledRun(
        np.asarray(passed, dtype=np.float64),
        np.asarray(prediction, dtype=np.float64),
        None if weights is None else np.asarray(weights, dtype=np.float64),
        None if strata is None else np.asarray(strata, dtype=np.str_),
        None if clusters is None else np.asarray(clusters, dtype=np.str_),
        None if design is None else np.asarray(design, dtype=np.float64),
    )


def sum_by(keys: Keys, values: Floats) -> Floats:
    """Sums of values (N,) that share a key, in sorted order of the keys."""
    if len(keys) and _rises(keys):
        return values
    if len(keys) and keys.dtype.kind == "i":
        numbers = np.asarray(keys, dtype=np.intp)
        if numbers.min() >= 0 and numbers.max() < 4 * len(numbers):  # no sorting where numbers are places themselves
            return np.bincount(numbers, weights=values)[np.bincount(numbers) > 0].astype(np.float64)
    names, codes = np.unique(keys, return_inverse=True)
    return np.bincount(codes, weights=values, minlength=len(names)).astype(np.float64)


def _rises(keys: Keys) -> bool:
    """Whether these are numbers in strictly increasing order: then they are sorted, and all differ."""
    if keys.dtype.kind != "i":
        return False
    numbers = np.asarray(keys, dtype=np.intp)
    return bool((numbers[1:] > numbers[:-1]).all())
