"""The strata that a run's samples are drawn from for labelling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError
from hcat.core.project.runs import Runs
from hcat.core.project.topics import Topics
from hcat.core.records.project import RunInfo

if TYPE_CHECKING:
    pass


UNKNOWN_LEVEL = "(none)"


@dataclass(frozen=True)
class Slices:
    """Each sample by its levels of the dimensions."""

    runs: Runs
    topics: Topics

    def strata(self, run: RunInfo, dimension: str) -> dict[str, str]:
        """The stratum of each sample: its level of the dimension, or its topic. HcatError for an unknown dimension."""
        columns = self.runs.columns(run)
        names = set(columns.dimension_names())
        if dimension == "topic" and "topic" not in names:
            return self._topic_strata(run)
        if dimension not in names:
            raise HcatError(
                f"run {run.name!r} has no dimension {dimension!r}: choose one of {', '.join(sorted(names | {'topic'}))}"
            )
        levels = columns.dimension(dimension).texts()
        return {
            name: UNKNOWN_LEVEL if level is None else level for name, level in zip(columns.ids(), levels, strict=True)
        }

    def _topic_strata(self, run: RunInfo) -> dict[str, str]:
        topics = self.topics.read(run)
        if topics is None:
            raise HcatError("topics were not found in this run yet: find them first, or stratify by another dimension")
        return dict(zip(topics.sample_ids, topics.model.levels(noise="nearest"), strict=True))
