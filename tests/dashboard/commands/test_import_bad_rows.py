"""`hcat import` of a file with bad rows: what is wrong and the rows themselves come back, and programs can read it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.importers import streamed
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

GOOD = [{"id": f"s{k}", "query": f"q{k}", "answer": "a"} for k in range(3)]
BAD = {"id": "s3", "query": [7], "answer": "a"}
LABELS = "sample_id,criterion,label,annotator\ns0,correctness,pass,ann\ns1,correctness,fail,ann\n"


@pytest.fixture(params=[streamed.STREAMED_BYTES, 0], ids=["whole", "row by row"])
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A run file with three good rows, one whose query is a list, and one that is no JSON; it is imported both ways."""
    monkeypatch.setattr(streamed, "STREAMED_BYTES", request.param)
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    rows = [*map(json.dumps, [*GOOD[:2], BAD, GOOD[2]]), '{"id": "s4", "query']
    (tmp_path / "run.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    (tmp_path / "labels.csv").write_text(LABELS, "utf-8")
    yield tmp_path
    settings.cache_clear()


def run_import(file: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["import", str(file), "--project", "p", "--run", "r", *options])


def test_bad_rows_are_written_as_they_stood_though_the_file_is_refused(folder: Path) -> None:
    written = ("--bad-rows", str(folder / "bad.jsonl"), "--problems", str(folder / "problems.csv"))
    refused = run_import(folder / "run.jsonl", *written)
    assert "--bad-rows FILE" in str(refused.exception)
    first, second = (folder / "bad.jsonl").read_text("utf-8").splitlines()
    assert json.loads(first) == BAD
    assert second == '{"id": "s4", "query'
    assert len((folder / "problems.csv").read_text("utf-8").splitlines()) == 3  # a header and two problems
    with Workspace.open() as workspace:
        assert workspace.projects.all() == []


def test_bad_rows_that_were_mended_are_imported(folder: Path) -> None:
    run_import(folder / "run.jsonl", "--bad-rows", str(folder / "bad.jsonl"))
    mended = (folder / "bad.jsonl").read_text("utf-8").replace('"query": [7]', '"query": "q"').splitlines()[0]
    (folder / "mended.jsonl").write_text(mended + "\n", "utf-8")
    assert run_import(folder / "mended.jsonl").exit_code == 0


def test_no_file_is_written_where_nothing_is_wrong(folder: Path) -> None:
    (folder / "good.jsonl").write_text("".join(json.dumps(row) + "\n" for row in GOOD), "utf-8")
    assert run_import(folder / "good.jsonl", "--bad-rows", str(folder / "bad.jsonl")).exit_code == 0
    assert not (folder / "bad.jsonl").exists()


def test_the_json_document_of_an_import(folder: Path) -> None:
    ended = run_import(folder / "run.jsonl", "--keep-good", "--json")
    assert ended.exit_code == 0, ended.output
    document = json.loads(ended.stdout)
    assert document["inputs"] == {"file": hashlib.sha256((folder / "run.jsonl").read_bytes()).hexdigest()}
    assert document["settings"] == {"project": "p", "run": "r", "format": None, "keep_good": True}
    assert (document["format"], document["samples"], document["rows"], document["rows_left_out"]) == ("native", 3, 5, 2)
    assert document["columns"] == {"id": "id", "query": "query", "answer": "answer"}
    assert [(problem["row"], problem["column"]) for problem in document["problems"]] == [(3, "query"), (5, None)]


def test_the_json_document_of_imported_labels(folder: Path) -> None:
    run_import(folder / "run.jsonl", "--keep-good")
    ended = run_import(folder / "labels.csv", "--format", "labels", "--positive", "pass", "--json")
    assert ended.exit_code == 0, ended.output
    document = json.loads(ended.stdout)
    assert (document["labels"], document["settings"]["criterion"]) == (2, "correctness")


@pytest.mark.parametrize(("rows", "run"), [([BAD], "r"), ([GOOD[0]], "r" * 201)], ids=["no samples", "no name"])
def test_no_project_is_made_for_a_run_that_is_refused(folder: Path, rows: list[object], run: str) -> None:
    (folder / "refused.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert run_import(folder / "refused.jsonl", "--keep-good", "--run", run).exit_code != 0
    with Workspace.open() as workspace:
        assert workspace.projects.all() == []


def test_a_column_with_a_long_name_is_one_readable_line(folder: Path) -> None:
    rows = [{**row, "x" * 70_000: 0.5} for row in GOOD]
    (folder / "long.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ended = run_import(folder / "long.jsonl")
    assert ended.exit_code == 0, ended.output
    hint = next(line for line in ended.stderr.splitlines() if "can be metrics" in line)
    assert len(hint) < 700 and hint.endswith("--project p --run r`")
