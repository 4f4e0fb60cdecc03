"""Opinions are signed and kept; reports are numbered, kept, and given again where nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.capabilities.report.evidence.records import Blindness
from hcat.core.capabilities.report.opinion import read_opinion, stated_opinion
from hcat.core.capabilities.report.template import read_template
from hcat.core.errors import HcatError, NotFoundError
from hcat.core.labelling.label_details import LabelDetails
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.view.tree import Callout, Quantity, Report, Table
from hcat.core.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    chosen = Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    with Workspace.open(chosen, actor="test") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    made = workspace.projects.create("bank")
    samples = [Sample(f"q{k}", f"What is fee {k}?", f"fee {k}") for k in range(12)]
    for name in ("v1", "v2"):
        workspace.runs.add(made, name, samples, source="x")
    return made


def versions_shown(report: Report) -> list[tuple[object, ...]]:
    [section] = [section for section in report.sections if section.id == "changes"]
    [table] = [b for b in section.blocks if isinstance(b, Table) and b.title == "Versions of this report"]
    return [tuple(row) for row in table.rows]


def test_the_same_content_keeps_its_number(workspace: Workspace, project: ProjectInfo) -> None:
    first = workspace.reports.build(project, author="lee")
    again = workspace.reports.build(project, author="lee")
    assert report_hash(first) == report_hash(again)
    assert first.facts["Version"] == "1"
    assert len(workspace.reports.versions(project)) == 1


def test_each_change_is_a_version_with_its_note(workspace: Workspace, project: ProjectInfo) -> None:
    first = workspace.reports.build(project, author="lee")
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.add(project, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label("q1", "correctness", 0, "ann")])
    workspace.opinions.state(project, stated_opinion("not fit", author="lee", reasons="q1 is wrong."))
    second = workspace.reports.build(project, author="lee", note="first label")
    [old, new] = versions_shown(second)
    assert (old[0], old[3], old[5], old[-1]) == (1, None, 0, report_hash(first)[:16])
    assert (new[0], new[3], new[5], new[7], new[-1]) == (2, "not fit", 1, "first label", None)
    stored = workspace.reports.versions(project)[1]
    assert workspace.reports.read(stored) == second
    assert stored.hash == report_hash(second)


def changed(report: Report) -> list[tuple[object, ...]]:
    [section] = [section for section in report.sections if section.id == "changes"]
    tables = [block for block in section.blocks if isinstance(block, Table) and block.title.startswith("Changed in")]
    return [(table.title.removeprefix("Changed in: "), *row) for table in tables for row in table.rows]


def test_numbers_are_compared_with_those_of_the_last_report(workspace: Workspace, project: ProjectInfo) -> None:
    first = workspace.reports.build(project, author="lee")
    assert changed(first) == []
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.add(project, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label(f"q{k}", "correctness", 1, "ann") for k in range(3)])
    workspace.reports.build(project, author="lee")
    workspace.labels.add(run, criterion, [Label("q3", "correctness", 0, "ann")])
    third = workspace.reports.build(project, author="lee")
    [(chapter, _, before, now)] = [row for row in changed(third) if row[1] == "Labels: v1, correctness, people: Labels"]
    assert (chapter, before, now) == ("Human judgement", Quantity(3, "count"), Quantity(4, "count"))
    assert {row[0] for row in changed(third)} >= {"Human judgement", "Comparison of runs"}
    workspace.reports.build(project, author="lee")
    assert len(workspace.reports.versions(project)) == 3


def test_blindness_of_labels_is_counted(workspace: Workspace, project: ProjectInfo) -> None:
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.add(project, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label("q1", "correctness", 1, "ann")])
    workspace.annotators.unblind(run, criterion, ["q2"], annotator="ann")
    for sample in ("q2", "q3"):
        workspace.labels.record(run, criterion, sample, 1, annotator="ann", details=LabelDetails(blind=True))
    [labels] = workspace.reports.evidence(project).labels
    assert labels.blindness == Blindness(blind=1, not_blind=1, unknown=1)


def test_a_template_is_part_of_the_content(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.reports.build(project, author="lee")
    own = read_template("title: Of the bank\nframeworks: [nist-ai-rmf]\nchapters: [limitations, frameworks]\n")
    second = workspace.reports.build(project, author="lee", template=own)
    assert (second.title, [section.id for section in second.sections]) == ("Of the bank", ["limitations", "frameworks"])
    assert len(workspace.reports.versions(project)) == 2


def test_runs_and_chapters_are_chosen_and_what_is_left_out_is_said(workspace: Workspace, project: ProjectInfo) -> None:
    report = workspace.reports.build(project, runs=["v2"], chapters=["summary", "scope"])
    assert [section.id for section in report.sections] == ["summary", "scope"]
    assert report.facts["Runs"] == "v2"
    assert report.facts["Questions"] == report.facts["Samples"] == "12"
    assert report.facts["Chapters left out"].startswith("System and data, Test design and coverage, Metrics")
    texts = [block.text for block in report.sections[1].blocks if hasattr(block, "text")]
    assert ("Runs of the project that this report leaves out, by choice: v1.",) in texts
    with pytest.raises(HcatError, match="no chapter 'weather'"):
        workspace.reports.build(project, chapters=["weather"])
    with pytest.raises(NotFoundError, match="no run 'v9'"):
        workspace.reports.build(project, runs=["v9"])


def test_an_opinion_stands_on_the_first_page_and_its_history_is_kept(
    workspace: Workspace, project: ProjectInfo
) -> None:
    def first_title() -> str:
        callouts = [
            block for block in workspace.reports.build(project).sections[0].blocks if isinstance(block, Callout)
        ]
        return callouts[0].title

    assert first_title() == "No opinion is stated"
    conditions = ("Fees are checked by hand.",)
    opinion = stated_opinion("fit with conditions", author="lee", reasons="Good but for fees.", conditions=conditions)
    kept = workspace.opinions.state(project, opinion)
    assert (kept.version, kept.author, kept.conditions) == (1, "lee", conditions)
    assert workspace.opinions.state(project, opinion) == kept  # the same again is no new opinion
    assert first_title() == "Opinion: fit with conditions"
    workspace.opinions.state(project, stated_opinion("not fit", author="kim", reasons="Fees."))
    assert [(one.version, one.author) for one in workspace.opinions.all(project)] == [(2, "kim"), (1, "lee")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rating = "good"\nauthor = "lee"', "no rating 'good'"),
        ('rating = "not fit"\nreasons = "x"', "carries a name"),
        ('rating = "not fit"\nauthor = "lee"', "needs its reasons"),
        ('rating = "fit with conditions"\nauthor = "lee"\nreasons = "x"', "at least one condition"),
        ('rating = "not fit"\nauthor = "lee"\nreasons = "x"\nconditions = ["y"]', "takes no conditions"),
        ('rating = "no opinion"\nauthor = "lee"\nmood = "x"', "no 'mood'"),
        ('rating = "no opinion"\nauthor = "lee"\nconditions = "x"', "a list of texts"),
        ('rating = 3\nauthor = "lee"', "rating must be a text"),
        ("rating =", "neither TOML nor"),
    ],
)
def test_an_opinion_that_says_too_little_or_too_much_is_refused(text: str, message: str) -> None:
    with pytest.raises(HcatError, match=message):
        read_opinion(text, filename="opinion.toml")


def test_an_opinion_is_read_from_toml_and_json() -> None:
    toml = 'rating = "fit with conditions"\nauthor = "lee"\nreasons = """\nGood.\n"""\nconditions = ["Check fees."]'
    json = '{"rating": "fit with conditions", "author": "lee", "reasons": "Good.", "conditions": ["Check fees."]}'
    assert read_opinion(toml, filename="o.toml") == read_opinion(json, filename="o.json")
