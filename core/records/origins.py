"""Test cases to make variants of, from the samples of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import QueryType, TestCase
from hcat.core.types import Sample

_TYPES: dict[str, QueryType] = {name: name for name in get_args(QueryType)}


def as_test_case(sample: Sample) -> TestCase:
    """The test case that a sample answers, as far as the sample records it."""
    dimensions = dict(sample.dimensions)
    query_type = _TYPES.get(dimensions.get("query_type", ""))
    if query_type is not None:
        del dimensions["query_type"]
    return TestCase(
        id=sample.test_case or sample.id,
        query=sample.query,
        reference=sample.reference,
        passages=tuple(sample.relevant_ids),
        grades=dict(sample.relevant_ids),
        topic=dimensions.pop("topic", None),
        type=query_type or "open",
        dimensions=dimensions,
        group=sample.group,
        variant=sample.variant,
        metadata=sample.metadata,
    )


def passages_of(samples: Iterable[Sample]) -> tuple[CorpusPassage, ...]:
    """The contexts of a run, each once, as passages of a corpus."""
    contexts = {context.id: context.text for sample in samples for context in sample.contexts}
    return tuple(CorpusPassage(name, text, document=name, end=len(text)) for name, text in contexts.items())
