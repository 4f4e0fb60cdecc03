"""Where the variance of judgements lies: test cases, trials, and those who judge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import HcatError
from core.types import Estimate

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

REST = "rest"
REPLICATES = 200
TELLING = 1e-9


@dataclass(frozen=True, slots=True)
class Component:
    """One source of variance. `variance` is NaN where the data can't tell it from the others, and `note` says why.

    `share` is its part of the sum of all components, each at least 0, with a percentile interval from whole test cases
    drawn anew; its n counts test cases. `levels` is how many there were: a variance over two annotators says little.
    """

    name: str
    levels: int
    variance: float
    share: Estimate
    note: str = ""


@dataclass(frozen=True, slots=True)
class ComponentSplit:
    """The components, and last of all the rest: what no source explains. n counts judgements."""

    components: tuple[Component, ...]
    n: int


def split_variance(
    values: ArrayLike,
    sources: Mapping[str, Sequence[str]],
    *,
    clusters: Sequence[str],
    generator: np.random.Generator,
    replicates: int = REPLICATES,
    level: float = 0.95,
) -> ComponentSplit:
    """Random effects of any sources, crossed or nested, balanced or not, by the method of moments MINQUE(0).

    `values` (n,) are finite; each source names its level for each value: test case, test case and trial, annotator or
    checker. Equations: Σ_l tr(M A_k M A_l) σ²_l = y'M A_k M y, with A_k = Z_k Z_k' and M the centring. Unbiased; equal
    to the ANOVA estimators, and so to REML where none is negative, for balanced data. A source whose A_k others add up
    to is not identifiable: the later one of `sources` is left out.
    Source: Rao 1971; Searle, Casella & McCulloch 1992, Variance Components, section 11.3.
    """
    y, case = np.asarray(values, dtype=np.float64), np.asarray(clusters, dtype=np.str_)
    if not np.isfinite(y).all() or any(len(names) != len(y) for names in (*sources.values(), clusters)):
        raise HcatError("every judgement needs a finite value, a test case, and a level of every source")
    codes = {name: _codes(levels) for name, levels in sources.items()}
    kept, notes = _identifiable(codes, len(y))
    used = {name: codes[name] for name in kept}
    point = _solve(y, used)
    draws = _bootstrap(y, used, _codes(case), generator, replicates)
    cases = len(np.unique(case))
    shares = _shares(point)
    low, high = _ends(draws, level)
    found = []
    for name in (*sources, REST):
        place = kept.index(name) if name in kept else len(kept) if name == REST else -1
        levels = len(y) if name == REST else int(codes[name].max(initial=-1)) + 1
        if place < 0 or math.isnan(point[place]):
            nothing = Estimate(math.nan, math.nan, math.nan, cases, level, "MINQUE(0)")
            note = notes.get(name, "there are fewer than two judgements to compare")
            found.append(Component(name, levels, math.nan, nothing, note))
            continue
        share = Estimate(shares[place], low[place], high[place], cases, level, "MINQUE(0), bootstrap by test case")
        note = "Less than chance alone would give: counted as 0." if point[place] < 0 else ""
        found.append(Component(name, levels, max(0.0, float(point[place])), share, note))
    return ComponentSplit(tuple(found), len(y))


def _codes(names: Sequence[str] | NDArray[np.str_]) -> Codes:
    return np.asarray(np.unique(np.asarray(names, dtype=np.str_), return_inverse=True)[1], dtype=np.intp)


def _identifiable(codes: Mapping[str, Codes], n: int) -> tuple[list[str], dict[str, str]]:
    kept: list[str] = []
    notes: dict[str, str] = {}
    for name, code in codes.items():
        if int(code.max(initial=-1)) < 1:
            notes[name] = "there is only one"
        elif int(code.max()) + 1 == n:
            notes[name] = "each was seen once only, so that it can't be told from the rest"
        elif not _tells([*(codes[other] for other in kept), code], n):
            notes[name] = f"it can't be told from {' and '.join(kept)} in these data"
        else:
            kept.append(name)
    return kept, notes


def _tells(codes: Sequence[Codes], n: int) -> bool:
    matrix = _equations(codes, n)
    scale = np.sqrt(np.diag(matrix))
    return bool((scale > 0).all() and np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0] > TELLING)


def _equations(codes: Sequence[Codes], n: int) -> Floats:
    """tr(M A_k M A_l) of all sources and, last, of the identity; from counts alone."""
    every = [*codes, np.arange(n, dtype=np.intp)]
    matrix = np.zeros((len(every), len(every)))
    sizes = [np.bincount(code).astype(np.float64) for code in every]
    squares = [float(size @ size) for size in sizes]
    for k in range(len(every)):
        matrix[k, k] = squares[k] - 2 * float(np.sum(sizes[k] ** 3)) / n + squares[k] ** 2 / n**2
    for (k, first), (j, second) in combinations(enumerate(every), 2):
        pairs, counts = np.unique(first * len(sizes[j]) + second, return_counts=True)
        met = counts.astype(np.float64)
        through = float(np.sum(sizes[k][pairs // len(sizes[j])] * met * sizes[j][pairs % len(sizes[j])]))
        matrix[k, j] = matrix[j, k] = float(met @ met) - 2 * through / n + squares[k] * squares[j] / n**2
    return matrix


def _solve(y: Floats, codes: Mapping[str, Codes]) -> Floats:
    """σ² of every source and of the rest; NaN where nothing can be told."""
    n = len(y)
    if n < 2:
        return np.full(len(codes) + 1, math.nan)
    centred = y - y.mean()
    sums = [np.bincount(code, weights=centred) for code in codes.values()]
    right = np.array([*(float(s @ s) for s in sums), float(centred @ centred)])
    return np.asarray(np.linalg.lstsq(_equations(list(codes.values()), n), right, rcond=None)[0], dtype=np.float64)


def _shares(variances: Floats) -> Floats:
    positive = np.maximum(variances, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(positive), math.nan)


def _bootstrap(
    y: Floats, codes: Mapping[str, Codes], case: Codes, generator: np.random.Generator, replicates: int
) -> Floats:
    """Shares (replicates, sources + 1) with test cases drawn anew; a test case drawn twice is two test cases."""
    cases = int(case.max(initial=-1)) + 1
    if cases < 2:
        return np.empty((0, len(codes) + 1))
    rows_of = np.split(np.argsort(case, kind="stable"), np.cumsum(np.bincount(case, minlength=cases))[:-1])
    nested = {name: _is_nested(code, case) for name, code in codes.items()}
    made = []
    for _ in range(replicates):
        drawn = generator.integers(cases, size=cases)
        rows = np.concatenate([rows_of[one] for one in drawn])
        copy = np.repeat(np.arange(cases), [len(rows_of[one]) for one in drawn])
        again = {
            name: _recoded(copy * (int(code.max()) + 1) + code[rows]) if nested[name] else _recoded(code[rows])
            for name, code in codes.items()
        }
        made.append(_shares(_solve(y[rows], again)))
    return np.array(made)


def _is_nested(code: Codes, case: Codes) -> bool:
    """Whether every level lies within one test case, as trials do and annotators do not."""
    pairs = np.unique(code * (int(case.max()) + 1) + case)
    return len(pairs) == int(code.max()) + 1


def _recoded(code: Codes) -> Codes:
    return np.asarray(np.unique(code, return_inverse=True)[1], dtype=np.intp)


def _ends(draws: Floats, level: float) -> tuple[Floats, Floats]:
    known = draws[~np.isnan(draws).any(axis=1)] if len(draws) else draws
    if len(known) < 2:
        return np.full(draws.shape[1], math.nan), np.full(draws.shape[1], math.nan)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high
