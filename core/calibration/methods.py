"""The methods of stage 1. A new one is one file beside this and one row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.isotonic import IsotonicMap, fit_isotonic
from core.calibration.logistic import LogisticMap, fit_logistic
from core.errors import HcatError
from core.types import JsonValue


class ProbabilityMap(Protocol):
    """A fitted map from scores (n, metrics) to the probability of a pass (n,), strictly inside (0, 1)."""

    @property
    def metrics(self) -> tuple[str, ...]: ...
    def probability(self, X: ArrayLike) -> NDArray[np.float64]: ...
    def parameters(self) -> dict[str, JsonValue]: ...


class Fit(Protocol):
    """Fits a map to scores (n, metrics) and labels (n,), with a weight a label where they were drawn unequally."""

    def __call__(
        self, X: ArrayLike, y: ArrayLike, *, metrics: Sequence[str] | None, weights: ArrayLike | None
    ) -> ProbabilityMap: ...


@dataclass(frozen=True, slots=True)
class Method:
    """One way to fit a map, and to rebuild it from its parameters."""

    name: str
    title: str
    fit: Fit
    load: Callable[[Sequence[str], Mapping[str, JsonValue]], ProbabilityMap]


METHODS: tuple[Method, ...] = (
    Method("logistic", "Logistic (Platt)", fit_logistic, LogisticMap.from_parameters),
    Method("isotonic", "Isotonic (one metric)", fit_isotonic, IsotonicMap.from_parameters),
)


def find_method(name: str) -> Method:
    """The method of this name. HcatError lists the known ones."""
    for method in METHODS:
        if method.name == name:
            return method
    raise HcatError(f"no calibration method {name!r}: choose one of {', '.join(m.name for m in METHODS)}")
