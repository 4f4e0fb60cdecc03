"""Are the labelled samples like the run? A classifier two-sample test of what conformal sets and estimates rest on."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Bools, Codes, Floats
from core.errors import HcatError
from core.labelling.consensus import Labels, resolve_labels
from core.records.codec import Codec
from core.records.layout import Also, JsonObject, Key
from core.records.samples.by_sample import levels_at, used_names
from core.statistics.clusters import case_codes
from core.types import Criterion

if TYPE_CHECKING:
    from scipy.sparse import csc_array

    from core.scoring.score_table import ScoreTable


FOLDS = 5
PERMUTATIONS = 199
PENALTY = 0.1
LEAST_LABELLED = 20
SIGNIFICANT = 0.05
MOST_LEVELS = 12
LEAST_IN_LEVEL = 5
SHOWN_FEATURES = 3
STRETCH = 64
"""Values in a stretch, on average, from which on merging is faster than sorting."""


@dataclass(frozen=True, slots=True)
class Features:
    """What labelled samples are compared on: `table` (N, features), without gaps, one name a column."""

    names: tuple[str, ...]
    table: Floats


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """A feature's mean among the labelled (weighted) less that of the run, in standard deviations of the run."""

    name: str
    difference: float


@dataclass(frozen=True, slots=True)
class ExchangeabilityCheck:
    """Whether labelled samples, weighted by how they were drawn, can be told from the run.

    `auc` is the chance that a labelled sample looks more like the labelled ones than a sample of the run does; 0.5
    where they can't be told apart. `p` is the share of draws without any difference that reach it; `labelled` of `n`
    samples were compared. `differences` are the largest first. `test_cases` is how many the labelled samples are of,
    where draws kept trials of one together; None where every sample is its own.
    """

    auc: float
    p: float
    n: int
    labelled: int
    verdict: Literal["no violation found", "violated", "too few labels"]
    differences: tuple[FeatureDifference, ...]
    weighted: bool
    draws: int
    test_cases: int | None = None

    def document(self) -> JsonObject:
        """The check as JSON, with the largest differences; null for p and AUC where labels are too few."""
        return _DOCUMENT.write_object(self)

    @property
    def largest_differences(self) -> tuple[FeatureDifference, ...]:
        """The few that are told to people."""
        return self.differences[:SHOWN_FEATURES]


_DOCUMENT = Codec(
    {
        ExchangeabilityCheck: (
            *("verdict", "auc", "p", "n", "labelled", "test_cases", "weighted", "draws"),
            Also("differences", "largest_differences"),
        ),
        FeatureDifference: (Key("feature", "name"), Key("standard_deviations", "difference")),
    }
)


def run_features(scores: ScoreTable, *, groups: Mapping[str, Mapping[str, str | None]] | None = None) -> Features:
    """Every metric's scores as ranks, whether it scored at all, and the levels of dimensions as 0 and 1.

    Ranks make no score too large to compare. Metrics that are constant, and levels of fewer than 5 samples or of
    dimensions with more than 12, are left out. `groups` hold levels by dimension and sample id.
    """
    columns: dict[str, Floats] = {}
    for name in scores.metrics:
        values = scores.values(name)
        known = np.isfinite(values)
        if known.sum() >= LEAST_IN_LEVEL and np.ptp(values[known]) > 0:
            columns[name] = _ranks(values, known)
        if min(int(known.sum()), int((~known).sum())) >= LEAST_IN_LEVEL:
            columns[f"{name} unscored"] = (~known).astype(np.float64)
    for dimension, level_of in (groups or {}).items():
        cells = levels_at(level_of, scores.sample_ids)
        levels = sorted((cells.names[place], place) for place in np.flatnonzero(used_names(cells)).tolist())
        if not 2 <= len(levels) <= MOST_LEVELS:
            continue
        for level, place in levels:
            column = (cells.codes == place).astype(np.float64)
            if LEAST_IN_LEVEL <= column.sum() <= len(column) - LEAST_IN_LEVEL:
                columns[f"{dimension} = {level}"] = column
    table = np.column_stack(list(columns.values())) if columns else np.zeros((len(scores.sample_ids), 0))
    return Features(tuple(columns), table)


