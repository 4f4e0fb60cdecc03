"""The same run, labels and scores give the same numbers, whether a project holds them or files do."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.calibrate import calibrate, check_exchangeability, compare_methods, predict
from hcat.core.capabilities.estimates.estimate import compare_runs, estimate_levels, estimate_pass_rate, prepare
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED, compare_slices
from hcat.core.opened.run import Opened
from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.slices.table import combine
from hcat.core.types import Criterion, JsonValue, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.calibration.calibration_file import calibration_json

N = 160
METRIC, RUNS = "token_recall", ("first", "second")
USEFULNESS = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=3)
LEVELS = ("--levels", "wrong,mostly wrong,mostly right,right", "--passing", "right")
ASKED = ("--criterion", USEFULNESS.name, "--metrics", METRIC, *LEVELS)
WORDS = ("one", "two", "three", "four", "five")
OF_THE_PLACE = {"summary", "data", "weaknesses", "all-slices", "findings", "limitations", "reproducibility", "changes"}
"""Sections that name the project and its files or number its reports, or rest on what files are given for apart:
weaknesses, all slices and findings."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with two runs of four trials a test case, and the same as files."""
    folder = tmp_path_factory.mktemp("both")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        settings.cache_clear()
        with Workspace.open() as workspace:
            for shift, name in enumerate(RUNS):
                add_run(workspace, folder, "bank", name, shift)
            add_run(workspace, folder, "bank with one run", RUNS[0], 0)
        yield folder
    settings.cache_clear()


def add_run(workspace: Workspace, folder: Path, project: str, name: str, shift: int) -> None:
    """Labels of two people, a rule and a decision between them, of samples that were not drawn alike."""
    if shift == 0:
        workspace.projects.create(project)
        workspace.criteria.add(project, USEFULNESS)
    run = workspace.runs.add(project, name, [sample(k, shift) for k in range(N)], source=f"{name}.jsonl")
    scores = workspace.scoring.score(run, [METRIC, "answer_length"])
    people = [
        Label(f"s{k}", "usefulness", level(k + shift, strict=who == "bea"), who, probability=0.4 + 0.2 * (k % 2))
        for k in range(100)
        for who in ("ann", "bea")
        if who == "ann" or k % 2
    ]
    rule = [Label(f"s{k}", "usefulness", level(k, strict=False), "rule", source="rule") for k in range(90, 110)]
    workspace.labels.add(run, USEFULNESS, [*people, *rule])
    workspace.disagreements.adjudicate(run, USEFULNESS, "s3", 3, author="lead")
    opened = workspace.run_data.open(run)
    fitted = calibrate(opened, USEFULNESS, metrics=[METRIC], conditional="topic")
    saved = workspace.calibrations.read(workspace.calibrations.save(run, fitted, reason="a test"))
    (folder / f"{name}.jsonl").write_text(to_jsonl(opened.columns.samples), "utf-8")
    (folder / f"{name}.csv").write_text(workspace.exports.label_file(project, USEFULNESS, run), "utf-8")
    (folder / f"{name}.cal.json").write_text(calibration_json(saved), "utf-8")
    scores.write(folder / f"{name}.parquet")


def sample(k: int, shift: int) -> Sample:
    case, topic = k // 4, "ab"[k // 4 % 2]
    answer = " ".join(WORDS[: (k + shift) % 5 + 1])
    return Sample(
        f"s{k}", f"q{case}", answer, reference=" ".join(WORDS), dimensions={"topic": topic}, test_case=f"c{case}"
    )


def level(k: int, *, strict: bool) -> int:
    """Better answers have better labels, but for each seventh; a strict annotator gives each third a level less."""
    return max(0, min(3, k % 5 - (k % 7 == 0) * 3 + (k % 11 == 0) * 2) - (strict and k % 3 == 0))


@pytest.fixture(scope="module")
def runs(folder: Path) -> Iterator[tuple[Opened, Opened]]:
    """The runs of the project, opened."""
    with Workspace.open() as workspace:
        first, second = (workspace.run_data.open(workspace.runs.get("bank", name)) for name in RUNS)
        yield first, second


