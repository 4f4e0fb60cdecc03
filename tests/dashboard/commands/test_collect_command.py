"""`hcat collect`, against a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.capabilities.collect.description import read_target
from hcat.core.capabilities.collect.examples import EXAMPLES
from hcat.core.importers import read_run
from hcat.core.records.test_case import TestCase
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.capabilities.collect.servers import Response, Server, serving


@pytest.fixture(autouse=True)
def private_targets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_ALLOW_PRIVATE_TARGETS", "1")
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(lambda _: Response({"answer": "yes", "contexts": ["text"]})) as running:
        yield running


@pytest.fixture
def files(tmp_path: Path, server: Server) -> tuple[Path, Path, Path]:
    tests, target = tmp_path / "tests.jsonl", tmp_path / "target.yaml"
    tests.write_text('{"id": "a", "query": "one"}\n{"id": "b", "query": "two"}\n', "utf-8")
    target.write_text(
        f"kind: http\nurl: {server.url}\nbody: {{q: '{{{{query}}}}'}}\nanswer: $.answer\ncontexts: $.contexts[*]\n"
        "price: 0.02\nbackoff: 0\n",
        "utf-8",
    )
    return tests, target, tmp_path / "run.jsonl"


def collect(files: tuple[Path, Path, Path], *more: str) -> Result:
    tests, target, output = files
    return CliRunner().invoke(app, ["collect", str(tests), "--target", str(target), "-o", str(output), *more])


def test_a_run_that_can_be_imported(files: tuple[Path, Path, Path]) -> None:
    result = collect(files, "--trials", "2", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["answered"], found["failed"], found["stopped"]) == (4, {}, None)
    preview = read_run(files[2], filename="run.jsonl")
    assert not preview.problems
    assert [(sample.test_case, sample.trial, sample.answer) for sample in preview.samples] == [
        ("a", 0, "yes"),
        ("a", 1, "yes"),
        ("b", 0, "yes"),
        ("b", 1, "yes"),
    ]


def test_a_dry_run_says_the_price(files: tuple[Path, Path, Path], server: Server) -> None:
    result = collect(files, "--trials", "3", "--dry-run")
    assert result.exit_code == 0, result.output
    assert "6 answers wanted, 0 there, 6 to ask." in result.stdout
    assert "At most 30 requests." in result.stdout
    assert "0.12 at the price" in result.stdout
    assert not server.seen


def test_an_incomplete_run_is_written_only_when_asked_for(files: tuple[Path, Path, Path]) -> None:
    files[1].write_text(files[1].read_text("utf-8") + "budget: 1\n", "utf-8")
    result = collect(files)
    assert "--partial writes what is" in str(result.exception)
    assert not files[2].exists()
    assert collect(files, "--partial").exit_code == 0
    assert len(files[2].read_text("utf-8").splitlines()) == 1


def test_a_private_target_needs_the_setting(
    files: tuple[Path, Path, Path], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HCAT_ALLOW_PRIVATE_TARGETS")
    settings.cache_clear()
    result = collect(files)
    assert "HCAT_ALLOW_PRIVATE_TARGETS=1" in str(result.exception)
    assert not server.seen


def test_answers_become_a_run_of_a_project(
    files: tuple[Path, Path, Path], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{files[2].parent / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(files[2].parent / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        workspace.projects.create("bank")
    whole = files[1].read_text("utf-8")
    command = ["collect", str(files[0]), "--target", str(files[1]), "--project", "bank", "--run", "v1"]
    planned = CliRunner().invoke(app, [*command, "--dry-run"])
    assert "2 answers wanted, 0 there, 2 to ask." in planned.stdout
    files[1].write_text(f"{whole}budget: 1\nconcurrency: 1\n", "utf-8")
    assert "not stored before every answer is there" in str(CliRunner().invoke(app, command).exception)
    files[1].write_text(whole, "utf-8")
    result = CliRunner().invoke(app, [*command, "--json"])
    assert json.loads(result.stdout)["answered"] == 2, result.output
    with Workspace.open() as workspace:
        run = workspace.runs.get("bank", "v1")
        assert [sample.answer for sample in workspace.runs.samples(run)] == ["yes", "yes"]
    assert len(server.seen) == 2  # each asked for once, over both commands
    assert "already has a run" in str(CliRunner().invoke(app, command).exception)


def test_a_test_set_of_the_project_is_asked(
    files: tuple[Path, Path, Path], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{files[2].parent / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(files[2].parent / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        project = workspace.projects.create("bank")
        cases = [TestCase("a", "one", "yes", passages=("p1",)), TestCase("b", "two")]
        test_set = workspace.test_sets.add(project, "first", cases, source="x")
    command = ["collect", "--target", str(files[1]), "--project", "bank", "--run", "v1", "--test-set"]
    result = CliRunner().invoke(app, [*command, "first@1", "--json"])
    assert json.loads(result.stdout)["settings"]["hash"] == test_set.content_hash, result.output
    with Workspace.open() as workspace:
        run = workspace.runs.get("bank", "v1")
        assert run.filename == f"test set first, version 1, SHA-256 {test_set.content_hash[:12]}"
        assert workspace.runs.samples(run)[0].relevant_ids == {"p1": 1}
    assert "NAME@VERSION" in str(CliRunner().invoke(app, [*command, "first@x"]).exception)


def test_a_secret_in_the_target_is_not_stored(files: tuple[Path, Path, Path]) -> None:
    files[1].write_text(files[1].read_text("utf-8") + "headers: {Authorization: Bearer sk-1}\n", "utf-8")
    result = CliRunner().invoke(
        app, ["collect", str(files[0]), "--target", str(files[1]), "--project", "bank", "--run", "v1"]
    )
    assert result.exit_code
    assert "sk-1" not in str(result.exception)


def test_where_the_answers_go_is_named_once(files: tuple[Path, Path, Path]) -> None:
    assert "name a run file by -o" in str(collect(files, "--project", "bank").exception)


def test_a_dry_run_refuses_the_address_that_the_run_refuses(
    files: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HCAT_ALLOW_PRIVATE_TARGETS")
    settings.cache_clear()
    for result in (collect(files, "--dry-run"), collect(files)):
        assert "an address of this machine or of a private network" in str(result.exception)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_an_example_is_a_target_file(kind: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["collect", "--example", kind])
    assert result.exit_code == 0 and result.stdout == EXAMPLES[kind]
    (tmp_path / "target.yaml").write_text(result.stdout, "utf-8")
    assert read_target(tmp_path / "target.yaml").kind == kind


def test_without_a_target_the_example_is_named(files: tuple[Path, Path, Path]) -> None:
    result = CliRunner().invoke(app, ["collect", str(files[0]), "-o", str(files[2])])
    assert "hcat collect --example http" in str(result.exception)
