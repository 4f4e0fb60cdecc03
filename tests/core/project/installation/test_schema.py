"""The schema is looked at without a change, brought to the newest with a copy, and a newer one is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from hcat.core.errors import StorageError
from hcat.core.project.installation.schema import migrate, schema_state
from hcat.core.settings import Settings
from hcat.core.storage.revisions import newest_revision
from tests.core.storage.conftest import database_url, make_later_schema, schema_made_by_each_step

__all__ = ["database_url", "make_later_schema", "schema_made_by_each_step"]

pytestmark = pytest.mark.usefixtures("schema_made_by_each_step")


def engine_of(url: str) -> Engine:
    return create_engine(url.replace("postgresql://", "postgresql+psycopg://"))


@pytest.fixture
def chosen(database_url: str, tmp_path: Path) -> Settings:
    return Settings(database_url=database_url, artifacts=str(tmp_path / "artifacts"))


def test_a_store_that_is_not_there_is_not_made_by_looking(chosen: Settings, tmp_path: Path) -> None:
    state = schema_state(chosen)
    assert (state.current, state.ready, state.copy) == (None, False, None)
    assert state.pending[-1] == state.newest
    assert not (tmp_path / "hcat.db").exists()
    assert migrate(chosen) == state
    assert schema_state(chosen).ready


def test_an_older_schema_is_told_and_then_changed_with_a_copy(
    chosen: Settings, tmp_path: Path, make_later_schema: Callable[[], None]
) -> None:
    migrate(chosen)
    newest = newest_revision()
    make_later_schema()
    state = schema_state(chosen)
    assert (state.current, state.newest, state.pending) == (newest, "9000", ("9000",))
    assert schema_state(chosen) == state  # the look changed nothing
    assert migrate(chosen) == state
    assert schema_state(chosen).pending == ()
    copy = tmp_path / f"hcat.db.schema-{newest}"
    assert state.copy == (str(copy) if chosen.database_url.startswith("sqlite") else None)
    if state.copy is not None:
        before = Settings(database_url=f"sqlite:///{copy}", artifacts=chosen.artifacts)
        assert schema_state(before).current == newest
    with engine_of(chosen.database_url).connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM later")).scalar_one() == 0


def test_a_newer_schema_is_refused_and_left(chosen: Settings) -> None:
    migrate(chosen)
    with engine_of(chosen.database_url).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for ask in (schema_state, migrate):
        with pytest.raises(StorageError, match=r"newer hcat \(schema 9999\): upgrade hcat") as refused:
            ask(chosen)
        assert "\n" not in str(refused.value)
    with engine_of(chosen.database_url).connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "9999"


@pytest.mark.parametrize(
    "url", ["postgresql://u:SECRETPW@127.0.0.1:9/x", "postgresql://127.0.0.1:9/x?password=SECRETPW", "nonsense"]
)
def test_a_server_that_does_not_answer_is_one_line_without_secrets(url: str) -> None:
    with pytest.raises(StorageError) as refused:
        schema_state(Settings(database_url=url))
    assert "SECRETPW" not in str(refused.value)
    assert "\n" not in str(refused.value)
