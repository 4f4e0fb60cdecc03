"""The command line on files, end to end with the real encoder, and its one clear line where something is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.calibration.calibration import Calibration
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import settings
from hcat.core.slices.files import read_weaknesses
from hcat.core.types import Passage, Sample
from hcat.dashboard import cli

ROOT = Path(__file__).parents[3]
FACTS = [("fee", "12 euros"), ("limit", "500 euros"), ("term", "3 years"), ("rate", "2 percent")]


def samples(n: int = 60) -> list[Sample]:
    """Every other answer is right; the wrong ones speak of something else."""
    found = []
    for i in range(n):
        noun, value = FACTS[i % len(FACTS)]
        truth = f"The {noun} of product {i} is {value}."
        answer = truth if i % 2 else "Our branch opens at nine on weekdays."
        context = Passage(f"p{i}", f"{truth} It applies from January. Ask in any branch.")
        kind = "even" if i % 2 else "odd"
        found.append(
            Sample(f"q{i}", f"What is the {noun} of product {i}?", answer, (context,), truth, dimensions={"kind": kind})
        )
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run file and its labels."""
    made = tmp_path_factory.mktemp("files")
    (made / "run.jsonl").write_text(to_jsonl(samples()), "utf-8")
    rows = [f"q{i},correctness,{'pass' if i % 2 else 'fail'},ann" for i in range(60)]
    (made / "labels.csv").write_text("sample_id,criterion,label,annotator\n" + "\n".join(rows) + "\n", "utf-8")
    return made


def environment(folder: Path) -> dict[str, str]:
    return {
        "HCAT_ARTIFACTS": str(folder / "artifacts"),
        "HCAT_DATABASE_URL": f"sqlite:///{folder / 'hcat.db'}",
    }


def hcat(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hcat.dashboard.cli", *arguments]
    given = {**os.environ, **environment(folder)}
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False, timeout=300)


def test_metrics_say_what_errors_pass_them_and_are_taken_at_any_cutoff(folder: Path) -> None:
    listed = CliRunner().invoke(cli.app, ["metrics"])
    assert listed.exit_code == 0 and "faithfulness" in listed.stdout
    assert "context_precision" in listed.stderr and "Cannot tell of what a value is said" in listed.stderr
    document = json.loads(CliRunner().invoke(cli.app, ["metrics", "--json"]).stdout)
    limited = {row["name"] for row in document["metrics"] if row["limit"]}
    assert {"faithfulness", "groundedness_nli", "groundedness_combined", "factual_numbers"} <= limited
    assert "groundedness" not in limited
    run, scores = folder / "ranked.jsonl", folder / "ranked.parquet"
    ranked = [replace(sample, relevant_ids={sample.contexts[0].id: 1}) for sample in samples(4)]
    run.write_text(to_jsonl(ranked), "utf-8")
    made = CliRunner().invoke(cli.app, ["score", str(run), "-o", str(scores), "--metrics", "precision@5,ndcg@5"])
    assert made.exit_code == 0, made.output
    table = ScoreTable.read(str(scores))
    assert table.values("precision@5").tolist() == [0.2] * 4 and table.values("ndcg@5").tolist() == [1.0] * 4
    assert (table.facts("ndcg@5").title, table.facts("ndcg@5").direction) == ("nDCG@5", "higher")


