"""`hcat report` made from a project's files says of human judgement what the project's own report says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.types import Criterion, JsonValue, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.calibration.calibration_file import calibration_json

N = 160
USEFULNESS = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=3)
LEVELS = "wrong,mostly wrong,mostly right,right"
WORDS = ("one", "two", "three", "four", "five")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    yield
    settings.cache_clear()


def sample(k: int, *, trials: int) -> Sample:
    """Its answer has the first `k % 5 + 1` of five words of the reference."""
    reference = " ".join(WORDS)
    answer = " ".join(WORDS[: k % 5 + 1])
    case, topic = k // trials, "ab"[k // trials % 2]
    return Sample(f"s{k}", f"q{case}", answer, reference=reference, dimensions={"topic": topic}, test_case=f"c{case}")


def level(k: int, *, strict: bool) -> int:
    """Better answers have better labels, but for each seventh; a strict annotator gives each third a level less."""
    return max(0, min(3, k % 5 - (k % 7 == 0) * 3 + (k % 11 == 0) * 2) - (strict and k % 3 == 0))


def make_project(folder: Path, *, trials: int, method: str) -> None:
    """A project with labels of two people and a rule, and the same as files in the folder."""
    workspace = Workspace.open()
    project = workspace.projects.create("bank")
    criterion = workspace.criteria.add(project, USEFULNESS)
    samples = [sample(k, trials=trials) for k in range(N)]
    run = workspace.runs.add(project, "run", samples, source="run.jsonl")
    scores = workspace.scoring.score(run, ["token_recall", "answer_length"])
    given = [
        Label(f"s{k}", "usefulness", level(k, strict=who == "bea"), who, "run", probability=0.4 + 0.2 * (k % 2))
        for k in range(100)
        for who in ("ann", "bea")
        if who == "ann" or k % 2
    ]
    given += [
        Label(f"s{k}", "usefulness", level(k, strict=False), "reference-rule", "run", source="rule")
        for k in range(90, 110)
    ]
    workspace.labels.add(run, criterion, given)
    workspace.disagreements.adjudicate(run, criterion, "s3", 3, author="lead")
    fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_recall"], method=method)
    workspace.calibrations.save(run, fitted, reason="a test")
    (folder / "run.jsonl").write_text(to_jsonl(workspace.runs.samples(run)), "utf-8")
    scores.write(folder / "s.parquet")
    (folder / "labels.csv").write_text(workspace.exports.label_file(project, criterion, run), "utf-8")
    (folder / "cal.json").write_text(calibration_json(fitted), "utf-8")
    workspace.close()


def human_judgement(folder: Path, *arguments: str) -> list[JsonValue]:
    """The tables of a report that rest on labels: of people, of the results overall, and of pass rates by slice."""
    output = folder / "report.json"
    ended = CliRunner().invoke(app, ["report", "-o", str(output), *arguments], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    tree = json.loads(output.read_text("utf-8"))
    resting = {"people", "results", "all-slices"}
    blocks = [block for section in tree["sections"] if section["id"] in resting for block in section["blocks"]]
    return [block for block in blocks if "columns" in block and not block["title"].startswith("Lowest slices")]


@pytest.mark.parametrize(("trials", "method"), [(1, "logistic"), (4, "isotonic"), (4, "ordinal")])
def test_a_report_from_files_says_of_people_what_the_project_says(tmp_path: Path, trials: int, method: str) -> None:
    make_project(tmp_path, trials=trials, method=method)
    files = {"run": "run.jsonl", "scores": "s.parquet", "labels": "labels.csv", "calibration": "cal.json"}
    options = [word for name, file in files.items() for word in (f"--{name}", str(tmp_path / file))]
    from_files = human_judgement(tmp_path, *options, "--levels", LEVELS)
    from_project = human_judgement(tmp_path, "--project", "bank")
    tables = [block["title"] for block in from_project]
    assert {"Labels", "Pass rate on usefulness, run run", "Pass rate by topic, on usefulness, run run"} <= set(tables)
    assert from_files == from_project


def test_labels_of_another_run_are_refused(tmp_path: Path) -> None:
    make_project(tmp_path, trials=1, method="logistic")
    foreign = tmp_path / "foreign.csv"
    foreign.write_text((tmp_path / "labels.csv").read_text("utf-8").replace('\n"s', '\n"t'), "utf-8")
    files = {"run": "run.jsonl", "scores": "s.parquet", "labels": "foreign.csv", "calibration": "cal.json"}
    options = [word for name, file in files.items() for word in (f"--{name}", str(tmp_path / file))]
    with pytest.raises(HcatError, match=r"samples in foreign\.csv are not in the run"):
        human_judgement(tmp_path, *options, "--levels", LEVELS)


def test_labels_without_a_calibration_are_reported(tmp_path: Path) -> None:
    make_project(tmp_path, trials=1, method="logistic")
    files = {"run": "run.jsonl", "scores": "s.parquet", "labels": "labels.csv"}
    options = [word for name, file in files.items() for word in (f"--{name}", str(tmp_path / file))]
    with pytest.raises(HcatError, match="say by --criterion which labels"):
        human_judgement(tmp_path, *options, "--levels", LEVELS)
    human_judgement(tmp_path, *options, "--levels", LEVELS, "--passing", "right", "--criterion", "usefulness")
    tree = json.loads((tmp_path / "report.json").read_text("utf-8"))
    [labels] = [block for section in tree["sections"] for block in section["blocks"] if block.get("title") == "Labels"]
    assert [(row[2], row[4]) for row in labels["rows"]] == [("people", 150), ("rule (no person)", 20)]


def test_an_opinion_a_note_runs_and_chapters_are_given_by_option(tmp_path: Path) -> None:
    make_project(tmp_path, trials=1, method="logistic")
    opinion = tmp_path / "opinion.toml"
    opinion.write_text('rating = "not fit"\nauthor = "V. Lead"\nreasons = "Half of the answers are wrong."', "utf-8")
    output = tmp_path / "report.json"
    arguments = ["report", "-o", str(output), "--project", "bank", "--runs", "run", "--chapters", "summary,changes"]
    for note in ("first", "second"):  # the same content keeps its number, and its note
        ended = CliRunner().invoke(app, [*arguments, "--opinion", str(opinion), "--note", note], catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
    summary, changes = json.loads(output.read_text("utf-8"))["sections"]
    assert summary["blocks"][0]["title"] == "Opinion: not fit"
    assert [(row[0], row[3], row[7]) for row in changes["blocks"][-1]["rows"]] == [(1, "not fit", "first")]
    with pytest.raises(HcatError, match="for the runs and versions of a project"):
        CliRunner().invoke(app, ["report", "-o", str(output), "--note", "x"], catch_exceptions=False)


def test_a_german_report_keeps_its_language_and_is_computed_again(tmp_path: Path) -> None:
    make_project(tmp_path, trials=1, method="logistic")
    runner, pack = CliRunner(), tmp_path / "pack.zip"
    for language, name in (("en", "first"), ("de", "zweiter"), ("de", "again")):
        output = ["-o", str(tmp_path / f"{name}.json"), "--language", language]
        packed = ["--pack", str(pack)] if name == "again" else []
        ended = runner.invoke(app, ["report", "--project", "bank", *output, *packed], catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
    english, german, again = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("first", "zweiter", "again"))
    assert (english.get("language"), german["language"]) == (None, "de")
    assert again == german  # the same content keeps its version
    titles = {section["id"]: section["title"] for section in german["sections"]}
    assert (titles["summary"], titles["people"]) == ("Zusammenfassung", "Menschliches Urteil")
    changes = next(section for section in german["sections"] if section["id"] == "changes")
    assert changes["blocks"][0]["text"][0].startswith("Die früheren Berichte dieses Projekts sind in einer anderen")
    checked = runner.invoke(app, ["verify", str(pack), "--recompute"], catch_exceptions=False)
    assert (checked.exit_code, "numbers agree" in checked.output) == (3, True), checked.output  # no key was named


def test_a_german_report_of_files_says_the_same_as_that_of_the_project(tmp_path: Path) -> None:
    make_project(tmp_path, trials=1, method="logistic")
    files = {"run": "run.jsonl", "scores": "s.parquet", "labels": "labels.csv", "calibration": "cal.json"}
    options = [word for name, file in files.items() for word in (f"--{name}", str(tmp_path / file))]
    from_files = human_judgement(tmp_path, *options, "--levels", LEVELS, "--language", "de")
    from_project = human_judgement(tmp_path, "--project", "bank", "--language", "de")
    assert from_files[0]["title"] == "Labels"
    assert "Bestehensquote zu usefulness, Lauf run" in [block["title"] for block in from_files]
    assert [b for b in from_files if "Niedrigste" not in b["title"]] == [
        b for b in from_project if "Niedrigste" not in b["title"]
    ]


def test_a_language_without_an_edition_is_refused(tmp_path: Path) -> None:
    arguments = ["report", "--project", "bank", "-o", str(tmp_path / "r.html"), "--language", "fr"]
    with pytest.raises(HcatError, match="no edition in the language 'fr': choose from en, de"):
        CliRunner().invoke(app, arguments, catch_exceptions=False)
