"""`--engine ray` where there is little work: no cluster, the same bytes, and a word of it on standard error."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import HcatError
from hcat.core.executors.ray_cluster import RayExecutor
from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import Settings, settings
from hcat.core.types import Sample
from hcat.core.wording.jobs.engines import LITTLE_WORK
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

SAMPLES = tuple(Sample(f"s{n}", f"What does account {n} cost?", f"It costs EUR {n}.") for n in range(40))
METRICS = ("--metrics", "answer_length,factual_numbers")


@pytest.fixture(autouse=True)
def no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: RayExecutor) -> Iterable[None]:
        raise AssertionError("a cluster was started for forty samples")

    monkeypatch.setattr(RayExecutor, "_cluster", refuse)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result


def said(result: Result) -> str:
    return " ".join(result.stderr.split())


def test_forty_samples_are_scored_without_a_cluster_to_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text(to_jsonl(SAMPLES))
    found: dict[str, tuple[bytes, bytes]] = {}
    for engine in ("local", "ray"):
        scores, explained = tmp_path / f"{engine}.parquet", tmp_path / f"{engine}.jsonl"
        options = ("-o", str(scores), "--explain", str(explained), "--engine", engine, *METRICS)
        result = run("score", str(tmp_path / "run.jsonl"), *options)
        assert (LITTLE_WORK in said(result)) == (engine == "ray")
        found[engine] = scores.read_bytes(), explained.read_bytes()
    assert found["ray"] == found["local"]


def test_the_commands_of_a_project_take_the_engine_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with Workspace.open(Settings()) as workspace:
        workspace.projects.create("bank")
        workspace.runs.add("bank", "v1", SAMPLES, source="x")
    in_project = ("topics", "--project", "bank", "--run", "v1", "--json")
    asked = run(*in_project, "--engine", "ray", "--workers", "2", "--address", "10.0.0.1:6379")
    assert LITTLE_WORK in said(asked)
    usual = run(*in_project)
    assert LITTLE_WORK not in said(usual)
    assert json.loads(asked.stdout)["topics"] == json.loads(usual.stdout)["topics"]
    conflict = CliRunner().invoke(app, [*in_project, "--engine", "local", "--workers", "2"])
    assert conflict.exit_code != 0
    settings.cache_clear()


def test_safety_takes_the_engine_for_files_and_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    (tmp_path / "run.jsonl").write_text(to_jsonl(SAMPLES))
    with Workspace.open(Settings()) as workspace:
        workspace.projects.create("bank")
        workspace.runs.add("bank", "v1", SAMPLES, source="x")
    found: dict[tuple[str, str], dict[str, object]] = {}
    for engine in ("local", "ray"):
        for where in ([str(tmp_path / "run.jsonl")], ["v1", "--project", "bank"]):
            result = run("safety", *where, "-o", str(tmp_path / f"{engine}.parquet"), "--engine", engine, "--json")
            assert (LITTLE_WORK in said(result)) == (engine == "ray")
            found[engine, where[0]] = json.loads(result.stdout)
    for where in (str(tmp_path / "run.jsonl"), "v1"):
        assert found["ray", where]["metrics"] == found["local", where]["metrics"]
    conflict = CliRunner().invoke(app, ["safety", "v1", "--project", "bank", "--engine", "local", "--workers", "2"])
    assert isinstance(conflict.exception, HcatError) and "--engine ray" in str(conflict.exception)
    settings.cache_clear()
