"""The rows of a weakness table: a slice each, with its statistics and its comparison with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.arrays import Codes, Floats
from core.refusals.state import ANSWER_STATES
from core.weakness.against_rest import Comparison, against_rest
from core.weakness.bivariate import Interaction, bivariate
from core.weakness.dependence import Dependence
from core.weakness.marginal import Grouping, SliceStatistics, marginal
from core.weakness.membership import Partition

if TYPE_CHECKING:
    import pandas as pd

Columns = dict[str, Sequence[str | None] | Floats | Codes]
_SEED = 20_260_102
States = NDArray[np.str_] | None

COLUMNS = {
    "dimension_1": "str", "level_1": "str", "dimension_2": "str", "level_2": "str", "metric": "str", "n": "int64",
    "mean": "float64", "low": "float64", "high": "float64", "difference": "float64", "p": "float64", "q": "float64",
    "effect": "float64", "shrunken": "float64", "verdict": "str", "unscored": "int64", "interaction": "float64",
    "interaction_low": "float64", "interaction_high": "float64", "cases": "int64",
    **{str(state): "Int64" for state in ANSWER_STATES},
    "difference_low": "float64", "difference_high": "float64", "effect_low": "float64", "effect_high": "float64",
    "shrunken_low": "float64", "shrunken_high": "float64", "labels": "Int64", "basis": "str",
    "selected_low": "float64", "selected_high": "float64", "samples": "Int64", "label_pass_rate": "float64",
    "label_low": "float64", "label_high": "float64", "disagreement": "str",
}  # fmt: skip
"""Of the weakness file, with their types; those after the verdict came later."""


@dataclass(frozen=True, slots=True, eq=False)
class Slices:
    """Slices that share no sample: which they are (k,), that of each sample (N,), and their statistics."""

    dimensions: tuple[str, str | None]
    levels: tuple[tuple[str, str | None], ...]
    codes: Codes
    statistics: SliceStatistics
    interaction: Interaction


def marginal_slices(y: Floats, one: Grouping, dependence: Dependence | None, *, minimum_n: int, level: float) -> Slices:
    """The levels of one dimension."""
    statistics = marginal(y, one, minimum_n=minimum_n, level=level, dependence=dependence)
    unknown = np.full(len(one.levels), np.nan)
    levels = tuple((name, None) for name in one.levels)
    return Slices((one.name, None), levels, one.codes, statistics, Interaction(unknown, unknown, unknown))


def pair_slices(
    y: Floats, one: Grouping, two: Grouping, dependence: Dependence | None, *, minimum_n: int, level: float
) -> Slices:
    """The pairs of levels of two dimensions that occur."""
    cells = bivariate(y, one, two, minimum_n=minimum_n, level=level, dependence=dependence)
    pairs = np.array(cells.first, dtype=np.intp) * len(two.levels) + np.array(cells.second, dtype=np.intp)
    codes = np.searchsorted(pairs, one.codes * len(two.levels) + two.codes)
    levels = tuple((one.levels[i], two.levels[j]) for i, j in zip(cells.first, cells.second, strict=True))
    return Slices((one.name, two.name), levels, codes, cells.statistics, cells.interaction)


def slice_rows(
    y: Floats,
    slices: Sequence[Slices],
    dependence: Dependence | None,
    states: States,
    *,
    metric: str,
    level: float,
) -> pd.DataFrame:
    """All slices as one frame, compared with the rest together; q and verdict are not there yet."""
    import pandas as pd

    scored = ~np.isnan(y)
    partitions = [Partition(part.codes[scored], part.statistics.testable) for part in slices]
    cases = None if dependence is None else dependence.cases[scored]
    compared = against_rest(y[scored], partitions, cases=cases, level=level)
    parts = [_columns(part, comparison, states) for part, comparison in zip(slices, compared, strict=True)]
    # Put together column by column, since thousands of small frames take seconds.
    columns = {name: [value for part in parts for value in part[name]] for name in (parts[0] if parts else ())}
    size = sum(len(part["n"]) for part in parts)
    return pd.DataFrame({**columns, "metric": [metric] * size}, columns=list(COLUMNS)).astype(COLUMNS)


def _columns(part: Slices, comparison: Comparison, states: States) -> Columns:
    k, statistics = len(part.levels), part.statistics
    return {
        "dimension_1": [part.dimensions[0]] * k,
        "level_1": [first for first, _ in part.levels],
        "dimension_2": [part.dimensions[1]] * k,
        "level_2": [second for _, second in part.levels],
        "n": statistics.of.n,
        "mean": statistics.of.mean,
        "low": statistics.low,
        "high": statistics.high,
        "difference": comparison.difference,
        "difference_low": comparison.low,
        "difference_high": comparison.high,
        "p": comparison.p,
        "effect": comparison.effect,
        "effect_low": comparison.effect_low,
        "effect_high": comparison.effect_high,
        "shrunken": statistics.shrunken,
        "shrunken_low": statistics.shrunken_low,
        "shrunken_high": statistics.shrunken_high,
        "unscored": statistics.unscored.astype(np.float64),
        "interaction": part.interaction.value,
        "interaction_low": part.interaction.low,
        "interaction_high": part.interaction.high,
        "cases": statistics.cases.astype(np.float64),
        **dict.fromkeys(("labels", "label_pass_rate", "label_low", "label_high"), np.full(k, np.nan)),
        "basis": [""] * k,
        "samples": fingerprints(part.codes, slices=k),
        "disagreement": [""] * k,
        **_state_counts(states, part.codes, slices=k),
    }


def fingerprints(codes: Codes, *, slices: int) -> Codes:
    """A number for the set of samples in each slice: equal sets of one run have one number, others almost surely not.

    It is the sum, modulo 2⁶⁴, of a random number a sample; samples count by their place in the run.
    """
    of_sample = np.random.default_rng(_SEED).integers(np.iinfo(np.int64).max, size=len(codes))
    sums = np.zeros(slices, dtype=np.int64)
    np.add.at(sums, codes, of_sample)
    return sums


def _state_counts(states: States, codes: Codes, *, slices: int) -> dict[str, Floats]:
    """How many samples of each slice are in each state; NaN where states are not known."""
    if states is None:
        return {state: np.full(slices, np.nan) for state in ANSWER_STATES}
    return {state: np.bincount(codes[states == state], minlength=slices).astype(np.float64) for state in ANSWER_STATES}
