"""A text that was erased is nowhere any more: no file holds it, and no copy of a file can be opened. All else stays."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.evidence.verify import verify
from hcat.core.capabilities.judges.services.judges import KIND as VERDICTS
from hcat.core.capabilities.judges.verdict import JudgeVerdict, verdicts_jsonl
from hcat.core.errors import ConflictError, HcatError, NotFoundError, StorageError
from hcat.core.jobs.processes import this_worker
from hcat.core.labelling.queue import QueueRules
from hcat.core.project.runs import sample_files
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.run_file import content_hash
from hcat.core.records.samples.searched import holds_text, searched_texts
from hcat.core.settings import Settings
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.database import Database
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.storage.stores.erasures import ErasureTable
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace
from tests.core.capabilities.evidence.packed import KEY
from tests.core.executors.killing import FORK
from tests.core.storage.conftest import database_url  # noqa: F401  both databases, as the storage tests have
from tests.core.storage.made_stores import MadeStores
from tests.pages.conftest import word_models

CRITERION = Criterion("correctness")
SECRET = "Quillfeather"
"""Stands in every text of sample q3, and in nothing else."""
N = 40


def samples() -> list[Sample]:
    return [
        Sample(
            f"q{k}",
            f"What does the account of customer number {k} cost each year?",
            f"The account of customer number {k} costs {k} dollars each year.",
            contexts=(
                Passage("terms", "The terms of all accounts are the same."),
                Passage(f"p{k}", f"Passage {k}.", 0.5),
            ),
            reference=f"It costs {k} dollars.",
            dimensions={"area": "ab"[k % 2]},
            metadata={"note": f"note {k}", "probability": 0.5},
        )
        for k in range(N)
    ]


def planted() -> list[Sample]:
    """The same with a customer's name in every text of q3."""
    known = samples()
    known[3] = replace(
        known[3],
        query=f"Has {SECRET} of Elm Street paid the fee of the account?",
        answer=f"{SECRET} of Elm Street has not paid the fee of 7 dollars.",
        contexts=(known[3].contexts[0], Passage("letter", f"A letter of {SECRET} says that the fee is too high.", 0.4)),
        reference=f"{SECRET} has not paid.",
        reference_contexts=(f"{SECRET} wrote.",),
        metadata={"customer": SECRET, "probability": 0.25},
    )
    return known


def settings_in(folder: Path, database_url: str) -> Settings:  # noqa: F811
    return Settings(database_url=database_url, artifacts=str(folder / "artifacts"))


@pytest.fixture
def workspace(
    database_url: str,  # noqa: F811
    tmp_path: Path,
    made_stores: MadeStores,
    request: pytest.FixtureRequest,
) -> Iterator[Workspace]:
    """Empty, or as `add_reported` leaves it for those who ask for the project."""
    made = add_reported if "project" in request.fixturenames else None
    with word_models(), made_stores.opened(made, database_url, tmp_path, actor="tests") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    return workspace.projects.get("bank")


def add_reported(workspace: Workspace) -> ProjectInfo:
    """A run with scores, labels of which one fails q3, and a report that quotes it."""
    project = workspace.projects.create("bank")
    workspace.criteria.add(project, CRITERION)
    run = workspace.runs.add(project, "v1", planted(), source="x")
    workspace.scoring.score(run, ["token_f1", "answer_length", "groundedness"])
    workspace.labels.add(run, CRITERION, [Label(f"q{k}", "correctness", int(k != 3), "ann") for k in range(0, N, 3)])
    workspace.reports.build(project, author="lee")
    return project


def run_of(workspace: Workspace, name: str = "v1") -> RunInfo:
    return workspace.runs.get("bank", name)


def erase(workspace: Workspace, *ids: str, run: str = "v1") -> None:
    workspace.erasures.erase(run_of(workspace, run), ids or ("q3",), reason="the customer asked", author="V. Lead")


