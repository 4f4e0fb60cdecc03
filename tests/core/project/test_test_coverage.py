"""What tests cover of a project's corpora: the same numbers for a test set and for the run that asked it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.capabilities.coverage.chapter import NO_CORPUS
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import RunInfo
from hcat.core.records.test_case import TestCase, as_sample, cases_of
from hcat.core.records.test_set import TestSetInfo
from hcat.core.topics.choice import TopicChoice
from hcat.core.types import JsonValue, Sample, Variant
from hcat.core.view.tree import Block, Bullets, Paragraph, Report, Table
from hcat.core.workspace import Workspace

PASSAGES = tuple(
    CorpusPassage(f"{name}{k}", text.format(k), f"{name}.md")
    for name, text in (("fees", "A card fee of {} euros is charged."), ("lava", "The volcano erupted {} years ago."))
    for k in range(6)
)
CASES = (
    TestCase("a", "What is the fee?", "0 euros", ("fees0",), topic="cards", difficulty="easy"),
    TestCase("b", "Are 1 and 2 fees?", "Yes", ("fees1", "fees2"), type="yes/no", topic="cards"),
    TestCase("c", "Who erupted?", None, type="unanswerable", topic="volcano", dimensions={"document": "lava.md"}),
    TestCase("d", "What iz the fee?", "0 euros", ("fees0",), topic="cards", variant=Variant("spelling", "a")),
)
ACCOUNT: dict[str, JsonValue] = {
    "types": [{"type": "simple factual", "asked": 2}, {"type": "yes/no", "asked": 2}],
    "untestable": {"lava0": "tried, and no case was accepted"},
}


@pytest.fixture
def test_set(workspace: Workspace) -> TestSetInfo:
    workspace.projects.create("bank")
    other = tuple(CorpusPassage(f"x{k}", "Something about another bank.", "x.md") for k in range(3))
    workspace.corpora.add("bank", "other", CorpusImport(other))
    corpus = workspace.corpora.add("bank", "handbook", CorpusImport(PASSAGES))
    workspace.corpus_topics.find(corpus, choice=TopicChoice("pca", "k-means", 2))
    return workspace.test_sets.add("bank", "fees", CASES, source="a test", corpus=corpus, account=ACCOUNT)


def answers(cases: tuple[TestCase, ...]) -> list[Sample]:
    """Two trials of each case; the second case is never answered."""
    return [
        replace(as_sample(case), id=f"{case.id}#{trial}", trial=trial, answer=None if case.id == "b" else "It is.")
        for case in cases
        for trial in range(2)
    ]


def collected(workspace: Workspace, test_set: TestSetInfo, cases: tuple[TestCase, ...] = CASES) -> RunInfo:
    source = f"test set {test_set.name}, version {test_set.version}, SHA-256 {test_set.content_hash[:12]}"
    return workspace.runs.add("bank", f"v{len(cases)}", answers(cases), source=source)


def test_a_run_tells_the_cases_that_it_asked() -> None:
    def told(case: TestCase) -> tuple[object, ...]:
        return case.id, case.passages, case.topic, case.type, case.difficulty, case.variant

    assert list(map(told, cases_of(answers(CASES)))) == list(map(told, CASES))
    assert cases_of([Sample("a", "Why?", "So.", relevant_ids={"fees0": 1})]) == ()


def test_the_run_covers_what_its_test_set_does(workspace: Workspace, test_set: TestSetInfo) -> None:
    run = collected(workspace, test_set)
    covered = workspace.coverage.of_run(run, answers(CASES))
    assert covered is not None
    corpus = next(each for each in workspace.corpora.all("bank") if each.name == "handbook")
    assert covered.coverage == workspace.coverage.of_test_set(test_set, corpus)
    assert (covered.corpus.name, covered.corpus.version, covered.corpus.newest) == ("handbook", 1, 1)
    assert (covered.test_set, covered.of_cases, covered.unanswered) == ("test set fees, version 1", 4, 1)
    counts = {status: covered.coverage.count(status) for status in ("tested", "not tested", "untestable")}
    assert counts == {"tested": 3, "not tested": 8, "untestable": 1}


def test_the_version_that_the_tests_were_made_from_is_attested(workspace: Workspace, test_set: TestSetInfo) -> None:
    corpus = workspace.corpora.versions("bank", "handbook")[0]
    workspace.corpora.add_version(corpus, CorpusImport(PASSAGES[1:]))
    covered = workspace.coverage.of_run(collected(workspace, test_set), answers(CASES))
    assert covered is not None
    assert (covered.corpus.version, covered.corpus.newest, covered.corpus.passages) == (1, 2, 12)


def test_other_cases_are_held_against_the_corpus_of_their_passages(workspace: Workspace, test_set: TestSetInfo) -> None:
    run = workspace.runs.add("bank", "mine", answers(CASES), source="mine.jsonl")
    covered = workspace.coverage.of_run(run, answers(CASES))
    assert covered is not None
    assert (covered.corpus.name, covered.test_set, covered.coverage.count("tested")) == ("handbook", "", 3)
    assert {row.declared for row in covered.coverage.distributions} == {None}
    foreign = (TestCase("a", "Why?", "So.", ("nowhere",)),)
    assert workspace.coverage.of_run(run, answers(foreign)) is None


def blocks_of(report: Report, section: str) -> tuple[Block, ...]:
    return next(each for each in report.sections if each.id == section).blocks


def table(report: Report, section: str, title: str) -> list[tuple[object, ...]]:
    found = (block for block in blocks_of(report, section) if isinstance(block, Table) and block.title == title)
    return [tuple(row) for row in next(found).rows]


def test_the_report_attests_coverage_and_names_its_corpora(workspace: Workspace, test_set: TestSetInfo) -> None:
    collected(workspace, test_set, CASES[:3])
    project = workspace.projects.get("bank")
    report = workspace.reports.build(project)
    corpus = workspace.corpora.versions(project, "handbook")[0]
    assert table(report, "data", "Corpora") == [("handbook", 1, 2, 12, corpus.content_hash)]
    texts = " ".join(str(block) for block in blocks_of(report, "coverage") if isinstance(block, Paragraph | Bullets))
    assert "Run v3 asked 3 of the 4 test cases of test set fees, version 1; the corpus is handbook, version 1." in texts
    assert "Cases that the system failed to answer: 1;" in texts
    assert "With 3 test cases, 3 of 12 passages are tested, which is 27.3% of the 11 that can be tested" in texts
    assert table(report, "coverage", "Passages by status") == [
        ("tested", 3, 3 / 12, None),
        ("not tested", 8, 8 / 12, None),
        ("untestable", 1, 1 / 12, "tried, and no case was accepted"),
    ]
    documents = table(report, "coverage", "Documents, the least tested first")
    assert documents == [("lava.md", 6, 0, 0.0, 1, 0, "not tested"), ("fees.md", 6, 3, 0.5, 0, 2, "tested")]
    assert len(table(report, "coverage", "Topics, the least tested first")) == 2
    declared = table(report, "coverage", "Declared and realised cases")
    assert ("type", "yes/no", 2.0, 1, -1.0) in declared
    assert ("type", "unanswerable", 0.0, 1, 1.0) in declared
    assert ("difficulty", "easy", None, 1, None) in declared
    missed = table(report, "coverage", "Passages without a test case")
    assert [row[0] for row in missed] == ["fees3", "fees4", "fees5", *(f"lava{k}" for k in range(6))]


def test_a_project_without_a_corpus_says_so(workspace: Workspace) -> None:
    project = workspace.projects.create("plain")
    workspace.runs.add(project, "v1", answers(CASES), source="x")
    [section] = [each for each in workspace.reports.build(project).sections if each.id == "coverage"]
    assert Paragraph((NO_CORPUS,)) in section.blocks
