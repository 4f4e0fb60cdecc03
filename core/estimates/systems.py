"""Several systems side by side: each alone, and each two compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.estimates.paired_difference import DIFFERENCE_LAYOUT, DifferenceEstimates
from hcat.core.estimates.prediction_powered import PASS_RATE, PassRateEstimates
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Inline, Key
from hcat.core.scoring.score_table import MetricSummary


@dataclass(frozen=True, slots=True)
class SystemEstimates:
    """One of several runs side by side: its `n` samples, its pass rate, and the mean of each metric."""

    run: str
    n: int
    rates: PassRateEstimates
    metrics: Mapping[str, MetricSummary]


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """The pass rate of `second` less that of `first`. `p_holm` is adjusted over all pairs of the runs (Holm 1979)."""

    first: str
    second: str
    found: DifferenceEstimates
    p_holm: float


DOCUMENT = Codec(
    {
        SystemEstimates: ("run", "n", Inline("rates"), "metrics"),
        SystemDifference: (Key("a", "first"), Key("b", "second"), Inline("found"), "p_holm"),
        PassRateEstimates: PASS_RATE,
        DifferenceEstimates: DIFFERENCE_LAYOUT,
    }
)
