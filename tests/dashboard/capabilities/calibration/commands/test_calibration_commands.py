"""`hcat calibrate` and `hcat predict` by every method, on files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.methods import METHODS, find_method
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.dashboard.cli import app

LEVELS = ("1", "2", "3", "4", "5")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores on two metrics, labels on five levels, and a run file of two trials a test case."""
    made = tmp_path_factory.mktemp("calibration")
    rng = np.random.default_rng(5)
    quality = rng.normal(size=500)
    columns = {"token_recall": quality + rng.normal(size=500), "answer_f1": quality + rng.normal(size=500)}
    index = pd.Index([f"s{i}" for i in range(500)], name="sample_id", dtype="str")
    ScoreTable(pd.DataFrame(columns, index=index), Provenance("0", "abc", tuple(columns))).write(made / "s.parquet")
    levels = 1 + np.digitize(2 * quality + rng.logistic(size=500), [-2, -0.7, 0.7, 2])
    rows = [f"s{i},utility,{level}" for i, level in enumerate(levels)]
    (made / "labels.csv").write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    lines = [{"id": f"s{i}", "query": f"q{i // 2}", "answer": "a", "test_case": f"c{i // 2}"} for i in range(500)]
    (made / "run.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return made


def hcat(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def calibrate(folder: Path, *more: object, output: str = "cal.json") -> Result:
    files = (folder / "s.parquet", folder / "labels.csv", "-o", folder / output)
    return hcat("calibrate", *files, "--criterion", "utility", *more)


@pytest.mark.parametrize("command", ["calibrate", "estimate", "compare", "plan"])
def test_help_names_every_method(command: str) -> None:
    shown = hcat(command, "--help").output
    assert all(method.name in shown for method in METHODS)


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_every_method(folder: Path, method: str) -> None:
    metrics = "token_recall" if find_method(method).single else "token_recall,answer_f1"
    done = calibrate(folder, "--metrics", metrics, "--method", method, "--passing", "4", output=f"{method}.json")
    assert done.exit_code == 0, done.output
    made = Calibration.from_json((folder / f"{method}.json").read_text("utf-8"))
    assert made.method == method and made.settings["passing"] == 3
    out = folder / f"{method}.parquet"
    assert hcat("predict", folder / "s.parquet", folder / f"{method}.json", "-o", out).exit_code == 0
    decided = pd.read_parquet(out)
    sets = [name for name in decided.columns if name.startswith("in_")]
    assert sets == ([f"in_{level}" for level in LEVELS] if made.levels == LEVELS else ["in_0", "in_1"])
    assert (made.levels == LEVELS) == (method in ("ordinal", "multinomial"))


def test_names_of_samples_have_no_part_in_what_is_written(folder: Path, tmp_path: Path) -> None:
    """The same scores and labels under other names, in another order: the same bytes but for the hashes of labels."""
    scores = ScoreTable.read(folder / "s.parquet")
    labels = pd.read_csv(folder / "labels.csv", dtype=str).head(63)
    written, shown = [], []
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        names = dict(zip(scores.sample_ids, rng.permutation([f"n{seed}{k}" for k in range(500)]).tolist(), strict=True))
        frame = scores.frame.rename(index=names).sample(frac=1, random_state=seed)
        ScoreTable(frame, scores.provenance).write(tmp_path / "s.parquet")
        renamed = labels.assign(sample_id=labels["sample_id"].map(names)).sample(frac=1, random_state=seed)
        renamed.to_csv(tmp_path / "labels.csv", index=False)
        done = calibrate(tmp_path, "--metrics", "token_recall", "--passing", "4")
        assert done.exit_code == 0, done.output
        document = json.loads((tmp_path / "cal.json").read_text("utf-8"))
        assert document["sets_by_score"]["edges"]
        for key in ("inputs", "exchangeability"):
            del document[key]
        written.append(json.dumps(document))
        shown.append(done.output.partition("Using it all the same")[0])
    assert written[0] == written[1]
    assert shown[0].replace(str(tmp_path), "") == shown[1].replace(str(tmp_path), "")


def test_the_assumption_of_the_ordinal_method_is_shown(folder: Path) -> None:
    done = calibrate(folder, "--metrics", "token_recall", "--method", "ordinal")
    assert "proportional odds" in done.output.lower() and "χ²" in done.output


def test_comparing_adds_a_table_and_a_key(folder: Path) -> None:
    metrics = ("--metrics", "token_recall,answer_f1", "--method", "combined", "--compare")
    done = calibrate(folder, *metrics, "--samples", folder / "run.jsonl")
    assert done.exit_code == 0, done.output
    assert "Cross-validated on" in done.output and "combined on 2 metrics" in done.output
    document = json.loads((folder / "cal.json").read_text("utf-8"))
    assert document["comparison"]["sentence"] in done.output.replace("\n", " ")
    assert {one["method"] for one in document["comparison"]["candidates"]} >= {"logistic", "combined", "xgboost"}
    # The comparison stands beside the calibration, and does not keep it from being read.
    assert Calibration.from_json(json.dumps(document)).method == "combined"


def test_contributions(folder: Path) -> None:
    assert calibrate(folder, "--metrics", "token_recall,answer_f1", "--method", "combined").exit_code == 0
    arguments = ("predict", folder / "s.parquet", folder / "cal.json", "-o", folder / "d.parquet", "--contributions")
    done = hcat(*arguments, "--json")
    assert done.exit_code == 0, done.output
    decided = pd.read_parquet(folder / "d.parquet")
    added = decided[["baseline", "contribution_token_recall", "contribution_answer_f1"]].sum(axis=1)
    odds = decided["probability"] / (1 - decided["probability"])
    assert added.to_numpy() == pytest.approx(np.log(odds.to_numpy()), abs=1e-9)
    sizes = json.loads(done.stdout)["contributions"]
    assert sizes["answer_f1"] == pytest.approx(decided["contribution_answer_f1"].abs().mean())
    assert "moves the log-odds" in " ".join(hcat(*arguments).output.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "magic"), "choose one of logistic"),
        (("--passing", "9"), "--passing must be a level above the lowest: one of 2, 3, 4, 5"),
        (("--method", "isotonic"), "a single metric"),
    ],
)
def test_mistakes_are_one_clear_line(folder: Path, options: tuple[str, ...], message: str) -> None:
    done = calibrate(folder, "--metrics", "token_recall,answer_f1", *options, output="never.json")
    assert done.exit_code != 0 and message in (done.output + str(done.exception))
    assert not (folder / "never.json").exists()


def test_errors_are_measured_at_the_threshold_that_is_asked_for(folder: Path) -> None:
    done = calibrate(folder, "--metrics", "token_recall", "--passing", "4", "--decision-threshold", "0.8", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["diagnostics"]["decision_threshold"] == 0.8
    refused = calibrate(folder, "--metrics", "token_recall", "--passing", "4", "--decision-threshold", "1.5")
    assert isinstance(refused.exception, HcatError)


def test_labels_that_the_score_separates_have_no_map_of_maximum_likelihood(folder: Path) -> None:
    score = ScoreTable.read(folder / "s.parquet").values("token_recall")
    rows = [f"s{i},utility,{1 + 4 * int(value > 0)}" for i, value in enumerate(score.tolist())]
    labels = folder / "separable.csv"
    labels.write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    files = ("calibrate", folder / "s.parquet", labels, "-o", folder / "separable.json", "--criterion", "utility")
    refused = hcat(*files, "--metrics", "token_recall", "--positive", "5", "--method", "platt")
    assert isinstance(refused.exception, HcatError)
    assert "no finite maximum: use logistic" in str(refused.exception)
    assert not (folder / "separable.json").exists()
    assert hcat(*files, "--metrics", "token_recall", "--positive", "5").exit_code == 0
