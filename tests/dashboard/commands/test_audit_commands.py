"""`hcat audit …` on a real store: what was done, by whom; a change past it is named, and ends with 1."""

from __future__ import annotations

import csv
import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hcat.core.records.signing import SigningKey
from hcat.core.settings import settings
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard import cli

Hcat = Callable[..., str]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    with Workspace.open(actor="=2+2") as workspace:
        bank = workspace.projects.create("bank")
        criterion = workspace.criteria.add(bank, Criterion("correctness"))
        run = workspace.runs.add(bank, "v1", [Sample(f"q{k}", "?", "!") for k in range(3)], source="x")
        for number in range(3):
            workspace.labels.record(run, criterion, f"q{number}", 1, annotator="ann")
    yield tmp_path
    settings.cache_clear()


@pytest.fixture
def hcat(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hcat:
    def call(line: str, code: int = 0) -> str:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["hcat", *line.split()])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        assert (ended.value.code or 0) == code, said
        return said.err if code == 2 else said.out

    return call


def tamper(store: Path, *statements: str, put_back: bool = True) -> None:
    """What somebody does who owns the file: takes the triggers off first, and mostly puts them back."""
    with closing(sqlite3.connect(store / "h.db")) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in (*statements, *((made for _, made in triggers) if put_back else ())):
            connection.execute(statement)
        connection.commit()


def test_the_log_is_listed_and_chosen_from(hcat: Hcat) -> None:
    listed = json.loads(hcat("audit list --actor ann --project bank --json"))
    assert listed["n"] == 3
    assert [entry["action"] for entry in listed["entries"]] == ["label.record"] * 3
    assert "label.record" in hcat("audit list --newest 1")
    assert json.loads(hcat("audit list --since 2999-01-01 --json"))["n"] == 0


def test_the_export_runs_in_no_spreadsheet(hcat: Hcat, store: Path) -> None:
    hcat("audit export -o log.csv")
    rows = list(csv.DictReader((store / "log.csv").read_text("utf-8-sig").splitlines()))
    assert [row["sequence"] for row in rows] == [str(k) for k in range(1, len(rows) + 1)]
    assert {row["actor"] for row in rows} == {"hcat", "'=2+2", "ann"}


def test_a_log_that_is_whole_goes_on_from_its_checkpoint(hcat: Hcat) -> None:
    assert hcat("audit verify").startswith("whole: 7 rows")
    assert "keep it on another machine" in hcat("audit checkpoint c.json")
    with Workspace.open() as workspace:
        workspace.projects.create("shop")
    assert "8 rows" in hcat("audit verify --checkpoint c.json")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE audit SET actor = 'eve' WHERE sequence = 5", "row 5 was changed"),
        ("DELETE FROM audit WHERE sequence = 5", "row 5 is missing"),
        ("UPDATE label SET level = 0 WHERE id = 1", "label 1 is not what row 5 (label.record) left"),
        ("DELETE FROM label WHERE id = 3", "label 3 is not what row 7 (label.record) left"),
    ],
)
def test_a_change_is_named(hcat: Hcat, store: Path, statement: str, reason: str) -> None:
    tamper(store, statement)
    assert hcat("audit verify", 1).startswith(f"not whole: {reason}")


def test_triggers_that_are_gone_are_said(hcat: Hcat, store: Path) -> None:
    tamper(store, put_back=False)
    assert hcat("audit verify", 1).startswith(
        "not guarded: the database lets its logs be changed: adjudication_no_delete"
    )
    assert json.loads(hcat("audit verify --json", 1))["unguarded"][0] == "adjudication_no_delete"


def test_a_cut_end_is_found_by_a_checkpoint_alone(hcat: Hcat, store: Path) -> None:
    hcat("audit checkpoint c.json")
    tamper(store, "DELETE FROM audit WHERE sequence > 5", "DELETE FROM label WHERE id > 1")
    assert hcat("audit verify").startswith("whole: 5 rows")
    said = hcat("audit verify --checkpoint c.json", 1)
    assert said.startswith("not whole: row 6 is missing: the end of the log was cut by 2 rows, since it had 7 on")


def test_a_log_that_was_written_anew_is_found_by_a_checkpoint_alone(hcat: Hcat, store: Path) -> None:
    hcat("audit checkpoint c.json")
    tamper(store, "DELETE FROM audit WHERE sequence > 6", "DELETE FROM label WHERE id > 2")
    with Workspace.open() as workspace:
        workspace.projects.create("shop")
    assert hcat("audit verify").startswith("whole: 7 rows")
    assert "row 7 is not what it was on" in hcat("audit verify --checkpoint c.json", 1)


def test_a_checkpoint_of_another_key_or_that_was_changed_is_refused(hcat: Hcat, store: Path) -> None:
    other = SigningKey(Ed25519PrivateKey.generate())
    with Workspace.open() as workspace:
        (store / "other.json").write_bytes(workspace.audit.checkpoint(other))
    (store / "other.pem").write_text(other.public.pem)
    assert "is signed by another key" in hcat("audit verify --checkpoint other.json", 2)
    assert hcat("audit verify --checkpoint other.json --key other.pem").startswith("whole")
    envelope = json.loads((store / "other.json").read_text())
    envelope["payload"] = envelope["payload"][:8] + ("A" if envelope["payload"][8] != "A" else "B") + "=" * 0
    for payload in (envelope["payload"], "", "e30=", "!"):
        (store / "changed.json").write_text(json.dumps(envelope | {"payload": payload}))
        said = hcat("audit verify --checkpoint changed.json --key other.pem", 2)
        assert "is no checkpoint" in said or "was changed after it was signed" in said
