"""A store that an hcat with schema 0024 made, with everything that can be done to a project in it: its database on
SQLite and on PostgreSQL, its files, and all that was read from it then."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sqlalchemy import Engine, create_engine, inspect, make_url, text

from hcat.core.records.people import Identity
from hcat.core.settings import Settings
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.workspace import Workspace
from tests.pages.conftest import word_models

RECORDED = Path(__file__).parent / "recorded" / "schema-0024.zip"
"""`hcat.db`, `postgresql.sql` as pg_dump wrote it, `files/`, and what was read of each of the two."""


MADE_BY = Identity("this machine", "root", "root")


def recorded_store(database_url: str, folder: Path) -> Settings:
    """The recorded store at this URL, where there is no database or one without a table, with its files in the
    folder."""
    with zipfile.ZipFile(RECORDED) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith("files/")])
        if database_url.startswith("sqlite"):
            Path(database_url.removeprefix("sqlite:///")).write_bytes(archive.read("hcat.db"))
        else:
            _restore(database_url, archive.read("postgresql.sql").decode())
    return Settings(database_url=database_url, artifacts=str(folder / "files"))


@contextmanager
def opened_as_recorded(chosen: Settings) -> Iterator[Workspace]:
    """The store for who made it: roles are in use in it."""
    with word_models(), Workspace.open(chosen) as workspace:
        yield workspace.acting_for(MADE_BY, actor=MADE_BY.name)


def recorded_reading(database_url: str) -> Any:
    """All that was read of the store on a database of this kind when it was recorded: a server leaves numbers out."""
    kind = make_url(database_url).get_backend_name()
    with zipfile.ZipFile(RECORDED) as archive:
        return json.loads(archive.read(f"reading-{kind}.json"))


def reading(workspace: Workspace) -> Any:
    """All that the services of a workspace read from its store, as JSON."""
    return plain(
        {
            "projects": {project.name: _of_project(workspace, project.name) for project in workspace.projects.all()},
            "people": workspace.people.all(),
            "housekeeping": workspace.housekeeping.log(),
        }
    )


def _of_project(workspace: Workspace, name: str) -> Mapping[str, object]:
    project = workspace.projects.get(name)
    criteria = workspace.criteria.all(project)
    return {
        "project": project,
        "criteria": {
            each.name: [
                each,
                workspace.criteria.guidelines(project, each.name),
                workspace.criteria.examples(project, each.name),
                workspace.mappings.find_levels(project, each),
            ]
            for each in criteria
        },
        "mapping": workspace.mappings.find(project, ["a", "b"]),
        "runs": {run.name: _of_run(workspace, run, criteria) for run in workspace.runs.all(project)},
        "labels": [workspace.labels.history(project), workspace.labels.current(project)],
        "policies": [[record, workspace.policies.read(record).hash] for record in workspace.policies.all(project)],
        "plans": workspace.preregistrations.all(project),
        "findings": [[found, workspace.findings.selection(found)] for found in workspace.findings.all(project)],
        "risks": workspace.risks.all(project),
        "fairness": workspace.fairness.settled(project),
        "opinions": workspace.opinions.all(project),
        "reports": [[each, report_hash(workspace.reports.read(each))] for each in workspace.reports.versions(project)],
        "sign-offs": workspace.sign_offs.all(project),
        "rubrics": workspace.rubrics.versions(project),
        "test sets": [
            [each, workspace.test_sets.cases(each), workspace.test_sets.decisions(each)]
            for newest in workspace.test_sets.all(project)
            for each in workspace.test_sets.versions(project, newest.name)
        ],
        "corpora": [
            [
                each,
                workspace.corpora.passages(each),
                workspace.corpora.summaries(each),
                workspace.corpora.problems(each),
            ]
            for newest in workspace.corpora.all(project)
            for each in workspace.corpora.versions(project, newest.name)
        ],
        "corpus topics": [
            [workspace.corpus_topics.latest(each), workspace.corpus_topics.read(each)]
            for each in workspace.corpora.all(project)
        ],
        "erasures": [workspace.erasures.all(project), workspace.retentions.get(project)],
        "members": workspace.people.members(project),
        "items": [
            [item, workspace.housekeeping.contents(item).gone, workspace.housekeeping.contents(item).keepers]
            for item in workspace.housekeeping.all(project)
        ],
    }


def _of_run(workspace: Workspace, run: Any, criteria: Any) -> Mapping[str, object]:
    columns = workspace.runs.columns(run)
    return {
        "run": run,
        "samples": workspace.runs.samples(run),
        "levels": {name: columns.dimension(name).texts() for name in columns.dimension_names()},
        "scores": workspace.scoring.table(run),
        "topics": workspace.topics.read(run),
        "queues": [[queue, workspace.queues.items(queue)] for queue in workspace.queues.all(run)],
        "calibrations": workspace.calibrations.all(run),
        "gold": [workspace.gold.items(run, each) for each in criteria],
        "adjudications": workspace.disagreements.adjudications(run),
        "unblinded": [sorted(workspace.annotators.unblinded(run, each, "ann")) for each in criteria],
        "judges": [[each, workspace.judges.verdicts(each)] for each in workspace.judges.all(run) if each.work == "run"],
    }


def plain(value: Any) -> Any:
    """The value as JSON, whatever it is made of."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, pd.DataFrame):
        return value.to_csv()
    if isinstance(value, datetime | date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return repr(float(value))


def _restore(url: str, dump: str) -> None:
    """What `psql` would do with a dump: all but its own commands."""
    statements = re.sub(r"^\\.*$", "", dump, flags=re.MULTILINE)
    engine = server_engine(url)
    with engine.begin() as connection:
        connection.connection.cursor().execute(statements)
    engine.dispose()


def server_engine(url: str) -> Engine:
    """A connection past hcat."""
    return create_engine(url.replace("postgresql://", "postgresql+psycopg://"))


def schema_in(url: str) -> Mapping[str, object]:
    """Each table with its columns, keys, constraints and indexes, and each trigger, whatever their order."""
    engine = server_engine(url)
    with engine.connect() as connection:
        found = inspect(connection)
        tables = {
            name: {
                "columns": sorted(
                    (each["name"], str(each["type"]), each["nullable"], _bare(each["default"]))
                    for each in found.get_columns(name)
                ),
                "key": found.get_pk_constraint(name),
                "references": _sorted(found.get_foreign_keys(name)),
                "unique": _sorted(found.get_unique_constraints(name)),
                "indexes": _sorted(found.get_indexes(name)),
            }
            for name in found.get_table_names()
        }
        on_server = engine.dialect.name == "postgresql"
        triggers = [*connection.execute(text(_TRIGGERS if on_server else _SQLITE_TRIGGERS)).scalars()]
        rights = [*connection.execute(text(_RIGHTS)).scalars()] if on_server else []
    engine.dispose()
    return {"tables": tables, "triggers": sorted(map(_normal, triggers)), "rights": rights}


_SQLITE_TRIGGERS = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
_TRIGGERS = "SELECT pg_get_triggerdef(t.oid) || pg_get_functiondef(t.tgfoid) FROM pg_trigger t WHERE NOT t.tgisinternal"
_RIGHTS = "SELECT relacl::text FROM pg_class WHERE relname = 'audit'"


def _bare(default: str | None) -> str | None:
    """The default value without quotes and type."""
    return None if default is None else default.split("::")[0].strip("'")


def _sorted(parts: Any) -> list[str]:
    """Reflected parts as texts, in order; a condition that SQLAlchemy reads is a text already."""
    return sorted(json.dumps(part, sort_keys=True, default=str) for part in parts)


def _normal(trigger: str) -> str:
    return " ".join(trigger.replace("NOT OLD.finished_at IS NULL", "OLD.finished_at IS NOT NULL").split())
