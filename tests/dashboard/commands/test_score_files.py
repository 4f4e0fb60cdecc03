"""Scores that a validator already has: any table of ids and numbers is taken where a score file is."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

from hcat.core.calibration.calibration import Calibration
from hcat.core.errors import HcatError
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

N = 240


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, labels, and a judge's scores from 0 to 5 that follow what people say; `risk` is its mirror image."""
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(5)
    quality = rng.normal(size=N)
    judge = np.clip(np.round(2.5 + 1.2 * quality + rng.normal(0, 0.5, N)), 0, 5)
    passed = quality + rng.normal(0, 0.5, N) > -0.3
    run = [
        {"id": f"s{k}", "query": f"Fee {k}?", "answer": f"It is {k}.", "dimensions": {"topic": "abc"[k % 3]}}
        for k in range(N)
    ]
    (folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in run))
    _write(
        folder / "theirs.csv", ("sample_id", "their_judge", "risk"), [(f"s{k}", v, 5 - v) for k, v in enumerate(judge)]
    )
    labels = [(f"s{k}", "correctness", "pass" if good else "fail") for k, good in enumerate(passed)]
    _write(folder / "labels.csv", ("sample_id", "criterion", "label"), labels)
    return folder


def _write(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


class Called(NamedTuple):
    code: int
    out: str
    err: str


def on(folder: Path, *arguments: str) -> Called:
    """The command with file names in the folder in place of {name}; a mistake as `main` shows it."""
    done = CliRunner().invoke(app, [argument.replace("{", f"{folder}/").replace("}", "") for argument in arguments])
    if isinstance(done.exception, HcatError):
        return Called(2, done.stdout, str(done.exception))
    return Called(done.exit_code, done.stdout, done.stderr)


CALIBRATE = ("calibrate", "{theirs.csv}", "{labels.csv}", "--criterion", "correctness", "-o", "{cal.json}")


def test_a_judge_is_calibrated_directly(files: Path) -> None:
    called = on(files, *CALIBRATE, "--metrics", "their_judge")
    assert called.code == 0, called.err
    assert "Fitness for use not shown: " in called.out
    assert "add --direction their_judge=higher (or lower)" in called.err
    fitted = Calibration.from_json((files / "cal.json").read_text())
    assert fitted.inputs["file of their_judge"] == hashlib.sha256((files / "theirs.csv").read_bytes()).hexdigest()


def test_the_stated_direction_binds_the_map(files: Path) -> None:
    """A metric may count only in its direction: stated the wrong way round, the judge counts for nothing."""
    right, wrong = (
        on(files, *CALIBRATE, "--metrics", "risk", "--method", "combined", "--direction", f"risk={way}", "--json")
        for way in ("lower", "higher")
    )
    slopes = [json.loads(called.out)["parameters"]["slopes"][0] for called in (right, wrong)]
    assert slopes[0] < 0
    assert slopes[1] == 0


def test_each_command_that_takes_scores_takes_theirs(files: Path) -> None:
    stated = ("--direction", "their_judge=higher", "--range", "their_judge=0..5", "--direction", "risk=lower")
    assert on(files, *CALIBRATE, "--metrics", "their_judge", "--samples", "{run.jsonl}", *stated).code == 0
    about = ("--criterion", "correctness", "--metrics", "their_judge")
    for arguments in (
        ("predict", "{theirs.csv}", "{cal.json}", "-o", "{decisions.parquet}"),
        ("estimate", "{theirs.csv}", "{labels.csv}", *about, "--run-file", "{run.jsonl}", "--by", "topic"),
        ("plan", "{theirs.csv}", "{labels.csv}", *about),
        ("weakness", "{run.jsonl}", "{theirs.csv}", "--by", "topic", "-o", "{weakness.parquet}"),
        (
            "trials",
            "{run.jsonl}",
            "--scores",
            "{theirs.csv}",
            "--metric",
            "their_judge",
            "--threshold",
            "3",
            "--no-scatter",
        ),
    ):
        called = on(files, *arguments, *stated)
        assert (called.code, called.err) == (0, ""), called


def test_the_report_names_where_the_scores_come_from(files: Path) -> None:
    on(files, *CALIBRATE, "--metrics", "their_judge", "--samples", "{run.jsonl}")
    given = (
        "--run",
        "{run.jsonl}",
        "--scores",
        "{theirs.csv}",
        "--labels",
        "{labels.csv}",
        "--calibration",
        "{cal.json}",
    )
    called = on(files, "report", *given, "-o", "{report.json}", "--direction", "their_judge=higher")
    assert called.code == 0, called.err
    text = (files / "report.json").read_text()
    digest = hashlib.sha256((files / "theirs.csv").read_bytes()).hexdigest()
    assert digest in text
    assert f"from file theirs.csv, SHA-256 {digest[:12]}" in text
    assert "Scores from files" in text


def test_a_score_file_is_still_read_as_one(files: Path) -> None:
    from hcat.core.importers.scores.read_scores import read_scores
    from hcat.core.scoring.score_file import file_score_table

    table = file_score_table(read_scores(files / "theirs.csv", filename="theirs.csv"))
    table.write(files / "theirs.parquet")
    called = on(
        files, *(part.replace("theirs.csv", "theirs.parquet") for part in CALIBRATE), "--metrics", "their_judge"
    )
    assert called.code == 0
    assert ScoreTable.read(files / "theirs.parquet").direction_of("their_judge") == "none"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--direction", "lower"), "--direction 'lower' names no metric: write it as --direction their_judge=lower"),
        (("--direction", "their_judge=down"), "--direction their_judge=down: a metric is better higher, lower, none"),
        (("--direction", "judge=lower"), "no metric 'judge' comes from a file: these do: their_judge, risk"),
        (("--range", "their_judge=5"), "write the two ends of the scale as --range their_judge=0..5"),
        (("--range", "their_judge=5..0"), "must go from a smaller number to a larger"),
    ],
)
def test_a_wrong_statement_is_one_clear_line(files: Path, options: tuple[str, ...], message: str) -> None:
    called = on(files, *CALIBRATE, "--metrics", "their_judge", *options)
    assert called.code == 2
    assert message in called.err


