"""The same inputs and date give the same bytes in each format, and the commands of a report make its numbers again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.report.build_time import build_time
from hcat.core.errors import HcatError
from hcat.core.types import JsonValue
from hcat.dashboard.cli import app
from tests.dashboard.capabilities.report.commands.test_report_command import LEVELS, make_project
from tests.dashboard.commands.own_store import store_in

EPOCH = "1767225600"  # 2026-01-01 00:00 UTC
FILES = ("--run", "run.jsonl", "--scores", "s.parquet", "--labels", "labels.csv", "--calibration", "cal.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with store_in(tmp_path_factory.mktemp("bytes")) as made:
        make_project(made, trials=1, method="logistic")
        yield made


def call(*words: str) -> str:
    ended = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return ended.stdout


def test_two_reports_of_one_date_are_the_same_bytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("json", "html", "docx", "pdf"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
        call("report", *FILES, "--levels", LEVELS, "-o", f"a.{kind}", "--pack", f"a-{kind}.zip")
        monkeypatch.delenv("SOURCE_DATE_EPOCH")
        call("report", *FILES, "--levels", LEVELS, "-o", f"b.{kind}", "--pack", f"b-{kind}.zip", "--date", "2026-01-01")
        for first, second in ((f"a.{kind}", f"b.{kind}"), (f"a-{kind}.zip", f"b-{kind}.zip")):
            assert (folder / first).read_bytes() == (folder / second).read_bytes(), first
    assert json.loads((folder / "a.json").read_text("utf-8"))["created_at"].startswith("2026-01-01T00:00:00")


def test_a_report_of_a_project_states_the_date(folder: Path) -> None:
    call("report", "--project", "bank", "-o", "p.json", "--date", "2026-02-03T10:00+01:00")
    assert json.loads((folder / "p.json").read_text("utf-8"))["created_at"].startswith("2026-02-03T10:00:00+01:00")


def test_a_date_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HcatError, match="is no date"):
        build_time("May")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(HcatError, match="whole seconds"):
        build_time()


def cells(tree: dict[str, JsonValue], title: str) -> list[list[JsonValue]]:
    sections = tree["sections"]
    assert isinstance(sections, list)
    blocks = [block for section in sections for block in section["blocks"]]  # type: ignore[index, call-overload]
    return next(block["rows"] for block in blocks if block.get("title") == title)  # type: ignore[union-attr, return-value, index, call-overload]


def test_the_commands_of_a_report_make_its_numbers_again(folder: Path) -> None:
    call("report", *FILES, "--levels", LEVELS, "-o", "r.json", "--date", "2026-01-01")
    tree = json.loads((folder / "r.json").read_text("utf-8"))
    appendix = next(section for section in tree["sections"] if section["id"] == "reproducibility")
    place = next(k for k, block in enumerate(appendix["blocks"]) if block.get("text") == "Commands")
    lines = [item[0]["value"] for item in appendix["blocks"][place + 1]["items"]]
    done = {}
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "hcat"
        done[words[1]] = call(*words[1:], *(["--json"] if words[1] == "estimate" else []))
    assert {"score", "calibrate", "predict", "estimate"} <= set(done)
    *_, rate = cells(tree, "Pass rate on usefulness, run run")
    assert json.loads(done["estimate"])["estimates"]["ppi"]["value"] == pytest.approx(rate[1]["value"])  # type: ignore[call-overload, index]
    made, given = (
        json.loads((folder / name).read_text("utf-8")) for name in ("calibration-usefulness.json", "cal.json")
    )
    assert made["q_hat"] == given["q_hat"] and made["diagnostics"]["auc"] == given["diagnostics"]["auc"]


def test_the_commands_of_a_project_name_the_files_of_its_pack(folder: Path) -> None:
    call("report", "--project", "bank", "-o", "q.json")
    text = (folder / "q.json").read_text("utf-8")
    assert "unzip evidence.zip" in text and "hcat labels export --project bank --run run" in text
    assert "hcat calibrate runs/1/scores.parquet labels-usefulness-1.csv" in text
