from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from hcat.core.errors import ConflictError, FileFormatError, HcatError, NotFoundError, StorageError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.run_file import content_hash
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Passage, Sample, Variant
from hcat.core.workspace import Workspace


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    return workspace.projects.create("bank", description="a test")


FULL = Sample(
    id="q1",
    query="What is the fee?",
    answer=None,
    contexts=(Passage("d#1", "The fee is €5.", 0.83), Passage("d#2", "Ünïcode \ud83d half a pair")),
    reference="€5",
    reference_contexts=("The fee is €5.",),
    relevant_ids={"d#1": 2},
    dimensions={"topic": "fees"},
    test_case="t1",
    trial=3,
    group="g",
    variant=Variant("typo", "q0", 0.2),
    expected=0.5,
    metadata={"nested": [1, None, {"a": True}]},
)


def test_projects_are_listed_by_name(workspace: Workspace, project: ProjectInfo):
    workspace.projects.create("app")
    assert [known.name for known in workspace.projects.all()] == ["app", "bank"]
    assert workspace.projects.get("bank") == project


def test_a_taken_project_name_is_a_conflict(workspace: Workspace, project: ProjectInfo):
    with pytest.raises(ConflictError, match="already a project 'bank'"):
        workspace.projects.create(" bank ")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201])
def test_a_name_must_be_readable(workspace: Workspace, name: str):
    with pytest.raises(HcatError, match="1 to 200 printable"):
        workspace.projects.create(name)


def test_an_unknown_project_is_not_found(workspace: Workspace):
    with pytest.raises(NotFoundError, match="no project 'x'"):
        workspace.projects.get("x")
    with pytest.raises(NotFoundError, match="no project 'x'"):
        workspace.runs.all("x")


def test_criteria_keep_their_order_and_every_guideline(workspace: Workspace, project: ProjectInfo):
    first = workspace.criteria.add(project, Criterion("relevance", ("bad", "fair", "good"), "v1", passing=2))
    workspace.criteria.add(project, Criterion("correctness"))
    second = workspace.criteria.edit_guideline(project, first, "v2")
    assert (second.guideline, second.guideline_version, second.levels, second.passing) == (
        "v2",
        2,
        ("bad", "fair", "good"),
        2,
    )
    assert [known.name for known in workspace.criteria.all("bank")] == ["relevance", "correctness"]
    assert workspace.criteria.get(project, "relevance") == second
    assert [(old.version, old.text) for old in workspace.criteria.guidelines(project, "relevance")] == [
        (1, "v1"),
        (2, "v2"),
    ]


def test_the_same_guideline_is_no_new_version(workspace: Workspace, project: ProjectInfo):
    first = workspace.criteria.add(project, Criterion("c", guideline="v1"))
    assert workspace.criteria.edit_guideline(project, first, "v1").guideline_version == 1


def test_an_edit_of_an_outdated_guideline_is_a_conflict(workspace: Workspace, project: ProjectInfo):
    read_by_both = workspace.criteria.add(project, Criterion("c", guideline="v1"))
    workspace.criteria.edit_guideline(project, read_by_both, "mine")
    with pytest.raises(ConflictError, match=r"edited meanwhile \(now version 2\)"):
        workspace.criteria.edit_guideline(project, read_by_both, "theirs")
    assert workspace.criteria.get(project, "c").guideline == "mine"


@pytest.mark.parametrize(
    "criterion",
    [
        Criterion("c", ("only",), passing=0),
        Criterion("c", ("same", "same")),
        Criterion("c", ("", "pass")),
        Criterion("c", passing=0),
        Criterion("c", passing=2),
    ],
)
def test_a_criterion_needs_levels_and_a_pass(workspace: Workspace, project: ProjectInfo, criterion: Criterion):
    with pytest.raises(HcatError, match="criterion 'c'"):
        workspace.criteria.add(project, criterion)


@pytest.mark.parametrize("name", ["answer quality", "Answer  Quality", " ANSWERQUALITY "])
def test_a_criterion_is_not_told_from_another_by_case_or_spaces(
    workspace: Workspace, project: ProjectInfo, name: str
) -> None:
    workspace.criteria.add(project, Criterion("Answer quality"))
    with pytest.raises(ConflictError, match=r"already a criterion 'Answer quality', and .* only by case or spaces"):
        workspace.criteria.add(project, Criterion(name))
    assert len(workspace.criteria.all(project)) == 1