def test_the_whole_line_on_files(folder: Path) -> None:
    run, scores, labels = (str(folder / name) for name in ("run.jsonl", "s.parquet", "labels.csv"))
    cal, decisions, weak = (str(folder / name) for name in ("cal.json", "d.parquet", "w.parquet"))
    explained = str(folder / "e.jsonl")
    scored = hcat(folder, "score", run, "-o", scores, "--metrics", "all,recall@8", "--explain", explained, "--json")
    assert scored.returncode == 0, scored.stderr
    document = json.loads(scored.stdout)
    table = ScoreTable.read(scores)
    assert document["n"] == 60 and document["metrics"]["answer_f1"]["n"] == 60
    assert document["metrics"]["answer_f1"]["mean"] == table.summary()["answer_f1"].mean.value
    assert document["left_out"]["rr"] == "no sample has relevant ids" and "rr" not in document["metrics"]
    assert len((folder / "e.jsonl").read_text("utf-8").splitlines()) == 60 * len(table.metrics)

    fitted = hcat(
        folder, "calibrate", scores, labels, "--criterion", "correctness", "--metrics", "answer_f1", "-o", cal
    )
    assert fitted.returncode == 0, fitted.stderr
    calibration = Calibration.from_json(Path(cal).read_text("utf-8"))
    assert calibration.diagnostics is not None and calibration.diagnostics.auc.value > 0.95
    assert f"{sum(calibration.split_sizes.values())}" == "60" and "coverage" in fitted.stdout

    assert hcat(folder, "predict", scores, cal, "-o", decisions).returncode == 0
    decided = pd.read_parquet(decisions)
    assert list(decided.columns) == ["sample_id", "probability", "in_0", "in_1", "decision"]
    pd.testing.assert_frame_equal(decided, calibration.predict(table), check_dtype=False)

    looked = hcat(folder, "weakness", run, scores, "--by", "kind", "--metrics", "answer_f1,recall@8", "-o", weak)
    assert looked.returncode == 0, looked.stderr
    frame = read_weaknesses(Path(weak)).frame  # recall@8 is unscored throughout: there are no relevant ids
    rows = frame[frame["metric"] == "answer_f1"].set_index("level_1")
    assert rows.loc["odd", "verdict"] == "lower score" and rows.loc["even", "verdict"] == "not shown to be lower"

    topics, by_topic = str(folder / "t.parquet"), str(folder / "wt.parquet")
    ids = list(table.sample_ids)
    pd.DataFrame({"id": ids, "title": ["fees" if k % 3 else "cards" for k in range(60)]}).to_parquet(topics)
    tested = hcat(folder, "weakness", run, scores, "--by", "topic", "--topics", topics, "-o", by_topic)
    assert tested.returncode == 0 and "slices tested" in tested.stdout, tested.stderr
    sizes = read_weaknesses(Path(by_topic)).frame.query("metric == 'answer_f1'").set_index("level_1")["n"]
    assert sizes.to_dict() == {"cards": 20, "fees": 40}
    pd.DataFrame({"id": ids[1:], "title": "fees"}).to_parquet(topics)
    refused = hcat(folder, "weakness", run, scores, "--topics", topics, "-o", by_topic)
    assert refused.returncode == 2 and "no topic for 1 of the 60 samples" in refused.stderr.replace("\n", " ")

    estimated = hcat(
        folder, "estimate", scores, labels, "--criterion", "correctness", "--metrics", "answer_f1", "--json"
    )
    estimates = json.loads(estimated.stdout)["estimates"]
    assert estimates["labels_only"]["value"] == 0.5 and estimates["ppi"]["n"] == 60

    report = folder / "report.html"
    files = ("--run", run, "--scores", scores, "--labels", labels, "--calibration", cal, "--weakness", weak)
    written = hcat(folder, "report", *files, "-o", str(report))
    assert written.returncode == 0, written.stderr
    html = report.read_text("utf-8")
    assert repr(calibration.diagnostics.ece) in html and repr(table.summary()["answer_f1"].mean.value) in html


def test_runs_and_labels_go_into_the_workspace(folder: Path) -> None:
    run, labels = str(folder / "run.jsonl"), str(folder / "labels.csv")
    assert hcat(folder, "import", run, "--project", "p", "--run", "r").returncode == 0
    taken = hcat(folder, "import", run, "--project", "p", "--run", "r")
    assert (taken.returncode, taken.stderr.count("\n")) == (2, 1) and "choose another name" in taken.stderr
    into = hcat(folder, "import", labels, "--project", "p", "--run", "r", "--format", "labels")
    assert "60 labels" in into.stdout, into.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("score", "{labels}", "-o", "x.parquet"), "no known format"),
        (("score", "{run}", "-o", "x.parquet", "--metrics", "groundednes"), "Did you mean groundedness"),
        (("calibrate", "{run}", "{labels}", "--criterion", "c", "--metrics", "m", "-o", "x"), "not a score file"),
        (("predict", "{labels}", "{labels}", "-o", "x"), "not a score file"),
        (("report", "-o", "x.odt"), "choose one of"),
        (("report", "-o", "x.html"), "--project, or at least --run and --scores"),
        (("import", "{labels}", "--project", "none", "--run", "r", "--format", "labels"), "no project"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(
    folder: Path,
    arguments: tuple[str, ...],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In this process; as one of its own below."""
    for name, value in environment(folder).items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    given = [a.format(run=folder / "run.jsonl", labels=folder / "labels.csv") for a in arguments]
    monkeypatch.setattr(sys, "argv", ["hcat", *given])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    settings.cache_clear()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1 and "Traceback" not in said
    assert not (ROOT / "x.parquet").exists()


def test_a_file_that_is_not_there_makes_no_store(tmp_path: Path) -> None:
    for kind in ((), ("--format", "labels")):
        ended = hcat(tmp_path, "import", "absent.csv", "--project", "p", "--run", "r", *kind)
        assert ended.returncode == 2 and "absent.csv is not a file" in ended.stderr
        assert ended.stderr.count("\n") == 1 and "Traceback" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_loads_nothing_heavy() -> None:
    heavy = ("torch", "pandas", "streamlit", "sklearn")
    code = f"import sys, hcat.dashboard.cli; print([m for m in {heavy} if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
