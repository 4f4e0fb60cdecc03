"""The weakness table, with permutation tests, against Welch's t of the same slices by SciPy, one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.slices.table import find_weaknesses

SAMPLES, DIMENSIONS, LEVELS = 1_000, 8, 5


def rows(pairs: int) -> Iterator[Measured]:
    """All dimensions and pairs of a thousand zero-inflated scores."""
    from scipy import stats

    rng = np.random.default_rng(9)
    levels = np.array([f"level {k}" for k in range(LEVELS)])
    dimensions = pd.DataFrame({f"d{k}": levels[rng.integers(0, LEVELS, SAMPLES)] for k in range(DIMENSIONS)})
    values = pd.Series(np.where(rng.random(SAMPLES) < 0.8, 0.0, rng.beta(2, 2, SAMPLES)))
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", pairs=True).frame
    tested = table[table["p"].notna()]
    y = values.to_numpy()

    def ours() -> None:
        find_weaknesses(dimensions, values, metric="m", direction="higher", pairs=True)

    def welch() -> None:
        for row in tested.itertuples():
            inside = (dimensions[row.dimension_1] == row.level_1).to_numpy()
            if isinstance(row.dimension_2, str):
                inside = inside & (dimensions[row.dimension_2] == row.level_2).to_numpy()
            stats.ttest_ind(y[inside], y[~inside], equal_var=False)

    ratio = interleaved(ours, welch, pairs=pairs)
    name = f"{SAMPLES:,} samples, {len(tested)} slices"
    yield Measured("weakness", name, "permutation table / Welch one by one", ratio, at_most=1.0)
