"""A report is signed by two people, on what it rests on: on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from hcat.core.errors import ConflictError, HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import Opinion, ReportVersion
from hcat.core.records.sign_off import SignOff, basis_changes, is_same_person
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.view.renderers.json_tree import read_report, render_json, report_hash
from hcat.core.view.renderers.render import render
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_url
from tests.core.storage.made_stores import MadeStores

__all__ = ["database_url"]


@pytest.fixture
def workspace(
    database_url: str, tmp_path: Path, made_stores: MadeStores, request: pytest.FixtureRequest
) -> Iterator[Workspace]:
    """Empty, or as `add_project` or `add_version` leaves it for those who ask for the project or a version."""
    chosen = Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts"))
    if "project" in request.fixturenames:
        make = add_version if "version" in request.fixturenames else add_project
        chosen = made_stores.copy(make, database_url, tmp_path, actor="test")
    with Workspace.open(chosen, actor="test") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    return workspace.projects.get("bank")


def add_project(workspace: Workspace) -> None:
    """A run that ann labelled and dora decided on; lee gives the opinion."""
    made = workspace.projects.create("bank")
    run = workspace.runs.add(made, "v1", [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(6)], source="x")
    criterion = workspace.criteria.add(made, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label(f"q{k}", "correctness", k % 2, "ann") for k in range(4)])
    workspace.labels.record(run, criterion, "q0", 1, annotator="bob")
    workspace.disagreements.adjudicate(run, criterion, "q0", 1, author="dora")
    workspace.opinions.state(made, Opinion("not fit", "lee", "Fees are wrong."))


@pytest.fixture
def version(workspace: Workspace, project: ProjectInfo) -> ReportVersion:
    return workspace.reports.versions(project)[-1]


def add_version(workspace: Workspace) -> None:
    add_project(workspace)
    workspace.reports.build(workspace.projects.get("bank"), author="paula")


def label(workspace: Workspace, project: ProjectInfo, sample_id: str, level: int) -> None:
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.get(project, "correctness")
    workspace.labels.record(run, criterion, sample_id, level, annotator="ann")


def test_two_people_sign(workspace: Workspace, version: ReportVersion) -> None:
    offs = workspace.sign_offs
    assert offs.of(version) == SignOff(1, version.hash)
    assert offs.of(version).state == "draft"
    assert offs.submit(version, author="lee", comment="the fees first").state == "submitted"
    stands = offs.approve(version, reviewer="kim")
    assert stands.state == "approved"
    submitted, approved = stands.signatures
    assert (submitted.step, submitted.author, submitted.comment) == ("submitted", "lee", "the fees first")
    assert (approved.step, approved.author, approved.report_hash) == ("approved", "kim", version.hash)
    assert submitted.at <= approved.at
    assert set(approved.basis) == {"run v1", "labels of v1 on correctness"}


@pytest.mark.parametrize("reviewer", ["sue", "SUE", " s u e", "paula", "lee", "Ｌee"])
def test_nobody_reviews_what_they_wrote(workspace: Workspace, version: ReportVersion, reviewer: str) -> None:
    """Not who submitted it, prepared it, or gave its opinion; a condition does not help, and returning is reviewing."""
    workspace.sign_offs.submit(version, author="sue")
    with pytest.raises(HcatError, match="somebody else has to review it"):
        workspace.sign_offs.approve(version, reviewer=reviewer, condition="it is my own")
    with pytest.raises(HcatError, match="somebody else has to review it"):
        workspace.sign_offs.return_(version, reviewer=reviewer, comment="no")
    assert workspace.sign_offs.of(version).state == "submitted"


@pytest.mark.parametrize(("reviewer", "part"), [("Ann", "Ann gave 4 labels"), ("dora", "dora decided 1 disagreement")])
def test_who_had_a_part_in_the_labels_says_so(
    workspace: Workspace, version: ReportVersion, reviewer: str, part: str
) -> None:
    offs = workspace.sign_offs
    offs.submit(version, author="lee")
    with pytest.raises(HcatError, match=f"{part} of this report's runs: state that as a condition"):
        offs.approve(version, reviewer=reviewer, condition=" ")
    approved = offs.approve(version, reviewer=reviewer, condition="I labelled for this run").signatures[-1]
    assert approved.condition == "I labelled for this run"


def test_a_returned_report_has_a_reason_and_can_come_again(workspace: Workspace, version: ReportVersion) -> None:
    offs = workspace.sign_offs
    offs.submit(version, author="lee")
    with pytest.raises(HcatError, match="returned with a comment"):
        offs.return_(version, reviewer="kim", comment=" ")
    assert offs.return_(version, reviewer="kim", comment="name the fees").state == "returned"
    assert offs.submit(version, author="lee").state == "submitted"
    assert [each.step for each in offs.approve(version, reviewer="kim").signatures] == [
        "submitted",
        "returned",
        "submitted",
        "approved",
    ]


def test_no_step_is_taken_out_of_turn(workspace: Workspace, version: ReportVersion) -> None:
    offs = workspace.sign_offs
    with pytest.raises(ConflictError, match="version 1 is draft: it has to be submitted first"):
        offs.approve(version, reviewer="kim")
    with pytest.raises(ConflictError, match="has to be submitted first"):
        offs.return_(version, reviewer="kim", comment="no")
    offs.submit(version, author="lee")
    with pytest.raises(ConflictError, match="version 1 is submitted: it can't be submitted again"):
        offs.submit(version, author="lee")
    offs.approve(version, reviewer="kim")
    for again in (lambda: offs.submit(version, author="lee"), lambda: offs.approve(version, reviewer="max")):
        with pytest.raises(ConflictError, match="version 1 is approved"):
            again()


def test_a_later_label_supersedes_and_changes_nothing(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    offs = workspace.sign_offs
    offs.submit(version, author="lee")
    before = offs.approve(version, reviewer="kim")
    label(workspace, project, "q5", 1)
    after = offs.of(version)
    assert after.state == "superseded"
    assert after.changed == ("labels of v1 on correctness: changed",)
    assert after.signatures == before.signatures
    assert report_hash(workspace.reports.read(version)) == version.hash
    with pytest.raises(ConflictError, match="version 1 is superseded"):
        offs.submit(version, author="lee")


def test_the_same_labels_again_are_the_same_basis(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    offs = workspace.sign_offs
    offs.submit(version, author="lee")
    offs.approve(version, reviewer="kim")
    label(workspace, project, "q1", 0)
    assert offs.of(version).state == "superseded"
    label(workspace, project, "q1", 1)
    assert offs.of(version).state == "approved"


def test_scores_and_new_criteria_supersede_too(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    run = workspace.runs.get(project, "v1")
    workspace.sign_offs.submit(version, author="lee")
    workspace.sign_offs.approve(version, reviewer="kim")
    workspace.scoring.score(run, ("answer_length",))
    tone = workspace.criteria.add(project, Criterion("tone"))
    workspace.labels.add(run, tone, [Label("q0", "tone", 1, "ann")])
    assert workspace.sign_offs.of(version).changed == ("labels of v1 on tone: new", "scores of v1: new")


def test_what_changed_before_the_signature_is_not_signed(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    offs = workspace.sign_offs
    label(workspace, project, "q5", 1)
    with pytest.raises(HcatError, match=r"rests on is another now \(labels of v1 on correctness: changed\)"):
        offs.submit(version, author="lee")
    workspace.reports.build(project, author="paula")
    second = workspace.reports.versions(project)[-1]
    offs.submit(second, author="lee")
    label(workspace, project, "q4", 1)
    with pytest.raises(HcatError, match="build the report again"):
        offs.approve(second, reviewer="kim")
    assert offs.return_(second, reviewer="kim", comment="labels came").state == "returned"


def test_only_the_newest_version_is_submitted(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    workspace.reports.build(project, author="paula", chapters=["summary"])
    with pytest.raises(HcatError, match="version 2 of this report is newer"):
        workspace.sign_offs.submit(version, author="lee")


def test_the_cover_tells_who_signed_and_keeps_the_hash(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    offs, built = workspace.sign_offs, workspace.reports.read(version)
    assert offs.on_cover(project, built).facts["Sign-off"] == "Draft: nobody has signed this version."
    offs.submit(version, author="lee")
    offs.approve(version, reviewer="Ann", condition="I labelled <b>four</b> answers")
    signed = offs.on_cover(project, built)
    assert "Approved by Ann" in signed.facts["Sign-off"]
    assert report_hash(signed) == report_hash(built) == version.hash
    again = read_report(render_json(signed).decode())
    assert again.facts["Sign-off"] == signed.facts["Sign-off"]
    html = render(signed, format="html").decode()
    assert "Condition: I labelled &lt;b&gt;four&lt;/b&gt; answers." in html
    assert version.hash in html


def test_one_of_two_reviewers_at_once_signs(workspace: Workspace, version: ReportVersion) -> None:
    workspace.sign_offs.submit(version, author="lee")
    meet, said = threading.Barrier(2), []

    def review(name: str) -> None:
        meet.wait()
        try:
            workspace.sign_offs.approve(version, reviewer=name)
            said.append("approved")
        except ConflictError:
            said.append("refused")

    reviewers = [threading.Thread(target=review, args=(name,)) for name in ("kim", "max")]
    for each in reviewers:
        each.start()
    for each in reviewers:
        each.join()
    assert sorted(said) == ["approved", "refused"]
    assert len(workspace.sign_offs.of(version).signatures) == 2


@pytest.mark.parametrize("change", ["UPDATE signature SET author = 'x'", "DELETE FROM signature"])
def test_the_database_refuses_to_change_a_signature(workspace: Workspace, version: ReportVersion, change: str) -> None:
    workspace.sign_offs.submit(version, author="lee")
    with (
        pytest.raises(DBAPIError, match="signatures are append-only"),
        workspace.store.database._engine.begin() as connection,
    ):
        connection.execute(text(change))


def test_signatures_go_with_their_project_alone(
    workspace: Workspace, project: ProjectInfo, version: ReportVersion
) -> None:
    workspace.sign_offs.submit(version, author="lee")
    housekeeping = workspace.housekeeping
    item = housekeeping.get("project", "bank")
    seen = housekeeping.contents(item)
    assert seen.gone["signatures"] == 1
    housekeeping.delete(item, seen, confirmed="bank", author="lee")
    assert workspace.store.signatures.of(project.id) == {}


def test_names_are_one_however_they_are_written() -> None:
    assert is_same_person("Eva  Müller", "eva mu\N{COMBINING DIAERESIS}ller")
    assert not is_same_person("Eva", "Eve")


def test_what_changed_is_named() -> None:
    signed = {"run v1": "a", "scores of v1": "b", "labels": "c"}
    now = {"run v1": "a", "scores of v1": "x", "policy on tone": "d"}
    assert basis_changes(signed, now) == ("scores of v1: changed", "labels: gone", "policy on tone: new")
    assert basis_changes(signed, signed) == ()
