"""`hcat calibration save` and `show`: a calibration in force from the command line, with the reason it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.errors import HcatError
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.calibration.calibration_file import calibration_json

CRITERION = Criterion("correctness")
ON = ("--project", "bank", "--run", "first")
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A run with labels of chance, and a calibration of it that nobody uses yet."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        workspace.projects.create("bank")
        workspace.criteria.add(workspace.projects.get("bank"), CRITERION)
        samples = [Sample(f"s{k}", f"q{k}", " ".join(WORDS[: k % 8 + 1]), reference=" ".join(WORDS)) for k in range(60)]
        run = workspace.runs.add("bank", "first", samples, source="first.jsonl")
        workspace.scoring.score(run, ["token_recall"])
        workspace.labels.add(run, CRITERION, [Label(f"s{k}", "correctness", k * 7 % 3 % 2, "ann") for k in range(60)])
        fitted = calibrate(workspace.run_data.open(run), CRITERION, metrics=["token_recall"])
    assert not fitted.is_fit
    path = tmp_path / "cal.json"
    path.write_text(calibration_json(fitted), "utf-8")
    yield path
    settings.cache_clear()


def hcat(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_one_that_is_not_shown_to_be_fit_takes_a_reason(document: Path) -> None:
    asked = ("calibration", "save", str(document), *ON, "--author", "R. Keller")
    refused = hcat(*asked)
    assert isinstance(refused.exception, HcatError) and "give a reason" in str(refused.exception)
    saved = hcat(*asked, "--reason", "a first look")
    assert saved.exit_code == 0, saved.output
    assert "saved by R. Keller" in saved.output and "Used all the same because: “a first look”" in saved.output
    shown = hcat("calibration", "show", *ON)
    assert shown.output == saved.output
    facts = json.loads(hcat("calibration", "show", *ON, "--json").stdout)
    assert (facts["author"], facts["reason"], facts["labelled_samples"]) == ("R. Keller", "a first look", 60)


def test_a_calibration_of_other_samples_is_refused(document: Path) -> None:
    content = json.loads(document.read_text("utf-8"))
    content["inputs"]["run"] = "0" * 64
    document.write_text(json.dumps(content), "utf-8")
    refused = hcat("calibration", "save", str(document), *ON, "--author", "a", "--reason", "b")
    assert isinstance(refused.exception, HcatError) and "made on other samples" in str(refused.exception)


def test_a_reason_in_the_file_serves(document: Path) -> None:
    fitted = Calibration.from_json(document.read_text("utf-8")).put_in_force(author="bea", reason="in the file")
    document.write_text(calibration_json(fitted), "utf-8")
    saved = hcat("calibration", "save", str(document), *ON, "--author", "ann")
    assert "saved by ann" in saved.output and "“in the file”" in saved.output
