"""The contribution of each metric to each sample's probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from hcat.core.arrays import Floats
from hcat.core.calibration.maps.design_matrix import row_sums
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.errors import HcatError

if TYPE_CHECKING:
    import pandas as pd


@runtime_checkable
class AdditiveMap(Protocol):
    """A map whose log-odds of a pass are a baseline plus a contribution of each metric, (n, metrics)."""

    @property
    def baseline(self) -> float: ...
    def contributions(self, X: ArrayLike) -> Floats: ...


def contribution_table(fitted: ProbabilityMap, X: Floats, sample_ids: Sequence[str]) -> pd.DataFrame:
    """One row a sample: sample_id, baseline, one column a metric, log_odds, which is their sum.

    NaN if the sample is unscored. HcatError for a map without contributions of single metrics."""
    import pandas as pd

    if not isinstance(fitted, AdditiveMap):
        raise HcatError(
            "this method's probability of a pass does not come apart into what each metric adds: "
            "choose combined, ordinal, logistic or xgboost"
        )
    terms = fitted.contributions(X)
    total = row_sums(fitted.baseline, terms)
    terms = np.where(np.isnan(total)[:, None], np.nan, terms)
    return pd.DataFrame(
        {
            "sample_id": pd.Series(sample_ids, dtype="str"),
            "baseline": np.where(np.isnan(total), np.nan, fitted.baseline),
            **dict(zip(fitted.metrics, terms.T, strict=True)),
            "log_odds": total,
        }
    )