def test_criteria_of_older_stores_that_differ_only_by_case_stay(workspace: Workspace, project: ProjectInfo) -> None:
    for name in ("Tone", "tone"):
        with workspace.write("tests", "criterion.add") as write:
            workspace.store.repository.add_criterion(write, project.id, Criterion(name))
    edited = workspace.criteria.edit_guideline(project, workspace.criteria.get(project, "tone"), "v2")
    assert [known.guideline for known in workspace.criteria.all(project)] == ["", "v2"]
    assert edited.name == "tone"


def test_a_run_comes_back_as_it_was(workspace: Workspace, project: ProjectInfo):
    samples = (FULL, Sample("q2", "and?", ""))
    run = workspace.runs.add(project, "v1", samples, source="run.jsonl", format="native")
    assert workspace.runs.samples(run) == samples
    assert (run.n, run.filename, run.format) == (2, "run.jsonl", "native")
    assert run.content_hash == content_hash(samples)
    assert workspace.runs.get("bank", "v1") == run
    assert workspace.runs.sample(run, "q2") == samples[1]
    with pytest.raises(NotFoundError, match="no sample 'q3'"):
        workspace.runs.sample(run, "q3")


def test_a_taken_run_name_is_a_conflict_and_the_same_content_is_not(workspace: Workspace, project: ProjectInfo):
    first = workspace.runs.add(project, "v1", [FULL], source="a.jsonl")
    with pytest.raises(ConflictError, match="already has a run 'v1'"):
        workspace.runs.add(project, "v1", [FULL], source="a.jsonl")
    again = workspace.runs.add(project, "v2", [FULL], source="a.jsonl")
    assert again.content_hash == first.content_hash
    assert again.artifact != first.artifact  # its texts have keys of their own, so that each run is erased by itself
    assert [run.name for run in workspace.runs.all(project)] == ["v1", "v2"]
    other = workspace.projects.create("other")
    assert workspace.runs.add(other, "v1", [FULL], source="a.jsonl").name == "v1"


def test_trials_that_share_an_id_are_told_apart(workspace: Workspace, project: ProjectInfo):
    trials = [Sample("q", "?", "a", trial=0), Sample("q", "?", "b", trial=1), Sample("r", "?", "c")]
    found = workspace.runs.samples(workspace.runs.add(project, "v1", trials, source="x"))
    assert [(sample.id, sample.test_case) for sample in found] == [("q#0", "q"), ("q#1", "q"), ("r", None)]


def test_equal_ids_or_no_samples_are_refused_and_nothing_is_stored(workspace: Workspace, project: ProjectInfo):
    with pytest.raises(FileFormatError, match="two samples have the id 'q#0'"):
        workspace.runs.add(project, "v1", [Sample("q", "?", "a"), Sample("q", "?", "b")], source="x")
    with pytest.raises(FileFormatError, match="no samples"):
        workspace.runs.add(project, "v1", [], source="x")
    assert workspace.runs.all(project) == []


def test_a_damaged_run_says_what_to_do_and_importing_again_helps(workspace: Workspace, project: ProjectInfo):
    run = workspace.runs.add(project, "v1", [FULL], source="x")
    file = Path(workspace.store.artifacts.folder("samples")) / f"{run.artifact}.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(StorageError, match=r"is damaged .* import the run again under another name"):
        workspace.runs.samples(run)
    again = workspace.runs.add(project, "again", [FULL], source="x")
    assert workspace.runs.samples(again) == (FULL,)


def test_a_run_whose_row_could_not_be_written_is_not_there(
    workspace: Workspace, project: ProjectInfo, monkeypatch: pytest.MonkeyPatch
):
    def fail(*args: object, **kwargs: object) -> None:
        raise StorageError("no row")

    with monkeypatch.context() as patched:
        patched.setattr("hcat.core.storage.stores.projects.Repository.add_run", fail)
        with pytest.raises(StorageError, match="no row"):
            workspace.runs.add(project, "v1", [FULL], source="x")
    assert workspace.runs.all(project) == []
    assert workspace.runs.add(project, "v1", [FULL], source="x").n == 1


@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True), st.text(), st.none() | st.text())
def test_any_text_survives(tmp_path: Path, ids: list[str], query: str, answer: str | None):
    workspace = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'any.db'}", artifacts=str(tmp_path / "artifacts"))
    )
    project = workspace.projects.create(f"p{len(workspace.projects.all())}")
    samples = tuple(Sample(sample_id, query, answer) for sample_id in ids)
    assert workspace.runs.samples(workspace.runs.add(project, "r", samples, source="x")) == samples
    workspace.close()
