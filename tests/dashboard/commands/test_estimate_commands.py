"""`hcat estimate --by`, `compare`, `plan` and `trials` on files, in this process."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import JsonValue, Sample
from hcat.dashboard.cli import app

TOTAL = 240


def samples() -> list[Sample]:
    """60 test cases of 4 trials; every fourth test case is hard."""
    return [
        Sample(
            f"s{i}",
            f"question {i // 4}",
            f"answer {i}",
            dimensions={"kind": "hard" if (i // 4) % 4 == 0 else "easy"},
            test_case=f"q{i // 4}",
            trial=i % 4,
            expected=1.0,
        )
        for i in range(TOTAL)
    ]


def write_run(folder: Path, name: str, *, shift: float) -> None:
    rng = np.random.default_rng(5)
    made = samples()
    hard = np.array([sample.dimensions["kind"] == "hard" for sample in made])
    score = rng.normal(size=TOTAL) + shift - 1.5 * hard
    good = rng.random(TOTAL) < 1 / (1 + np.exp(-2 * score))
    (folder / f"{name}.jsonl").write_text(to_jsonl(made), "utf-8")
    index = pd.Index([sample.id for sample in made], name="sample_id", dtype="str")
    frame = pd.DataFrame({"answer_f1": score}, index=index)
    ScoreTable(frame, Provenance("0", "h", ("answer_f1",))).write(folder / f"{name}.parquet")
    rows = [f"s{i},correctness,{'pass' if good[i] else 'fail'},{'ann' if i % 2 else 'bea'}" for i in range(120)]
    text = "sample_id,criterion,label,annotator\n" + "\n".join(rows) + "\n"
    (folder / f"{name}.csv").write_text(text, "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("estimates")
    write_run(made, "a", shift=0.0)
    write_run(made, "b", shift=1.0)
    return made


def run(*arguments: str | Path, code: int = 0) -> str:
    ended = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code == code, ended.output
    return ended.output


def said(*arguments: str | Path) -> dict[str, JsonValue]:
    return json.loads(run(*arguments, "--json"))


ON = ("--criterion", "correctness", "--metrics", "answer_f1")


def test_estimate_by_a_dimension_of_the_run_file(folder: Path) -> None:
    files = (folder / "a.parquet", folder / "a.csv", *ON, "--run-file", folder / "a.jsonl", "--by", "kind")
    document = said("estimate", *files)
    assert set(document["estimates"]) == {"naive", "labels_only", "ppi"}
    parts = {part["level"]: part for part in document["slices"]}
    assert set(parts) == {"easy", "hard"}
    assert sum(part["n_labels"] for part in parts.values()) == document["n_labels"] == 120
    assert parts["hard"]["estimates"]["ppi"]["value"] < parts["easy"]["estimates"]["ppi"]["value"]
    assert set(document["inputs"]) == {"scores", "labels", "run"}
    table = run("estimate", *files)
    assert "Pass rate by kind" in table
    assert "hard" in table


def test_without_a_run_file_the_document_is_as_before(folder: Path) -> None:
    document = said("estimate", folder / "a.parquet", folder / "a.csv", *ON)
    assert "slices" not in document
    assert document["settings"] == {"criterion": "correctness", "metrics": ["answer_f1"], "method": "logistic"}


def test_machine_verdicts_stand_beside_what_labels_say(folder: Path) -> None:
    table = ScoreTable.read(folder / "a.parquet")
    scores = (table.frame["answer_f1"] > 0).astype(float).rename("faithfulness").to_frame()
    ScoreTable(scores, Provenance("0", "h", ("faithfulness",))).write(folder / "judged.parquet")
    on = ("--criterion", "correctness", "--metrics", "faithfulness")
    (verdicts,) = said("estimate", folder / "judged.parquet", folder / "a.csv", *on)["verdicts"]
    assert (verdicts["metric"], verdicts["criterion"], verdicts["n"]) == ("faithfulness", "correctness", TOTAL)
    assert verdicts["sensitivity"]["n"] + verdicts["specificity"]["n"] == 120
    estimates = said("estimate", folder / "judged.parquet", folder / "a.csv", *on)["estimates"]
    assert verdicts["corrected"] == estimates["ppi"]
    shown = run("estimate", folder / "judged.parquet", folder / "a.csv", *on)
    assert "Machine verdicts against labels" in shown
    assert "verdicts" not in said("estimate", folder / "a.parquet", folder / "a.csv", *ON)


def test_strata_are_a_dimension_of_the_run_file(folder: Path) -> None:
    files = (folder / "a.parquet", folder / "a.csv", *ON, "--run-file", folder / "a.jsonl")
    plain, stratified = said("estimate", *files), said("estimate", *files, "--stratum", "kind")
    assert plain["estimates"]["labels_only"] != stratified["estimates"]["labels_only"]


def test_compare_two_runs_by_their_files(folder: Path) -> None:
    files = [
        x
        for name in "ab"
        for x in (f"--scores-{name}", folder / f"{name}.parquet", f"--labels-{name}", folder / f"{name}.csv")
    ]
    arguments = ("compare", folder / "a.jsonl", folder / "b.jsonl", *ON, *files)
    document = said(*arguments)
    assert document["estimates"]["ppi"]["low"] > 0
    assert document["p"] < 0.05
    assert document["pairs"] == 30  # 120 labels, 4 trials a test case
    assert "30 test cases or other clusters are labelled in both runs" in run(*arguments)


def test_several_runs_stand_in_one_table(folder: Path) -> None:
    (folder / "c.jsonl").write_text((folder / "b.jsonl").read_text("utf-8"), "utf-8")
    files = [x for name in "abb" for x in ("--scores", folder / f"{name}.parquet", "--labels", folder / f"{name}.csv")]
    arguments = ("compare", *(folder / f"{name}.jsonl" for name in "abc"), *ON, *files)
    document = said(*arguments)
    assert [one["run"] for one in document["runs"]] == ["a", "b", "c"]
    alone = said("estimate", folder / "a.parquet", folder / "a.csv", *ON, "--run-file", folder / "a.jsonl")
    assert document["runs"][0]["estimates"] == alone["estimates"] and "answer_f1" in document["runs"][0]["metrics"]
    two = said("compare", folder / "a.jsonl", folder / "b.jsonl", *ON, *files[:8])
    first, second, same = document["differences"]
    assert (first["a"], first["b"]) == ("a", "b") and first["estimates"] == two["estimates"]
    assert same["estimates"]["ppi"]["value"] == 0 and second["p"] == first["p"]
    tested = sum(one["p"] is not None for one in document["differences"])
    assert tested > 1 and first["p_holm"] == pytest.approx(tested * first["p"])
    shown = run(*arguments)
    assert "Runs side by side" in shown and "allows for all 3 pairs" in shown
    with pytest.raises(HcatError, match="once for each run file"):
        run("compare", *(folder / f"{name}.jsonl" for name in "abc"), *ON, *files[:8])
    with pytest.raises(HcatError, match="two runs or more"):
        run("compare", folder / "a.jsonl", *ON)


def test_labels_on_samples_of_another_run_are_told_or_refused(folder: Path) -> None:
    given = (folder / "a.csv").read_text("utf-8")
    partly, foreign = folder / "partly.csv", folder / "foreign.csv"
    partly.write_text(given.replace("s7,", "t7,").replace("s8,", "t8,"), "utf-8")
    foreign.write_text(given.replace("\ns", "\nt"), "utf-8")
    told = CliRunner().invoke(app, ["estimate", str(folder / "a.parquet"), str(partly), *ON])
    assert told.exit_code == 0
    assert "2 of the 120 samples in partly.csv are not in the scores, such as 't7'" in told.stderr
    partly.write_text(given.replace("s7,", "t" * 70_000 + ","), "utf-8")
    (line,) = CliRunner().invoke(app, ["estimate", str(folder / "a.parquet"), str(partly), *ON]).stderr.splitlines()
    assert len(line) < 1_000
    assert line.endswith("their labels are skipped")
    for command in ("estimate", "plan", "calibrate"):
        with pytest.raises(HcatError, match=r"120 of the 120 samples in foreign\.csv are not in the scores"):
            output = ("-o", folder / "never.json") if command == "calibrate" else ()
            run(command, folder / "a.parquet", foreign, *ON, *output)
    assert not (folder / "never.json").exists()


def test_compare_and_by_say_what_they_lack(folder: Path) -> None:
    with pytest.raises(HcatError, match="--scores-a"):
        run("compare", folder / "a.jsonl", folder / "b.jsonl", *ON)
    with pytest.raises(HcatError, match="--run-file"):
        run("estimate", folder / "a.parquet", folder / "a.csv", *ON, "--by", "kind")
    with pytest.raises(HcatError, match="no dimension 'area'"):
        files = (folder / "a.parquet", folder / "a.csv", *ON, "--run-file", folder / "a.jsonl")
        run("estimate", *files, "--by", "area")


def test_plan_says_how_many_labels_and_when_to_stop(folder: Path) -> None:
    arguments = ("plan", folder / "a.parquet", folder / "a.csv", *ON, "--width", "0.15", "--threshold", "0.95")
    document = json.loads(run(*arguments, "--json", code=1))
    assert [plan["question"] for plan in document["plans"]][:2] == [
        "an interval 15% wide, with the metric",
        "an interval 15% wide, labels only",
    ]
    assert document["plans"][0]["needed"] < document["plans"][1]["needed"]
    assert document["decision"]["verdict"] == "missed"
    printed = run(*arguments, code=1)
    assert "missed" in printed
    assert said(*arguments[:-1], "0.05")["decision"]["verdict"] == "reached"
    out_of_reach = [plan for plan in document["plans"] if not plan["reachable"]]
    assert out_of_reach
    assert all(f"{plan['question']}: {plan['note']}" in printed for plan in out_of_reach)


def test_trials_by_labels_and_by_a_metric(folder: Path) -> None:
    labels = ("--labels", folder / "a.csv", "--criterion", "correctness")
    document = said("trials", folder / "a.jsonl", *labels, "--by", "kind", "--no-scatter")
    assert document["trials"] == 120
    assert document["s_u"]["n"] == 30
    # Everybody expects 1, so that S_c is the mean of P(E=1|Q), which equal numbers of trials make S_u.
    assert document["s_c"]["value"] == pytest.approx(document["s_u"]["value"])
    assert {part["level"] for part in document["levels"]} == {"easy", "hard"}
    assert [part["source"] for part in document["variance"]] == ["test case", "trial", "annotator", "rest"]
    metric = ("--scores", folder / "a.parquet", "--metric", "answer_f1", "--threshold", "0")
    both = said("trials", folder / "a.jsonl", *labels, *metric, "--no-scatter")
    assert both["settings"]["checkers"] == ["labels on correctness", "answer_f1 ≥ 0"]
    assert [part["source"] for part in both["variance"]][2] == "checker"
    assert "lowest of 30 test cases" in run("trials", folder / "a.jsonl", *labels, "--no-scatter", "--by", "kind")


def test_several_people_say_what_they_expect(folder: Path) -> None:
    cases = list(dict.fromkeys(str(sample.test_case) for sample in samples()))
    lines = [f"{case},{value},{who}" for case in cases for who, value in (("ann", 1), ("bea", 0.5))]
    (folder / "expected.csv").write_text("test_case,expected,annotator\n" + "\n".join(lines), "utf-8")
    labels = ("--labels", folder / "a.csv", "--criterion", "correctness", "--no-scatter")
    asked = ("trials", folder / "a.jsonl", *labels, "--expected", folder / "expected.csv")
    found = said(*asked)
    about = found["expected"]
    assert (about["people"], about["test_cases"], about["shared"], about["spread"]) == (2, 60, 60, 0.5)
    assert {case["expected"] for case in found["test_cases"]} == {0.75}
    near = [case["agreement"] for case in found["test_cases"]]
    assert near == pytest.approx([1 - abs(case["probability"] - 0.75) for case in found["test_cases"]])
    assert found["s_c"]["value"] == pytest.approx(sum(near) / len(near))
    assert "the mean of what 2 people expect" in run(*asked)
    for content, message in (
        ("test_case,expected\nx,1\n", "test cases that this run lacks"),
        ("test_case,expected\nx,1\nx,0\n", "row 2: test case 'x' has an expected rate already"),
        ("test_case,expected\nx,2\n", "row 1, column expected: expected a number from 0 to 1"),
        ("case,expected\nx,1\n", "no column test_case"),
    ):
        (folder / "expected.csv").write_text(content, "utf-8")
        with pytest.raises(HcatError, match=message):
            run(*asked)


def test_trials_need_a_checker(folder: Path) -> None:
    with pytest.raises(HcatError, match="how to check the trials"):
        run("trials", folder / "a.jsonl", "--no-scatter")
    with pytest.raises(HcatError, match="needs --criterion"):
        run("trials", folder / "a.jsonl", "--labels", folder / "a.csv")
    with pytest.raises(HcatError, match="need --scores"):
        run("trials", folder / "a.jsonl", "--metric", "answer_f1")


def test_trials_group_answers_by_meaning(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class OneMeaning:
        name, revision, dimension = "one", "0" * 64, 4

        def encode(self, texts: list[str]) -> np.ndarray:
            return np.tile(np.float32([1, 0, 0, 0]), (len(texts), 1))

    from hcat.core.settings import settings

    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    encoder = OneMeaning()
    monkeypatch.setattr(
        "hcat.core.models.encoder.encoder.load_encoder", lambda name="default", *, device="cpu": encoder
    )
    few = [replace(sample, answer=sample.answer if i % 4 else None) for i, sample in enumerate(samples()[:20])]
    (tmp_path / "few.jsonl").write_text(to_jsonl(few), "utf-8")
    asked = {f"{sample.id}," for sample in few}
    head, *rows = (folder / "a.csv").read_text("utf-8").splitlines()
    (tmp_path / "few.csv").write_text("\n".join([head, *(r for r in rows if r.startswith(tuple(asked)))]), "utf-8")
    labels = ("--labels", tmp_path / "few.csv", "--criterion", "correctness")
    found = said("trials", tmp_path / "few.jsonl", *labels)["scatter"]
    settings.cache_clear()
    # Three answers mean the same, one is missing: shares of 3/4 and 1/4.
    assert found["largest"]["value"] == pytest.approx(0.75)
    assert found["entropy"]["value"] == pytest.approx(0.75 * np.log2(4 / 3) + 0.25 * 2)


def test_a_self_check_scores_answers_by_the_other_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hcat.core.settings import settings

    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    same, other = "The Gold card costs 60 euros a year.", "The bank was founded in Lindau in 1921."
    repeated = [
        Sample(f"q{case}-{trial}", "What?", answer, test_case=f"q{case}", trial=trial)
        for case, answers in enumerate(((same, same, same), (same, other, None), (same,)))
        for trial, answer in enumerate(answers)
    ]
    (tmp_path / "r.jsonl").write_text(to_jsonl(repeated), "utf-8")
    scores = tmp_path / "self.csv"
    found = json.loads(
        CliRunner().invoke(app, ["trials", str(tmp_path / "r.jsonl"), "--self-check", str(scores), "--json"]).stdout
    )
    settings.cache_clear()
    assert found["self_check"] == {"scored": 5, "unscored": 2}
    value = pd.read_csv(scores).set_index("sample_id")["self_check"]
    assert value["q0-0"] == value["q0-1"] == value["q0-2"] > 0.8
    assert max(value["q1-0"], value["q1-1"]) < 0.5
    assert value[["q1-2", "q2-0"]].isna().all()
    assert "would be overwritten" in refused("trials", tmp_path / "r.jsonl", "--self-check", tmp_path / "r.jsonl")


def refused(*arguments: str | Path) -> str:
    ended = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return f"{ended.exception}{ended.output}"
