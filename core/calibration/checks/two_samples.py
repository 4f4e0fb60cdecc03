"""The classifier two-sample test: the draws of labels for comparison, and how well the classifier separates them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats

if TYPE_CHECKING:
    from scipy.sparse import csc_array

FOLDS = 5
PENALTY = 0.1
STRETCH = 64
"""The mean length of a run of ordered values from which merging is faster than sorting."""


def drawn_labels(
    w: Floats,
    chosen: Bools,
    case_of: Codes,
    *,
    weighted: bool,
    draws: int,
    generator: np.random.Generator,
) -> csc_array:
    """The weights of labelled samples (N, 1 + draws): as observed, then without any difference. Others have 0."""
    from scipy.sparse import csc_array

    own = np.flatnonzero(chosen)
    if weighted:
        cases, case_of_own = np.unique(case_of[own], return_inverse=True)
        signs = generator.choice([-1.0, 1.0], size=(len(cases), draws))[case_of_own]
        columns = [(own, w[own]), *((own, w[own] * signs[:, draw]) for draw in range(draws))]
    else:
        alike = _of_like_size(case_of, w)
        columns = [(own, w[own]), *(_permuted(alike, generator) for _ in range(draws))]
    rows, weights = (np.concatenate(part) for part in zip(*columns, strict=True))
    return csc_array((weights, rows, np.arange(draws + 2) * len(own)), shape=(len(w), 1 + draws))


def _of_like_size(case_of: Codes, w: Floats) -> tuple[tuple[Codes, Floats], ...]:
    """Test cases grouped by their number of trials.

    For each number, the rows of all (test cases, trials), and the weights of those with a label (labelled test cases,
    trials)."""
    order = np.argsort(case_of, kind="stable")
    size = np.bincount(case_of)[case_of[order]]
    alike = [order[size == trials].reshape(-1, trials) for trials in np.unique(size).tolist()]
    return tuple((rows, w[rows][w[rows].any(axis=1)]) for rows in alike)


def _permuted(alike: tuple[tuple[Codes, Floats], ...], generator: np.random.Generator) -> tuple[Codes, Floats]:
    """The rows with a weight, and their weights, after a permutation of test cases of one size, and of trials within
    each.

    The new positions of those with a label are a draw without replacement, in random order, from all positions. The
    rest of the permutation has no effect, and the draw needs some thousand numbers for a run of a million."""
    own, drawn = [], []
    for rows, weights in alike:
        places = rows[generator.choice(len(rows), len(weights), replace=False)]
        moved = weights if rows.shape[1] == 1 else generator.permuted(weights, axis=1)
        own.append(places[moved > 0])
        drawn.append(moved[moved > 0])
    return np.concatenate(own), np.concatenate(drawn)


def folds_of(case_of: Codes, generator: np.random.Generator) -> Codes:
    return generator.permutation(np.arange(int(case_of.max()) + 1) % FOLDS)[case_of]


def cross_fitted(z: Floats, columns: csc_array, fold: Codes, total: float) -> Floats:
    """Mean over the labelled of their rank in the run, less ½, by classifiers of the other folds: (1 + draws,).

    A sample's rank is among the samples of its own fold, whose mean is ½ for any classifier."""
    by_row, excess = columns.tocsr(), np.zeros(columns.shape[1])
    for number in range(FOLDS):
        inside = fold == number
        train = z[~inside] - z[~inside].mean(axis=0)
        gram = train.T @ train / len(train) + PENALTY * np.eye(z.shape[1])
        slopes = np.linalg.solve(gram, (by_row[~inside].T @ train).T)
        tested, own = np.ascontiguousarray(z[inside].T), by_row[inside].tocsc()
        for draw, (start, end) in enumerate(itertools.pairwise(own.indptr.tolist())):
            places = places_among(slopes[:, draw] @ tested, own.indices[start:end])
            excess[draw] += float(own.data[start:end] @ (places - 0.5))
    return np.asarray(excess / total, dtype=np.float64)


def places_among(scores: Floats, rows: Codes) -> Floats:
    """The rank of the values in these rows among all, between 0 and 1; ties share theirs."""
    rounded = np.round(scores, 12)
    ordered = _sorted(rounded)
    below, upto = (np.searchsorted(ordered, rounded[rows], side=side) for side in ("left", "right"))
    return (below + upto) / 2 / len(scores)


def _sorted(values: Floats) -> Floats:
    """The values (n,), smallest first.

    Rows are sorted by content, so that values often form a few long increasing or decreasing runs, which only need to
    be merged."""
    steps = np.diff(values)
    rises, falls = np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)
    if STRETCH * min(rises, falls) > len(values):
        return np.sort(values)
    return np.sort(values, kind="stable") if falls <= rises else -np.sort(-values, kind="stable")[::-1]


def standardised(table: Floats) -> Floats:
    spread = table.std(axis=0)
    return np.asarray((table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0), dtype=np.float64)
