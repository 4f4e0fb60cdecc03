"""A store of the first schema, with labels in it, is brought to the newest one and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError

from core.labelling.queue import QueueRules
from core.settings import Settings
from core.storage.database import MIGRATIONS
from core.storage.tables.labelling import LabelRow
from core.workspace import Workspace

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


def engine_of(url: str) -> Engine:
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    if url.startswith("sqlite"):

        @event.listens_for(engine, "connect")
        def check_references(connection: object, record: object) -> None:
            connection.execute("PRAGMA foreign_keys = ON")  # type: ignore[attr-defined]

    return engine


@pytest.fixture
def old(database_url: str) -> str:
    """A database of the first schema, as its hcat left it."""
    configuration = Config()
    configuration.set_main_option("script_location", str(MIGRATIONS))
    engine = engine_of(database_url)
    with engine.begin() as connection:
        configuration.attributes["connection"] = connection
        command.upgrade(configuration, "0001")
        for statement in OLD:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return database_url


def test_an_upgrade_keeps_what_people_decided(old: str, tmp_path: Path) -> None:
    workspace = Workspace.open(Settings(database_url=old, artifacts=str(tmp_path / "artifacts")))
    assert [(x.id, x.kind, x.level, x.superseded) for x in workspace.label_history("bank")] == [
        (1, "label", 1, True),
        (2, "label", 0, False),
        (3, "skip", None, False),
    ]
    first = workspace.label_history("bank")[0]
    assert (first.seconds, first.rationale, first.probability, first.at.isoformat()) == (
        8.5,
        "fine",
        0.25,
        "2026-01-02T03:04:05+00:00",
    )
    # Nothing was recorded of what is new: nobody knows what was shown.
    assert (first.purpose, first.occurrence, first.details.flagged, first.details.blind) == ("estimate", 0, False, None)
    assert [(x.sample_id, x.level) for x in workspace.labels("bank")] == [("q1", 0)]
    [queue] = workspace.queues(workspace.run("bank", "v1"))
    assert (queue.name, queue.planned, queue.round, queue.rules) == ("random", 2, 1, QueueRules())
    workspace.close()


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
