"""Every command that opens the workspace closes it, also where it ends in an error."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.demo.service import Demo
from hcat.core.jobs.processes import this_worker
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.worker.__main__ import main as do_job
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

RUN = '{"id": "s0", "query": "q", "answer": "a"}\n'
CORRECTNESS = Criterion("correctness")


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What happened to workspaces, in order: "open" and "close"."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    events: list[str] = []
    open_one, close_one = Workspace.open.__func__, Workspace.close

    def open_and_note(cls: type[Workspace], *arguments: object, **options: object) -> Workspace:
        events.append("open")
        return open_one(cls, *arguments, **options)

    def close_and_note(self: Workspace) -> None:
        events.append("close")
        close_one(self)

    with Workspace.open() as workspace:
        project = workspace.projects.create("bank")
        criterion = workspace.criteria.add(project, CORRECTNESS)
        for name in ("a", "b"):
            run = workspace.runs.add(project, name, [Sample(f"s{k}", f"q{k}", "x") for k in range(4)], source="x")
            workspace.scoring.score(run, ["answer_length"])
            workspace.labels.add(run, criterion, [Label(f"s{k}", "correctness", k % 2, "ann") for k in range(4)])
    monkeypatch.setattr(Workspace, "open", classmethod(open_and_note))
    monkeypatch.setattr(Workspace, "close", close_and_note)
    yield events
    settings.cache_clear()


def run_file(folder: Path) -> str:
    (folder / "run.jsonl").write_text(RUN, "utf-8")
    return str(folder / "run.jsonl")


def label_file(folder: Path) -> str:
    (folder / "labels.csv").write_text("sample_id,criterion,level,annotator\ns0,correctness,pass,bea\n", "utf-8")
    return str(folder / "labels.csv")


COMMANDS: dict[str, Callable[[Path], Sequence[str]]] = {
    "import": lambda folder: ["import", run_file(folder), "--project", "bank", "--run", "new"],
    "import what is there": lambda folder: ["import", run_file(folder), "--project", "bank", "--run", "a"],
    "import labels": lambda folder: [
        *("import", label_file(folder), "--project", "bank", "--run", "a", "--format", "labels", "--positive", "pass")
    ],
    "import labels of no run": lambda folder: [
        *("import", label_file(folder), "--project", "bank", "--run", "none", "--format", "labels")
    ],
    "report": lambda folder: ["report", "--project", "bank", "-o", str(folder / "report.json")],
    "report of no project": lambda folder: ["report", "--project", "none", "-o", str(folder / "report.json")],
    "compare": lambda folder: [
        *("compare", "a", "b", "--project", "bank", "--criterion", "correctness", "--metrics", "answer_length")
    ],
    "demo": lambda folder: ["demo"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_closes_the_workspace_that_it_opens(
    opened: list[str], tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "execv", lambda *arguments: None)
    monkeypatch.setattr(os, "chdir", lambda folder: None)
    monkeypatch.setattr(Demo, "load", lambda self, on_progress: self.projects.get("bank"))
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    CliRunner().invoke(app, COMMANDS[command](tmp_path))
    assert opened == ["open", "close"]


@pytest.mark.usefixtures("tmp_path")
def test_a_job_closes_the_workspace(opened: list[str]) -> None:
    assert do_job(["999"]) == 2  # there is no such job
    assert opened == ["open", "close"]
