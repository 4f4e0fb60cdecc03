"""On answers that people judged, nothing is called weak of which people pass more than of the rest."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions, default_metric, slice_metrics
from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
from hcat.core.importers import read_run
from hcat.core.metrics.registry import METRICS
from hcat.core.models.model_set import ModelSet
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.scoring.evaluate import score_samples
from hcat.core.slices.files import read_weaknesses
from hcat.core.slices.slices import row_slice, samples_in
from hcat.core.slices.verdicts import BY_PEOPLE, WEAK
from hcat.core.types import Criterion, Label, Slice
from hcat.dashboard.cli import app
from tests.grids import first_ones

DATA = Path(__file__).parents[4] / "shared" / "data" / "financebench"
RUNS = ("gpt-4_oracle", "gpt-4_sharedStore", "llama2_sharedStore", "claude-2_inContext")
CORRECTNESS = Criterion("correctness")
pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository"),
]


@pytest.fixture(scope="module", params=first_ones(RUNS, 2))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Opened, Path]:
    """The run with people's labels, scored on the metrics that take no model, and a folder with the same as files."""
    samples = tuple(read_run(DATA / f"{request.param}.jsonl", filename=f"{request.param}.jsonl").samples)
    names = [metric.name for metric in METRICS if not metric.models and "@" not in metric.name]
    scores = score_samples(samples, metrics=names, models=ModelSet(()))
    rows = csv.DictReader((DATA / "labels.csv").read_text("utf-8").splitlines())
    passed = {row["sample_id"]: row["label"] == "Correct Answer" for row in rows if row["run"] == request.param}
    labels = [Label(sample.id, "correctness", int(passed[sample.id]), "people") for sample in samples]
    folder = tmp_path_factory.mktemp(request.param)
    scores.write(folder / "s.parquet")
    words = [f"{label.sample_id},correctness,{('fail', 'pass')[label.level]},people" for label in labels]
    (folder / "labels.csv").write_text("\n".join(["sample_id,criterion,label,annotator", *words]), "utf-8")
    (folder / "run.jsonl").write_bytes((DATA / f"{request.param}.jsonl").read_bytes())
    return run_from_files(
        RunColumns(request.param, FileColumns(lambda: samples, lambda: scores)), labels, [CORRECTNESS]
    ), folder


def people_pass_fewer(run: Opened, slice_: Slice) -> bool:
    """By the plain shares of the labels, counted anew."""
    labels = run.labels(CORRECTNESS)
    inside = np.isin(labels.sample_ids, samples_in(run.columns.dimensions, slice_))
    return bool(labels.levels[inside].mean() < labels.levels[~inside].mean())


def weak_rows(frame: pd.DataFrame) -> list[pd.Series]:
    return [row for _, row in frame[frame["verdict"] == WEAK].iterrows()]


def test_what_a_page_or_the_overview_calls_weak_is_so_for_people(run: tuple[Opened, Path]) -> None:
    opened, _ = run
    assert default_metric(opened) == "pass_rate:correctness"
    for metric in slice_metrics(opened):
        if metric != "pass_rate:correctness" and not opened.columns.scores.n_scored(metric):
            continue
        by = default_dimensions(opened, metric)
        for row in weak_rows(compare_slices(opened, metric, by=by, pairs=True).frame):
            assert row["basis"] in BY_PEOPLE and people_pass_fewer(opened, row_slice(row))


def test_a_score_that_points_the_other_way_than_people_says_so(run: tuple[Opened, Path]) -> None:
    opened, _ = run
    table = compare_slices(opened, "token_f1", by=["question_type"])
    for _, row in table.frame.iterrows():
        more = not people_pass_fewer(opened, row_slice(row))
        lower = row["verdict"] in ("lower score", "possibly lower")
        assert bool(row["disagreement"]) == (lower and more and row["labels"] >= 10)
    if opened.name == "gpt-4_oracle":
        best = table.frame.set_index("level_1").loc["metrics-generated"]
        assert best["verdict"] == "lower score" and best["disagreement"] and best["label_pass_rate"] > 0.85


@pytest.mark.parametrize("metrics", ["", "--metrics all"])
def test_what_the_command_calls_weak_is_so_for_people(run: tuple[Opened, Path], metrics: str) -> None:
    opened, folder = run
    files = [str(folder / name) for name in ("run.jsonl", "s.parquet")]
    written = str(folder / "w.parquet")
    labels = ["--labels", str(folder / "labels.csv"), "--criterion", "correctness", "--positive", "pass"]
    for given in (labels, []):
        words = ["weakness", *files, "-o", written, "--pairs", *metrics.split(), *given]
        ended = CliRunner().invoke(app, words, catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
        weak = weak_rows(read_weaknesses(Path(written)).frame)
        assert given or not weak
        assert all(people_pass_fewer(opened, row_slice(row)) for row in weak)


def test_what_the_report_calls_weak_is_so_for_people(run: tuple[Opened, Path]) -> None:
    opened, folder = run
    words = ["report", "--run", "run.jsonl", "--scores", "s.parquet", "--labels", "labels.csv", "-o", "r.json"]
    given = [word if word.startswith("--") or "." not in word else str(folder / word) for word in words]
    ended = CliRunner().invoke(
        app, [*given, "--criterion", "correctness", "--positive", "pass"], catch_exceptions=False
    )
    assert ended.exit_code == 0, ended.output
    report = json.loads((folder / "r.json").read_text("utf-8"))
    for title in weak_titles(report):
        levels = re.fullmatch(r"(.+?) = (.+?)(?:, ([\w ()]+) = (.+))?", title)
        assert levels is not None and people_pass_fewer(opened, Slice(*levels.groups())), title


def weak_titles(node: object) -> Iterator[str]:
    """The titles of slices in the rows of tables that say "weak"."""
    if isinstance(node, dict):
        for row in node.get("rows") or ():
            if isinstance(row, list) and WEAK in row:
                yield next(str(cell) for cell in row if isinstance(cell, str) and " = " in cell)
        for inner in node.values():
            yield from weak_titles(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from weak_titles(inner)
