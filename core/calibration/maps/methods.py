"""The methods of stage 1. A new one is one file next to this and one row here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.maps.boosted_trees import BoostedMap, fit_boosted
from hcat.core.calibration.maps.combined import CombinedMap, fit_combined
from hcat.core.calibration.maps.isotonic import IsotonicMap, fit_isotonic
from hcat.core.calibration.maps.isotonic_steps import IsotonicStepsMap, fit_isotonic_steps
from hcat.core.calibration.maps.logistic import LogisticMap, fit_logistic
from hcat.core.calibration.maps.maximum_likelihood import fit_maximum_likelihood
from hcat.core.calibration.maps.multinomial import MultinomialMap, fit_multinomial
from hcat.core.calibration.maps.ordinal import OrdinalMap, fit_ordinal
from hcat.core.errors import HcatError
from hcat.core.types import Direction


class ProbabilityMap(Protocol):
    """A fitted map from scores (n, metrics) to the probability of a pass (n,), strictly inside (0, 1)."""

    @property
    def metrics(self) -> tuple[str, ...]: ...
    def probability(self, X: ArrayLike) -> Floats: ...


@runtime_checkable
class LevelMap(Protocol):
    """A map that gives every level its probability: (n, levels), rows summing to 1."""

    def level_probabilities(self, X: ArrayLike) -> Floats: ...


@dataclass(frozen=True, slots=True)
class FitData:
    """The data on which a map is fitted.

    `X` (n, metrics) are scores, which may be NaN for a method with `takes_unscored`; `levels` (n,) the labels, 0 to
    n_levels − 1; `weights` (n,) those of samples that were drawn unequally; `directions` in which each metric improves;
    `groups` (n,) the test case of each sample, which folds never divide (every sample its own without them)."""

    X: Floats
    levels: Ints
    metrics: tuple[str, ...]
    weights: Floats | None = None
    n_levels: int = 2
    passing: int = 1
    directions: tuple[Direction, ...] = ()
    groups: NDArray[np.object_] | None = None

    @property
    def passed(self) -> Floats:
        return (self.levels >= self.passing).astype(np.float64)

    def rows(self, kept: Bools) -> FitData:
        """The labels where `kept` (n,) is true."""
        groups = None if self.groups is None else self.groups[kept]
        weights = None if self.weights is None else self.weights[kept]
        return replace(self, X=self.X[kept], levels=self.levels[kept], weights=weights, groups=groups)

    def columns(self, chosen: Sequence[int]) -> FitData:
        """The scores of these metrics alone, by position."""
        return replace(
            self,
            X=self.X[:, list(chosen)],
            metrics=tuple(self.metrics[column] for column in chosen),
            directions=tuple(self.directions[column] for column in chosen),
        )


@dataclass(frozen=True, slots=True)
class Method:
    """A method to fit a map, and to rebuild it from its parameters.

    `by_level`: every level gets its probability, not only a pass. `contiguous`: prediction sets have no gaps.
    `takes_unscored`: a sample may lack some of the metrics. `single`: only one metric is allowed. `inner_folds`: it
    divides the labels into folds of its own, and so needs their test cases."""

    name: str
    title: str
    fit_data: Callable[[FitData], ProbabilityMap]
    map: type[ProbabilityMap]
    by_level: bool = False
    contiguous: bool = False
    takes_unscored: bool = False
    single: bool = False
    inner_folds: bool = False

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        metrics: Sequence[str],
        weights: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        directions: Sequence[Direction] | None = None,
    ) -> ProbabilityMap:
        """Fit to scores (n, metrics) and pass or fail (n,); by default, directions are those of the registry."""
        table = np.asarray(X, dtype=np.float64)
        return self.fit_data(
            FitData(
                X=table[:, None] if table.ndim == 1 else table,
                levels=np.asarray(y).astype(np.intp),
                metrics=tuple(metrics),
                weights=None if weights is None else np.asarray(weights, dtype=np.float64),
                directions=directions_of(metrics) if directions is None else tuple(directions),
                groups=None if groups is None else np.asarray(groups, dtype=np.object_),
            )
        )


Fit = Callable[..., ProbabilityMap]


def _binary_fit(fit: Fit) -> Callable[[FitData], ProbabilityMap]:
    """A function that fits pass or fail to scores."""
    return lambda data: fit(data.X, data.passed, metrics=data.metrics, weights=data.weights)


def _isotonic_fit(fit: Fit) -> Callable[[FitData], ProbabilityMap]:
    """The same, in the direction of the one metric."""
    return lambda data: fit(
        data.X,
        data.passed,
        metrics=data.metrics,
        weights=data.weights,
        direction=data.directions[0] if data.directions else "none",
    )


def _monotone_fit(fit: Fit) -> Callable[[FitData], ProbabilityMap]:
    """The same, with the direction of each metric, and inner folds that keep test cases whole."""
    return lambda data: fit(
        data.X,
        data.passed,
        directions=data.directions,
        metrics=data.metrics,
        weights=data.weights,
        groups=data.groups,
    )


def _multiclass_fit(fit: Fit) -> Callable[[FitData], ProbabilityMap]:
    """A function that fits levels to scores."""
    return lambda data: fit(
        data.X,
        data.levels,
        n_levels=data.n_levels,
        passing=data.passing,
        metrics=data.metrics,
        weights=data.weights,
    )


METHODS: tuple[Method, ...] = (
    Method("logistic", "Logistic, penalised", _binary_fit(fit_logistic), LogisticMap),
    Method("platt", "Logistic, maximum likelihood (Platt)", _binary_fit(fit_maximum_likelihood), LogisticMap),
    Method("isotonic", "Isotonic, interpolated (one metric)", _isotonic_fit(fit_isotonic), IsotonicMap, single=True),
    Method(
        "isotonic_steps",
        "Isotonic, steps (one metric)",
        _isotonic_fit(fit_isotonic_steps),
        IsotonicStepsMap,
        single=True,
    ),
    Method(
        "combined",
        "Combined (monotone)",
        _monotone_fit(fit_combined),
        CombinedMap,
        takes_unscored=True,
        inner_folds=True,
    ),
    Method(
        "ordinal",
        "Ordinal (proportional odds)",
        _multiclass_fit(fit_ordinal),
        OrdinalMap,
        by_level=True,
        contiguous=True,
    ),
    Method("multinomial", "Multinomial", _multiclass_fit(fit_multinomial), MultinomialMap, by_level=True),
    Method(
        "xgboost",
        "Boosted trees (monotone)",
        _monotone_fit(fit_boosted),
        BoostedMap,
        takes_unscored=True,
        inner_folds=True,
    ),
)
"""From simple to complex: of two that predict equally well, the first is enough."""


def find_method(name: str) -> Method:
    """The method of this name. HcatError lists the known ones."""
    for method in METHODS:
        if method.name == name:
            return method
    raise HcatError(f"no calibration method {name!r}: choose one of {', '.join(m.name for m in METHODS)}")


def directions_of(metrics: Sequence[str]) -> tuple[Direction, ...]:
    """The direction in which each metric improves, by the registry; "none" for metrics that are not in it."""
    from hcat.core.metrics.registry import known_metric

    known = map(known_metric, metrics)
    return tuple("none" if metric is None else metric.direction for metric in known)
