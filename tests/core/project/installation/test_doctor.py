"""Each fault of an installation is found, named, and said what to do about; nothing is changed by looking."""

from __future__ import annotations

import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from hcat.core.models.model_set import MODEL_KINDS
from hcat.core.project.installation import environment_checks, store_checks
from hcat.core.project.installation.check import Check
from hcat.core.project.installation.doctor import examine
from hcat.core.project.installation.environment_checks import check_environment
from hcat.core.project.installation.model_checks import check_models
from hcat.core.project.installation.store_checks import check_store
from hcat.core.settings import FILE_VARIABLE, Settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    """A store with a run."""
    settings = Settings(
        database_url=f"sqlite:///{tmp_path / 'store' / 'hcat.db'}", artifacts=str(tmp_path / "store" / "files")
    )
    with Workspace.open(settings) as workspace:
        samples = [Sample(f"s{k}", f"query {k}", "answer") for k in range(50)]
        workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")
    return settings


def by_name(checks: list[Check]) -> dict[str, Check]:
    assert len({check.name for check in checks}) == len(checks)
    return {check.name: check for check in checks}


def store(settings: Settings, *, deep: bool = False) -> dict[str, Check]:
    return by_name(list(check_store(settings, deep=deep)))


def state_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_a_sound_installation_is_fine_and_left_as_it_is(chosen: Settings, tmp_path: Path) -> None:
    before = state_of(tmp_path)
    checks = by_name(list(examine(chosen, deep=True)))
    assert {check.state for check in checks.values()} == {"fine"}, checks
    assert not any(check.to_do for check in checks.values())
    assert {"settings", "packages", "database", "database pages", "files", "permissions", "model: encoder"} <= set(
        checks
    )
    assert "f64e2d9f0d70" in checks["model: encoder"].found
    assert len([name for name in checks if name.startswith("model: ")]) == len(MODEL_KINDS)
    assert state_of(tmp_path) == before


def sample_file(settings: Settings) -> Path:
    (path,) = Path(settings.artifacts).glob("samples/*.parquet")
    return path


def lose_a_file(settings: Settings) -> None:
    sample_file(settings).unlink()


def damage_a_file(settings: Settings) -> None:
    path = sample_file(settings)
    path.write_bytes(path.read_bytes()[:-1] + b"\0")


