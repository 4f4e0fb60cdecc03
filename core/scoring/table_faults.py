"""Faults of scores that were read from a file: an id twice, a score that is not finite, a missing reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def table_fault(frame: pd.DataFrame, metrics: Sequence[str], *, reason_suffix: str) -> str | None:
    """The first fault of scores under their sample ids, in words; None if there is none."""
    ids = frame.index.to_numpy(dtype=object).tolist()
    if not (all(ids) and set(map(type, ids)) <= {str}):
        return "a sample has no id"
    double = frame.index[frame.index.duplicated()]
    if len(double):
        return f"it has the sample {double[0]!r} twice"
    return next((fault for name in metrics if (fault := _of_metric(frame, name, name + reason_suffix))), None)


def _of_metric(frame: pd.DataFrame, name: str, reason: str) -> str | None:
    values = frame[name].to_numpy(dtype=np.float64)
    if np.isinf(values).any():
        return f"a score of {name} is infinite"
    without = np.isnan(values)
    if without.any() and (reason not in frame or frame[reason][without].isna().any()):
        return f"a sample has neither a score of {name} nor a reason"
    return None
