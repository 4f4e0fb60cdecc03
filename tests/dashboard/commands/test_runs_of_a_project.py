"""`hcat score`, `calibrate`, `estimate` and `weakness` of a run in a project: the numbers of the files of that run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.errors import HcatError
from core.workspace import Workspace
from dashboard.cli import app
from tests.dashboard.commands.own_store import store_in
from tests.dashboard.commands.test_report_command import LEVELS, make_project

OF_RUN = ("--project", "bank", "--run", "run")
FILES = ("s.parquet", "labels.csv")
LEVEL_OPTIONS = ("--levels", LEVELS, "--passing", "right")
ASKED = ("--criterion", "usefulness", "--metrics", "token_recall")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with store_in(tmp_path_factory.mktemp("stored")) as made:
        make_project(made, trials=1, method="logistic")
        yield made


def call(*words: str) -> Any:
    ended = CliRunner().invoke(app, [*words], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout) if "--json" in words else ended.stdout


@pytest.mark.usefixtures("folder")
def test_a_stored_run_is_scored_beside_what_it_has() -> None:
    scored = call("score", *OF_RUN, "--metrics", "token_f1", "-o", "all.parquet", "--json")
    assert set(scored["metrics"]) == {"token_recall", "answer_length", "token_f1"} and scored["n"] == 160
    with Workspace.open() as workspace:
        table = workspace.scoring.required(workspace.runs.get("bank", "run"))
    assert set(table.metrics) == set(scored["metrics"]) and Path("all.parquet").is_file()
    assert "bank / run: 160 samples" in call("score", *OF_RUN, "--metrics", "token_f1")


@pytest.mark.usefixtures("folder")
def test_estimates_and_calibrations_are_those_of_the_files() -> None:
    by_files = call("estimate", *FILES, *ASKED, *LEVEL_OPTIONS, "--run-file", "run.jsonl", "--by", "topic", "--json")
    stored = call("estimate", *ASKED, *OF_RUN, "--by", "topic", "--json")
    assert stored["estimates"] == by_files["estimates"] and stored["slices"] == by_files["slices"]
    assert stored["settings"]["project"] == "bank"
    files = call("calibrate", *FILES, *ASKED, *LEVEL_OPTIONS, "--samples", "run.jsonl", "-o", "f.json", "--json")
    project = call("calibrate", *ASKED, *OF_RUN, "-o", "p.json", "--json")
    parts = ("n", "auc", "coverage", "undecided", "brier")  # the baselines follow which scores there are
    assert project["q_hat"] == files["q_hat"]
    assert [project["diagnostics"][x] for x in parts] == [files["diagnostics"][x] for x in parts]
    assert "In force" in call("calibration", "save", "p.json", *OF_RUN, "--author", "V. Lead", "--reason", "a test")


@pytest.mark.usefixtures("folder")
def test_slices_of_a_stored_run() -> None:
    with_labels = ("--by", "topic", "--metrics", "token_recall", "--json")
    by_files = call("weakness", "run.jsonl", "s.parquet", "-o", "f.parquet", *with_labels)
    stored = call("weakness", *OF_RUN, "-o", "p.parquet", *with_labels)
    means = [{row["level_1"]: row["mean"] for row in each["rows"] if row["metric"] == "token_recall"}
             for each in (by_files, stored)]  # fmt: skip
    assert means[0] == means[1] and len(means[0]) == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("estimate", *FILES, *ASKED, *OF_RUN), "leave out the files"),
        (("estimate", *ASKED, "--project", "bank"), "name the run of the project by --run"),
        (("estimate", *ASKED), "give a score file and a label file, or --project and --run"),
        (("calibrate", "s.parquet", *ASKED, "-o", "x.json"), "give a score file and a label file"),
        (("weakness", "-o", "x.parquet"), "give a run file and a score file"),
        (("score", "run.jsonl"), "give a run file and -o"),
        (("score", "run.jsonl", *OF_RUN), "leave out the run file"),
        (("score", "--project", "bank"), "name the run of the project by --run"),
    ],
)
def test_what_is_missing_or_too_much_is_said(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(HcatError, match=said):
        call(*words)
