"""Steps of pages over a calibrated run of `benchmarks.million`, and what each took the place of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np

from benchmarks.made_run import METRIC, Columns
from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.calibration.checks.exchangeability import PERMUTATIONS, Features, check_exchangeability
from hcat.core.calibration.checks.two_samples import FOLDS, PENALTY
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.slices.cells.counts import Rows, rows_of
from hcat.core.slices.cells.sums import Pair, sum_cells
from hcat.core.slices.dependence import Dependence
from hcat.core.slices.estimators.clustered import ClusteredEstimator
from hcat.core.slices.estimators.independent import IndependentEstimator
from hcat.core.slices.estimators.protocol import ScoredRows
from hcat.core.slices.marginal import Grouping
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.refitted import Refitted

REFITS, DIMENSIONS, LEVELS = 100, 4, 20


def refit_sums(columns: Columns) -> Callable[[], object]:
    """The sums under 100 refits by the cells of four dimensions and their pairs."""
    scores, partitions = _scored(columns)
    return lambda: Refitted(scores, _maps()).sums(partitions)


def refit_sums_of_all(columns: Columns) -> Callable[[], object]:
    """The same of all probabilities, held at once."""
    scores, partitions = _scored(columns)

    def sums() -> list[Floats]:
        held = np.stack([of(scores) for of in _maps()])
        return [np.stack([np.bincount(codes, row, size) for row in held]) for codes, size in partitions]

    return sums


def refitted_slices(columns: Columns) -> Callable[[], object]:
    """The slices of four dimensions and their pairs under 100 refits, from the sums of their cells."""
    scored, of = _refitted(columns)
    return lambda: IndependentEstimator(scored).estimates(of)


def refitted_slices_by_rows(columns: Columns) -> Callable[[], object]:
    """The same by passes over all rows for each dimension and pair."""
    scored, of = _refitted(columns)
    return lambda: ClusteredEstimator(scored, Dependence(np.arange(len(scored.values)))).estimates(of)


def _refitted(columns: Columns) -> tuple[ScoredRows, list[Pair]]:
    rows, scored, of = _rows(columns)
    values = columns.scores[scored]
    refits, within = Refitted(values[:, None], _maps()), (0.0, 1.0)
    return ScoredRows(rows, scored, values, 10, 0.95, sum_cells, within, partial(mean_interval, values), refits), of


def _rows(columns: Columns) -> tuple[Rows, Bools, list[Pair]]:
    names = tuple(columns.levels)
    own = [Grouping(f"d{k:02d}", codes, names) for k, codes in enumerate(columns.dimensions[:DIMENSIONS])]
    pairs: list[Pair] = [*((one, None) for one in own), *combinations(own, 2)]
    return rows_of(len(columns.scores), None), np.isfinite(columns.scores), pairs


def _scored(columns: Columns) -> tuple[Floats, list[tuple[Codes, int]]]:
    known = np.isfinite(columns.scores)
    of_dimension = [codes[known] for codes in columns.dimensions[:DIMENSIONS]]
    pairs = [(one * LEVELS + two, LEVELS**2) for one, two in combinations(of_dimension, 2)]
    return columns.scores[known][:, None], [*((codes, LEVELS) for codes in of_dimension), *pairs]


def _maps() -> tuple[Callable[[Floats], Floats], ...]:
    moved = np.random.default_rng(6).normal(0, 0.1, (REFITS, 2))
    maps = (LogisticMap((METRIC,), 1 + float(a), (0.5 + float(b),), (0.7,), (0.2,)) for a, b in moved)
    return tuple(one.probability for one in maps)


def alike(columns: Columns) -> Callable[[], object]:
    """Whether the labelled samples are like the run."""
    features, chosen = _compared(columns)
    return lambda: check_exchangeability(features, chosen, generator=np.random.default_rng(7))


def alike_by_all_columns(columns: Columns) -> Callable[[], object]:
    """The same with the weights of all samples in each draw, and all their ranks."""
    from scipy.stats import rankdata

    features, chosen = _compared(columns)

    def excess() -> Floats:
        rng, w = np.random.default_rng(7), chosen.astype(np.float64)
        z = (features.table - features.table.mean(axis=0)) / features.table.std(axis=0)
        drawn = np.column_stack([w, *(rng.permutation(w) for _ in range(PERMUTATIONS))])
        fold, found = rng.permutation(np.arange(len(w)) % FOLDS), np.zeros(1 + PERMUTATIONS)
        for number in range(FOLDS):
            train, inside = z[fold != number], fold == number
            gram = train.T @ train / len(train) + PENALTY * np.eye(z.shape[1])
            scores = z[inside] @ np.linalg.solve(gram, train.T @ drawn[fold != number])
            places = (rankdata(np.round(scores, 12), axis=0) - 0.5) / inside.sum()
            found += (drawn[inside] * (places - 0.5)).sum(axis=0)
        return np.asarray(found / w.sum(), dtype=np.float64)

    return excess


def _compared(columns: Columns) -> tuple[Features, Bools]:
    known, chosen = np.isfinite(columns.scores), np.zeros(len(columns.scores), dtype=np.bool_)
    chosen[columns.labelled()[0]] = True
    table = np.column_stack([np.where(known, columns.scores, 0.5), ~known])
    return Features((METRIC, f"{METRIC} unscored"), table), chosen