def check_exchangeability(
    features: Features,
    labelled: ArrayLike,
    *,
    generator: np.random.Generator,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    draws: int = PERMUTATIONS,
) -> ExchangeabilityCheck:
    """Cross-fitted AUC of telling labelled samples from the run, and its p-value from draws without a difference.

    `labelled` (N,) is true for labelled samples; `weights` (N,) the inverse of the probabilities with which those were
    drawn (others are not read), so that a known unequal design is not taken for a violation. Each fold is scored by a
    ridge-penalised logistic regression on the other folds, of which the first Newton step from "no difference" is
    taken: it is efficient near there, and so quick that the classifier is fitted anew in each draw.
    With equal weights a draw permutes who is labelled, and p is exact. With unequal ones the probabilities of
    unlabelled samples are not known; a draw then flips the sign of each labelled sample's weighted difference from the
    run (Hemerik, Goeman & Finos 2020), and p is approximate.
    `clusters` (N,) name test cases: trials of one share a fold and a sign, and a draw permutes whole test cases among
    those with as many trials, and then trials within each, which is exact whether test cases or trials were drawn.
    HcatError where shapes disagree.
    Source: Lopez-Paz & Oquab 2017, Revisiting classifier two-sample tests.
    """
    chosen = np.asarray(labelled, dtype=bool)
    if chosen.shape != (len(features.table),):
        raise HcatError("every sample of the run is either labelled or not: one value each")
    n, count = len(chosen), int(chosen.sum())
    w = np.where(chosen, 1.0 if weights is None else np.asarray(weights, dtype=np.float64), 0.0)
    if not (np.isfinite(w).all() and (w[chosen] > 0).all()):
        raise HcatError("weights must be positive, one for each labelled sample")
    weighted = count > 0 and float(np.ptp(w[chosen])) > 0
    codes = case_codes(clusters)
    rows = _by_content(features.table, chosen, w, codes)
    chosen, w, table = chosen[rows], w[rows], features.table[rows]
    case_of = np.arange(n) if codes is None else codes[rows]
    independent = len(np.unique(case_of[chosen]))
    cases = None if codes is None else independent
    if independent < LEAST_LABELLED or count == n or not features.names:
        return ExchangeabilityCheck(math.nan, math.nan, n, count, "too few labels", (), weighted, 0, cases)
    z = _standardised(table)
    columns = _drawn(w, chosen, case_of, weighted=weighted, draws=draws, generator=generator)
    excess = _cross_fitted(z, columns, case_of, float(w.sum()), generator)
    p = float((1 + np.sum(excess[1:] >= excess[0])) / (1 + draws))
    gaps = (w / w.sum()) @ z
    order = np.argsort(-np.abs(gaps))
    return ExchangeabilityCheck(
        auc=0.5 + float(excess[0]),
        p=p,
        n=n,
        labelled=count,
        verdict="violated" if p <= SIGNIFICANT else "no violation found",
        differences=tuple(FeatureDifference(features.names[j], float(gaps[j])) for j in order),
        weighted=weighted,
        draws=draws,
        test_cases=cases,
    )


def _by_content(table: Floats, chosen: Bools, w: Floats, codes: Codes | None) -> Codes:
    """The rows (N,) in the order of what they hold, so that draws do not hang on the order in which they came."""
    keys = (w, chosen, *table.T, np.zeros(len(w)) if codes is None else codes)
    return np.lexsort(keys)


def _drawn(
    w: Floats,
    chosen: Bools,
    case_of: Codes,
    *,
    weighted: bool,
    draws: int,
    generator: np.random.Generator,
) -> csc_array:
    """The weights of labelled samples (N, 1 + draws): as they are, then without any difference. Others have none."""
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
    """Of test cases with equally many trials, for each number of trials: the rows of all (test cases, trials), and the
    weights of those with a label (labelled test cases, trials)."""
    order = np.argsort(case_of, kind="stable")
    size = np.bincount(case_of)[case_of[order]]
    alike = [order[size == trials].reshape(-1, trials) for trials in np.unique(size).tolist()]
    return tuple((rows, w[rows][w[rows].any(axis=1)]) for rows in alike)


