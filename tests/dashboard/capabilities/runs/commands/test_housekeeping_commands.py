"""`hcat projects|runs|criteria|queue …`: renamed, archived, restored, and deleted only where the name is said again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard import cli


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        bank = workspace.projects.create("bank")
        criterion = workspace.criteria.add(bank, Criterion("correctness"))
        run = workspace.runs.add(bank, "v1", [Sample(f"q{k}", "?", "!") for k in range(3)], source="x")
        workspace.labels.add(run, criterion, [Label("q1", "correctness", 1, "ann")])
        workspace.queues.plan(run, criterion, planned=2)
    yield
    settings.cache_clear()


def hcat(
    call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, code: int | None = None
) -> str:
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert (ended.value.code or None) == code, said.err
    return said.err if code else said.out


def test_a_run_from_rename_to_delete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert hcat("runs rename v1 base --project bank", monkeypatch, capsys) == "run v1 → base\n"
    assert "is archived" in hcat("runs archive base --project bank", monkeypatch, capsys)
    listed = json.loads(hcat("runs list --project bank --json", monkeypatch, capsys))
    assert listed["items"] == [
        {
            "name": "base",
            "of": "",
            "archived": True,
            "contents": {"samples": 3, "entries of the label log": 1, "queues": 1},
        }
    ]
    assert "restored" in hcat("runs restore base --project bank", monkeypatch, capsys)
    refused = hcat("runs delete base --project bank", monkeypatch, capsys, code=2)
    assert refused.startswith(
        "hcat: Nothing was deleted. Deleting run base also deletes 3 samples, 1 entry of the label log and 1 queue."
    )
    anonymous = hcat("runs delete base --project bank --confirm base", monkeypatch, capsys, code=2)
    assert "--author" in anonymous
    done = hcat("runs delete base --project bank --confirm base --author lee --reason trial", monkeypatch, capsys)
    assert done == "deleted: run base with 3 samples, 1 entry of the label log and 1 queue\n"
    with Workspace.open() as workspace:
        assert workspace.runs.all("bank") == []
    log = json.loads(hcat("projects log --json", monkeypatch, capsys))["log"]
    assert [(line["actor"], line["action"], line["name"], line["reason"]) for line in log] == [
        ("command line", "rename", "v1", ""),
        ("command line", "archive", "base", ""),
        ("command line", "restore", "base", ""),
        ("lee", "delete", "base", "trial"),
    ]


def test_the_other_kinds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    hcat("queue archive random --project bank --run v1", monkeypatch, capsys)
    hcat("queue restore random --project bank --run v1", monkeypatch, capsys)
    hcat("queue delete random --project bank --run v1 --confirm random --author lee", monkeypatch, capsys)
    hcat("criteria rename correctness accuracy --project bank", monkeypatch, capsys)
    hcat("criteria archive accuracy --project bank", monkeypatch, capsys)
    hcat("criteria restore accuracy --project bank", monkeypatch, capsys)
    assert "accuracy" in hcat("criteria list --project bank", monkeypatch, capsys)
    hcat("criteria delete accuracy --project bank --confirm accuracy --author lee", monkeypatch, capsys)
    hcat("projects rename bank shop", monkeypatch, capsys)
    hcat("projects archive shop", monkeypatch, capsys)
    assert "shop" in hcat("projects list", monkeypatch, capsys)
    hcat("projects restore shop", monkeypatch, capsys)
    hcat("projects delete shop --confirm shop --author lee", monkeypatch, capsys)
    assert "lee deleted project “shop”" in hcat("projects log", monkeypatch, capsys)
    with Workspace.open() as workspace:
        assert workspace.housekeeping.all() == []


def test_a_criterion_is_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guideline = tmp_path / "tone.txt"
    guideline.write_text("The answer is polite.", "utf-8")
    made = hcat(
        f"criteria add tone --project bank --levels rude,curt,polite --passing curt --guideline {guideline}",
        monkeypatch,
        capsys,
    )
    assert made == "criterion tone → bank: rude < curt < polite, passes from curt\n"
    with Workspace.open() as workspace:
        assert workspace.criteria.get("bank", "tone") == Criterion(
            "tone", ("rude", "curt", "polite"), "The answer is polite.", passing=1
        )
    assert hcat("criteria add safe --project bank", monkeypatch, capsys).endswith("passes from pass\n")
    said = hcat("criteria add odd --project bank --levels a,b --passing c", monkeypatch, capsys, code=2)
    assert "none of the levels a, b" in said
    assert "`hcat criteria add`" in hcat(
        "labels export --project bank --criterion none -o x.csv", monkeypatch, capsys, code=2
    )
