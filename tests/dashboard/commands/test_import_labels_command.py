"""`hcat import --format labels`: a project's own export comes back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook
from typer.testing import CliRunner

from hcat.core.records.project import RunInfo
from hcat.core.settings import settings
from hcat.core.types import Criterion, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

N = 6
USEFULNESS = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=2)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunInfo]:
    """Two people's labels on four levels, of which one sample is decided over by somebody else."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    workspace = Workspace.open()
    project = workspace.projects.create("bank")
    criterion = workspace.criteria.add(project, USEFULNESS)
    made = workspace.runs.add(project, "v1", [Sample(f"s{i}", f"q{i}", "a") for i in range(N)], source="x")
    for i in range(N):
        for annotator, level in (("ann", i % 4), ("bob", (i + 1) % 4)):
            rationale = (None, "=why", " a\nb ", "c\r\nd", "'tis", "é")[i]
            workspace.labels.record(made, criterion, f"s{i}", level, annotator=annotator, rationale=rationale)
    workspace.disagreements.adjudicate(made, criterion, "s0", 3, author="lead", rationale="first thought")
    workspace.disagreements.adjudicate(made, criterion, "s0", 0, author="lead", rationale="ann is right")
    workspace.close()
    yield made
    settings.cache_clear()


def import_labels(path: Path) -> str:
    arguments = ["import", str(path), "--project", "bank", "--run", "v1", "--format", "labels"]
    ended = CliRunner().invoke(app, [*arguments, "--criterion", "usefulness"], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return ended.output


def test_importing_ones_own_export_twice_adds_nothing(run: RunInfo, tmp_path: Path) -> None:
    workspace = Workspace.open()
    before = workspace.labels.current("bank", "usefulness", run)
    history = workspace.labels.history("bank")
    export = tmp_path / "labels.csv"
    export.write_text(workspace.exports.label_file("bank", USEFULNESS, run), "utf-8")
    assert "ann" not in {line.split(",")[3] for line in export.read_text("utf-8").splitlines()}
    for _ in range(2):
        assert import_labels(export).startswith("0 labels on usefulness")
    assert len(before) == 2 * N + 1  # with the decision that holds
    assert workspace.labels.current("bank", "usefulness", run) == before
    assert workspace.labels.history("bank") == history
    assert [made.level for made in workspace.disagreements.adjudications(run, USEFULNESS)] == [0]


def test_a_changed_label_of_an_export_is_its_annotators_own(run: RunInfo, tmp_path: Path) -> None:
    workspace = Workspace.open()
    export = tmp_path / "labels.csv"
    text = workspace.exports.label_file("bank", USEFULNESS, run)
    before, changed = '"s1","usefulness","mostly wrong"', '"s1","usefulness","right"'
    assert before in text
    export.write_text(text.replace(before, changed), "utf-8")
    assert import_labels(export).startswith("1 label on usefulness")
    held = workspace.labels.current("bank", "usefulness", run, annotator="ann")
    assert {label.sample_id: label.level for label in held}["s1"] == 3
    assert {label.annotator for label in workspace.labels.current("bank", decisions=False)} == {"ann", "bob"}


def test_labels_of_other_words_are_mapped_once_and_remembered(run: RunInfo, tmp_path: Path) -> None:
    with Workspace.open() as workspace:
        workspace.criteria.add("bank", Criterion("correctness"))
    path = tmp_path / "answers.csv"
    rows = "v1,s0,correctness,Correct Answer\nv1,s1,correctness,Incorrect Answer\nv1,s2,correctness,Refusal\n"
    path.write_text(f"run,sample_id,criterion,label\n{rows}", "utf-8")
    arguments = ["import", str(path), "--project", "bank", "--run", "v1", "--format", "labels"]
    refused = CliRunner().invoke(app, arguments)
    assert "'Correct Answer' (1), 'Incorrect Answer' (1), 'Refusal' (1)" in str(refused.exception)
    assert '--level "Correct Answer=pass"' in str(refused.exception)
    levels = ("Correct Answer=pass", "Incorrect Answer=fail", "Refusal=skip")
    mapped = CliRunner().invoke(app, [*arguments, *(part for level in levels for part in ("--level", level))])
    assert mapped.output == "2 labels on correctness → bank / v1, 1 row skipped\n"
    again = CliRunner().invoke(app, arguments)
    assert again.output == "0 labels on correctness → bank / v1, 1 row skipped\n"
    with Workspace.open() as workspace:
        labels = workspace.labels.current("bank", "correctness", run)
        assert {label.sample_id: label.level for label in labels} == {"s0": 1, "s1": 0}


def test_the_sheet_of_a_workbook_is_chosen(run: RunInfo, tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["notes", "of"])
    book.create_sheet("labels").append(["sample_id", "criterion", "label"])
    book["labels"].append(["s0", "usefulness", "right"])
    path = tmp_path / "labels.xlsx"
    book.save(path)
    arguments = ["import", str(path), "--project", "bank", "--run", "v1", "--format", "labels"]
    arguments += ["--criterion", "usefulness", "--sheet"]
    assert CliRunner().invoke(app, [*arguments, "labels"]).output == "1 label on usefulness → bank / v1\n"
    assert "there is no sheet" in str(CliRunner().invoke(app, [*arguments, "none"]).exception)
