"""Commands on files load no database library, no store, no dashboard: they start sooner, and need nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.records.run_file import to_jsonl
from core.settings import ROOT
from tests.pages.small_project import CRITERION, label_level, small_samples

LOADED = """
import sys
from dashboard.cli import app
try:
    app(sys.argv[1:], standalone_mode=False)
finally:
    unwanted = ("sqlalchemy", "sqlmodel", "alembic", "core.storage", "streamlit", "plotly")
    loaded = sorted(name for name in sys.modules if name.startswith(unwanted))
    print("LOADED", *loaded[:3])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    samples = small_samples()
    (folder / "run.jsonl").write_text(to_jsonl(samples), encoding="utf-8")
    rows = [f"{sample.id},{CRITERION.name},{CRITERION.levels[label_level(sample)]},ann" for sample in samples]
    (folder / "labels.csv").write_text("\n".join(["sample_id,criterion,label,annotator", *rows]), encoding="utf-8")
    assert hcat(folder, "score run.jsonl --metrics answer_f1 -o scores.parquet") == []
    assert hcat(folder, "calibrate scores.parquet labels.csv --metrics answer_f1 -o fitted.json") == []
    return folder


def hcat(folder: Path, line: str) -> list[str]:
    """The unwanted modules that the command has loaded when it is done; of labels, those on the criterion."""
    words = [str(folder / word) if "." in word else word for word in line.split()]
    if "labels.csv" in line and words[0] not in ("weakness", "report"):
        words += ["--criterion", CRITERION.name]
    if "labels.csv" in line:
        words += ["--positive", CRITERION.levels[1]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HCAT_ARTIFACTS": str(folder / "artifacts")}
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.rsplit("LOADED", 1)[1].split()


@pytest.mark.parametrize(
    "line",
    [
        "estimate scores.parquet labels.csv --metrics answer_f1 --run-file run.jsonl --by kind",
        "weakness run.jsonl scores.parquet --calibration fitted.json --labels labels.csv -o table.parquet",
        "agreement labels.csv --run-file run.jsonl",
        "report --run run.jsonl --scores scores.parquet --labels labels.csv --calibration fitted.json -o report.json",
    ],
)
def test_a_command_on_files_loads_no_database(folder: Path, line: str):
    assert hcat(folder, line) == []