def test_what_has_no_score_is_counted(files: Path) -> None:
    rows = [
        ("s0", "4"),
        ("s1", "n/a"),
        ("s2", "9"),
        ("s3", ""),
        *((f"s{k}", str(k % 6)) for k in range(4, N)),
        ("x", "1"),
    ]
    _write(files / "gaps.csv", ("sample_id", "judge"), rows)
    run = ("weakness", "{run.jsonl}", "{gaps.csv}", "--by", "topic", "-o", "{w.parquet}")
    called = on(files, *run, "--range", "judge=0..5", "--direction", "judge=higher")
    assert called.code == 0
    assert "judge: 3 samples unscored: 2 empty in the file; 1 outside the range 0..5" in called.err
    assert "gaps.csv: 1 row of samples that the run does not have left out" in called.err


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a workspace of its own."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'x.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path))
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


def test_scores_of_a_stored_run(store: Path) -> None:
    """An imported run says which of its numbers can be metrics, and takes them, and a table beside it."""
    rows = [{"user_input": f"Q{k}?", "response": "A", "faithfulness": k / 9, "tone": k} for k in range(9)]
    (store / "ragas.json").write_text(json.dumps(rows))
    at = ("--project", "bank", "--run", "v1")
    imported = on(store, "import", "{ragas.json}", *at)
    assert (
        "faithfulness, tone: numbers that can be metrics of the run: `hcat import ragas.json --format" in imported.err
    )
    added = on(store, "import", "{ragas.json}", "--format", "scores", "--direction", "tone=higher", *at)
    assert (added.code, added.out, added.err) == (0, "ragas:faithfulness, tone → bank / v1\n", "")
    _write(store / "more.csv", ("sample_id", "tone"), [("x", 1)])
    refused = on(store, "import", "{more.csv}", "--format", "scores", *at)
    assert refused.code == 2
    assert "no row is of this run" in refused.err
    with Workspace.open(actor="test") as workspace:
        table = workspace.scoring.required(workspace.runs.get("bank", "v1"))
    assert table.facts("ragas:faithfulness").range == (0.0, 1.0)
    assert table.directions(table.metrics) == {"ragas:faithfulness": "higher", "tone": "higher"}


def test_scores_of_hcat_keep_their_names_and_directions_in_a_project(files: Path, store: Path) -> None:
    at = ("--project", "bank", "--run", "v1")
    scored = on(
        files, "score", "{run.jsonl}", "--metrics", "answer_length,factual_numbers", "-o", f"{store}/own.parquet"
    )
    assert scored.code == 0, scored.err
    assert on(files, "import", "{run.jsonl}", *at).code == 0
    added = on(store, "import", "{own.parquet}", "--format", "scores", *at)
    assert (added.code, added.out) == (0, "answer_length, factual_numbers → bank / v1\n"), added.err
    with Workspace.open(actor="test") as workspace:
        table = workspace.scoring.required(workspace.runs.get("bank", "v1"))
    read = ScoreTable.read(store / "own.parquet")
    assert not table.provenance.from_files
    assert table.directions(table.metrics) == read.directions(read.metrics)
    assert table.sample_ids == read.sample_ids
    other = json.dumps({"id": "s0", "query": "Fee?", "answer": "Another."}) + "\n"
    (store / "other.jsonl").write_text(other)
    assert on(store, "import", "{other.jsonl}", "--project", "bank", "--run", "v2").code == 0
    refused = on(store, "import", "{own.parquet}", "--format", "scores", "--project", "bank", "--run", "v2")
    assert (refused.code, "of another run than 'v2'" in refused.err) == (2, True)


def test_theirs_stand_in_a_score_file_beside_ours(files: Path) -> None:
    score = ("score", "{run.jsonl}", "--metrics", "answer_length", "-o", "{both.parquet}")
    assert on(files, *score, "--with", "{theirs.csv}", "--direction", "their_judge=higher").code == 0
    table = ScoreTable.read(files / "both.parquet")
    assert table.metrics == ("answer_length", "their_judge", "risk")
    assert table.directions(table.metrics) == {"answer_length": "none", "their_judge": "higher", "risk": "none"}
    both = (
        "calibrate",
        "{both.parquet}",
        *CALIBRATE[2:],
        "--metrics",
        "their_judge,answer_length",
        "--method",
        "combined",
    )
    assert on(files, *both).code == 0
    again = [str(word).replace("both.parquet", "thrice.parquet") for word in score]
    twice = on(files, *again, "--with", "{both.parquet}")
    assert (twice.code, twice.err) == (2, "only scores that hcat did not compute can be added to others")
