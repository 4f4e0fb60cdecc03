"""Plans are fixed before the labels, never changed, and held against what the report rests on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from hcat.core.capabilities.report.planned import PlannedCriterion, outcome_of, planned_criteria
from hcat.core.errors import ConflictError, HcatError, NotFoundError, StorageError
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.preregistration import Plan, plan_document
from hcat.core.records.project import ProjectInfo
from hcat.core.settings import Settings
from hcat.core.types import Criterion, Estimate, Label, Sample
from hcat.core.view.renderers.render import render
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import database_url
from tests.core.storage.made_stores import MadeStores

__all__ = ["database_url"]

PLAN = Plan("correctness", 4, 0.9, 0.1, rule="the pass rate by labels of people")


@pytest.fixture
def workspace(
    database_url: str, tmp_path: Path, made_stores: MadeStores, request: pytest.FixtureRequest
) -> Iterator[Workspace]:
    """Empty, or as `add_project` leaves it for those who ask for the project."""
    chosen = Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts"))
    if "project" in request.fixturenames:
        chosen = made_stores.copy(add_project, database_url, tmp_path, actor="test")
    with Workspace.open(chosen, actor="test") as opened:
        yield opened


@pytest.fixture
def project(workspace: Workspace) -> ProjectInfo:
    return workspace.projects.get("bank")


def add_project(workspace: Workspace) -> None:
    made = workspace.projects.create("bank")
    workspace.runs.add(made, "v1", [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(6)], source="x")
    workspace.criteria.add(made, Criterion("correctness", guideline="Pass what states the fee."))


def label(workspace: Workspace, project: ProjectInfo, n: int, *, at: datetime | None = None) -> None:
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.get(project, "correctness")
    given = [Label(f"q{k}", "correctness", k % 2, "ann", at=at) for k in range(n)]
    workspace.labels.add(run, criterion, given)


def standing(workspace: Workspace, project: ProjectInfo) -> PlannedCriterion:
    [found] = planned_criteria(workspace.reports.evidence(project))
    return found


def deviations(workspace: Workspace, project: ProjectInfo) -> dict[str, str]:
    return {each.what: each.done for each in standing(workspace, project).deviations}


def summary(workspace: Workspace, project: ProjectInfo) -> str:
    return render(workspace.reports.build(project, author="lee"), format="html").decode()


def test_a_plan_has_the_hash_of_all_it_says(workspace: Workspace, project: ProjectInfo) -> None:
    plan = workspace.preregistrations.register(project, PLAN, author="lee")
    document = plan_document(
        PLAN, version=1, guideline_version=1, author="lee", labels_before=0, supersedes="", at=plan.at
    )
    assert plan.hash == sha256_of_json(document)
    assert workspace.preregistrations.all(project) == [plan]
    for what, other in {"author": "kim", "labels_before": 1, "supersedes": "ab", "version": 2}.items():
        assert sha256_of_json({**document, what: other}) != plan.hash


def test_a_report_is_as_pre_registered(workspace: Workspace, project: ProjectInfo) -> None:
    plan = workspace.preregistrations.register(project, PLAN, author="lee")
    label(workspace, project, 4)
    assert standing(workspace, project).deviations == ()
    report = summary(workspace, project)
    assert "As pre-registered: correctness" in report
    assert plan.hash in report
    assert "No deviation from the plan." in report
    assert "Exploratory" not in report


def test_without_a_plan_results_are_exploratory(workspace: Workspace, project: ProjectInfo) -> None:
    label(workspace, project, 4)
    assert standing(workspace, project).plan is None
    assert "Exploratory: correctness" in summary(workspace, project)


def test_a_plan_after_labels_makes_nothing_pre_registered(workspace: Workspace, project: ProjectInfo) -> None:
    label(workspace, project, 3)
    plan = workspace.preregistrations.register(project, PLAN, author="lee")
    assert (plan.labels_before, plan.is_before_labels) == (3, False)
    report = summary(workspace, project)
    assert "Exploratory: correctness" in report
    assert "The first plan was registered after 3 labels, too late." in report


def test_labels_that_were_undone_were_seen(workspace: Workspace, project: ProjectInfo) -> None:
    run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.get(project, "correctness")
    workspace.labels.record(run, criterion, "q0", 1, annotator="ann")
    workspace.labels.undo(run, criterion, annotator="ann")
    assert workspace.preregistrations.register(project, PLAN, author="lee").labels_before == 1


def test_labels_imported_later_with_an_earlier_date_come_before(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    label(workspace, project, 4, at=datetime.now(UTC) - timedelta(days=1))
    assert standing(workspace, project).plan is None
    assert "registered after 4 labels, too late" in summary(workspace, project)


def test_a_later_plan_supersedes_and_is_a_deviation(workspace: Workspace, project: ProjectInfo) -> None:
    plans = workspace.preregistrations
    first = plans.register(project, PLAN, author="lee")
    label(workspace, project, 4)
    later = plans.register(project, replace(PLAN, threshold=0.4, n=6), author="kim")
    assert (later.version, later.supersedes, later.labels_before) == (2, first.hash, 4)
    assert plans.get(project, "correctness") == later
    assert plans.get(project, "correctness", 1) == first
    found = deviations(workspace, project)
    assert found["threshold"].startswith("0.4 in plan 2 of ")
    assert found["threshold"].endswith(", after 4 labels")
    assert found["n"].startswith("6 in plan 2 of ")
    assert "Pre-registered, with 2 deviations: correctness" in summary(workspace, project)


def test_a_second_plan_before_the_labels_holds(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    second = workspace.preregistrations.register(project, replace(PLAN, n=3), author="lee")
    label(workspace, project, 3)
    stands = standing(workspace, project)
    assert stands.plan is not None
    assert (stands.plan.registered, stands.deviations) == (second, ())


def test_the_same_plan_again_is_the_same(workspace: Workspace, project: ProjectInfo) -> None:
    first = workspace.preregistrations.register(project, PLAN, author="lee")
    assert workspace.preregistrations.register(project, PLAN, author="kim") == first


def test_other_n_slices_and_guideline_are_named(workspace: Workspace, project: ProjectInfo) -> None:
    samples = [Sample(f"p{k}", f"Fee {k}?", f"fee {k}", dimensions={"topic": "ab"[k % 2]}) for k in range(40)]
    run = workspace.runs.add(project, "v2", samples, source="x")
    workspace.preregistrations.register(project, PLAN, author="lee")
    criterion = workspace.criteria.get(project, "correctness")
    workspace.labels.add(run, criterion, [Label(f"p{k}", "correctness", k % 2, "ann") for k in range(40)])
    workspace.criteria.edit_guideline(project, criterion, "Pass what states a fee.")
    found = deviations(workspace, project)
    assert found["n"] == "40 samples of run v2 labelled"
    assert found["slices"] == "topic in run v2"
    assert found["guideline"] == "version 2"
    assert set(found) == {"n", "slices", "guideline"}


def test_nothing_labelled_is_a_deviation(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    assert deviations(workspace, project) == {"n": "nothing labelled yet"}


@pytest.mark.parametrize(
    ("low", "high", "outcome"), [(0.9, 1.0, "reached"), (0.5, 0.899, "not reached"), (0.5, 0.9, "open")]
)
def test_the_whole_interval_reaches_the_threshold(low: float, high: float, outcome: str) -> None:
    assert outcome_of(Estimate((low + high) / 2, low, high, 10), 0.9) == outcome


@pytest.mark.parametrize("words", ["UPDATE document SET author = 'kim'", "DELETE FROM document"])
def test_the_database_refuses_a_change(workspace: Workspace, project: ProjectInfo, words: str) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    refused = pytest.raises((DBAPIError, StorageError), match="append-only")
    with workspace.write("test", "plan.register") as write, refused, write.transaction() as session:
        session.connection().execute(text(words))


def test_a_plan_that_is_another_is_not_read(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    with workspace.write("test", "plan.register") as write, write.transaction() as session:
        parts = "project_id, criterion_id, kind, series, document, author, note, at"
        copied = f"INSERT INTO document ({parts}, version, hash) SELECT {parts}, 2, 'ab' FROM document"
        session.connection().execute(text(copied))
    with pytest.raises(StorageError, match="is not what was registered"):
        workspace.preregistrations.all(project)


def test_a_plan_supersedes_a_signed_report(workspace: Workspace, project: ProjectInfo) -> None:
    label(workspace, project, 4)
    workspace.reports.build(project, author="paula")
    [version] = workspace.reports.versions(project)
    workspace.sign_offs.submit(version, author="paula")
    assert workspace.sign_offs.approve(version, reviewer="kim").state == "approved"
    workspace.preregistrations.register(project, PLAN, author="lee")
    stands = workspace.sign_offs.of(version)
    assert (stands.state, stands.changed) == ("superseded", ("plan on correctness: new",))


def test_a_criterion_with_a_plan_stays(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.preregistrations.register(project, PLAN, author="lee")
    item = workspace.housekeeping.get("criterion", "correctness", project=project)
    assert workspace.housekeeping.contents(item).keepers == {"registered plans": 1}


def test_labels_and_plans_follow_one_another(workspace: Workspace, project: ProjectInfo) -> None:
    """Whichever comes first: each plan counts every label that was written before it."""
    begin = threading.Barrier(2)
    failed: list[BaseException] = []

    def labels() -> None:
        run, criterion = workspace.runs.get(project, "v1"), workspace.criteria.get(project, "correctness")
        begin.wait()
        for k in range(6):
            workspace.labels.record(run, criterion, f"q{k}", 1, annotator="ann")

    def plans() -> None:
        begin.wait()
        for k in range(6):
            try:
                workspace.preregistrations.register(project, replace(PLAN, n=k + 1), author="lee")
            except ConflictError as error:
                failed.append(error)

    threads = [threading.Thread(target=each) for each in (labels, plans)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    registered = workspace.preregistrations.all(project)
    counts = [plan.labels_before for plan in registered]
    assert counts == sorted(counts)
    assert len(counts) == 6
    given = workspace.labels.history(project, criterion="correctness")
    for plan in registered:
        assert sum(each.at < plan.at for each in given) <= plan.labels_before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": 0}, "needs a number of labels"),
        ({"threshold": 0.0}, "a share above 0"),
        ({"threshold": 90.0}, "a share above 0"),
        ({"threshold": float("nan")}, "a share above 0"),
        ({"alpha": 1.0}, "between 0 and 1"),
        ({"rule": " "}, "needs metrics, or a rule"),
        ({"metrics": ("a", "a")}, "name each metric of a plan once"),
        ({"dimensions": ("",)}, "name each dimension of a plan once"),
    ],
)
def test_a_plan_that_fixes_nothing_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(HcatError, match=said):
        replace(PLAN, **change)  # type: ignore[arg-type]


def test_a_plan_needs_a_criterion_and_a_name(workspace: Workspace, project: ProjectInfo) -> None:
    with pytest.raises(NotFoundError, match="no criterion 'other'"):
        workspace.preregistrations.register(project, replace(PLAN, criterion="other"), author="lee")
    with pytest.raises(HcatError, match="author"):
        workspace.preregistrations.register(project, PLAN, author=" ")
    with pytest.raises(NotFoundError, match="there is no plan 3 on criterion 'correctness'"):
        workspace.preregistrations.get(project, "correctness", 3)
    assert workspace.preregistrations.all(project) == []
