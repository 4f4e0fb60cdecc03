"""Corrected pass rates of parts of a run: one for each level of a dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.prediction_powered import PASS_RATE, PassRateEstimates, estimate_pass_rate
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, Inline, JsonObject

MINIMUM_N = 10
INSUFFICIENT = "insufficient evidence"


@dataclass(frozen=True, slots=True)
class SliceEstimate:
    """The pass rate of one level. `enough` says whether it has the labels that an estimate takes: on `minimum_n`
    samples, or clusters where these have several samples."""

    level: str
    estimates: PassRateEstimates
    enough: bool

    @property
    def status(self) -> str:
        """Whether there is an estimate, in the words of the documents."""
        return "estimated" if self.enough else INSUFFICIENT

    def document(self) -> JsonObject:
        """The parts of a row of `hcat estimate --by --json`."""
        return _DOCUMENT.write_object(self)


_DOCUMENT = Codec(
    {SliceEstimate: ("level", Also("status", "status"), Inline("estimates")), PassRateEstimates: PASS_RATE}
)


def estimate_slices(
    run: LabelledRun, levels: Sequence[str], *, minimum_n: int = MINIMUM_N, level: float = 0.95, note: str = ""
) -> tuple[SliceEstimate, ...]:
    """The pass rate at each level, in the order of their first sample; `levels` (N,) names that of each sample.

    Each slice is a domain of the run: its own samples, labels, weights and λ, with the predictions of the whole run's
    maps, whose bias in the slice its own labels take away. Intervals hold one by one, not all at once.
    Source: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, chapter 10.
    """
    if len(levels) != len(run.passed):
        raise HcatError(f"slices need a level for each of the {len(run.passed)} samples, not {len(levels)}")
    names = np.asarray(levels, dtype=np.str_)
    domains = {name: run.part(names == name) for name in dict.fromkeys(levels)}
    return tuple(
        SliceEstimate(
            name,
            estimate_pass_rate(domain, level=level, note=note),
            enough=len(np.unique(domain.keys[domain.labelled])) >= minimum_n,
        )
        for name, domain in domains.items()
    )
