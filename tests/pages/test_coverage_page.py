"""The Coverage page, and topics of a corpus on the Topics page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.records import test_case
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.settings import settings
from hcat.core.topics.choice import TopicChoice
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, shown

PASSAGES = tuple(
    CorpusPassage(f"{name}{k}", text.format(k), f"{name}.md")
    for name, text in (("fees", "A card fee of {} euros is charged."), ("lava", "The volcano erupted {} years ago."))
    for k in range(6)
)
CASES = (
    TestCase("a", "q1", passages=("fees0",), topic="x"),
    TestCase("b", "q2", passages=("fees1",), type="open"),
    TestCase("c", "q3", type="unanswerable"),
)


def with_corpus(app: AppTest) -> tuple[AppTest, Workspace, CorpusInfo]:
    """The page once there is a corpus."""
    workspace = Workspace.open(settings())
    corpus = workspace.corpora.add(PROJECT, "handbook", CorpusImport(PASSAGES))
    return app.run(), workspace, corpus


def file_of(cases: tuple[TestCase, ...]) -> list[tuple[str, bytes, str]]:
    return [("tests.jsonl", test_case.test_cases_jsonl(cases).encode(), "application/jsonl")]


def test_a_test_file_is_held_against_the_corpus(open_page: OpenPage) -> None:
    app, workspace, corpus = with_corpus(open_page("coverage", "unscored"))
    assert_sound(app)
    assert "Choose or upload" in shown(app)
    app.file_uploader[0].set_value(file_of(CASES)).run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "2 of 12 passages are tested" in text
    assert "they are facts, not estimates" in text
    assert "Find the topics of this corpus" in text
    workspace.corpus_topics.find(corpus, choice=TopicChoice("pca", "k-means", 2))
    app.run()
    assert_sound(app)
    assert "1 of 2 topics tested" in shown(app)
    statuses, topics, documents, declared, passages = (frame.value for frame in app.dataframe)
    assert statuses["Number"].tolist() == [2, 10]
    assert sorted(topics["Cases"]) == [0, 2] and documents["Status"].tolist() == ["not tested", "tested"]
    assert "type" in set(declared["Dimension"])
    assert len(passages) == 10 and set(passages["Status"]) == {"not tested"}
    app.button_group(key="coverage-status").set_value("tested").run()
    assert_sound(app)
    assert app.dataframe[4].value["Passage"].tolist() == ["fees0", "fees1"]


def test_a_stored_test_set_is_chosen(open_page: OpenPage) -> None:
    app, workspace, corpus = with_corpus(open_page("coverage", "unscored"))
    account = {"types": [{"type": "open", "asked": 2}], "untestable": {"lava0": "no fact"}}
    workspace.test_sets.add(PROJECT, "first", CASES, source="a test", corpus=corpus, account=account)
    app.run().selectbox(key="covering-tests").set_value("first, version 1").run()
    assert_sound(app)
    assert "1 can't be, each with its reason" in shown(app).replace("\\", "")


def test_topics_of_passages_are_named_on_the_topics_page(open_page: OpenPage) -> None:
    app, workspace, corpus = with_corpus(open_page("topics", "unscored"))
    workspace.corpus_topics.find(corpus, choice=TopicChoice("pca", "k-means", 2))
    app.button_group(key="source").set_value("corpus").run()
    assert_sound(app)
    assert "Each point is a passage" in shown(app)
    app.text_input(key="topic-name").set_value("Cards")
    next(button for button in app.button if button.label == "Rename the topic").click().run()
    assert_sound(app)
    found = workspace.corpus_topics.read(corpus)
    assert found is not None
    assert "Cards" in found.titles.values()
