"""The weakness table: every slice that was tested, its statistics, and the ranked list of the weakest."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.errors import HcatError
from hcat.core.records.samples.by_sample import levels_at
from hcat.core.records.samples.columns import Levels
from hcat.core.refusals.state import AnswerState
from hcat.core.slices.cells.counts import rows_of
from hcat.core.slices.cells.sums import Pair, SumCells, sum_cells
from hcat.core.slices.dependence import Dependence
from hcat.core.slices.estimators.clustered import ClusteredEstimator
from hcat.core.slices.estimators.independent import IndependentEstimator
from hcat.core.slices.estimators.labelled import LabelledEstimator, LabelRates
from hcat.core.slices.estimators.protocol import Estimator, ScoredRows
from hcat.core.slices.estimators.weighted import WeightedEstimator
from hcat.core.slices.marginal import Grouping
from hcat.core.slices.rows import COLUMNS, as_frame
from hcat.core.slices.same_samples import q_values, repeated_slices, selected_share, tests
from hcat.core.slices.selection import selected_bounds
from hcat.core.slices.slices import require_dimensions
from hcat.core.slices.testable import level_codes
from hcat.core.slices.verdicts import INSUFFICIENT as INSUFFICIENT
from hcat.core.slices.verdicts import LOWER as LOWER
from hcat.core.slices.verdicts import NOT_SHOWN_LOWER as NOT_SHOWN_LOWER
from hcat.core.slices.verdicts import NOT_SHOWN_WEAK as NOT_SHOWN_WEAK
from hcat.core.slices.verdicts import POSSIBLY_LOWER as POSSIBLY_LOWER
from hcat.core.slices.verdicts import POSSIBLY_WEAK as POSSIBLY_WEAK
from hcat.core.slices.verdicts import WEAK as WEAK
from hcat.core.slices.verdicts import signs, urgency, verdicts, worse
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.refitted import Refitted
from hcat.core.types import Direction, Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Numbers of samples with a label by people and by reference rules; `ties` more were left out."""

    people: int
    rule: int
    ties: int


@dataclass(frozen=True, slots=True)
class Labels:
    """Pass rates by labels: the `rates` of the run's slices, the rate of the whole run, and the `basis` of slices that
    have enough labels. `counts` are the labels by source; None where there are no labels.

    The rate of the run is shown also where no slice has labels enough: the same name is never said of a mean of
    probabilities.
    """

    rates: LabelRates
    overall: Estimate | None
    basis: str
    counts: LabelCounts | None


@dataclass(frozen=True, slots=True)
class WeaknessSettings:
    """The settings with which a table was computed. `n_tests` counts the slices that were tested, which the q-values
    account for.

    By metric: `directions` says which way is better, `overall` is the mean over all scored samples, `spread` the
    standard deviation of single values, `unscored` how many samples the metric left out. `refits` counts the refitted
    calibrations behind intervals; 0 where values are no calibrated probabilities, or are treated as known. `ranges` are
    those of single values, where they are finite. `labels` counts those behind rates of passing. The means of `machine`
    metrics say what a machine decided, and estimate nothing. q-values are divided by `share`, the part of the error
    that the family has, those of pairs by `pair_share` where that differs; `outside` is the number of dimensions
    outside the plan, which share the rest of the error; 0 where none is in the table.
    """

    directions: Mapping[str, Direction]
    overall: Mapping[str, Estimate]
    spread: Mapping[str, float]
    unscored: Mapping[str, int]
    by: tuple[str, ...]
    pairs: bool
    minimum_n: int
    q: float
    n_tests: int
    refits: int = 0
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    labels: Mapping[str, LabelCounts] = field(default_factory=dict)
    machine: tuple[str, ...] = ()
    share: float = 1.0
    pair_share: float | None = None
    outside: int = 0


@dataclass(frozen=True, eq=False)
class WeaknessTable:
    """A table with a row per slice and metric. A slice is dimension_1, level_1, dimension_2, level_2 (null for one
    dimension). Its columns are metric, n, mean, low, high, difference (from the rest), p, q, effect (Hedges' g),
    shrunken, verdict; unscored, interaction, interaction_low, interaction_high (null for one dimension); and cases, the
    number of test cases.

    Further columns count the samples in each of `ANSWER_STATES`, which add up to n + unscored (null where states are
    not known). Others are the ends of the intervals of difference, effect and shrunken; the number of labels of the
    slice, and the basis of its numbers (see `verdicts`); and the interval of the mean of a slice that is shown to be
    worse, which allows for its selection (`selected_bounds`). `samples` is a number for the set of samples; one set is
    tested once. Rows of metrics have the pass rate by labels with its interval, and whether it disagrees with the score
    (`beside_labels`).
    """

    frame: pd.DataFrame
    settings: WeaknessSettings


