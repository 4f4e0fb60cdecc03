"""The rows of a weakness table, each written once from what is estimated of a slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Codes, Floats
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.cells.counts import CellCounts
from hcat.core.slices.estimators.protocol import Estimates

if TYPE_CHECKING:
    import pandas as pd

Columns = Mapping[str, Sequence[str | None] | Floats | Codes]

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
"""Columns of the weakness file, with their types; those after the verdict came later."""


def as_frame(parts: Sequence[Estimates], *, metric: str) -> pd.DataFrame:
    """Slices as rows of a table, but for what is judged of many rows together."""
    import pandas as pd

    # Put together column by column, since thousands of small frames take seconds.
    columns = [_columns(part) for part in parts]
    joined = {name: _joined([part[name] for part in columns]) for name in (columns[0] if columns else ())}
    size = sum(len(part["n"]) for part in columns)
    return pd.DataFrame({**joined, "metric": [metric] * size}, columns=list(COLUMNS)).astype(COLUMNS)


def _joined(parts: Sequence[Sequence[str | None] | Floats | Codes]) -> Sequence[str | float | None] | Floats:
    arrays = [np.asarray(part) for part in parts if isinstance(part, np.ndarray)]
    return np.concatenate(arrays) if len(arrays) == len(parts) else [value for part in parts for value in part]


def _columns(part: Estimates) -> Columns:
    levels, statistics, comparison = part.cells.levels, part.statistics, part.comparison
    k, dimensions, counts = len(levels), part.cells.dimensions, part.cells.counts
    return {
        "dimension_1": [dimensions[0]] * k,
        "level_1": [first for first, _ in levels],
        "dimension_2": [dimensions[1]] * k,
        "level_2": [second for _, second in levels],
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
        **dict.fromkeys(("label_pass_rate", "label_low", "label_high"), np.full(k, np.nan)),
        "labels": part.labels,
        "basis": part.basis,
        "samples": counts.samples,
        "disagreement": [""] * k,
        **_state_counts(counts),
    }


def _state_counts(counts: CellCounts) -> dict[str, Floats]:
    """Numbers of samples of each slice in each state; NaN where states are not known."""
    if counts.states is None:
        return {state: np.full(len(counts.n), np.nan) for state in ANSWER_STATES}
    return dict(zip(ANSWER_STATES, counts.states.astype(np.float64), strict=True))
