"""Intervals of slices that were picked because they look bad: wider, so that picking does not make them too narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats

if TYPE_CHECKING:
    import pandas as pd


def selected_bounds(frame: pd.DataFrame, selected: Bools, *, share: float, q: float) -> tuple[Floats, Floats]:
    """Interval of the mean of each selected slice at the level 1 − q · R / m; NaN elsewhere. `share` is R / m, the part
    of the tested slices that was selected. Of the intervals of all selected slices at most the share q is then expected
    to miss.

    The 95% interval is widened by the ratio of Student's quantiles, on each side. Where it ends at the limit of its
    range, no wider level was needed there. Source: Benjamini & Yekutieli 2005, procedure 1.
    """
    from scipy.special import stdtrit

    columns = np.full((2, len(frame)), np.nan)
    if selected.any():
        degrees = np.maximum(frame["cases"].to_numpy(dtype=np.float64)[selected] - 1, 1)
        wider = stdtrit(degrees, 1 - q * share / 2) / stdtrit(degrees, 0.975)
        mean, low, high = (frame[name].to_numpy(dtype=np.float64)[selected] for name in ("mean", "low", "high"))
        columns[:, selected] = mean - wider * (mean - low), mean + wider * (high - mean)
    return columns[0], columns[1]