def find_weaknesses(
    dimensions: pd.DataFrame,
    values: pd.Series[float],
    *,
    metric: str,
    direction: Direction,
    by: Sequence[str] | None = None,
    pairs: bool = False,
    minimum_n: int = 10,
    q: float = 0.05,
    level: float = 0.95,
    within: tuple[float, float] = (-math.inf, math.inf),
    test_cases: Sequence[str] | Codes | None = None,
    refits: Refitted | None = None,
    answer_states: Mapping[str, AnswerState] | Levels | None = None,
    design: Floats | None = None,
    sum_cells: SumCells = sum_cells,
    labels: Labels | None = None,
) -> WeaknessTable:
    """Compare every level of each dimension, and with `pairs` each pair of levels of two, with the other samples.

    `dimensions` has one row a sample, one column a dimension (see `dimension_frame`); `values` the scores or calibrated
    probabilities under the same index, NaN = unscored. `by` names the dimensions (default: all). Intervals are cut at
    `within`, the range of single values. `test_cases` name or number that of each row of `dimensions`: where some
    have several trials, intervals, p and the minimum n go by test cases. `refits`, for calibrated probabilities, makes
    the values, in their order, under calibrations refitted to resampled labels: intervals then carry the calibration's
    own error; p takes the calibration as it is, which is the same for all slices. `answer_states`, by sample id or in
    the order of the rows, are counted by slice. `design` are design weights, one a row of `dimensions`. `sum_cells` may
    store its counts (`hcat.core.slices.cells.cached`). With `labels` slices are estimated by these where they have
    enough. How slices are estimated and tested follows from the values (`estimator_of`). Verdicts:

    - *insufficient evidence*: fewer than `minimum_n` scored samples in the slice, or in the rest. Not tested.
    - *lower score*: worse than the rest, with a q-value of at most `q` over everything looked at in this call.
    - *possibly lower*: worse than the rest with p ≤ 0.05, which the number of slices looked at may explain.
    - *not shown to be lower*: all others.

    Of a metric of which lower is better these say "higher", of one without a direction "different". "Weak" takes
    people's labels: see `verdicts`.
    """
    names = tuple(dict.fromkeys(str(name) for name in (dimensions.columns if by is None else by)))
    require_dimensions(dimensions, names)
    if minimum_n < 2:
        raise HcatError(f"the minimum n of a slice must be at least 2, not {minimum_n}")
    own = values if values.index.equals(dimensions.index) else values.reindex(dimensions.index)
    y = np.array(own, dtype=np.float64)
    y[~np.isfinite(y)] = np.nan
    refits = _in_order(refits, values.index, dimensions.index)
    dependence = _dependence(len(y), test_cases, refitted=refits is not None)
    groupings = [_grouping(dimensions, name) for name in names]
    states = answer_states
    if states is not None and not isinstance(states, Levels):
        states = levels_at(states, dimensions.index.to_numpy().tolist())
    scored = ~np.isnan(y)
    known = None if refits is None else refits.at(np.flatnonzero(scored))
    of_all = partial(_overall, y, dependence, known, level=level, within=within, design=design)
    own_rows = ScoredRows(
        rows_of(len(y), states), scored, y[scored], minimum_n, level, sum_cells, within, of_all, known
    )
    estimator = estimator_of(own_rows, dependence, None if design is None else design[scored])
    if labels is not None:
        estimator = LabelledEstimator(estimator, labels.rates, labels.basis)
    of: list[Pair] = [*((one, None) for one in groupings), *(itertools.combinations(groupings, 2) if pairs else ())]
    parts = estimator.estimates(of) if of else []
    overall, by_labels = own_rows.overall, None if labels is None else labels.overall
    stated = overall if by_labels is None or math.isnan(by_labels.value) else by_labels
    settings = WeaknessSettings(
        directions={metric: direction},
        overall={metric: stated},
        spread={metric: float(np.nanstd(y, ddof=1)) if overall.n > 1 else np.nan},
        unscored={metric: len(y) - overall.n},
        by=names,
        pairs=pairs,
        minimum_n=minimum_n,
        q=q,
        n_tests=0,
        refits=0 if refits is None else refits.count,
        ranges={metric: within} if np.isfinite(within).all() else {},
        labels={} if labels is None or labels.counts is None else {metric: labels.counts},
    )
    return judged(as_frame(parts, metric=metric), settings)


