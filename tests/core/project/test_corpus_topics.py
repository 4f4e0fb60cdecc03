"""Topics of a corpus: found, named, and found again in another version."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.errors import HcatError, NotFoundError
from hcat.core.records.passages import CorpusPassage
from hcat.core.storage.stores.item_rows import COUNTED
from hcat.core.topics.choice import TopicChoice
from hcat.core.workspace import Workspace

SUBJECTS = {
    "fees": ("The card fee is {} euros a year.", "A fee of {} euros is charged for the card."),
    "volcano": ("The volcano erupted {} years ago.", "Lava of the volcano flowed {} kilometres."),
}
TWO = TopicChoice("pca", "k-means", 2)


def passages(numbers: range) -> list[CorpusPassage]:
    texts = [(name, text.format(k)) for name, both in SUBJECTS.items() for text in both for k in numbers]
    return [CorpusPassage(f"{name}{k}", text, f"{name}.md") for k, (name, text) in enumerate(texts)]


def test_names_survive_another_search_in_another_version(workspace: Workspace) -> None:
    project = workspace.projects.create("p")
    topics, corpora = workspace.corpus_topics, workspace.corpora
    corpus = corpora.add(project, "handbook", CorpusImport(tuple(passages(range(8)))))
    assert topics.read(corpus) is None
    with pytest.raises(NotFoundError, match="find them first"):
        topics.rename(corpus, 0, "Fees")
    found = topics.find(corpus, choice=TWO)
    fees = next(topic.id for topic in found.model.topics if "fee" in topic.title)
    topics.rename(corpus, fees, "Cards and fees")
    with pytest.raises(HcatError, match="already"):
        topics.rename(corpus, 1 - fees, "Cards and fees")
    stored = topics.read(corpus)
    assert stored is not None
    assert stored.levels["fees0"] == "Cards and fees"

    newer = corpora.add_version(corpus, CorpusImport(tuple(passages(range(2, 12)))))
    again = topics.find(newer, choice=TWO)
    assert again.levels[again.passage_ids[0]] == "Cards and fees"
    assert sorted(again.names.values()) == ["Cards and fees"]
    assert topics.rename(newer, next(iter(again.names)), "").names == {}
    assert topics.latest(corpus).names == {fees: "Cards and fees"}  # type: ignore[union-attr]


def test_passages_that_cannot_be_tested_are_in_no_topic(workspace: Workspace) -> None:
    project = workspace.projects.create("p")
    short = [CorpusPassage(f"area{k}", f"Area: cards {k}", "areas.md") for k in range(5)]
    corpus = workspace.corpora.add(project, "c", CorpusImport((*passages(range(4)), *short)))
    found = workspace.corpus_topics.find(corpus, choice=TWO)
    assert set(found.levels) == {passage.id for passage in passages(range(4))}
    lines = workspace.corpora.add(project, "lines", CorpusImport(tuple(short)))
    with pytest.raises(HcatError, match="no passage of 5 words or more"):
        workspace.corpus_topics.find(lines, choice=TWO)


def test_topics_go_with_their_corpus(workspace: Workspace) -> None:
    assert "corpus_topics" in COUNTED
    project = workspace.projects.create("p")
    corpus = workspace.corpora.add(project, "c", CorpusImport(tuple(passages(range(2)))))
    workspace.corpus_topics.find(corpus, choice=TWO)
    item = workspace.housekeeping.get("corpus", "c", project=project)
    assert "topics of corpora" in workspace.housekeeping.contents(item).gone
