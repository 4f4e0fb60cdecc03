"""Whether an annotator's labels change over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hcat.core.arrays import Codes, Floats, Ints
from hcat.core.capabilities.agreement.leniency import against_others, agreement_with_others, passes
from hcat.core.capabilities.agreement.ratings import Ratings, ratings
from hcat.core.errors import HcatError
from hcat.core.labelling.consensus import labelled_at
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.multiplicity import benjamini_hochberg, holm
from hcat.core.statistics.paired import paired_differences
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Estimate, Label, Verdict

Measure = Literal["passes", "agrees with the others", "lenience"]

LEAST_LABELS = 20
"""The least number of labels for a test of drift."""
ERROR_RATE = 0.05
BLOCK = 10
MOST_BLOCKS = 12
PERMUTATIONS = 2000
_CHUNK = 250


@dataclass(frozen=True, slots=True)
class DriftBlock:
    """The labels `first` to `last` of an annotator, counted from 1 in order of time, and their mean."""

    first: int
    last: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Drift:
    """The drift of one annotator over time.

    `p` is the p-value of no effect of the order, `p_holm` adjusted for all annotators tested, and `q` by Benjamini and
    Hochberg, for information only. `change` is the label after which the mean differs most, `before` and `after` the
    means there: since the position was chosen by these very labels, they overstate the change. If `enough` is false, p,
    p_holm and q are NaN."""

    annotator: str
    n: int
    blocks: tuple[DriftBlock, ...]
    p: float
    p_holm: float
    q: float
    change: int
    before: Estimate
    after: Estimate
    enough: bool

    @property
    def is_shown(self) -> bool:
        """Whether the annotator's judgement changed; in a team without change, the familywise error is 5 %."""
        return self.p_holm <= ERROR_RATE


DRIFT = Verdict(
    name="drift of an annotator",
    words=("drift",),
    claim="The annotator's labels change with time.",
    error=ERROR_RATE,
    family="all annotators of one criterion and one measure (Holm)",
    decides="hcat.core.capabilities.agreement.drift:drifts",
    carried_by="hcat.core.capabilities.agreement.drift:Drift.is_shown",
)


def drifts(
    labels: Iterable[Label],
    *,
    criterion: Criterion,
    rng: np.random.Generator,
    measure: Measure = "passes",
    test_cases: Mapping[str, str] | None = None,
    permutations: int = PERMUTATIONS,
) -> tuple[Drift, ...]:
    """Each annotator's drift, by name. Labels are the current ones of one run; undated ones are in the given order.

    `test_cases` map sample ids to test cases, if some have several trials: see `drift`. "passes": the pass rate, which
    also changes if later samples are of another kind. "agrees with the others" and "lenience" (a pass less the share of
    the others who pass) compare on the same samples, so that only people can change."""
    if measure not in get_args(Measure):
        raise HcatError(f"no measure {measure!r}: choose one of {', '.join(get_args(Measure))}")
    given = sorted(labels, key=labelled_at)
    table = ratings(given, criterion=criterion, test_cases=test_cases)
    values = _values(table, criterion, measure)
    cases = None if table.test_cases is None else np.asarray(table.test_cases)
    row_of = {sample: row for row, sample in enumerate(table.samples)}
    found = []
    for column, annotator in enumerate(table.annotators):
        # Of several labels of one sample the last one is used, at its time.
        rows = dict.fromkeys(row_of[x.sample_id] for x in reversed(given) if _is_of(x, annotator, criterion))
        order = np.array(list(reversed(rows)), dtype=np.intp)
        order = order[~np.isnan(values[order, column])]
        found.append(
            drift(
                values[order, column],
                annotator=annotator,
                rng=rng,
                measure=measure,
                test_cases=None if cases is None else cases[order],
                permutations=permutations,
            )
        )
    p = [one.p for one in found]
    both = zip(holm(p).tolist(), benjamini_hochberg(p).tolist(), strict=True)
    return tuple(replace(one, p_holm=p_holm, q=q) for one, (p_holm, q) in zip(found, both, strict=True))