def damage_a_page(settings: Settings) -> None:
    with closing(sqlite3.connect(database(settings))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'project'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        assert page != root
    with database(settings).open("r+b") as file:
        file.seek((root - 1) * size + 3)
        file.write(b"\xff\xff")  # that many cells


def lose_a_row(settings: Settings) -> None:
    with closing(sqlite3.connect(database(settings))) as connection:
        connection.execute("DELETE FROM project")
        connection.commit()


def overwrite(settings: Settings) -> None:
    database(settings).write_bytes(b"\0" * 9000)


def tear(settings: Settings) -> None:
    with closing(sqlite3.connect(database(settings))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def database(settings: Settings) -> Path:
    return Path(settings.database_url.removeprefix("sqlite:///"))


class Fault(NamedTuple):
    cause: Callable[[Settings], None]
    name: str
    says: str
    deep: bool = False


FAULTS = (
    Fault(lose_a_file, "files", "1 of 1 are missing or damaged: samples/"),
    Fault(damage_a_file, "files", "1 of 1 are missing or damaged: samples/", deep=True),
    Fault(damage_a_page, "database pages", "", deep=True),
    Fault(lose_a_row, "database pages", "rows of run refer to rows that are not there", deep=True),
    Fault(overwrite, "database", "is not a database, or was overwritten: restore a copy of it"),
    Fault(tear, "database", "newer hcat (schema 9999): upgrade hcat"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.cause.__name__ for fault in FAULTS])
def test_a_fault_of_the_store_is_found_and_told_what_to_do(chosen: Settings, fault: Fault) -> None:
    assert store(chosen, deep=fault.deep)[fault.name].state == "fine"
    fault.cause(chosen)
    check = store(chosen, deep=fault.deep)[fault.name]
    assert check.state == "broken"
    assert fault.says in check.found
    assert "restore" in check.found + check.to_do or "upgrade" in check.found


def test_without_deep_only_missing_files_are_found(chosen: Settings) -> None:
    damage_a_file(chosen)
    assert store(chosen)["files"].state == "fine"
    assert "--deep" in store(chosen)["files"].found


def test_a_store_that_others_may_read_is_told_with_the_command(chosen: Settings) -> None:
    assert store(chosen)["permissions"].state == "fine"
    database(chosen).chmod(0o644)
    check = store(chosen)["permissions"]
    assert (check.state, check.to_do) == ("look", f"chmod 600 {database(chosen)}")
    database(chosen).chmod(0o600)
    Path(chosen.artifacts).chmod(0o750)
    assert store(chosen)["permissions"].to_do == f"chmod 700 {chosen.artifacts}"


@pytest.mark.parametrize(("free", "state"), [(50_000_000, "broken"), (500_000_000, "look"), (5_000_000_000, "fine")])
def test_little_space_is_told(chosen: Settings, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    usage = shutil.disk_usage(chosen.artifacts)._replace(free=free)
    monkeypatch.setattr(store_checks.shutil, "disk_usage", lambda folder: usage)
    check = store(chosen)["space"]
    assert (check.state, bool(check.to_do)) == (state, state != "fine")


def test_a_store_that_is_not_there_yet_is_no_fault_and_is_not_made(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'new' / 'hcat.db'}", artifacts=str(tmp_path / "new" / "f"))
    checks = store(settings)
    assert (checks["database"].state, "files" in checks) == ("look", False)
    assert list(tmp_path.iterdir()) == []


def environment(settings: Settings, pins: Path | None = None) -> dict[str, Check]:
    return by_name(list(check_environment(settings) if pins is None else check_environment(settings, pins)))


def test_what_opens_the_network_guard_is_told(chosen: Settings) -> None:
    opened = chosen.model_copy(update={"allow_private_targets": True})
    check = environment(opened)["network guard"]
    assert (check.state, check.found) == ("look", "HCAT_ALLOW_PRIVATE_TARGETS is on")


def test_versions_other_than_the_pinned_are_told(chosen: Settings, tmp_path: Path) -> None:
    pins = tmp_path / "run.txt"
    pins.write_text(
        "# header\nnumpy==1.0.0 \\\n    --hash=sha256:00\nno-such-package==1 \\\n    --hash=sha256:00\n"
        "also-none==2 ; sys_platform == 'none' \\\n    --hash=sha256:00\n"
    )
    check = environment(chosen, pins)["packages"]
    assert check.state == "broken"
    assert check.found.startswith("numpy==1.0.0 is ")
    assert check.found.endswith(", no-such-package is missing")
    assert environment(chosen, tmp_path / "none.txt")["packages"].state == "look"


def test_a_settings_file_with_secrets_that_others_may_read_is_told(
    chosen: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.env"
    file.write_text("HCAT_LLM_API_KEY=SECRETPW\n")
    file.chmod(0o644)
    monkeypatch.setenv(FILE_VARIABLE, str(file))
    check = environment(chosen)["settings"]
    assert (check.state, check.to_do) == ("look", f"chmod 600 {file}")
    assert "SECRETPW" not in f"{check}"
    file.chmod(0o600)
    assert environment(chosen)["settings"].state == "fine"


def test_models_that_do_not_load_and_models_elsewhere_are_told(chosen: Settings) -> None:
    absent = chosen.model_copy(update={"embedder": "/no/such/folder", "llm_base_url": "http://127.0.0.1:9/v1"})
    checks = by_name(list(check_models(absent)))
    assert (checks["model: encoder"].state, checks["model: language"].state) == ("broken", "broken")
    assert "set HCAT_EMBEDDER to a folder or to default" in checks["model: encoder"].found
    assert "HCAT_LLM_MODEL" in checks["model: language"].found
    elsewhere = chosen.model_copy(update={"llm_base_url": "https://llm.example/v1", "llm_model": "m"})
    check = by_name(list(check_models(elsewhere)))["model: language"]
    assert (check.state, "on another machine" in check.found) == ("look", True)


def test_who_does_the_work_of_jobs_is_told(chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(*, deep: bool = False, **changed: object) -> Check:
        settings = chosen.model_copy(update=changed)
        return by_name(list(check_environment(settings, deep=deep)))["engine"]

    monkeypatch.setattr(environment_checks, "installed_ray", lambda: "2.60.0")
    assert engine().state == "fine"
    assert engine(ray_address="10.0.0.1:6379").state == "look"
    assert engine(engine="ray").found == "jobs use Ray 2.60.0 on this machine"
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"127.0.0.1:{closed.getsockname()[1]}"
    assert engine(engine="ray", ray_address=address, deep=True).state == "broken"
    assert engine(engine="ray", ray_address="no port", deep=True).state == "broken"
    monkeypatch.setattr(environment_checks, "check_head", lambda at: None)
    assert engine(engine="ray", ray_address=address, deep=True).state == "fine"
    monkeypatch.setattr(environment_checks, "installed_ray", lambda: None)
    assert engine().found == "jobs run in one process; Ray is not installed"
    missing = engine(engine="ray")
    assert (missing.state, "hcat[ray]" in missing.to_do) == ("broken", True)
