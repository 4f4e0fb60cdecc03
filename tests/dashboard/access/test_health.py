"""What a proxy asks is answered without a name or a login, from the real database, and tells nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from hcat.core.project.installation.schema import migrate
from hcat.core.settings import settings
from hcat.dashboard.access import health
from hcat.dashboard.access.guard import Guard
from hcat.dashboard.access.headers import SAFE_HEADERS, SafeHeaders
from hcat.dashboard.access.health import ALIVE, READY, Health


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'secretname.db'}")
    monkeypatch.setattr(health, "ASKED_EVERY", -1.0)
    settings.cache_clear()
    yield tmp_path / "secretname.db"
    settings.cache_clear()


@pytest.fixture
def client() -> TestClient:
    layers = [Middleware(layer) for layer in (SafeHeaders, Health, Guard)]
    return TestClient(Starlette(middleware=layers), base_url="http://10.0.0.7:8501")  # a name that pages may not use


def test_ready_means_a_database_with_this_schema(client: TestClient, store: Path) -> None:
    assert client.get(READY).status_code == 503
    assert not store.exists()
    migrate()
    assert (client.get(READY).status_code, client.get(READY).text) == (200, "ok")
    store.write_bytes(b"\0" * 9000)
    answer = client.get(READY)
    assert answer.status_code == 503
    assert "secretname" not in answer.text
    assert client.get(ALIVE).status_code == 200


def test_a_database_that_does_not_answer_is_told_without_its_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", "postgresql://u:SECRETPW@127.0.0.1:9/x")
    settings.cache_clear()
    answer = client.get(READY)
    assert (answer.status_code, "hcat doctor" in answer.text) == (503, True)
    assert "SECRETPW" not in answer.text
    assert "127.0.0.1" not in answer.text


def test_the_answers_carry_the_safe_headers_and_are_not_stored(client: TestClient) -> None:
    answer = client.get(ALIVE)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers.items() >= SAFE_HEADERS.items()


def test_other_addresses_are_still_guarded(client: TestClient) -> None:
    for address in ("/", "/healthz/", "/readyz/x", "//healthz"):
        assert client.get(f"http://10.0.0.7:8501{address}").status_code == 403


def test_the_database_is_asked_once_in_a_while(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(health, "ASKED_EVERY", 3600.0)
    monkeypatch.setattr(health, "_why_not_ready", lambda: asked.append("asked"))
    assert [client.get(READY).status_code for _ in range(5)] == [200] * 5
    assert asked == ["asked"]
