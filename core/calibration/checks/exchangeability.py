"""A classifier two-sample test of whether labelled samples are like the run, as conformal sets and estimates assume."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.calibration.checks.two_samples import cross_fitted, drawn_labels, folds_of, places_among, standardised
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import Labels, resolve_labels
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, JsonObject, Key
from hcat.core.records.samples.by_sample import levels_at, used_names
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.looks import watched_level
from hcat.core.types import Criterion, Verdict

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable


PERMUTATIONS = 199
"""The number of draws that are always made. `MOST_PERMUTATIONS` are made if at most `FEW_REACH_IT` of them reach the
observed value."""
MOST_PERMUTATIONS = 1_999
FEW_REACH_IT = 1
LEAST_LABELLED = 20
SIGNIFICANT = 0.05
"""The probability that labels without a difference are ever reported as different, however often they are tested."""
FOUND = 0.8
"""The probability with which a difference of the detectable size is found."""
MOST_COMPARED = 10_000
"""The most labelled samples, and the most others, that are compared: chosen at random, by test case."""
UNLIKE_THE_RUN = Verdict(
    name="labels unlike the run",
    words=("violated",),
    claim="The labelled samples, weighted by how they were drawn, differ from the run in scores or dimensions.",
    error=SIGNIFICANT,
    family="looks after every label, on one criterion",
    decides="hcat.core.calibration.checks.exchangeability:check_exchangeability",
    carried_by="hcat.core.calibration.checks.exchangeability:ExchangeabilityCheck.verdict",
)
MOST_LEVELS = 12
LEAST_IN_LEVEL = 5
SHOWN_FEATURES = 3


@dataclass(frozen=True, slots=True)
class Features:
    """The features on which labelled samples are compared: `table` (N, features), without gaps, one name a column."""

    names: tuple[str, ...]
    table: Floats


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """The weighted mean of a feature among the labelled less that of the run, in standard deviations of the run."""

    name: str
    difference: float


@dataclass(frozen=True, slots=True)
class ExchangeabilityCheck:
    """Whether labelled samples, weighted by the design, can be distinguished from the run.

    `auc` is the probability that a labelled sample looks more like the labelled ones than a sample of the run does; 0.5
    if they can't be distinguished. `p` is the share of draws without any difference that reach it, and `level` what it
    is compared with, adjusted for looks after every label. An AUC of `detectable` would be found in 80% of draws;
    `labelled` of `n` samples have a label. `differences` are the largest first. `test_cases` is the number of test
    cases among the labelled samples, if draws kept trials of one together; None if every sample is its own."""

    auc: float
    p: float
    n: int
    labelled: int
    verdict: Literal["no violation found", "violated", "too few labels"]
    differences: tuple[FeatureDifference, ...]
    weighted: bool
    draws: int
    test_cases: int | None = None
    level: float = SIGNIFICANT
    detectable: float = math.nan

    def document(self) -> JsonObject:
        """The check as JSON, with the largest differences; null for p and AUC if labels are too few."""
        return _DOCUMENT.write_object(self)

    @property
    def largest_differences(self) -> tuple[FeatureDifference, ...]:
        """The largest differences, which are shown."""
        return self.differences[:SHOWN_FEATURES]


_DOCUMENT = Codec(
    {
        ExchangeabilityCheck: (
            *("verdict", "auc", "p", "level", "detectable", "n", "labelled", "test_cases", "weighted", "draws"),
            Also("differences", "largest_differences"),
        ),
        FeatureDifference: (Key("feature", "name"), Key("standard_deviations", "difference")),
    }
)


def run_features(scores: ScoreTable, *, groups: Mapping[str, Mapping[str, str | None]] | None = None) -> Features:
    """Every metric's scores as ranks, whether it scored at all, and the levels of dimensions as 0 and 1.

    With ranks no score is too large to compare. Metrics that are constant, and levels of fewer than 5 samples or of
    dimensions with more than 12, are left out. `groups` are levels by dimension and sample id."""
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
    """Cross-fitted AUC of separating labelled samples from the run, and its p-value from draws without a difference.

    `labelled` (N,) is true for labelled samples; `weights` (N,) are their inverse sampling probabilities (others are
    not read), so that a known unequal design does not count as a violation. Each fold is scored by a ridge-penalised
    logistic regression on the other folds, of which the first Newton step from "no difference" is used: it is efficient
    near there, and so fast that the classifier is refitted in each draw. Few draws are made at first, and more only if
    hardly any of them reaches the observed value: p remains valid (Besag & Clifford 1991). With equal weights a draw
    permutes who is labelled, and p is exact. With unequal ones the probabilities of unlabelled samples are not known; a
    draw then flips the sign of each labelled sample's weighted difference from the run (Hemerik, Goeman & Finos 2020),
    and p is approximate. `clusters` (N,) name test cases: trials of one share a fold and a sign, and a draw permutes
    whole test cases among those with as many trials, and then trials within each, which is exact whether test cases or
    trials were drawn. HcatError if shapes do not match. Source: Lopez-Paz & Oquab 2017, Revisiting classifier
    two-sample tests."""
    from scipy.special import ndtri

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
    gaps = (w / w.sum()) @ standardised(table)
    order = np.argsort(-np.abs(gaps))
    if not weighted:
        rows = _compared(chosen, case_of, generator)
        chosen, w, table = chosen[rows], w[rows], table[rows]
        case_of = np.unique(case_of[rows], return_inverse=True)[1]
    z, fold = standardised(table), folds_of(case_of, generator)
    excess, more = np.zeros(1), draws
    while more:
        columns = drawn_labels(w, chosen, case_of, weighted=weighted, draws=more, generator=generator)
        found = cross_fitted(z, columns, fold, float(w.sum()))
        excess = np.append(found[:1], np.append(excess[1:], found[1:]))
        reached = np.count_nonzero(excess[1:] >= excess[0])
        more = min(draws, MOST_PERMUTATIONS - len(excess) + 1) if reached <= FEW_REACH_IT else 0
    p, level = float((1 + reached) / len(excess)), watched_level(independent, SIGNIFICANT)
    return ExchangeabilityCheck(
        auc=0.5 + float(excess[0]),
        p=p,
        n=n,
        labelled=count,
        verdict="violated" if p <= level else "no violation found",
        differences=tuple(FeatureDifference(features.names[j], float(gaps[j])) for j in order),
        weighted=weighted,
        draws=len(excess) - 1,
        test_cases=cases,
        level=level,
        detectable=min(1.0, 0.5 + float((ndtri(FOUND) - ndtri(level)) * excess[1:].std())),
    )


def _compared(chosen: Bools, case_of: Codes, generator: np.random.Generator) -> Codes:
    """The rows to compare: all of a small run, or a random selection of test cases with and without a label.

    Of a large run, test cases are added in random order until there are enough samples of each kind."""
    if len(chosen) <= 2 * MOST_COMPARED:
        return np.arange(len(chosen))
    place = generator.permutation(int(case_of.max()) + 1)
    has_label = np.bincount(case_of, weights=chosen)[case_of] > 0
    rows = np.argsort(place[case_of], kind="stable")
    parts = []
    for side in (rows[has_label[rows]], rows[~has_label[rows]]):
        last = case_of[side[min(len(side), MOST_COMPARED) - 1]] if len(side) else -1
        ends = np.flatnonzero(case_of[side] == last)
        parts.append(side[: ends[-1] + 1] if len(ends) else side)
    return np.sort(np.concatenate(parts))


def _by_content(table: Floats, chosen: Bools, w: Floats, codes: Codes | None) -> Codes:
    """The rows (N,) sorted by content, so that draws do not depend on the order of rows."""
    keys = (w, chosen, *table.T, np.zeros(len(w)) if codes is None else codes)
    return np.lexsort(keys)


def _ranks(values: Floats, known: Bools) -> Floats:
    ranks = np.full(len(values), 0.5)
    ranks[known] = places_among(values[known], np.arange(int(known.sum())))
    return ranks


def check_labels(
    labels: Labels,
    scores: ScoreTable,
    *,
    criterion: Criterion,
    groups: Mapping[str, Mapping[str, str | None]] | None = None,
    test_cases: Mapping[str, str] | None = None,
    seed: int = 7,
) -> ExchangeabilityCheck:
    """`check_exchangeability` of the samples with a label on this criterion, by all scores and `groups`.

    `test_cases` map sample ids to test cases; a sample without one is its own."""
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
