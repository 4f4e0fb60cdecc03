"""A store that an earlier hcat made is brought to the newest schema: it says what it said, and takes what is new."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from hcat.core.errors import StorageError
from hcat.core.project.installation.schema import migrate, schema_state
from hcat.core.project.installation.store_checks import check_store
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.report import Opinion
from hcat.core.records.risks import Risk, RiskRegister
from hcat.core.settings import Settings
from hcat.core.storage.backup import read_backup, write_backup
from hcat.core.storage.database import Database
from hcat.core.storage.revisions import newest_revision
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from tests.core.storage.conftest import server_database
from tests.core.storage.recorded_stores import (
    MADE_BY,
    opened_as_recorded,
    plain,
    reading,
    recorded_reading,
    recorded_store,
    schema_in,
    server_engine,
)

pytestmark = pytest.mark.usefixtures("schema_made_by_each_step")


def test_a_recorded_store_says_what_it_said(database_url: str, tmp_path: Path) -> None:
    chosen = recorded_store(database_url, tmp_path)
    with opened_as_recorded(chosen) as workspace:
        found, recorded = reading(workspace), recorded_reading(database_url)
        for project in recorded["projects"].values():
            for rubric in project["rubrics"]:  # nothing ever named a rubric by these
                del rubric["id"], rubric["project_id"]
        for name, project in recorded["projects"].items():
            for part, told in project.items():
                assert found["projects"][name][part] == told, (name, part)
        assert found == recorded
        assert workspace.audit.state().fault is None


def test_a_recorded_store_takes_what_is_new(database_url: str, tmp_path: Path) -> None:
    with opened_as_recorded(recorded_store(database_url, tmp_path)) as workspace:
        project = workspace.projects.get("bank")
        register = workspace.risks.state(project, RiskRegister(risks=(Risk("slow answers"),)), author=MADE_BY.name)
        assert [each.version for each in workspace.risks.all(project)] == [2, 1]
        assert register.author == MADE_BY.name
        [first] = workspace.preregistrations.all(project)
        plan = workspace.preregistrations.register(project, replace(first.plan, n=9), author=MADE_BY.name)
        assert (plan.version, plan.supersedes) == (2, first.hash)
        [policy] = workspace.policies.all(project)
        used = workspace.policies.read(policy)
        run = workspace.runs.by_id(policy.run_id)
        again = workspace.policies.switch_on(run, used, author=MADE_BY.name, reason="again")
        assert again.version == 2 and again.id > policy.id
        opinion = workspace.opinions.state(project, Opinion("fit", MADE_BY.name, conditions=("look again",)))
        assert [each.version for each in workspace.opinions.all(project)] == [2, 1] and opinion.version == 2
        rubric, number = workspace.rubrics.newest(project)
        saved = workspace.rubrics.save(project, replace(rubric, role="You are a judge."), author=MADE_BY.name)
        assert saved.version == number + 1 == 2
        workspace.fairness.settle(project, FairnessSettings(margin=0.1), author=MADE_BY.name)
        assert [each.settings.margin for each in workspace.fairness.settled(project)] == [0.1, 0.05]
        assert workspace.retentions.settle(project, None, author=MADE_BY.name).days is None
        assert workspace.retentions.get(project) is None
        run = workspace.runs.add(project, "later", [Sample("s", "What is a fee?", "3")], source="x")
        criterion = workspace.criteria.add(project, Criterion("tone"))
        workspace.labels.record(run, criterion, "s", 1, annotator=MADE_BY.name)
        assert [label.sample_id for label in workspace.labels.current(project, criterion.name)] == ["s"]
        assert workspace.audit.state().fault is None
        assert workspace.store.audit_log.changed_past_the_log() is None


def test_a_change_past_the_log_is_seen_after_the_schema_changed(database_url: str, tmp_path: Path) -> None:
    with opened_as_recorded(recorded_store(database_url, tmp_path)) as workspace:
        assert workspace.store.audit_log.changed_past_the_log() is None
        engine = server_engine(database_url)
        with engine.begin() as connection:
            connection.execute(text("UPDATE policy_look SET actor = 'eve'"))
        engine.dispose()
        fault = workspace.store.audit_log.changed_past_the_log()
        assert fault is not None and fault.reason.startswith("policy_look 1 is not what row")


def test_a_recorded_store_and_a_new_one_have_the_same_schema(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    Database(recorded_store(database_url, tmp_path).database_url).close()
    new = f"sqlite:///{tmp_path / 'new.db'}"
    if not database_url.startswith("sqlite"):
        new = server_database(request.getfixturevalue("postgresql"), empty=True)
    Database(new).close()
    assert schema_in(database_url) == schema_in(new)


def test_a_schema_that_is_another_would_be_noticed(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path / name}.db" for name in ("one", "two")]
    for url in urls:
        Database(url).close()
    assert schema_in(urls[0]) == schema_in(urls[1])
    engine = server_engine(urls[1])
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER label_no_delete"))
    assert schema_in(urls[0]) != schema_in(urls[1])
    engine.dispose()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE label SET level = 1",
        "DELETE FROM label",
        "DELETE FROM document",
        "UPDATE audit SET actor = 'kim'",
        "DELETE FROM audit",
    ],
)
def test_a_recorded_store_still_refuses_changes(database_url: str, tmp_path: Path, change: str) -> None:
    Database(recorded_store(database_url, tmp_path).database_url).close()
    engine = server_engine(database_url)
    with pytest.raises(DBAPIError, match=r"append-only|permission denied"), engine.begin() as connection:
        connection.execute(text(change))
    engine.dispose()


def test_what_was_recorded_can_be_compared() -> None:
    assert plain({"a": (1, 2.5, None)}) == {"a": [1, "2.5", None]}
    assert set(recorded_reading("sqlite://")["projects"]) == {"bank", "Demo: Pellmarsh Bank"}


def test_hcat_migrate_and_doctor_take_a_recorded_store(database_url: str, tmp_path: Path) -> None:
    chosen = recorded_store(database_url, tmp_path)
    state = schema_state(chosen)
    assert (state.current, state.pending[0], state.ready) == ("0024", "0025", False)
    assert migrate(chosen) == state and schema_state(chosen).ready
    assert {check.name: check.state for check in check_store(chosen, deep=True) if check.state == "broken"} == {}
    if state.copy is not None:
        before = Settings(database_url=f"sqlite:///{state.copy}", artifacts=chosen.artifacts)
        assert schema_state(before).current == "0024"
        assert Path(state.copy).name == "hcat.db.schema-0024"


def test_a_store_from_before_the_first_release_is_refused_in_one_line(database_url: str, tmp_path: Path) -> None:
    chosen = recorded_store(database_url, tmp_path)
    engine = server_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0014'"))
    with pytest.raises(StorageError, match=r"never released \(schema 0014\) and is not read") as refused:
        Workspace.open(chosen)
    assert "\n" not in str(refused.value)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "0014"
    engine.dispose()
    if database_url.startswith("sqlite"):
        write_backup(chosen, tmp_path / "old.zip")
        with pytest.raises(StorageError, match=r"old\.zip was written by an hcat that was never released"):
            read_backup(tmp_path / "old.zip", chosen, replace=True)


def test_a_store_with_a_run_whose_texts_are_not_sealed_is_refused_and_left_alone(
    database_url: str, tmp_path: Path
) -> None:
    chosen = recorded_store(database_url, tmp_path)
    engine = server_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE run SET key_ring = NULL WHERE id = (SELECT min(id) FROM run)"))
    with pytest.raises(StorageError, match=r"1 of the runs, such as '.*', were stored by .* and are not read: import"):
        Workspace.open(chosen)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "0024"
    engine.dispose()


def test_the_newest_schema_is_the_one_that_a_new_store_has(tmp_path: Path) -> None:
    Database(f"sqlite:///{tmp_path / 'new.db'}").close()
    engine = server_engine(f"sqlite:///{tmp_path / 'new.db'}")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == newest_revision()
    engine.dispose()
