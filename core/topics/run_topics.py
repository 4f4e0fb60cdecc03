"""Topics of a run: a model, and the samples of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hcat.core.records.samples.by_sample import LevelBySample, SampleOrder
from hcat.core.topics.cluster import NOISE
from hcat.core.topics.describe import terms_of
from hcat.core.topics.model import TopicModel

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class RunTopics:
    """A topic model with the samples of its rows. Samples without contexts are in none of the contexts'."""

    sample_ids: tuple[str, ...]
    model: TopicModel

    @cached_property
    def levels(self) -> Mapping[str, str | None]:
        """The topic of each sample by its id, as a level of a dimension."""
        return LevelBySample(SampleOrder(self.sample_ids), self.model.level_codes())


def lost_terms(topics: RunTopics, texts: Iterable[tuple[str, str]]) -> set[int]:
    """The topics with a key term that none of their texts contains; each text with the id of its sample.

    Only as many texts are read as are needed to find every term."""
    sought = {topic.id: {term.text for term in topic.terms} for topic in topics.model.topics if topic.terms}
    topic_of = dict(zip(topics.sample_ids, topics.model.assignment.tolist(), strict=True))
    for sample_id, text in texts:
        if not sought:
            break
        number = topic_of.get(sample_id, NOISE)
        if number in sought:
            sought[number].difference_update(terms_of(text))
            if not sought[number]:
                del sought[number]
    return set(sought)


def topics_table(topics: RunTopics) -> pa.Table:
    """One row a sample, and the description of the model in the metadata `hcat`."""
    import pyarrow as pa

    frame = topics.model.to_frame()
    frame.insert(0, "sample_id", list(topics.sample_ids))
    table = pa.Table.from_pandas(frame, preserve_index=False)
    return table.replace_schema_metadata({"hcat": json.dumps(topics.model.metadata(), sort_keys=True)})


def read_topics(table: pa.Table) -> RunTopics | None:
    """The inverse of `topics_table`; None if the table has no topics."""
    metadata = (table.schema.metadata or {}).get(b"hcat")
    if metadata is None:
        return None
    ids = tuple(map(str, table["sample_id"].to_pylist()))
    frame = table.drop_columns(["sample_id"]).to_pandas()
    return RunTopics(ids, TopicModel.from_frame(frame, json.loads(metadata)))
