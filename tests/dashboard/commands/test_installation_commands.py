"""`hcat doctor` and `hcat migrate` on a real store: lines, JSON and exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.settings import settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from hcat.dashboard import cli


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


def hcat(call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, code: int = 0) -> str:
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert (ended.value.code or 0) == code, said
    return said.out if code != 2 else said.err


def test_migrate_tells_and_then_does(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "would make a database" in hcat("migrate --check", monkeypatch, capsys)
    assert not (store / "h.db").exists()
    assert "made a database" in hcat("migrate", monkeypatch, capsys)
    assert "nothing to do" in hcat("migrate --check", monkeypatch, capsys)
    schema = json.loads(hcat("migrate --check --json", monkeypatch, capsys))["schema"]
    assert (schema["current"], schema["pending"]) == (schema["newest"], [])


def test_doctor_ends_with_1_where_something_is_broken(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Workspace.open() as workspace:
        workspace.runs.add(workspace.projects.create("bank"), "v1", [Sample("q", "?", "!")], source="x")
    lines = hcat("doctor --deep", monkeypatch, capsys).splitlines()
    assert {line.split()[0] for line in lines} == {"fine"}
    (file,) = store.glob("artifacts/samples/*.parquet")
    file.unlink()
    checks = json.loads(hcat("doctor --json", monkeypatch, capsys, code=1))["checks"]
    (broken,) = [check for check in checks if check["state"] == "broken"]
    assert (broken["name"], file.name in broken["found"], bool(broken["to_do"])) == ("files", True, True)
    assert any(line.startswith("broken  files: ") for line in hcat("doctor", monkeypatch, capsys, code=1).splitlines())


def test_a_setting_that_cannot_be_read_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HCAT_SEED", "none")
    settings.cache_clear()
    assert hcat("doctor", monkeypatch, capsys, code=2).startswith("hcat: the setting HCAT_SEED has a value")
