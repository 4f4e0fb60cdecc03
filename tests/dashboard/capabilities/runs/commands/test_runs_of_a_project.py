"""Commands on a run of a project: the numbers of the files of that run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.types import Label, Passage, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.dashboard.capabilities.report.commands.test_report_command import LEVELS, make_project
from tests.dashboard.commands.own_store import store_in

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
def test_plans_decisions_and_agreement_are_those_of_the_files() -> None:
    asked = (*ASKED, "--width", "0.15", "--threshold", "0.2", "--json")
    by_files = call("plan", *FILES, *LEVEL_OPTIONS, "--run-file", "run.jsonl", *asked)
    stored = call("plan", *OF_RUN, *asked)
    assert stored["plans"] == by_files["plans"] and stored["decision"] == by_files["decision"]
    assert stored["settings"]["run"] == "run" and stored["inputs"] == {}
    call("predict", "s.parquet", "cal.json", "-o", "f.parquet")
    decided = call("predict", *OF_RUN, "--criterion", "usefulness", "-o", "p.parquet", "--json")
    assert pd.read_parquet("p.parquet").equals(pd.read_parquet("f.parquet")) and decided["n"] == 160
    judges = ("--criterion", "usefulness", "--by", "topic", "--json")
    by_files = call("agreement", "labels.csv", *LEVEL_OPTIONS, "--run-file", "run.jsonl", *judges)
    stored = call("agreement", *OF_RUN, *judges)
    assert stored["agreement"] == by_files["agreement"] and stored["levels"] == by_files["levels"]
    assert [pair["n"] for pair in stored["pairs"]] == [pair["n"] for pair in by_files["pairs"]]


@pytest.mark.usefixtures("folder")
def test_the_fitness_of_every_metric_is_listed_and_reported() -> None:
    on = ("--criterion", "usefulness", "--json")
    by_files = call("fitness", *FILES, *LEVEL_OPTIONS, "--samples", "run.jsonl", *on)["fitness"]
    stored = call("fitness", *OF_RUN, *on)["fitness"]
    shared = {each["metric"]: each for each in stored}
    assert [shared[each["metric"]]["auc"] for each in by_files] == [each["auc"] for each in by_files]
    assert {each["metric"] for each in by_files} == {"token_recall", "answer_length"}
    assert all(shared[each["metric"]]["labels"] == each["labels"] > 90 for each in by_files)
    printed = call("fitness", *OF_RUN, "--criterion", "usefulness", "--metrics", "token_recall")
    assert "Fitness for use on usefulness" in printed and "token_recall: " in printed
    files = ("--run", "run.jsonl", "--scores", "s.parquet", "--labels", "labels.csv", "--levels", LEVELS)
    call("report", *files, "--passing", "right", "--criterion", "usefulness", "-o", "r.json")
    sections = {each["id"]: each for each in json.loads(Path("r.json").read_text("utf-8"))["sections"]}
    blocks = sections["metrics"]["blocks"]
    table = next(each for each in blocks if each.get("title") == "Fitness of each metric alone")
    assert [row[3] for row in table["rows"]] == [each["verdict"] for each in by_files]
    assert "No calibration is in force" in json.dumps(blocks[1])


def test_trials_by_several_factors_are_those_of_the_files(folder: Path) -> None:
    factors = ("--metric", "token_recall=0.5", "--metric", "answer_length=3", "--by", "topic", "--no-scatter")
    on = ("--criterion", "usefulness")
    by_files = call("trials", "run.jsonl", "--labels", "labels.csv", *LEVEL_OPTIONS, "--scores", "s.parquet",
                    *on, *factors, "--json")  # fmt: skip
    stored = call("trials", *OF_RUN, *on, *factors, "--json")
    names = ["labels on usefulness", "token_recall ≥ 0.5", "answer_length ≥ 3"]
    assert [one["factor"] for one in stored["factors"]] == names
    assert stored["factors"] == by_files["factors"] and stored["variance"] == by_files["variance"]
    assert stored["factors"][0]["s_u"] == stored["s_u"] and len(stored["factors"][1]["levels"]) == 2
    alone = call("trials", *OF_RUN, "--metric", "answer_length", "--threshold", "3", "--no-scatter", "--json")
    assert alone["s_u"] == stored["factors"][2]["s_u"]
    in_force = call("trials", *OF_RUN, "--no-scatter", "--json")
    assert in_force["settings"]["checkers"] == ["calibration on usefulness at 0.5"]
    printed = call("trials", *OF_RUN, *on, *factors)
    assert all(name in printed for name in ("Level of topic", *names))
    with pytest.raises(HcatError, match="METRIC=THRESHOLD, with a number"):
        call("trials", *OF_RUN, "--metric", "token_recall=high", "--no-scatter")


def test_retrieval_and_groups_of_a_stored_run(folder: Path) -> None:
    passages = (Passage("d1", "The fee is 5."), Passage("d2", "It rains."))
    asked = [
        Sample(f"g{k}", f"What is fee {k}?", "5" if k < 4 else "6", passages, reference="5", group=f"g{k // 2}",
               relevant_ids={"d1": 1})
        for k in range(6)
    ]  # fmt: skip
    (folder / "grouped.jsonl").write_text(to_jsonl(asked), "utf-8")
    call("import", "grouped.jsonl", "--project", "bank", "--run", "grouped")
    with Workspace.open() as workspace:
        run = workspace.runs.get("bank", "grouped")
        workspace.scoring.score(run, ["token_f1"])
        labels = [Label(f"g{k}", "usefulness", 3 if k != 1 else 0, "ann") for k in range(6)]
        workspace.labels.add(run, workspace.criteria.get("bank", "usefulness"), labels)
    stored = call("retrieval", "--project", "bank", "--run", "grouped", "--json")
    assert stored["measures"] == call("retrieval", "grouped.jsonl", "--json")["measures"]
    by_file = call("grammar", "evaluate", "grouped.jsonl", "--verbatim", "--json")["runs"]["grouped"]
    found = call("grammar", "evaluate", "grouped", "--project", "bank", "--verbatim", "--json")
    assert found["runs"]["grouped"] == by_file and found["evaluators"]
    assert by_file["listed"]["gap"] == [
        {"group": "g2", "query": "What is fee 4?", "reference": "5", "right": 0, "n": 2, "sample_ids": ["g4", "g5"]}
    ]
    by_labels = call("grammar", "evaluate", "x=grouped", "--project", "bank", "--criterion", "usefulness", "--json")
    assert [each["group"] for each in by_labels["runs"]["x"]["listed"]["non_robust"]] == ["g0"]
    with pytest.raises(HcatError, match="both say what is right"):
        call("grammar", "evaluate", "grouped", "--project", "bank", "--criterion", "usefulness", "--verbatim")


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
        (("plan", *FILES, *ASKED, *OF_RUN), "leave out the files"),
        (("predict", "s.parquet", "cal.json", "-o", "x.parquet", *OF_RUN), "leave out the files"),
        (("predict", "s.parquet", "-o", "x.parquet"), "give a score file and a calibration"),
        (("predict", *OF_RUN, "--criterion", "no", "-o", "x.parquet"), "no"),
        (("agreement", "--criterion", "usefulness"), "give a label file"),
        (("trials",), "give a run file"),
        (("retrieval",), "give a run file"),
        (("retrieval", "--project", "bank"), "name the run of the project by --run"),
        (("score", "--project", "bank"), "name the run of the project by --run"),
    ],
)
def test_what_is_missing_or_too_much_is_said(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(HcatError, match=said):
        call(*words)