def drift(
    values: ArrayLike,
    *,
    rng: np.random.Generator,
    annotator: str = "",
    measure: Measure = "passes",
    test_cases: ArrayLike | None = None,
    permutations: int = PERMUTATIONS,
) -> Drift:
    """The drift of values (n,) in order of time, by the largest deviation of their cumulative sum.

    The statistic is max over k of |S_k − (k/n) S_n|; p is the share of `permutations` random orders, the given one
    among them, whose statistic is as large. It is exact if the order has no effect. For one annotator p_holm is p. If
    `test_cases` (n,) name one for several values, whole test cases are exchanged with those of as many values, which
    preserves the distances between their values in time, and means are by test case. `measure` determines the range of
    values: [−1, 1] for "lenience", else [0, 1]. Source: Page 1954; Davison & Hinkley 1997, Bootstrap Methods, section
    4.3."""
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or not np.isfinite(x).all():
        raise HcatError("a drift takes a sequence of known numbers, in order of time")
    n, cases = len(x), None if test_cases is None else np.asarray(test_cases)

    def mean(start: int, end: int) -> Estimate:
        return _mean(x[start:end], None if cases is None else cases[start:end], measure)

    bounds = np.linspace(0, n, max(1, min(MOST_BLOCKS, n // BLOCK)) + 1).round().astype(int)
    blocks = tuple(
        DriftBlock(int(start) + 1, int(end), mean(int(start), int(end)))
        for start, end in pairwise(bounds)
        if end > start
    )
    deviation = np.abs(np.cumsum(x - x.mean())) if n else x
    change = int(deviation.argmax()) + 1 if n > 1 else n
    enough = n >= LEAST_LABELS
    # A copy is drawn from: the same labels have the same p, whatever was drawn for others before.
    p = _p_value(x, cases, float(deviation.max()), deepcopy(rng), permutations) if enough else math.nan
    return Drift(annotator, n, blocks, p, p, p, change, mean(0, change), mean(change, n), enough)


def _values(table: Ratings, criterion: Criterion, measure: Measure) -> Floats:
    if measure == "passes":
        return passes(table, criterion)
    return agreement_with_others(table) if measure == "agrees with the others" else against_others(table, criterion)


def _is_of(label: Label, annotator: str, criterion: Criterion) -> bool:
    return label.annotator == annotator and label.source == "person" and label.criterion == criterion.name


def _p_value(
    x: Floats, cases: NDArray[np.generic] | None, observed: float, rng: np.random.Generator, permutations: int
) -> float:
    codes = case_codes(cases)
    places = _places(np.arange(len(x)) if codes is None else codes)
    centred, reached = x - x.mean(), 1
    for start in range(0, permutations, _CHUNK):
        shuffled = _shuffled(centred, places, min(_CHUNK, permutations - start), rng)
        largest = np.abs(np.cumsum(shuffled, axis=1)).max(axis=1)
        reached += int(np.sum(largest >= observed - 1e-9))  # equal sums differ in their last digits
    return reached / (permutations + 1)


def _places(codes: Codes) -> list[Ints]:
    """The positions of the values of each test case: one table (test cases, values) for each number of values."""
    sizes = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    return [order[sizes[codes[order]] == size].reshape(-1, size) for size in np.unique(sizes)]


def _shuffled(x: Floats, places: list[Ints], times: int, rng: np.random.Generator) -> Floats:
    """Orders (times, n) in which test cases with equal numbers of values are exchanged."""
    shuffled = np.empty((times, len(x)))
    for of_size in places:
        drawn = rng.permuted(np.tile(np.arange(len(of_size)), (times, 1)), axis=1)
        shuffled[:, of_size] = x[of_size][drawn]
    return shuffled


def _mean(x: Floats, cases: NDArray[np.generic] | None, measure: Measure) -> Estimate:
    if measure == "lenience":
        return paired_differences(x, clusters=cases).interval()
    if np.isin(x, (0, 1)).all():
        return weighted_proportion(x == 1, clusters=cases)
    return mean_interval(x, clusters=cases, within=(0, 1))