def estimator_of(scored: ScoredRows, dependence: Dependence | None, weights: Floats | None) -> Estimator:
    """The estimator that suits the values: Hájek's means for weighted ones, sums over test cases where several values
    are of one, and sums of cells for independent ones. `weights` (n,) are those of scored rows."""
    tied = None if dependence is None else dependence.only(scored.scored)
    if weights is not None:
        cases = np.arange(len(weights)) if tied is None else tied.cases
        return WeightedEstimator(scored, weights, cases)
    return IndependentEstimator(scored) if tied is None or tied.apart else ClusteredEstimator(scored, tied)


def combine(tables: Sequence[WeaknessTable]) -> WeaknessTable:
    """Tables as one: the q-values of a metric then account for its tests in all of them. A slice of one metric that
    several tables hold counts once."""
    together = side_by_side(tables)
    return judged(together.frame, together.settings)


def side_by_side(tables: Sequence[WeaknessTable]) -> WeaknessTable:
    """Tables as one, each row with its q-value and verdict as it was. A slice of one metric that is in several tables
    is in the result once."""
    import pandas as pd

    if not tables:
        raise HcatError("there are no weakness tables to combine")
    first = tables[0].settings
    if any((t.settings.minimum_n, t.settings.q) != (first.minimum_n, first.q) for t in tables):
        raise HcatError("tables computed with different minimum n or q can't be combined")
    settings = dataclasses.replace(
        first,
        directions={k: v for t in tables for k, v in t.settings.directions.items()},
        overall={k: v for t in tables for k, v in t.settings.overall.items()},
        spread={k: v for t in tables for k, v in t.settings.spread.items()},
        unscored={k: v for t in tables for k, v in t.settings.unscored.items()},
        by=tuple(dict.fromkeys(name for t in tables for name in t.settings.by)),
        pairs=any(t.settings.pairs for t in tables),
        n_tests=sum(t.settings.n_tests for t in tables),
        refits=max(t.settings.refits for t in tables),
        ranges={k: v for t in tables for k, v in t.settings.ranges.items()},
        labels={k: v for t in tables for k, v in t.settings.labels.items()},
        machine=tuple(dict.fromkeys(name for t in tables for name in t.settings.machine)),
        outside=max(t.settings.outside for t in tables),
    )
    frame = pd.concat([t.frame for t in tables], ignore_index=True)
    return WeaknessTable(frame[~repeated_slices(frame)].reset_index(drop=True), settings)


def ranked(table: WeaknessTable) -> pd.DataFrame:
    """The rows of the table, weakest first, of marginal and pair slices in one list. The order is by verdict, then by
    how much worse than the overall mean the shrunken estimate is, in standard deviations of the metric, then by how
    much the observed one is."""
    frame, settings = table.frame, table.settings
    metrics = list(map(str, frame["metric"].to_numpy()))
    mean = np.array([settings.overall[metric].value for metric in metrics], dtype=np.float64)
    spread = np.array([settings.spread[metric] or np.nan for metric in metrics], dtype=np.float64)
    deviation = (mean - frame["shrunken"].to_numpy(dtype=np.float64)) / spread
    sign = signs(_directions(frame, settings))
    shortfall = np.where(sign == 0, np.abs(deviation), sign * deviation)
    # Where everything is shrunken to the mean, what was observed decides.
    difference = frame["difference"].to_numpy(dtype=np.float64) / spread
    observed = np.where(sign == 0, np.abs(difference), -sign * difference)
    urgency_of = {verdict: urgency(verdict) for verdict in frame["verdict"].unique()}
    urgencies = np.array([urgency_of[verdict] for verdict in frame["verdict"].to_numpy()], dtype=np.intp)
    keys = (np.where(np.isnan(key), -np.inf, np.round(key, 6)) for key in (observed, shortfall))
    order = np.lexsort((*(-key for key in keys), urgencies))
    return frame.iloc[order].reset_index(drop=True)


def _grouping(dimensions: pd.DataFrame, name: str) -> Grouping:
    """The levels that occur, in the order of the categories; of a column without categories, alphabetically."""
    return Grouping(name, *level_codes(dimensions[name]))


