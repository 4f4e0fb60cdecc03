"""A store of an older schema, with labels in it, is brought to the newest one and loses nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from hcat.core.labelling.consensus import is_hash_of
from hcat.core.labelling.queue import QueueRules
from hcat.core.settings import Settings
from hcat.core.storage.database import MIGRATIONS, Database
from hcat.core.storage.stores.audit import AuditLog
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.workspace import Workspace

pytestmark = pytest.mark.usefixtures("schema_made_by_each_step")

AT = "2026-01-02 03:04:05+00:00"
OLD = [
    f"INSERT INTO project (id, name, description, created_at) VALUES (1, 'bank', 'old', '{AT}')",
    f"INSERT INTO criterion (id, project_id, name, levels, passing, created_at) "
    f"VALUES (1, 1, 'correctness', '[\"fail\", \"pass\"]', 1, '{AT}')",
    f"INSERT INTO guideline (criterion_id, version, text, created_at) VALUES (1, 1, 'read it', '{AT}')",
    f"INSERT INTO run (id, project_id, name, content_hash, artifact, n, filename, format, created_at) "
    f"VALUES (1, 1, 'v1', 'h', 'a', 2, 'f', 'native', '{AT}')",
    f"INSERT INTO label (id, run_id, criterion_id, sample_id, annotator, kind, level, rationale, probability, queue, "
    f"seconds, guideline_version, at, supersedes) VALUES "
    f"(1, 1, 1, 'q1', 'ann', 'label', 1, 'fine', 0.25, 'random', 8.5, 1, '{AT}', NULL), "
    f"(2, 1, 1, 'q1', 'ann', 'label', 0, NULL, 0.25, 'random', 3.0, 1, '{AT}', 1), "
    f"(3, 1, 1, 'q2', 'ann', 'skip', NULL, 'expert', 0.25, 'random', NULL, 1, '{AT}', NULL)",
    f"INSERT INTO label_queue (id, run_id, criterion_id, kind, dimension, planned, artifact, created_at) "
    f"VALUES (1, 1, 1, 'random', '', 2, 'file', '{AT}')",
    f"INSERT INTO finding (id, project_id, title, slice, evidence, author, severity, status, comment, created_at) "
    f"VALUES (1, 1, 'fees', '{{}}', '{{}}', 'ann', 'high', 'open', '', '{AT}')",
]


PREFIXED = [
    *OLD[:4],
    "INSERT INTO label (id, sample_id, annotator, level, supersedes, run_id, criterion_id, kind, probability, queue, "
    "flagged, occurrence, purpose, guideline_version, at) VALUES "
    + ", ".join(
        f"({n}, '{sample}', '{name}', {level}, {earlier}, 1, 1, 'label', 0.5, 'import', "
        f"false, 0, 'estimate', 1, '{AT}')"
        for n, sample, name, level, earlier in [
            (1, "q1", "lead", 0, "NULL"),
            (2, "q1", "adjudication by lead", 0, "NULL"),
            (3, "q1", "adjudication by lead", 1, "2"),
            (4, "q2", "reference-rule v2", 1, "NULL"),
            (5, "q2", "Reference-rule fan", 0, "NULL"),
        ]
    ),
    f"INSERT INTO adjudication (id, run_id, criterion_id, sample_id, level, rationale, author, label_ids, "
    f"guideline_version, at) VALUES (1, 1, 1, 'q2', 1, '', 'zoe', '[5]', 1, '{AT}')",
]
FORMER_NAMES = ("lead", "adjudication by lead", "reference-rule v2", "Reference-rule fan", "adjudication by zoe")


def engine_of(url: str) -> Engine:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    if url.startswith("sqlite"):

        @event.listens_for(engine, "connect")
        def check_references(connection: object, record: object) -> None:
            connection.execute("PRAGMA foreign_keys = ON")  # type: ignore[attr-defined]

    return engine


def made_by_schema(revision: str, database_url: str, statements: list[str]) -> str:
    configuration = Config()
    configuration.set_main_option("script_location", str(MIGRATIONS))
    engine = engine_of(database_url)
    with engine.begin() as connection:
        configuration.attributes["connection"] = connection
        command.upgrade(configuration, revision)
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return database_url


@pytest.fixture
def old(database_url: str) -> str:
    """A database of the first schema, as its hcat left it."""
    return made_by_schema("0001", database_url, OLD)


def test_an_upgrade_keeps_what_people_decided(old: str, tmp_path: Path) -> None:
    workspace = Workspace.open(Settings(database_url=old, artifacts=str(tmp_path / "artifacts")))
    assert [(x.id, x.kind, x.level, x.superseded) for x in workspace.labels.history("bank")] == [
        (1, "label", 1, True),
        (2, "label", 0, False),
        (3, "skip", None, False),
    ]
    first = workspace.labels.history("bank")[0]
    assert (first.seconds, first.rationale, first.probability, first.at.isoformat()) == (
        8.5,
        "fine",
        0.25,
        "2026-01-02T03:04:05+00:00",
    )
    # Nothing was recorded of what is new: nobody knows what was shown.
    assert (first.purpose, first.occurrence, first.details.flagged, first.details.blind) == ("estimate", 0, False, None)
    assert [(x.sample_id, x.level) for x in workspace.labels.current("bank")] == [("q1", 0)]
    [queue] = workspace.queues.all(workspace.runs.get("bank", "v1"))
    assert (queue.name, queue.planned, queue.round, queue.rules) == ("random", 2, 1, QueueRules())
    workspace.close()


def test_an_upgrade_reads_the_sources_of_labels_from_the_names_that_told_them(
    database_url: str, tmp_path: Path
) -> None:
    made_by_schema("0004", database_url, PREFIXED)
    workspace = Workspace.open(Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts")))
    assert [(x.id, x.source, x.annotator, x.superseded) for x in workspace.labels.history("bank")] == [
        (1, "person", "lead", False),
        (2, "adjudication", "lead", True),
        (3, "adjudication", "lead", False),
        (4, "rule", "reference-rule v2", False),
        (5, "person", "Reference-rule fan", False),
    ]
    held = workspace.labels.current("bank")
    assert [(x.sample_id, x.source, x.annotator, x.level) for x in held] == [
        ("q1", "person", "lead", 0),
        ("q1", "adjudication", "lead", 1),
        ("q2", "rule", "reference-rule v2", 1),
        ("q2", "person", "Reference-rule fan", 0),
        ("q2", "adjudication", "zoe", 1),
    ]
    # A calibration of before carries the hash of these labels under the names that they had.
    said = [f"{x.sample_id}\0correctness\0{x.level}\0{{}}\0v1\x000.5" for x in held]
    former = sorted(text.format(name) for text, name in zip(said, FORMER_NAMES, strict=True))
    assert is_hash_of(hashlib.sha256("\n".join(former).encode()).hexdigest(), held)
    workspace.close()
    engine = engine_of(database_url)
    for change in ("UPDATE label SET source = 'llm'", "DELETE FROM label"):
        with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
            connection.execute(text(change))
    engine.dispose()


def test_an_upgraded_store_has_exactly_the_tables_and_still_refuses_changes(old: str, tmp_path: Path) -> None:
    Workspace.open(Settings(database_url=old, artifacts=str(tmp_path / "artifacts"))).close()
    engine = engine_of(old)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), LabelRow.metadata) == []
        assert connection.execute(text("SELECT owner, frozen FROM finding")).all() == [("", None)]
        assert {"column_mapping", "claim", "gold", "adjudication"} <= set(inspect(connection).get_table_names())
    for change in ("UPDATE label SET level = 1", "DELETE FROM label"):
        with pytest.raises(DBAPIError, match="append-only"), engine.begin() as connection:
            connection.execute(text(change))
    second_first = (
        "INSERT INTO label (id, run_id, criterion_id, sample_id, annotator, kind, level, probability, queue, "
        f"guideline_version, at) VALUES (9, 1, 1, 'q1', 'ann', 'label', 1, 1, 'none', 1, '{AT}')"
    )
    with pytest.raises(DBAPIError, match=r"uq_label_first|UNIQUE constraint failed"), engine.begin() as connection:
        connection.execute(text(second_first))
    engine.dispose()


def test_the_audit_log_of_an_older_store_begins_with_a_digest_of_each_table(database_url: str) -> None:
    project = f"INSERT INTO project (id, name, description, created_at) VALUES (1, 'bank', 'old', '{AT}')"
    made_by_schema("0020", database_url, [project])
    database = Database(database_url)
    log = AuditLog(database)
    assert [(entry.action, entry.subject) for entry in log.entries()][1:] == [("log.begin", "project 1")]
    assert log.changed_past_the_log() is None
    with engine_of(database_url).begin() as connection:
        connection.execute(text("UPDATE project SET description = 'another'"))
    fault = log.changed_past_the_log()
    assert fault is not None
    assert fault.reason == "project 1 is not what row 2 (log.begin) left: it was changed past the log"
    database.close()
