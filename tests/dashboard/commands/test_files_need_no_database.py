"""Commands on files load no database library, no store, no dashboard: they start sooner, and need nothing of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import ROOT
from hcat.core.types import Variant
from tests.pages.small_project import CRITERION, label_level, small_samples
from tests.views.test_attacks_view import answers

LOADED = """
import json, sys, typer
from hcat.dashboard.cli import app
for words in json.loads(sys.argv[1]):
    try:
        app(words, standalone_mode=False)
    except typer.Exit as ended:
        assert ended.exit_code in (0, 1), words
    unwanted = ("sqlalchemy", "sqlmodel", "alembic", "hcat.core.storage", "streamlit", "plotly")
    loaded = sorted(name for name in sys.modules if name.startswith(unwanted))
    print("LOADED", words[0], *loaded[:3], sep=" ")
"""
LINES = (
    "score run.jsonl --metrics answer_f1 -o scores.parquet",
    "calibrate scores.parquet labels.csv --metrics answer_f1 -o fitted.json",
    "estimate scores.parquet labels.csv --metrics answer_f1 --run-file run.jsonl --by kind",
    "weakness run.jsonl scores.parquet --calibration fitted.json --labels labels.csv -o table.parquet",
    "agreement labels.csv --run-file run.jsonl",
    "fitness scores.parquet labels.csv --samples run.jsonl",
    "plan scores.parquet labels.csv --metrics answer_f1 --run-file run.jsonl",
    "predict scores.parquet fitted.json -o decided.parquet",
    "compare run.jsonl run.jsonl --metrics answer_f1 --scores-a scores.parquet --scores-b scores.parquet "
    "--labels-a labels.csv --labels-b labels.csv",
    "compare-slices --run run.jsonl --against run.jsonl --metric answer_f1 --scores scores.parquet "
    "--scores-against scores.parquet --by kind",
    "trials run.jsonl --labels labels.csv --no-scatter",
    "retrieval judged.jsonl",
    "bias run.jsonl scores.parquet --labels labels.csv --by kind --match none",
    "robustness variants.jsonl --no-similarity",
    "attack-rates attacks.jsonl",
    "safety run.jsonl -o safety.parquet",
    "policy fit scores.parquet labels.csv fitted.json -o policy.json",
    "policy apply scores.parquet policy.json -o actions.parquet",
    "policy check policy.json scores.parquet --labels labels.csv",
    "grammar evaluate judged.jsonl --verbatim",
    "report --run run.jsonl --scores scores.parquet --labels labels.csv --calibration fitted.json -o report.json",
)
"""What one command writes, the next ones read."""


def words_of(line: str, folder: Path) -> list[str]:
    """The command's words; of labels, those on the criterion."""
    words = [str(folder / word) if "." in word else word for word in line.split()]
    if "labels.csv" in line and words[0] not in ("weakness", "report", "policy"):
        words += ["--criterion", CRITERION.name]
    return [*words, "--positive", CRITERION.levels[1]] if "labels.csv" in line else words


def test_commands_on_files_load_no_database(tmp_path: Path) -> None:
    """One after another in a fresh process: the first that loads one is named."""
    samples = small_samples()
    origin = samples[0]
    variant = replace(origin, id="v0", test_case="v0", variant=Variant("spelling", origin.id))
    relevant = [replace(each, relevant_ids={each.contexts[0].id: 1}, group=each.id[:2]) for each in samples]
    files = {"run": samples, "variants": [origin, variant], "attacks": answers("direct override"), "judged": relevant}
    for name, some in files.items():
        (tmp_path / f"{name}.jsonl").write_text(to_jsonl(some), encoding="utf-8")
    rows = [f"{sample.id},{CRITERION.name},{CRITERION.levels[label_level(sample)]},ann" for sample in samples]
    (tmp_path / "labels.csv").write_text("\n".join(["sample_id,criterion,label,annotator", *rows]), encoding="utf-8")
    commands = json.dumps([words_of(line, tmp_path) for line in LINES])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HCAT_ARTIFACTS": str(tmp_path / "artifacts")}
    done = subprocess.run([sys.executable, "-c", LOADED, commands], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("LOADED")]
    assert said == [f"LOADED {line.split()[0]}" for line in LINES]