def _in_order(refits: Refitted | None, given: pd.Index, wanted: pd.Index) -> Refitted | None:
    """Refitted values in the order of the dimensions' rows; those without a value are never read."""
    if refits is None:
        return None
    if len(refits) != len(given):
        raise HcatError(f"refitted values have {len(refits)} columns for {len(given)} samples")
    return refits if given.equals(wanted) else refits.at(given.get_indexer(wanted))


def _dependence(n: int, test_cases: Sequence[str] | Codes | None, *, refitted: bool) -> Dependence | None:
    """The dependence of the values; None where each is of a test case of its own and no calibration made them."""
    cases = np.arange(n) if test_cases is None else _numbered(test_cases)
    if len(cases) != n:
        raise HcatError(f"{len(cases)} test cases were given for {n} samples")
    repeated = n > 0 and int(cases.max()) + 1 < n
    return Dependence(cases) if repeated or refitted else None


def _numbered(test_cases: Sequence[str] | Codes) -> Codes:
    names = np.asarray(test_cases)
    return np.unique(names if names.dtype.kind == "i" else names.astype(np.str_), return_inverse=True)[1]


def _overall(
    y: Floats,
    dependence: Dependence | None,
    refits: Refitted | None,
    *,
    level: float,
    within: tuple[float, float],
    design: Floats | None = None,
) -> Estimate:
    """The mean over all scored samples, with errors that account for the same as those of slices."""
    shared = 0.0
    if refits is not None and refits.count > 1 and len(refits):
        shared = float(refits.means(None if design is None else design[~np.isnan(y)]).var(ddof=1))
    cases = None if dependence is None else dependence.cases
    return mean_interval(y, weights=design, clusters=cases, level=level, within=within, made_with=shared)


def judged(frame: pd.DataFrame, settings: WeaknessSettings) -> WeaknessTable:
    """q-values within each family of tests (see `families`), and the verdict that follows from them. In a family,
    slices of the same samples are one test. Two families of a metric, each judged on one side by two-sided p, err as
    often as one; where both sides count, q counts twice."""
    frame = frame.assign(q=np.nan).astype({"q": "float64"})
    for rows in families(frame):
        frame.loc[rows, "q"] = np.minimum(1.0, q_values(frame.loc[rows]) / _share(frame.loc[rows], settings))
    directions = _directions(frame, settings)
    selected = worse(frame, directions, "q", settings.q)
    bounds = np.full((2, len(frame)), np.nan)
    for rows in families(frame):
        places = frame.index.get_indexer(rows)
        family = frame.iloc[places]
        share = selected_share(family, selected[places])
        bounds[:, places] = selected_bounds(family, selected[places], share=share, q=settings.q)
    limits = np.array(
        [settings.ranges.get(str(metric), (-math.inf, math.inf)) for metric in frame["metric"].to_numpy()]
    )
    limits = limits.reshape(-1, 2)
    with_verdict = frame.assign(
        verdict=verdicts(frame, directions, q=settings.q),
        selected_low=np.maximum(bounds[0], limits[:, 0]),
        selected_high=np.minimum(bounds[1], limits[:, 1]),
    )
    tested = sum(tests(frame.loc[rows]) for rows in families(frame))
    return WeaknessTable(with_verdict.astype(COLUMNS), dataclasses.replace(settings, n_tests=tested))


def _share(family: pd.DataFrame, settings: WeaknessSettings) -> float:
    """The part of the error that a family has: of a metric that neither direction makes worse, half of its share."""
    first = family.iloc[0]
    paired = isinstance(first["dimension_2"], str) and settings.pair_share is not None
    share = settings.share if not paired or settings.pair_share is None else settings.pair_share
    return share / 2 if settings.directions[str(first["metric"])] == "none" else share


def families(frame: pd.DataFrame) -> list[pd.Index]:
    """The rows that are tested together: those of one metric, levels and pairs of levels apart. So the q of a slice is
    the same whatever else is looked at (docs/decisions/0008)."""
    if not len(frame):
        return []
    return list(frame.groupby([frame["metric"], frame["dimension_2"].isna()], sort=False).groups.values())


def _directions(frame: pd.DataFrame, settings: WeaknessSettings) -> pd.Series[str]:
    """The better direction, one a row."""
    return frame["metric"].map(dict(settings.directions)).astype("str")
