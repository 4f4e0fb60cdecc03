"""Key terms and titles of topics that nothing but erased texts holds, and their replacements."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import sample_files
from hcat.core.project.topics import read_stored, texts_of
from hcat.core.records.project import RunInfo, TopicsInfo
from hcat.core.topics.model import described_anew
from hcat.core.topics.run_topics import RunTopics, lost_terms

IN_REPORTS = 8
"""The number of key terms of a topic in one cell of a report."""


@dataclass(frozen=True, slots=True)
class ChangedTopics:
    """Topics of one search, with what was said of them in words that are lost by now, and what is said instead."""

    stored: TopicsInfo
    topics: RunTopics
    names: dict[str, str]


def changed_topics(store: OpenStore, run: RunInfo, erased: Collection[str]) -> Iterator[ChangedTopics]:
    """Topic searches of the run with key terms in no text but those of samples that are or were erased. Their topics
    get new key terms and titles."""
    for stored in store.results.topics(run.id):
        topics = read_stored(store, stored)
        lost = lost_terms(topics, _texts(store, run, stored.source, erased))
        if lost:
            left = dict(_texts(store, run, stored.source, erased))
            model = described_anew(topics.model, [left.get(name, "") for name in topics.sample_ids], lost)
            changed = RunTopics(topics.sample_ids, model)
            yield ChangedTopics(stored, changed, _names(topics, changed))


def _texts(store: OpenStore, run: RunInfo, source: str, erased: Collection[str]) -> Iterator[tuple[str, str]]:
    for sample in sample_files(store, run).each(run.artifact):
        if sample.id not in erased and (texts := texts_of(sample, source)):
            yield sample.id, "\n".join(texts)


def _names(before: RunTopics, after: RunTopics) -> dict[str, str]:
    names: dict[str, str] = {}
    for old, new in zip(before.model.topics, after.model.topics, strict=True):
        if old != new:
            cells = [", ".join(term.text for term in topic.terms[:IN_REPORTS]) for topic in (old, new)]
            names |= {cells[0]: cells[1], old.title: new.title}
    return names