def holds_secret(folder: Path) -> list[str]:
    """The files whose bytes hold the name."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if SECRET.encode() in path.read_bytes()]


def test_the_text_is_nowhere_and_all_else_stays(workspace: Workspace, project: ProjectInfo, tmp_path: Path) -> None:
    run, before = run_of(workspace), workspace.scoring.required(run_of(workspace))
    quoting = workspace.reports.read(workspace.reports.versions(project)[0])
    assert SECRET in str(quoting)
    [traces] = [workspace.erasures.traces(run, ["q3"])]
    assert traces.reports == [1]
    erase(workspace)
    after = run_of(workspace)
    found = workspace.runs.samples(after)
    statement = found[3].query
    assert statement.startswith("text erased on 20") and statement.endswith(" by V. Lead: the customer asked")
    assert {found[3].answer, found[3].reference, *(each.text for each in found[3].contexts)} == {statement}
    assert (found[3].dimensions, found[3].metadata["probability"]) == (planted()[3].dimensions, 0.25)
    assert [each for each in found if each.id != "q3"] == [each for each in planted() if each.id != "q3"]
    assert workspace.runs.sample(after, "q3") == found[3]
    assert after.content_hash == run.content_hash == content_hash(planted())
    assert workspace.scoring.required(after).frame.equals(before.frame)
    assert len(workspace.labels.current(project)) == 14
    assert SECRET not in str(workspace.reports.read(workspace.reports.versions(project)[0]))
    assert workspace.reports.versions(project)[0].hash
    assert SECRET not in str(workspace.reports.build(project, author="lee"))
    state = workspace.audit.verify(workspace.audit.checkpoint(KEY), key=KEY.public)
    assert state.fault is None
    assert SECRET not in str(workspace.audit.entries())
    [erasure] = workspace.erasures.all(project)
    assert (erasure.run, erasure.sample_id, erasure.statement) == ("v1", "q3", statement)
    workspace.close()
    assert holds_secret(tmp_path) == []


def test_columns_of_an_erased_sample_say_what_they_said(workspace: Workspace, project: ProjectInfo) -> None:
    columns = workspace.runs.columns(run_of(workspace))
    before = [columns.numbers(name).tolist() for name in ("query_length", "answer_length", "design_probability")]
    states = columns.levels("answer_state").texts()
    erase(workspace)
    columns = workspace.runs.columns(run_of(workspace))
    assert [
        columns.numbers(name).tolist() for name in ("query_length", "answer_length", "design_probability")
    ] == before
    assert columns.levels("answer_state").texts() == states
    run = run_of(workspace)
    for sample in workspace.runs.samples(run):
        for text in filter(None, searched_texts(sample)):
            folded = text.casefold().strip()
            holding = {other.id for other in workspace.runs.samples(run) if holds_text(searched_texts(other), folded)}
            assert workspace.run_data.holding(run, text) == holding
    assert workspace.run_data.holding(run, SECRET) == set()


def test_a_copy_of_the_files_from_before_can_not_be_opened(
    workspace: Workspace, project: ProjectInfo, tmp_path: Path
) -> None:
    run, copy = run_of(workspace), tmp_path / "copy"
    shutil.copytree(tmp_path / "artifacts", copy)
    form = sample_files(workspace.store, run).form
    old = replace(sample_files(workspace.store, run), artifacts=replace(workspace.store.artifacts, root=str(copy)))
    assert SECRET in str(old.one(run.artifact, "q3"))
    [version] = workspace.reports.versions(project)
    erase(workspace)
    old = SampleFiles(old.artifacts, sample_files(workspace.store, run_of(workspace)).form)
    with pytest.raises(StorageError, match="was erased meanwhile"):
        old.one(run.artifact, "q3")
    assert old.one(run.artifact, "q4") == planted()[4]
    assert form is not old.form
    shutil.copy(copy / "reports" / f"{version.artifact}.parquet", tmp_path / "artifacts" / "reports")
    with pytest.raises(HcatError):
        workspace.reports.read(version)
    workspace.close()
    assert holds_secret(tmp_path) == []


def test_keys_that_are_destroyed_are_in_no_file_of_the_database(
    workspace: Workspace, project: ProjectInfo, tmp_path: Path
) -> None:
    if workspace.store.database.url.get_backend_name() != "sqlite":
        pytest.skip("of a server's files VACUUM FULL leaves none of the old ones, which is the server's to show")
    run = run_of(workspace)
    key = workspace.store.text_keys.reader(str(run.key_ring))
    own, passage, other = key("sample", 3), key("passage", 4), key("sample", 4)
    assert any(own in path.read_bytes() for path in tmp_path.glob("hcat.db*"))
    erase(workspace)
    content = b"".join(path.read_bytes() for path in tmp_path.glob("hcat.db*"))
    assert (own in content, passage in content, other in content) == (False, False, True)


def test_a_passage_goes_with_the_last_sample_that_has_it(workspace: Workspace) -> None:
    project = workspace.projects.create("bank")
    shared = [
        Sample(f"q{k}", "?", "!", contexts=(Passage("p", "shared"), Passage(f"o{k}", f"own {k}"))) for k in range(3)
    ]
    run = workspace.runs.add(project, "v1", shared, source="x")
    form = sample_files(workspace.store, run).form
    erase(workspace, "q0", "q1")
    assert workspace.runs.sample(run_of(workspace), "q2") == shared[2]
    erase(workspace, "q2")
    assert form is not None
    reader = workspace.store.text_keys.reader(str(run.key_ring))
    assert {reader("passage", number) for number in range(4)} == {bytes(32)}


@pytest.mark.parametrize(
    ("ids", "reason", "error", "said"),
    [
        (["q99"], "asked", NotFoundError, "no sample 'q99': nothing was erased"),
        (["q3"], "  ", HcatError, "say in one line why"),
        (["q3"], "two\nlines", HcatError, "say in one line why"),
        ([], "asked", HcatError, "name the samples"),
        (["q4", "q5"], "asked", ConflictError, "q5: text erased on"),
    ],
)
def test_what_can_not_be_erased_changes_nothing(
    workspace: Workspace, project: ProjectInfo, ids: list[str], reason: str, error: type[HcatError], said: str
) -> None:
    erase(workspace, "q5")
    before = run_of(workspace)
    with pytest.raises(error, match=said):
        workspace.erasures.erase(before, ids, reason=reason, author="lee")
    assert run_of(workspace) == before
    assert len(workspace.erasures.all(project)) == 1


def test_while_a_job_works_on_the_run_nothing_is_erased(
    workspace: Workspace, project: ProjectInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda *_: this_worker())
    job = workspace.jobs.start_scoring(run_of(workspace), ["answer_length"])
    with pytest.raises(ConflictError, match="a job works on run 'v1'"):
        erase(workspace)
    workspace.jobs.cancel(job.id)
    erase(workspace)


def test_two_erasures_at_once_both_happen(workspace: Workspace, project: ProjectInfo) -> None:
    threads = [threading.Thread(target=erase, args=(workspace, f"q{k}")) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = workspace.runs.samples(run_of(workspace))
    assert [each.id for each in found if each.erased] == ["q0", "q1", "q2"]
    assert found[3:] == tuple(planted()[3:])
    assert workspace.audit.verify().fault is None


def test_scores_computed_again_keep_those_of_the_erased_and_leave_new_metrics_unscored(
    workspace: Workspace, project: ProjectInfo
) -> None:
    before = workspace.scoring.required(run_of(workspace))
    erase(workspace)
    table = workspace.scoring.score(run_of(workspace), ["token_f1", "answer_precision"])
    assert table.values("token_f1").tolist() == before.values("token_f1").tolist()
    assert table.provenance.run_hash == before.provenance.run_hash == content_hash(planted())
    assert table.score("q3", "answer_precision").reason == "text erased"
    assert table.reasons("answer_precision") == {"text erased": 1}
    assert table.state_of == before.state_of


def test_queues_leave_erased_samples_out(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.criteria.add(project, Criterion("tone"))
    queue = workspace.queues.plan(run_of(workspace), Criterion("tone"), planned=N, rules=QueueRules(overlap=1))
    first = workspace.queues.next_item(queue, "ann")
    assert first is not None
    erase(workspace, first.sample_id)
    offered = set[str]()
    while (item := workspace.queues.next_item(queue, "ann")) is not None:
        offered.add(item.sample_id)
        workspace.labels.record(run_of(workspace), Criterion("tone"), item.sample_id, 1, annotator="ann", item=item)
    assert offered == {f"q{k}" for k in range(N)} - {first.sample_id}


def test_reasons_of_judges_go_and_their_scores_stay(workspace: Workspace, project: ProjectInfo) -> None:
    said = [JudgeVerdict(f"q{k}", "tone", 0, 1, f"{SECRET} is named" if k == 3 else "fine") for k in range(5)]
    artifact, keys = workspace.store.sealed_files.put(VERDICTS, verdicts_jsonl(said).encode())
    with workspace.write("tests", "judge.run", project.id) as write:
        judged = workspace.store.judging_table.add_run(
            *(write, run_of(workspace).id),
            **{"work": "run", "judge": "j", "version": "v", "rubric": "r", "rubric_version": 1, "n": 5},  # type: ignore[arg-type]
            artifact=artifact,
            settings={},
            usage={},
            keys=keys,
        )
    assert workspace.judges.verdicts(judged) == tuple(said)
    erase(workspace)
    [now] = workspace.judges.all(run_of(workspace))
    left = workspace.judges.verdicts(now)
    assert [(each.sample_id, each.score) for each in left] == [(each.sample_id, each.score) for each in said]
    assert left[3].reason.startswith("text erased on")
    assert [each.reason for each in left if each.sample_id != "q3"] == ["fine"] * 4


def test_a_pack_from_before_verifies_and_one_from_after_has_no_text(workspace: Workspace, project: ProjectInfo) -> None:
    before = make_pack(workspace.reports.with_source(project, author="lee"), KEY)
    erase(workspace)
    after = make_pack(workspace.reports.with_source(project, author="lee"), KEY)
    for pack in (before, after):
        assert verify(pack, key=KEY.public, recompute=True).problems == ()
    assert SECRET.encode() not in after


POINTS = ("put_stream", "put", "erase", "overwrite_deleted", "remove", "finished")


def erase_and_be_killed(folder: Path, point: str, when: str) -> None:
    """Erase the sample in this process, which is killed as it comes to the point, or as it leaves it."""
    owner = next(each for each in (ErasureTable, ArtifactStore, Database) if point in vars(each))
    made = getattr(owner, point)

    def kill(*given: object, **named: object) -> None:
        if when == "after":
            made(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    with Workspace.open(settings_in(folder, f"sqlite:///{folder / 'hcat.db'}"), actor="lee") as workspace:
        run = run_of(workspace)
        setattr(owner, point, kill)
        workspace.erasures.erase(run, ["q3"], reason="the customer asked", author="lee")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("point", POINTS)
def test_a_process_killed_in_the_middle_erased_all_or_nothing(
    made_stores: MadeStores, tmp_path: Path, point: str, when: str
) -> None:
    with word_models():
        made_stores.copy(add_reported, f"sqlite:///{tmp_path / 'hcat.db'}", tmp_path, actor="tests")
    process = FORK.Process(target=erase_and_be_killed, args=[tmp_path, point, when])
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    settings = settings_in(tmp_path, f"sqlite:///{tmp_path / 'hcat.db'}")
    with Workspace.open(settings, actor="tests") as workspace:
        found = workspace.runs.sample(run_of(workspace), "q3")
        own = workspace.projects.get("bank")
        quoted = SECRET in str(workspace.reports.read(workspace.reports.versions(own)[0]))
        assert (SECRET in str(found)) == quoted == (len(workspace.erasures.all(own)) == 0)
        assert workspace.audit.verify().fault is None
        if quoted:
            erase(workspace)
        workspace.erasures.finish()
        assert workspace.erasures.finish() == 0
    assert holds_secret(tmp_path) == []
    assert len(list((tmp_path / "artifacts" / "samples").glob("*.parquet"))) <= 2
