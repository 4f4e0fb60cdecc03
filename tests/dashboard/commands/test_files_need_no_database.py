"""Commands on files load no database library, no store, no dashboard: they start sooner, and need nothing of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import ROOT
from tests.pages.small_project import CRITERION, label_level, small_samples

LOADED = """
import json, sys
from hcat.dashboard.cli import app
for words in json.loads(sys.argv[1]):
    app(words, standalone_mode=False)
    unwanted = ("sqlalchemy", "sqlmodel", "alembic", "hcat.core.storage", "streamlit", "plotly")
    loaded = sorted(name for name in sys.modules if name.startswith(unwanted))
    print("LOADED", words[0], *loaded[:3])
"""
LINES = (
    "score run.jsonl --metrics answer_f1 -o scores.parquet",
    "calibrate scores.parquet labels.csv --metrics answer_f1 -o fitted.json",
    "estimate scores.parquet labels.csv --metrics answer_f1 --run-file run.jsonl --by kind",
    "weakness run.jsonl scores.parquet --calibration fitted.json --labels labels.csv -o table.parquet",
    "agreement labels.csv --run-file run.jsonl",
    "report --run run.jsonl --scores scores.parquet --labels labels.csv --calibration fitted.json -o report.json",
)
"""What one command writes, the next ones read."""


def words_of(line: str, folder: Path) -> list[str]:
    """The command's words; of labels, those on the criterion."""
    words = [str(folder / word) if "." in word else word for word in line.split()]
    if "labels.csv" in line and words[0] not in ("weakness", "report"):
        words += ["--criterion", CRITERION.name]
    return [*words, "--positive", CRITERION.levels[1]] if "labels.csv" in line else words


def test_commands_on_files_load_no_database(tmp_path: Path) -> None:
    """One after another in a fresh process: the first that loads one is named."""
    samples = small_samples()
    (tmp_path / "run.jsonl").write_text(to_jsonl(samples), encoding="utf-8")
    rows = [f"{sample.id},{CRITERION.name},{CRITERION.levels[label_level(sample)]},ann" for sample in samples]
    (tmp_path / "labels.csv").write_text("\n".join(["sample_id,criterion,label,annotator", *rows]), encoding="utf-8")
    commands = json.dumps([words_of(line, tmp_path) for line in LINES])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HCAT_ARTIFACTS": str(tmp_path / "artifacts")}
    done = subprocess.run([sys.executable, "-c", LOADED, commands], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("LOADED")]
    assert said == [f"LOADED {line.split()[0]}" for line in LINES]
