"""Topics of a run: a model, and the samples that its rows stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.topics.model import TopicModel


@dataclass(frozen=True, eq=False)
class RunTopics:
    """A topic model with the samples that its rows stand for. Samples without contexts are in none of the contexts'."""

    sample_ids: tuple[str, ...]
    model: TopicModel

    @cached_property
    def levels(self) -> Mapping[str, str | None]:
        """The topic of each sample by its id, as a level of a dimension."""
        return dict(zip(self.sample_ids, self.model.levels(), strict=True))
