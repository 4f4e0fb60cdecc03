"""Slices by their own labels where these are enough, and by the estimator of scores elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.slices.against_rest import Comparison
from hcat.core.slices.bivariate import Interaction
from hcat.core.slices.cells.sums import Pair
from hcat.core.slices.estimators.protocol import Cells, Estimates, Estimator
from hcat.core.slices.verdicts import METRIC
from hcat.core.statistics.shrinkage import shrink
from hcat.core.types import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LabelledSlice:
    """The pass rate of a slice by its own labels with its standard error, and its difference from the rate of the rest
    with p. The difference and p are missing where slice or rest have too few labels."""

    rate: Estimate
    error: float
    difference: Estimate | None = None
    p: float = math.nan


class LabelRates(Protocol):
    """The pass rates of slices by their own labels."""

    def __call__(self, slices: pd.DataFrame, /) -> tuple[Sequence[LabelledSlice | None], Sequence[int]]:
        """The rate of each slice, a row with its dimensions and levels; None where its labels are too few; and the
        number of its labels."""


@dataclass(frozen=True, slots=True)
class LabelledEstimator:
    """Estimates from labels, with `basis` as their basis. A slice with too few labels has those from scores, and one
    without a difference by labels has the difference by scores.

    A calibration that is right over the run may be wrong in a slice, so its probabilities never show a slice to be
    weak: "lower score" says what they do show.
    """

    of_scores: Estimator
    rates: LabelRates
    basis: str

    def estimates(self, of: Sequence[Pair]) -> list[Estimates]:
        """All slices of these dimensions and pairs of dimensions, compared with the rest."""
        parts = self.of_scores.estimates(of)
        slices, labels = self.rates(_names([part.cells for part in parts]))
        found, start = [], 0
        for part in parts:
            end = start + len(part.labels)
            found.append(self._by_labels(part, slices[start:end], labels[start:end]))
            start = end
        return found

    def _by_labels(self, part: Estimates, slices: Sequence[LabelledSlice | None], labels: Sequence[int]) -> Estimates:
        chosen = np.array([one is not None for one in slices], dtype=np.bool_)
        compared = np.array([one is not None and one.difference is not None for one in slices], dtype=np.bool_)
        mean, low, high = _columns([None if one is None else one.rate for one in slices])
        gap, gap_low, gap_high = _columns([None if one is None else one.difference for one in slices])
        errors, p = np.array(
            [(math.nan,) * 2 if one is None else (one.error, one.p) for one in slices], dtype=np.float64
        ).T.reshape(2, -1)
        towards, nothing = shrink(mean[chosen], errors[chosen] ** 2), np.full(len(slices), np.nan)
        shrunken = np.full((3, len(slices)), np.nan)
        shrunken[:, chosen] = towards.values, towards.low, towards.high
        by_scores = part.statistics
        own = [by_scores.of.mean, by_scores.low, by_scores.high]
        own += [by_scores.shrunken, by_scores.shrunken_low, by_scores.shrunken_high]
        of_labels = [mean, low, high, *shrunken]
        means, *ends = (np.where(chosen, one, other) for one, other in zip(of_labels, own, strict=True))
        names = ("low", "high", "shrunken", "shrunken_low", "shrunken_high")
        statistics = replace(by_scores, of=replace(by_scores.of, mean=means), **dict(zip(names, ends, strict=True)))
        return replace(
            part,
            statistics=statistics,
            comparison=_where(
                compared, Comparison(gap, gap_low, gap_high, p, nothing, nothing, nothing), part.comparison
            ),
            interaction=_where(compared, Interaction(nothing, nothing, nothing), part.interaction),
            labels=np.array(labels, dtype=np.float64),
            basis=np.where(chosen, self.basis, METRIC).tolist(),
        )


Columns = TypeVar("Columns", Comparison, Interaction)


def _where(chosen: Bools, one: Columns, other: Columns) -> Columns:
    """Columns of the first where a slice is chosen, else those of the second."""
    names = [field.name for field in fields(one)]
    return replace(other, **{name: np.where(chosen, getattr(one, name), getattr(other, name)) for name in names})


def _columns(estimates: Sequence[Estimate | None]) -> Floats:
    """Value, low and high of each (3, k); NaN where there is none."""
    numbers = [(math.nan,) * 3 if one is None else (one.value, one.low, one.high) for one in estimates]
    return np.array(numbers, dtype=np.float64).reshape(-1, 3).T


def _names(cells: Sequence[Cells]) -> pd.DataFrame:
    """The dimensions and levels of all slices, a row each."""
    import pandas as pd

    rows = [
        (one, first, two, second) for each in cells for one, two in [each.dimensions] for first, second in each.levels
    ]
    return pd.DataFrame(rows, columns=["dimension_1", "level_1", "dimension_2", "level_2"], dtype="str")
