"""The progress of all the work of scoring, over stages that each process all samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hcat.core.types import Progress

SCORE = "score"
COSTS: Mapping[str, float] = {
    "match": 3.0,
    "encode": 2.0,
    "verify": 12.0,
    "name the model": 0.0,
    "ask": 30.0,
    SCORE: 2.0,
}
"""The approximate relative cost of a sample in each stage: they affect the progress bar, and no result."""
OTHER_COST = 5.0


@dataclass
class OverallProgress:
    """Adds to each step of progress the share of the whole work that is done. The share never decreases."""

    stages: Sequence[str]
    tell: Callable[[Progress], None]
    _shares: dict[str, float] = field(default_factory=dict)

    def __call__(self, progress: Progress) -> None:
        """Report the progress of the stage and the whole."""
        share = progress.done / progress.total if progress.total else 1.0
        # A scored sample has been through all stages, also those that found all their work in the cache.
        reached = self.stages if progress.stage == SCORE else (progress.stage,)
        for stage in reached:
            self._shares[stage] = max(share, self._shares.get(stage, 0.0))
        self.tell(replace(progress, share=self._whole()))

    def _whole(self) -> float:
        stages = dict.fromkeys((*self.stages, *self._shares))
        costs = {stage: COSTS.get(stage, OTHER_COST) for stage in stages}
        return sum(costs[stage] * self._shares.get(stage, 0.0) for stage in stages) / sum(costs.values())