def hcat(folder: Path, *arguments: str) -> dict[str, JsonValue]:
    """What the command prints as JSON; a word with a point is a file of the folder."""
    words = [str(folder / word) if "." in word and not word.startswith("-") else word for word in arguments]
    ended = CliRunner().invoke(app, [*words, "--json"], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


def plain(value: object) -> JsonValue:
    """As JSON has it: lists for tuples, null for a number that is none."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)


def test_calibrations_are_equal(folder: Path, runs: tuple[Opened, Opened]):
    options = ("--samples", "first.jsonl", "--conditional", "topic", "--compare", "-o", "made.json")
    made = hcat(folder, "calibrate", "first.parquet", "first.csv", *ASKED, *options)
    assert made.pop("exchangeability") == plain(check_exchangeability(runs[0], USEFULNESS).document())
    compared = made.pop("comparison")
    assert isinstance(compared, dict) and compared.pop("sentence")
    assert compared == plain(compare_methods(runs[0], USEFULNESS, metrics=[METRIC]).document())
    stored = json.loads((folder / "first.cal.json").read_text("utf-8"))
    assert stored["inputs"].pop("labels") != made["inputs"].pop("labels")  # the file has pseudonyms
    assert made.pop("use") is None and stored.pop("use")["reason"] == "a test"  # the file of the project is in force
    assert made == stored


def test_decisions_are_equal(folder: Path, runs: tuple[Opened, Opened]):
    hcat(folder, "predict", "first.parquet", "first.cal.json", "--samples", "first.jsonl", "-o", "decided.parquet")
    fitted = Calibration.from_json((folder / "first.cal.json").read_text("utf-8"))
    decided = pd.read_parquet(folder / "decided.parquet")
    pd.testing.assert_frame_equal(decided, predict(runs[0].columns, fitted), check_dtype=False)


def test_estimates_are_equal(folder: Path, runs: tuple[Opened, Opened]):
    options = ("--run-file", "first.jsonl", "--by", "topic")
    found = hcat(folder, "estimate", "first.parquet", "first.csv", *ASKED, *options)
    slices = found.pop("slices")
    whole = plain(estimate_pass_rate(runs[0], USEFULNESS, metrics=[METRIC]).document())
    assert isinstance(whole, dict) and {name: found[name] for name in whole} == whole
    prepared = prepare(runs[0], USEFULNESS, metrics=[METRIC])
    assert slices == plain([part.document() for part in estimate_levels(runs[0].columns, prepared, "topic")])


def test_differences_are_equal(folder: Path, runs: tuple[Opened, Opened]):
    files = {"scores": "parquet", "labels": "csv"}
    options = [f"--{what}-{run}" for what in files for run in "ab"]
    named = [word for option, name in zip(options, RUNS * 2, strict=True) for word in (option, name)]
    given = [w if w.startswith("--") else f"{w}.{files[named[i - 1][2:8]]}" for i, w in enumerate(named)]
    by_files = hcat(folder, "compare", "first.jsonl", "second.jsonl", *ASKED, *given)
    by_names = hcat(folder, "compare", *RUNS, "--project", "bank", *ASKED[:4])
    expected = plain(compare_runs(*runs, USEFULNESS, metrics=[METRIC]).document())
    assert isinstance(expected, dict)
    assert {name: by_files[name] for name in expected} == {name: by_names[name] for name in expected} == expected
    assert not math.isnan(float(str(by_files["p"])))


def test_weaknesses_are_equal(folder: Path):
    options = (
        "--metrics",
        METRIC,
        "--calibration",
        "first.cal.json",
        "--labels",
        "first.csv",
        "--pairs",
        "--by",
        "all",
    )
    found = hcat(folder, "weakness", "first.jsonl", "first.parquet", *options, *LEVELS[:2], "-o", "weak.parquet")
    with Workspace.open() as workspace:
        run = workspace.run_data.open(workspace.runs.get("bank", "first"))
        tables = [compare_slices(run, metric, pairs=True) for metric in (METRIC, CALIBRATED)]
    assert tables[1].settings.refits == found["refits"] == 100
    assert found["rows"] == json.loads(combine(tables).frame.to_json(orient="records"))


OF_FILES = "first.jsonl first.parquet --labels first.csv --calibration first.cal.json"
SLICES = "--run first.jsonl --against second.jsonl --scores first.parquet --scores-against second.parquet"
PEOPLE = "--labels first.csv --labels-against second.csv"
RATE = f"--metric pass_rate:{USEFULNESS.name}"


@pytest.mark.parametrize(
    ("command", "of_files", "of_project", "options"),
    [
        ("fitness", "first.parquet first.csv --samples first.jsonl", "--run first", "--criterion usefulness"),
        (
            "plan",
            "first.parquet first.csv --run-file first.jsonl",
            "--run first",
            f"--criterion usefulness --metrics {METRIC}",
        ),
        (
            "estimate",
            "first.parquet first.csv --run-file first.jsonl",
            "--run first",
            f"--criterion usefulness --metrics {METRIC} --by topic --cluster-by topic",
        ),
        ("trials", "first.jsonl --labels first.csv", "--run first", "--criterion usefulness --by topic --no-scatter"),
        ("weakness", OF_FILES, "--run first", "--metrics all --by all --pairs -o weak.parquet"),
        (
            "bias",
            f"{OF_FILES} --criterion usefulness",
            "first",
            "--by topic --match none --margin 1e-1 --outcomes all",
        ),
        ("compare-slices", SLICES, "--run first --against second", f"--metric {METRIC}"),
        ("compare-slices", f"{SLICES} {PEOPLE}", "--run first --against second", RATE),
        (
            "predict",
            "first.parquet first.cal.json --samples first.jsonl",
            "--run first",
            "--contributions -o decided.parquet",
        ),
    ],
    ids=["fitness", "plan", "estimate", "trials", "weakness", "bias", "slices", "slices by people", "predict"],
)
def test_every_capability_gives_the_same_from_files_and_from_a_project(
    folder: Path, command: str, of_files: str, of_project: str, options: str
):
    levels = LEVELS if ".csv" in of_files else ()
    if command == "weakness":
        levels = LEVELS[:2]  # the calibration says what passes
    by_files = hcat(folder, command, *of_files.split(), *options.split(), *levels)
    by_project = hcat(folder, command, *of_project.split(), *options.split(), "--project", "bank")
    for document in (by_files, by_project):
        assert document.pop("inputs") is not None and document.pop("settings")
    assert rounded(by_files) == rounded(by_project)


def rounded(value: object) -> object:
    """Numbers to 12 digits: the last bit of a product of matrices depends on where they lie in memory."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def test_reports_are_equal_but_for_what_names_their_place(folder: Path):
    files = ("--run", "first.jsonl", "--scores", "first.parquet", "--labels", "first.csv")
    of_files = sections(folder, *files, "--calibration", "first.cal.json", *LEVELS)
    of_project = sections(folder, "--project", "bank with one run")
    compared = [name for name in of_files if name not in OF_THE_PLACE]
    assert {"scope", "metrics", "calibration", "people", "results"} <= set(compared)
    blocks = of_project["people"]["blocks"]
    at = blocks.index({"type": "heading", "text": "Blindness", "new_page": False})
    del blocks[at : at + 3]  # a label file does not say what annotators had seen
    blocks = of_project["all-metrics"]["blocks"]
    at = blocks.index({"type": "heading", "text": "Weak slices", "new_page": False})
    del blocks[at : at + 2]  # slices are in a report of files only where a file of them is given
    for name in compared:
        assert of_files[name] == of_project[name], name


def sections(folder: Path, *arguments: str) -> dict[str, JsonValue]:
    words = [str(folder / word) if "." in word else word for word in arguments]
    ended = CliRunner().invoke(app, ["report", "-o", str(folder / "report.json"), *words], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    tree = json.loads((folder / "report.json").read_text("utf-8"))
    return {section["id"]: section for section in tree["sections"]}
