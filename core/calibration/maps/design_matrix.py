"""Shared parts of the linear maps: a table of scores, standardised, with weights of mean 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats, Ints
from hcat.core.errors import HcatError, NotEnoughLabelsError

SMALLEST_PROBABILITY = 1e-12
"""The distance of probabilities from 0 and 1: no finite sample of labels makes a pass certain."""


def as_table(X: ArrayLike, *, columns: int | None = None) -> Floats:
    """Scores as (n, metrics); one metric may be given as (n,). HcatError if the number of columns differs."""
    table = np.asarray(X, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if columns is not None and table.shape[1] != columns:
        raise HcatError(f"the map takes {columns} scores a sample, not {table.shape[1]}")
    return table


def checked_fit(X: ArrayLike, y: ArrayLike, *, penalty: float) -> Floats:
    """The table of scores, after checks that it is finite, has a row per label, and that the penalty is positive."""
    if not 0 < penalty < math.inf:
        raise HcatError(f"the penalty must be a positive number, not {penalty}")
    return checked_scores(X, y)


def checked_scores(X: ArrayLike, y: ArrayLike) -> Floats:
    """The table of scores, after checks that it is finite and has a row per label."""
    table = as_table(X)
    if len(table) != len(np.asarray(y)) or not np.isfinite(table).all():
        raise HcatError("a map is fitted on scored samples only: leave out rows without a score or label")
    return table


def checked_partial_fit(X: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """The table of scores, NaN if unscored, and the labels as 0 and 1.

    After checks that each label has a score and each class a label."""
    table, passed = as_table(X), np.asarray(y, dtype=np.float64)
    if len(table) != len(passed) or np.isinf(table).any() or np.isnan(table).all(axis=1).any():
        raise HcatError("a map is fitted on labelled samples with at least one score each")
    require_both_classes(passed)
    return table, passed


def checked_levels(levels: ArrayLike, *, n_levels: int, passing: int) -> Ints:
    """The levels (n,), after checks that there are at least two, each with a label, and that `passing` is between
    them."""
    y = np.asarray(levels, dtype=np.intp)
    if n_levels < 2 or not 1 <= passing < n_levels:
        raise HcatError("a map of levels takes two of them or more, and a passing level between them")
    if y.size and not 0 <= y.min() <= y.max() < n_levels:
        raise HcatError(f"levels must lie between 0 and {n_levels - 1}")
    missing = int(np.sum(np.bincount(y, minlength=n_levels) == 0))
    if missing:
        raise NotEnoughLabelsError(
            f"{missing} of {n_levels} levels have no label: label more, or merge", needed=missing
        )
    return y


def require_both_classes(passed: Floats) -> None:
    """Raise NotEnoughLabelsError if all labels agree."""
    if len(passed) == 0 or passed.min() == passed.max():
        raise NotEnoughLabelsError("all labels agree: at least one pass and one fail are needed", needed=1)


def standardisation(table: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weighted mean and standard deviation of each column; a constant column is standardised to exact zeros."""
    share = weights / weights.sum()
    means = share @ table
    scales = np.sqrt(share @ (table - means) ** 2)
    # Rounding in the mean of a constant column would otherwise be scaled up to a signal.
    constant = (table.max(axis=0) == table.min(axis=0)) | (scales <= 1e-12 * np.abs(means))
    return np.where(constant, table[0], means), np.where(constant, 1.0, scales)


def unit_mean(weights: ArrayLike | None, n: int) -> Floats:
    """Weights scaled to a mean of 1, so that a penalty has the same effect for any sampling design."""
    if weights is None:
        return np.ones(n)
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (n,) or not (np.isfinite(array).all() and (array > 0).all()):
        raise HcatError("weights must be positive, one for each labelled sample")
    return array / float(array.mean())


def linear_terms(X: Floats, slopes: Sequence[float], means: Sequence[float], scales: Sequence[float]) -> Floats:
    """slope · (score − mean) / scale of each metric: (n, metrics)."""
    terms: Floats = np.asarray(slopes, dtype=np.float64) * ((X - np.asarray(means)) / np.asarray(scales))
    return terms


def row_sums(start: float, terms: Floats) -> Floats:
    """start + the terms, column by column, so that a row's sum never depends on the rows next to it."""
    total = start + terms[:, 0] if terms.shape[1] else np.full(len(terms), start)
    for column in terms.T[1:]:
        total = total + column
    return total


def sigmoid(z: Floats) -> Floats:
    with np.errstate(over="ignore"):  # far below 0 the odds against are infinite, and the share 0
        return np.asarray(1 / (1 + np.exp(-z)), dtype=np.float64)


def inside(probability: Floats) -> Floats:
    """Probabilities cut to [10⁻¹², 1 − 10⁻¹²]."""
    return np.clip(probability, SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY)


def log_odds(probability: Floats) -> Floats:
    return np.asarray(np.log(probability) - np.log1p(-probability), dtype=np.float64)


def metric_names(metrics: Sequence[str] | None, columns: int) -> tuple[str, ...]:
    return tuple(metrics) if metrics is not None else tuple(f"score_{j + 1}" for j in range(columns))