def _permuted(alike: tuple[tuple[Codes, Floats], ...], generator: np.random.Generator) -> tuple[Codes, Floats]:
    """The rows that have a weight once test cases of one size are permuted, and trials within each; and their weights.

    Where those with a label come to lie is a draw without replacement, in random order, from all places: that is all
    of a permutation that can be seen, and it takes some thousand numbers where the run has a million.
    """
    own, drawn = [], []
    for rows, weights in alike:
        places = rows[generator.choice(len(rows), len(weights), replace=False)]
        moved = weights if rows.shape[1] == 1 else generator.permuted(weights, axis=1)
        own.append(places[moved > 0])
        drawn.append(moved[moved > 0])
    return np.concatenate(own), np.concatenate(drawn)


def _cross_fitted(
    z: Floats, columns: csc_array, case_of: Codes, total: float, generator: np.random.Generator
) -> Floats:
    """Mean over the labelled of their rank in the run, less ½, by classifiers of the other folds: (1 + draws,).

    A sample's rank is its place among the samples of its own fold, of which the mean is ½ whatever the classifier.
    """
    fold = generator.permutation(np.arange(int(case_of.max()) + 1) % FOLDS)[case_of]
    by_row, excess = columns.tocsr(), np.zeros(columns.shape[1])
    for number in range(FOLDS):
        inside = fold == number
        train = z[~inside] - z[~inside].mean(axis=0)
        gram = train.T @ train / len(train) + PENALTY * np.eye(z.shape[1])
        slopes = np.linalg.solve(gram, (by_row[~inside].T @ train).T)
        tested, own = np.ascontiguousarray(z[inside].T), by_row[inside].tocsc()
        for draw, (start, end) in enumerate(itertools.pairwise(own.indptr.tolist())):
            places = _places_among(slopes[:, draw] @ tested, own.indices[start:end])
            excess[draw] += float(own.data[start:end] @ (places - 0.5))
    return np.asarray(excess / total, dtype=np.float64)


def _places_among(scores: Floats, rows: Codes) -> Floats:
    """The place of the values in these rows among all, between 0 and 1, ties sharing theirs."""
    rounded = np.round(scores, 12)
    ordered = _sorted(rounded)
    below, upto = (np.searchsorted(ordered, rounded[rows], side=side) for side in ("left", "right"))
    return (below + upto) / 2 / len(scores)


def _sorted(values: Floats) -> Floats:
    """The values (n,), least first. Rows stand in the order of what they hold, so that values often rise, or fall, in
    few long stretches, which need no more than to be merged."""
    steps = np.diff(values)
    rises, falls = np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)
    if STRETCH * min(rises, falls) > len(values):
        return np.sort(values)
    return np.sort(values, kind="stable") if falls <= rises else -np.sort(-values, kind="stable")[::-1]


def _ranks(values: Floats, known: Bools) -> Floats:
    ranks = np.full(len(values), 0.5)
    ranks[known] = _places_among(values[known], np.arange(int(known.sum())))
    return ranks


def _standardised(table: Floats) -> Floats:
    spread = table.std(axis=0)
    return np.asarray((table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0), dtype=np.float64)


def check_labels(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    groups: Mapping[str, Mapping[str, str | None]] | None = None,
    test_cases: Mapping[str, str] | None = None,
    seed: int = 7,
) -> ExchangeabilityCheck:
    """`check_exchangeability` of the samples that labels decide on this criterion, by all scores and `groups`.

    `test_cases` map sample ids to test cases; a sample without one is its own.
    """
    judged = resolve_labels(labels, criterion)
    rows, weights = scores.order.rows(judged.sample_ids), np.ones(len(scores.sample_ids))
    labelled = np.zeros(len(weights), dtype=np.bool_)
    labelled[rows[rows >= 0]], weights[rows[rows >= 0]] = True, judged.weights[rows >= 0]
    return check_exchangeability(
        run_features(scores, groups=groups),
        labelled,
        weights=weights,
        clusters=None if not test_cases else [test_cases.get(name, name) for name in scores.sample_ids],
        generator=np.random.default_rng(seed),
    )
