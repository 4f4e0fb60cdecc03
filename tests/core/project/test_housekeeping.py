"""Rename, archive, restore and delete, on SQLite and PostgreSQL: all goes or nothing, and what is needed stays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.errors import ConflictError, HcatError, NotFoundError, StorageError
from hcat.core.labelling.queue import QueueRules
from hcat.core.records.documents import Document
from hcat.core.records.housekeeping import Contents, Item
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.item_rows import FILES
from hcat.core.storage.tables.row import Row
from hcat.core.types import Criterion, Label, Sample
from hcat.core.wording.housekeeping import counts_text, entry_text, goes_text, keeps_text
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_url  # noqa: F401  both databases, as the storage tests have
from tests.core.storage.made_stores import MadeStores
from tests.pages.conftest import word_models

CRITERION = Criterion("correctness")
SAMPLES = [Sample(f"q{k}", f"fee {k}?", f"fee {k}", reference=f"fee {k % 3}") for k in range(40)]


@pytest.fixture
def workspace(
    database_url: str,  # noqa: F811
    tmp_path: Path,
    made_stores: MadeStores,
    request: pytest.FixtureRequest,
) -> Iterator[Workspace]:
    """Empty, or as `add_project` leaves it for those who ask for the project."""
    made = add_project if "project" in request.fixturenames else None
    with word_models(), made_stores.opened(made, database_url, tmp_path, actor="tests") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    return workspace.projects.get("bank")


def add_project(workspace: Workspace) -> None:
    """Two runs of the same content, "v1" with scores, topics, a queue, labels, gold items and a decision."""
    project = workspace.projects.create("bank")
    workspace.criteria.add(project, CRITERION)
    run = workspace.runs.add(project, "v1", SAMPLES, source="x")
    workspace.runs.add(project, "v2", SAMPLES, source="x")
    workspace.scoring.score(run, "token_f1")
    queue = workspace.queues.plan(run, CRITERION, planned=6, rules=QueueRules(overlap=2))
    item = workspace.queues.next_item(queue, "ann")
    assert item is not None
    workspace.labels.record(run, CRITERION, item.sample_id, 1, annotator="ann", item=item)
    workspace.labels.record(run, CRITERION, item.sample_id, 0, annotator="ann", item=item)
    workspace.labels.add(run, CRITERION, [Label("q3", "correctness", 1, "bob"), Label("q3", "correctness", 0, "cem")])
    workspace.gold.add(run, CRITERION, {"q5": 1}, author="lee")
    workspace.disagreements.adjudicate(run, CRITERION, "q3", 1, author="lee")


def item_of(workspace: Workspace, name: str, kind: str = "run") -> Item:
    [chosen] = [item for item in workspace.housekeeping.all("bank") if (item.kind, item.name) == (kind, name)]
    return chosen


def delete(workspace: Workspace, item: Item, *, author: str = "V. Lead") -> None:
    seen = workspace.housekeeping.contents(item)
    workspace.housekeeping.delete(item, seen, confirmed=item.name, author=author, reason="a trial")


def stored_files(workspace: Workspace) -> list[str]:
    root = Path(workspace.store.artifacts.root)
    kinds = ("samples", "scores", "topics", "queues", "findings", "reports", "passages", "documents", "cases")
    return sorted(f"{kind}/{path.name}" for kind in kinds for path in (root / kind).glob("*"))


def rows_of(workspace: Workspace) -> dict[str, int]:
    with workspace.store.database.read() as session:
        return {
            name: session.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in Row.metadata.tables
        }


def test_contents_count_what_goes_and_what_keeps(workspace: Workspace, project: ProjectInfo) -> None:
    contents = workspace.housekeeping.contents(item_of(workspace, "v1"))
    # Two labels of ann (one superseded), one each of bob and cem.
    assert contents == Contents(
        {
            "samples": 40,
            "entries of the label log": 4,
            "queues": 1,
            "score tables": 1,
            "gold items": 1,
            "decisions on disagreements": 1,
        }
    )
    assert goes_text(item_of(workspace, "v1"), contents) == (
        "Deleting run v1 also deletes 40 samples, 4 entries of the label log, 1 queue, 1 score table, 1 gold item and "
        "1 decision on disagreements. It can't be undone."
    )
    assert counts_text({}) == "nothing else"


def test_a_deleted_run_leaves_a_line_and_what_others_refer_to(workspace: Workspace, project: ProjectInfo) -> None:
    run = workspace.runs.get(project, "v1")
    delete(workspace, item_of(workspace, "v1"))
    assert [run.name for run in workspace.runs.all(project)] == ["v2"]
    other = workspace.runs.get(project, "v2")
    assert len(workspace.runs.samples(other)) == 40
    assert stored_files(workspace) == [f"samples/{other.artifact}.parquet"]
    with pytest.raises(StorageError, match="keys of a file's texts are not in this database"):
        workspace.store.text_keys.reader(str(run.key_ring))("sample", 0)
    assert workspace.labels.history(project) == []
    left = rows_of(workspace)
    assert {name: n for name, n in left.items() if n} == {
        "audit": len(workspace.audit.entries()),
        "project": 1,
        "criterion": 1,
        "guideline": 1,
        "run": 1,
        "text_keys": 1,
        "housekeeping": 1,
    }
    [entry] = workspace.housekeeping.log()
    assert (entry.actor, entry.action, entry.name, entry.contents["entries of the label log"]) == (
        "V. Lead",
        "delete",
        "v1",
        4,
    )
    assert entry_text(entry).startswith("V. Lead deleted run “v1”, with ")


def test_labels_go_only_with_what_the_log_says_is_deleted(workspace: Workspace, project: ProjectInfo) -> None:
    delete(workspace, item_of(workspace, "v1"))
    other = workspace.runs.get(project, "v2")
    workspace.labels.record(other, CRITERION, "q1", 1, annotator="ann")
    engine = create_engine(workspace.store.database.url)
    for change in ("DELETE FROM label", "UPDATE label SET level = 0", "DELETE FROM housekeeping"):
        with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
            connection.execute(text(change))
    with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
        connection.execute(text("UPDATE housekeeping SET finished_at = NULL"))
    engine.dispose()


def test_a_deletion_that_fails_changes_nothing(
    workspace: Workspace, project: ProjectInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, files = rows_of(workspace), stored_files(workspace)
    item = item_of(workspace, "v1")
    monkeypatch.setitem(FILES, "guideline", (("samples", "none"),))  # which is asked for when rows are gone
    with pytest.raises(KeyError):
        delete(workspace, item)
    monkeypatch.undo()
    assert (rows_of(workspace), stored_files(workspace)) == (before, files)


def test_a_deletion_needs_the_name_an_author_and_what_was_seen(workspace: Workspace, project: ProjectInfo) -> None:
    item = item_of(workspace, "v1")
    seen = workspace.housekeeping.contents(item)
    with pytest.raises(HcatError, match=r"Nothing was deleted. Deleting run v1 also deletes 40 samples"):
        workspace.housekeeping.delete(item, seen, confirmed="v", author="lee")
    with pytest.raises(HcatError, match="the author needs a name"):
        workspace.housekeeping.delete(item, seen, confirmed="v1", author=" ")
    workspace.labels.record(workspace.runs.get(project, "v1"), CRITERION, "q9", 1, annotator="ann")
    with pytest.raises(ConflictError, match="changed meanwhile"):
        workspace.housekeeping.delete(item, seen, confirmed="v1", author="lee")
    assert workspace.runs.get(project, "v1").n == 40


def saved_calibration(workspace: Workspace, run: RunInfo) -> None:
    workspace.labels.add(
        run, CRITERION, [Label(f"q{k}", "correctness", int(k % 3 == 0) ^ (k % 7 == 0), "dan") for k in range(40)]
    )
    fitted = calibrate(workspace.run_data.open(run), CRITERION, metrics=("token_f1",))
    workspace.calibrations.save(run, fitted, reason="a test")


def test_what_a_finding_or_a_saved_calibration_rests_on_is_kept(workspace: Workspace, project: ProjectInfo) -> None:
    run = workspace.runs.get(project, "v1")
    selection = workspace.findings.freeze(run, "wrong", metric="token_f1", scores={"q2": 0.0}, filter={})
    workspace.findings.confirm(run, "Fees", selection=selection, severity="low", author="lee")
    saved_calibration(workspace, run)
    for name, kind, keepers in (
        ("v1", "run", {"findings": 1, "saved calibrations": 1}),
        ("correctness", "criterion", {"saved calibrations": 1}),
    ):
        item = item_of(workspace, name, kind)
        assert workspace.housekeeping.contents(item).keepers == keepers
        with pytest.raises(ConflictError, match=f"rests? on {kind} {name}, which is kept as it is: archive it"):
            delete(workspace, item)
        with pytest.raises(ConflictError, match="can't be renamed"):
            workspace.housekeeping.rename(item, "other")
    workspace.housekeeping.archive(item_of(workspace, "v1"))
    assert [item.name for item in workspace.runs.all(project)] == ["v2"]
    assert [finding.title for finding in workspace.findings.all(project)] == ["Fees"]
    # Of a project everything goes, and nothing is left that could rest on it.
    [whole] = workspace.housekeeping.all()
    delete(workspace, whole)
    assert workspace.projects.all() == []
    assert stored_files(workspace) == []
    assert {name for name, n in rows_of(workspace).items() if n} == {"audit", "housekeeping"}


def test_what_a_report_is_on_is_kept(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.reports.build(project, runs=["v1"])
    for name, kind in (("v1", "run"), ("correctness", "criterion")):
        with pytest.raises(ConflictError, match=f"1 report rests on {kind} {name}"):
            delete(workspace, item_of(workspace, name, kind))
    delete(workspace, item_of(workspace, "v2"))
    [whole] = workspace.housekeeping.all()
    delete(workspace, whole)
    assert stored_files(workspace) == []


def test_a_queue_goes_only_before_its_first_label(workspace: Workspace, project: ProjectInfo) -> None:
    queue = item_of(workspace, "random", "queue")
    assert queue.of == "v1, correctness"
    assert workspace.housekeeping.get("queue", "random", project=project, of="v1, correctness") == queue
    with pytest.raises(ConflictError, match="2 entries of the label log rest on queue random of v1, correctness"):
        delete(workspace, queue)
    run = workspace.runs.get(project, "v1")
    assert workspace.housekeeping.archive(queue).is_archived
    assert workspace.queues.all(run) == []
    further = workspace.queues.plan(run, CRITERION, planned=5)
    assert (further.name, workspace.queues.all(run)) == ("random, round 2", [further])
    delete(workspace, item_of(workspace, "random, round 2", "queue"))
    assert workspace.housekeeping.restore(queue).archived_at is None
    assert [stored.name for stored in workspace.queues.all(run)] == ["random"]
    with pytest.raises(ConflictError, match="named by how it draws"):
        workspace.housekeeping.rename(item_of(workspace, "random", "queue"), "mine")


def test_a_criterion_goes_with_its_labels(workspace: Workspace, project: ProjectInfo) -> None:
    delete(workspace, item_of(workspace, "correctness", "criterion"))
    assert workspace.criteria.all(project) == []
    assert workspace.labels.history(project) == []
    assert workspace.scoring.latest(workspace.runs.get(project, "v1")) is not None


def test_an_archived_thing_is_in_no_list_and_comes_back(workspace: Workspace, project: ProjectInfo) -> None:
    for name, kind in (("v1", "run"), ("correctness", "criterion")):
        item = workspace.housekeeping.archive(item_of(workspace, name, kind))
        assert workspace.housekeeping.archive(item) == item
    assert [run.name for run in workspace.runs.all(project)] == ["v2"]
    assert workspace.criteria.all(project) == []
    assert workspace.criteria.get(project, "correctness").name == "correctness"
    assert workspace.runs.get(project, "v1").name == "v1"
    with pytest.raises(ConflictError, match="already has a run 'v1'"):
        workspace.runs.add(project, "v1", SAMPLES, source="x")
    [whole] = workspace.housekeeping.all()
    workspace.housekeeping.archive(whole)
    assert workspace.projects.all() == []
    workspace.housekeeping.restore(whole)
    workspace.housekeeping.restore(item_of(workspace, "v1"))
    assert [run.name for run in workspace.runs.all(project)] == ["v1", "v2"]
    actions = [(entry.action, entry.name) for entry in workspace.housekeeping.log()]
    assert actions == [
        ("archive", "v1"),
        ("archive", "correctness"),
        ("archive", "bank"),
        ("restore", "bank"),
        ("restore", "v1"),
    ]


def test_a_new_name_is_read_everywhere(workspace: Workspace, project: ProjectInfo) -> None:
    assert workspace.labels.history(project)[0].criterion == "correctness"
    workspace.housekeeping.rename(item_of(workspace, "v1"), "baseline")
    workspace.housekeeping.rename(item_of(workspace, "correctness", "criterion"), "accuracy")
    [whole] = workspace.housekeeping.all()
    workspace.housekeeping.rename(whole, "the bank")
    assert [run.name for run in workspace.runs.all("the bank")] == ["baseline", "v2"]
    assert {record.criterion for record in workspace.labels.history("the bank")} == {"accuracy"}
    with pytest.raises(ConflictError, match="already a run 'v2'"):
        workspace.housekeeping.rename(workspace.housekeeping.get("run", "baseline", project="the bank"), "v2")
    workspace.criteria.add("the bank", Criterion("tone"))
    tone = workspace.housekeeping.get("criterion", "tone", project="the bank")
    with pytest.raises(ConflictError, match="differs from it only by case"):
        workspace.housekeeping.rename(tone, "Accuracy")
    with pytest.raises(NotFoundError, match="there is no run 'v9' in the project"):
        workspace.housekeeping.get("run", "v9", project="the bank")


def test_labels_of_a_new_run_are_not_taken_for_those_of_a_deleted_one(
    workspace: Workspace, project: ProjectInfo
) -> None:
    """SQLite gives the ids of deleted rows anew: another process has read the labels of before."""
    with Workspace.open(workspace.settings, actor="other") as other:
        assert len(other.labels.history(project)) == 4
        delete(workspace, item_of(workspace, "v1"))
        again = workspace.runs.add(project, "v3", SAMPLES, source="x")
        for k in range(4):
            workspace.labels.record(again, CRITERION, f"q{k}", 0, annotator="eva")
        assert {record.annotator for record in other.labels.history(project)} == {"eva"}


def test_a_run_that_a_job_works_on_stays(
    workspace: Workspace, project: ProjectInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = workspace.runs.get(project, "v2")
    with workspace.write("tests", "job.start") as write:
        workspace.store.job_table.add(write, "score", {"run": run.id, "metrics": ["all"]}, project_id=project.id)
    item = item_of(workspace, "v2")
    assert keeps_text(item, workspace.housekeeping.contents(item)) == (
        "run v2 is being worked on by 1 job: cancel that first"
    )
    with pytest.raises(ConflictError, match="cancel that first"):
        delete(workspace, item)
    delete(workspace, item_of(workspace, "v1"))  # the job is of the other run


def test_a_corpus_is_renamed_archived_and_deleted_with_its_files(workspace: Workspace, project: ProjectInfo) -> None:
    document = Document("a.md", "Fees are low.")
    first = CorpusImport((CorpusPassage("a.md#1", document.text, "a.md", end=13),), (document,), source="a.md")
    corpus = workspace.corpora.add(project, "handbook", first)
    workspace.corpora.add(project, "copy", first)
    workspace.corpora.add_version(corpus, CorpusImport((CorpusPassage("b#1", "Other.", "b"),), source="b.md"))
    item = workspace.housekeeping.rename(item_of(workspace, "handbook", "corpus"), "guide")
    assert workspace.housekeeping.contents(item).gone == {"corpus versions": 2}
    workspace.housekeeping.archive(item)
    assert [each.name for each in workspace.corpora.all(project)] == ["copy"]
    with pytest.raises(ConflictError, match="already has a corpus 'guide'"):
        workspace.corpora.add(project, "guide", first)
    before = stored_files(workspace)
    delete(workspace, item_of(workspace, "guide", "corpus"))
    # The files of its first version are those of the copy, and stay; those of its second go.
    assert len(set(before) - set(stored_files(workspace))) == 2
    [copy] = workspace.corpora.all(project)
    assert workspace.corpora.passages(copy) == first.passages
    with pytest.raises(NotFoundError, match="no corpus 'guide'"):
        workspace.corpora.versions(project, "guide")


def test_a_version_of_a_corpus_that_somebody_else_imported_first(workspace: Workspace, project: ProjectInfo) -> None:
    versions = [CorpusImport((CorpusPassage("a#1", text, "a"),), source="a") for text in ("One.", "Two.", "Three.")]
    corpus = workspace.corpora.add(project, "handbook", versions[0])
    assert workspace.corpora.add_version(corpus, versions[0]) == corpus
    workspace.corpora.add_version(corpus, versions[1])
    with pytest.raises(ConflictError, match="version 2 of this corpus was imported meanwhile"):
        workspace.corpora.add_version(corpus, versions[2])
    with pytest.raises(HcatError, match="there are no passages to store"):
        workspace.corpora.add(project, "empty", CorpusImport(()))
