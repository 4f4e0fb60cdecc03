"""Labels on named levels, as a project exports them, read by each command that takes a label file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.calibration.calibration import Calibration
from hcat.core.errors import HcatError
from hcat.core.importers.labels.label_file import labels_csv
from hcat.core.records.run_file import content_hash, to_jsonl
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, JsonValue, Label, Sample
from hcat.dashboard.cli import app

N = 160
USEFULNESS = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=2)
LEVELS = ("--levels", "wrong,mostly wrong, mostly right,right")
ON = ("--criterion", "usefulness")
METRIC = ("--metrics", "answer_f1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, its scores, and two people's labels as `labels_csv` writes them: every quarter on a level of its own."""
    made = tmp_path_factory.mktemp("levels")
    samples = [Sample(f"s{i}", f"q{i}", "a", dimensions={"kind": "ab"[i % 2]}) for i in range(N)]
    (made / "run.jsonl").write_text(to_jsonl(samples), "utf-8")
    levels = [i % 4 for i in range(N)]
    score = np.array(levels) + np.random.default_rng(5).normal(size=N)
    index = pd.Index([sample.id for sample in samples], name="sample_id", dtype="str")
    provenance = Provenance("0", content_hash(samples), ("answer_f1",))
    ScoreTable(pd.DataFrame({"answer_f1": score}, index=index), provenance).write(made / "s.parquet")
    labels = [Label(f"s{i}", "usefulness", level, who) for i, level in enumerate(levels) for who in ("ann", "bea")]
    (made / "labels.csv").write_text(labels_csv(labels, USEFULNESS), "utf-8")
    return made


def command(folder: Path, name: str) -> list[str]:
    """A command on the files, without any word on levels."""
    run, scores, labels, made = (str(folder / file) for file in ("run.jsonl", "s.parquet", "labels.csv", "cal.json"))
    sides = [x for side in "ab" for x in (f"--scores-{side}", scores, f"--labels-{side}", labels)]
    return {
        "agreement": ["agreement", labels, *ON],
        "calibrate": ["calibrate", scores, labels, *ON, *METRIC, "-o", made],
        "estimate": ["estimate", scores, labels, *ON, *METRIC],
        "plan": ["plan", scores, labels, *ON, *METRIC],
        "compare": ["compare", run, run, *ON, *METRIC, *sides],
        "trials": ["trials", run, "--labels", labels, *ON, "--no-scatter"],
    }[name]


def said(*arguments: object) -> dict[str, JsonValue]:
    ended = CliRunner().invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


ALL = ("agreement", "calibrate", "estimate", "plan", "compare", "trials")


@pytest.mark.parametrize("name", ALL)
def test_labels_on_named_levels_are_read_in_the_order_that_is_given(folder: Path, name: str) -> None:
    with pytest.raises(HcatError, match="--levels, from worst to best"):
        said(*command(folder, name))
    said(*command(folder, name), *LEVELS)


def test_the_upper_half_passes_or_what_passing_says(folder: Path) -> None:
    estimate = command(folder, "estimate")
    for more, share in (((), 0.5), (("--passing", "right"), 0.25), (("--passing", "mostly wrong"), 0.75)):
        document = said(*estimate, *LEVELS, *more)
        assert document["estimates"]["labels_only"]["value"] == share
        assert document["settings"]["levels"] == LEVELS[1]
    assert document["settings"]["passing"] == "mostly wrong"


@pytest.mark.parametrize("name", ALL)
def test_one_level_against_three_others_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(HcatError, match=r'"mostly right" against the rest takes two labels.*--levels'):
        said(*command(folder, name), "--positive", "mostly right")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--levels", "wrong"), "two or more different names"),
        (("--levels", "wrong,right,Wrong"), "two or more different names"),
        (("--levels", "wrong,,right"), "two or more different names"),
        (("--levels", "wrong,right"), "expected one of wrong, right"),
        ((*LEVELS, "--positive", "right"), "both say what passes"),
        ((*LEVELS, "--passing", "wrong"), "a level above the lowest: one of mostly wrong, mostly right, right"),
    ],
)
def test_mistakes_are_said(folder: Path, options: tuple[str, ...], message: str) -> None:
    with pytest.raises(HcatError, match=message):
        said(*command(folder, "estimate"), *options)


def test_a_level_with_a_comma_stands_in_quotes(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    rows = [f's{i},c,"{("no", "yes, mostly", "yes")[i % 3]}",{who}' for i in range(60) for who in ("ann", "bea")]
    labels.write_text("\n".join(["sample_id,criterion,label,annotator", *rows]) + "\n", "utf-8")
    assert said("agreement", labels, "--criterion", "c", "--levels", 'no,"yes, mostly",yes')["agreement"]["n"] == 60


def test_other_criteria_in_the_file_need_no_levels(folder: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    text = (folder / "labels.csv").read_text("utf-8")
    more = [f"s{i},tone,{'polite' if i % 4 else 'rude'},ann" for i in range(N)]
    both.write_text("\n".join([text.strip(), *(row + ",,,,1.0,1,person" for row in more)]) + "\n", "utf-8")
    for options in (("usefulness", *LEVELS), ("tone", "--positive", "polite")):
        arguments = ("estimate", folder / "s.parquet", both, *METRIC, "--criterion", *options)
        assert said(*arguments)["n_labels"] == N


def test_report_and_weakness_take_what_passes_from_the_calibration(folder: Path, tmp_path: Path) -> None:
    run, scores, labels = (folder / name for name in ("run.jsonl", "s.parquet", "labels.csv"))
    made, weak, html = (tmp_path / name for name in ("cal.json", "w.parquet", "r.html"))
    said("calibrate", scores, labels, *ON, *METRIC, "-o", made, *LEVELS, "--passing", "right")
    assert Calibration.from_json(made.read_text("utf-8")).settings["passing"] == 3
    looked = ("weakness", run, scores, "-o", weak, "--calibration", made, "--labels", labels)
    report = ["report", "--run", run, "--scores", scores, "--labels", labels, "--calibration", made, "-o", html]
    for arguments in (looked, report):
        ended = CliRunner().invoke(app, [*map(str, arguments)])
        assert "--levels, from worst to best" in str(ended.exception)
        ended = CliRunner().invoke(app, [*map(str, arguments), *LEVELS], catch_exceptions=False)
        assert ended.exit_code == 0, ended.output
    tree = CliRunner().invoke(app, [*map(str, report), *LEVELS, "--passing", "mostly right"])
    assert "in the calibration, passes start at level 4" in str(tree.exception)
