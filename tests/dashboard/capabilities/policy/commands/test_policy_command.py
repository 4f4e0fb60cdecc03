"""`hcat policy fit`, `show` and `apply` on files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from hcat.core.capabilities.policy.policy import Policy
from hcat.core.errors import HcatError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.dashboard.cli import app

N = 600


def hcat(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 600 answers with a telling score, 300 labels, and a calibration of them. Six answers decline, three of
    them rightly; six are missing."""
    place = tmp_path_factory.mktemp("policy")
    rng = np.random.default_rng(5)
    quality = rng.normal(size=N)
    states = ["answered"] * N
    states[300:312] = ["correct_refusal"] * 3 + ["wrong_refusal"] * 2 + ["refusal"] + ["no_answer"] * 6
    score = quality + 0.2 * rng.normal(size=N)
    score[300:312] = np.nan
    index = pd.Index([f"s{i}" for i in range(N)], name="sample_id", dtype="str")
    frame = pd.DataFrame({"token_recall": score}, index=index)
    frame["token_recall__reason"] = pd.Series([None if np.isfinite(x) else "no answer" for x in score], index=index)
    ScoreTable(frame, Provenance("0", "abc", ("token_recall",)), tuple(states)).write(place / "s.parquet")
    passed = rng.random(N) < 1 / (1 + np.exp(-(2.0 + 3 * quality)))
    rows = [f"s{i},correctness,{'pass' if passed[i] else 'fail'}" for i in range(300)]
    (place / "labels.csv").write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    lines = [
        {"id": f"s{i}", "query": f"q{i}", "answer": f"a{i}", "dimensions": {"area": "ab"[i % 2]}} for i in range(N)
    ]
    (place / "run.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    options = ("--criterion", "correctness", "--metrics", "token_recall", "-o", place / "cal.json")
    done = hcat("calibrate", place / "s.parquet", place / "labels.csv", *options)
    assert done.exit_code == 0, done.output
    return place


def fit(folder: Path, *more: object, output: str = "policy.json") -> Result:
    files = (folder / "s.parquet", folder / "labels.csv", folder / "cal.json", "-o", folder / output)
    return hcat("policy", "fit", *files, *more)


def test_fit_shows_the_promise_load_and_error(folder: Path) -> None:
    done = fit(folder, "--per-day", 1000, "--cost-person", 5, "--cost-regeneration", 1, "--cost-error", 100)
    assert done.exit_code == 0, done.output
    assert "shown, for answers like those that were labelled" in done.output
    for words in ("Load on people", "a day", "Error let through", "with 90% confidence", "for 1,000 answers"):
        assert words in done.output
    shown = hcat("policy", "show", folder / "policy.json")
    assert shown.exit_code == 0 and "then send to a person" in shown.output
    policy = Policy.from_json((folder / "policy.json").read_text("utf-8"))
    assert policy.shown and policy.forecast.right_refusals == 3
    rule = policy.rules[0]
    assert rule.accept_from is not None and rule.fail_below <= rule.accept_from <= rule.certificate.tested_from
    assert rule.certificate.failure_rate < 0.1 and rule.certificate.accepted >= policy.promise.least_accepted()
    assert Policy.from_json(json.dumps(policy.document())).hash == policy.hash


def test_looks_and_tries_are_declared_and_what_is_not_is_said(folder: Path) -> None:
    undeclared = fit(folder, "--json", output="undeclared.json")
    parts = json.loads(undeclared.output)
    assert parts["level"] == pytest.approx(0.1) and parts["looks"]["unstated"] == ["looks", "tries"]
    assert "Neither the number of looks nor of tries was declared" in parts["says"][0]
    declared = json.loads(fit(folder, "--looks", 2, "--tries", 5, "--json", output="declared.json").output)
    assert declared["level"] == pytest.approx(0.01)
    assert "Tested at 1%, for 2 looks and 5 tries as declared." in declared["says"][0]
    watched = json.loads(fit(folder, "--looks", 0, "--json", output="watched.json").output)
    assert "for any number of looks and one try. The number of tries was not declared" in watched["says"][0]
    assert parts["hash"] != declared["hash"]


def test_json_has_the_parts_of_the_contract(folder: Path) -> None:
    parts = json.loads(fit(folder, "--samples", folder / "run.jsonl", "--json", output="sliced.json").output)
    assert {"hcat", "inputs", "settings", "rules", "forecast", "shown", "says", "hash"} <= set(parts)
    assert parts["settings"]["promise"] == {"error": 0.1, "confidence": 0.9}
    assert {(x["dimension"], x["level"]) for x in parts["forecast"]["slices"]} >= {("area", "a"), ("area", "b")}
    assert json.loads(hcat("policy", "show", folder / "sliced.json", "--json").output)["hash"] == parts["hash"]


def test_the_curve_has_every_threshold_and_marks_those_that_are_shown(folder: Path) -> None:
    assert fit(folder, "--curve", folder / "curve.csv").exit_code == 0
    curve = pd.read_csv(folder / "curve.csv")
    assert len(curve) == 100 and (curve["share_accepted"].diff().dropna() >= 0).all()
    rule = Policy.from_json((folder / "policy.json").read_text("utf-8")).rules[0]
    shown = curve.loc[curve["shown"], "threshold"]
    assert shown.min() == rule.accept_from and shown.max() == rule.certificate.tested_from
    assert (curve["bound"] >= curve["failure_rate"].fillna(0)).all()


def test_rules_by_level_share_the_risk(folder: Path) -> None:
    done = fit(folder, "--samples", folder / "run.jsonl", "--by", "area", "--error", "0.15", output="by.json")
    assert done.exit_code == 0, done.output
    policy = Policy.from_json((folder / "by.json").read_text("utf-8"))
    assert [rule.level for rule in policy.rules] == ["a", "b"]
    assert all(rule.certificate.confidence == pytest.approx(0.95) for rule in policy.rules)
    out = folder / "by.parquet"
    refused = hcat("policy", "apply", folder / "s.parquet", folder / "by.json", "-o", out)
    assert isinstance(refused.exception, HcatError) and "--samples" in str(refused.exception)
    done = hcat(
        "policy", "apply", folder / "s.parquet", folder / "by.json", "-o", out, "--samples", folder / "run.jsonl"
    )
    assert done.exit_code == 0, done.output


def test_apply_decides_on_each_answer_and_right_refusals_never_fail(folder: Path) -> None:
    fit(folder)
    actions, accepted, people = (folder / name for name in ("actions.parquet", "accepted.jsonl", "people.csv"))
    texts = ("--samples", folder / "run.jsonl", "--accepted", accepted, "--people", people)
    done = hcat("policy", "apply", folder / "s.parquet", folder / "policy.json", "-o", actions, *texts)
    assert done.exit_code == 0, done.output
    table = pd.read_parquet(actions).set_index("sample_id")
    rule = Policy.from_json((folder / "policy.json").read_text("utf-8")).rules[0]
    assert table["action"][["s300", "s301", "s302"]].tolist() == ["accept"] * 3
    assert table["action"][["s303", "s304", "s305"]].tolist() == ["regenerate", "regenerate", "person"]
    assert set(table["action"][[f"s{i}" for i in range(306, 312)]]) == {"regenerate"}
    scored = table[table["probability"].notna()]
    assert (scored["action"] == "accept").tolist() == (scored["probability"] >= rule.accept_from).tolist()
    assert (scored["action"] == "regenerate").tolist() == (scored["probability"] < rule.fail_below).tolist()
    lines = [json.loads(line) for line in accepted.read_text("utf-8").splitlines()]
    assert {line["id"] for line in lines} == set(table.index[table["action"] == "accept"])
    refusal = next(line for line in lines if line["id"] == "s300")
    assert refusal["certificate"]["error"] is None and "right refusal" in refusal["certificate"]["statement"]
    assert lines[0]["certificate"]["shown"] and "not about this one" in lines[0]["certificate"]["statement"]
    with people.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["sample_id", "query", "answer"]  # blind to scores
    assert {row["sample_id"] for row in rows} == set(table.index[table["action"] == "person"])


def test_after_the_last_attempt_nothing_is_regenerated(folder: Path) -> None:
    fit(folder, "--attempts", 1, "--after", "reject", output="once.json")
    out = folder / "last.parquet"
    done = hcat("policy", "apply", folder / "s.parquet", folder / "once.json", "-o", out, "--attempt", 1, "--json")
    counts = json.loads(done.stdout)["actions"]
    assert counts["regenerate"] == 0 and counts["reject"] > 0


def test_a_threshold_by_hand_is_shown_only_within_what_was_tested(folder: Path) -> None:
    fit(folder)
    certificate = Policy.from_json((folder / "policy.json").read_text("utf-8")).rules[0].certificate
    assert certificate.accept_from is not None
    inside = fit(folder, "--accept-from", certificate.tested_from, output="hand.json")
    assert "shown, for answers" in inside.output
    lower = fit(folder, "--accept-from", 0.2, "--fail-below", 0.1, output="hand.json")
    assert "not shown at the thresholds that were chosen" in lower.output
    assert "no bound is shown" in lower.output
    higher = fit(folder, "--accept-from", 0.999, output="hand.json")
    assert "no more failures in number get through" in " ".join(higher.output.split())


def test_too_strict_a_promise_accepts_nothing_and_says_what_lacks(folder: Path) -> None:
    done = fit(folder, "--error", 0.005, output="strict.json")
    assert done.exit_code == 0 and "nothing is accepted by its score" in done.output
    assert "takes at least 460 accepted labels" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--error", "0.7"), "error let through"),
        (("--on", "correct_refusal=reject"), "never a failure"),
        (("--on", "none=accept"), "write STATE=ACTION"),
        (("--on-fail", "accept"), "can't be accepted"),
        (("--after", "none"), "no action"),
        (("--accept-from", "2"), "a probability from 0 to 1"),
        (("--accept-from", "0.2", "--fail-below", "0.4"), "lower one"),
        (("--by", "area"), "--samples"),
        (("--cost-person", "-1"), "negative"),
    ],
)
def test_what_can_not_be_meant_is_one_clear_line(folder: Path, options: tuple[str, ...], words: str) -> None:
    done = fit(folder, *options, output="never.json")
    assert isinstance(done.exception, HcatError) and words in str(done.exception)
    assert not (folder / "never.json").exists()


def window(folder: Path, name: str, *, seed: int, shift: float) -> tuple[Path, Path]:
    """Scores of 200 answers, and labels of all of them; people fail more of them by a negative shift."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=200)
    index = pd.Index([f"{name}{i}" for i in range(200)], name="sample_id", dtype="str")
    frame = pd.DataFrame({"token_recall": quality + 0.2 * rng.normal(size=200)}, index=index)
    scores, labels = folder / f"{name}.parquet", folder / f"{name}.csv"
    ScoreTable(frame, Provenance("0", name, ("token_recall",)), ("answered",) * 200).write(scores)
    passed = rng.random(200) < 1 / (1 + np.exp(-(2.0 + 3 * quality + shift)))
    rows = [f"{name}{i},correctness,{'pass' if passed[i] else 'fail'}" for i in range(200)]
    labels.write_text("\n".join(["sample_id,criterion,label", *rows]) + "\n", "utf-8")
    return scores, labels


def test_check_keeps_quiet_while_the_promise_holds_and_ends_in_1_once_it_does_not(folder: Path) -> None:
    fit(folder)
    policy = folder / "policy.json"
    good, also = window(folder, "w1", seed=1, shift=0), window(folder, "w2", seed=2, shift=0)
    kept = hcat("policy", "check", policy, good[0], also[0], "--labels", good[1], "--labels", also[1])
    assert kept.exit_code == 0, kept.output
    assert kept.output.count("No evidence that the promise is broken") == 2
    bad = window(folder, "w3", seed=3, shift=-3)
    broken = hcat("policy", "check", policy, good[0], bad[0], "--labels", good[1], "--labels", bad[1], "--json")
    assert broken.exit_code == 1, broken.output
    parts = json.loads(broken.stdout)
    assert parts["alarm"] and parts["error"]["alarm"] == 1 and parts["load"]["alarm"] is None
    assert any("Stop accepting" in sentence for sentence in parts["says"])
    unlabelled = hcat("policy", "check", policy, good[0])
    assert unlabelled.exit_code == 0 and "Label accepted answers" in unlabelled.output
    wrong = hcat("policy", "check", policy, good[0], "--labels", good[1], "--labels", also[1])
    assert isinstance(wrong.exception, HcatError)


def test_the_report_on_files_has_a_chapter_on_the_policy_and_its_check(folder: Path, tmp_path: Path) -> None:
    fit(folder, "--per-day", 1000, output="reported.json")
    lines = (folder / "run.jsonl").read_text("utf-8").splitlines()[:60]
    (tmp_path / "run.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    scored = hcat("score", tmp_path / "run.jsonl", "--metrics", "token_recall", "-o", tmp_path / "s.parquet")
    assert scored.exit_code == 0
    scores, labels = window(folder, "w4", seed=3, shift=-3)
    check = hcat("policy", "check", folder / "reported.json", scores, "--labels", labels, "--json")
    assert check.exit_code == 1, check.output
    (tmp_path / "check.json").write_text(check.output, "utf-8")
    files = ("--run", tmp_path / "run.jsonl", "--scores", tmp_path / "s.parquet", "--chapters", "policy")
    policy = ("--policy", folder / "reported.json", "--policy-check", tmp_path / "check.json")
    done = hcat("report", *files, *policy, "-o", tmp_path / "report.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "report.html").read_text("utf-8")
    for words in ("Policy on correctness", "a day", "Since it was switched on: error let through", "Alarm at window 1"):
        assert words in page
    fit(folder, "--error", "0.2", output="other.json")
    other = hcat("report", *files, "--policy", folder / "other.json", *policy[2:], "-o", tmp_path / "never.html")
    assert isinstance(other.exception, HcatError) and "another policy" in str(other.exception)


def test_on_several_criteria_the_worst_decides_and_the_promise_is_shown_on_each(folder: Path, tmp_path: Path) -> None:
    rng, rows = np.random.default_rng(9), (folder / "labels.csv").read_text("utf-8").splitlines()
    scores = pd.read_parquet(folder / "s.parquet")["token_recall"].to_numpy()[:300]
    helpful = rng.random(300) < 1 / (1 + np.exp(-(2.5 + 3 * np.nan_to_num(scores))))
    also = [f"s{i},helpfulness,{'pass' if helpful[i] else 'fail'}" for i in range(300)]
    (tmp_path / "labels.csv").write_text("\n".join([*rows, *also]) + "\n", "utf-8")
    files = (folder / "s.parquet", tmp_path / "labels.csv")
    options = ("--criterion", "helpfulness", "--metrics", "token_recall", "-o", tmp_path / "also.json")
    done = hcat("calibrate", *files, *options)
    assert done.exit_code == 0, done.output
    fit(folder)
    alone = Policy.from_json((folder / "policy.json").read_text("utf-8"))
    further = ("--also", tmp_path / "also.json", "-o", tmp_path / "both.json")
    fitted = hcat("policy", "fit", *files, folder / "cal.json", *further)
    assert fitted.exit_code == 0, fitted.output
    said = " ".join(fitted.output.split())
    assert "on each of correctness, helpfulness at most 10% of the accepted answers fail" in said
    policy = Policy.from_json((tmp_path / "both.json").read_text("utf-8"))
    assert policy.criteria == ("correctness", "helpfulness") and policy.shown and policy.hash != alone.hash
    [rule] = policy.rules
    assert rule.accept_from is not None and {test.criterion for test in rule.certificate.tests} == set(policy.criteria)
    assert set(policy.forecast.failure_rates) == set(policy.criteria)
    by = ("--by", "area", "--samples", folder / "run.jsonl", "--error", "0.2", "--also", tmp_path / "also.json")
    split = hcat("policy", "fit", *files, folder / "cal.json", *by, "-o", tmp_path / "by.json")
    assert split.exit_code == 0, split.output
    each = Policy.from_json((tmp_path / "by.json").read_text("utf-8"))
    assert ([of.level for of in each.rules], each.criteria) == (["a", "b"], policy.criteria)
    for of in each.rules:  # the levels share the risk, and on each of them both criteria are tested
        assert of.certificate.confidence == pytest.approx(0.95)
        assert {test.criterion: test.n for test in of.certificate.tests}.keys() == set(policy.criteria)
        assert of.certificate.p_value == max(test.p_value for test in of.certificate.tests)
    halves = [sum(test.n for of in each.rules for test in of.certificate.tests if test.criterion == name) for name in
              policy.criteria]  # fmt: skip
    assert halves == [test.n for test in rule.certificate.tests]
    applied = hcat("policy", "apply", folder / "s.parquet", tmp_path / "both.json", "-o", tmp_path / "a.parquet")
    assert applied.exit_code == 0, applied.output
    table, one = pd.read_parquet(tmp_path / "a.parquet"), tmp_path / "one.json"
    least = np.minimum(*(each.probability(ScoreTable.read(folder / "s.parquet")) for each in policy.maps.values()))
    assert (table["action"] == "accept")[table["probability"].notna()].tolist() == [
        bool(p >= rule.accept_from) for p in least[np.isfinite(least)]
    ]
    assert set(table["worst"]) <= set(policy.criteria)
    scored, labels = window(folder, "w5", seed=3, shift=-3)
    marks = labels.read_text("utf-8").splitlines()
    both = [*marks, *(mark.replace("correctness", "helpfulness") for mark in marks[1:])]
    (tmp_path / "w5.csv").write_text("\n".join(both) + "\n", "utf-8")
    checked = hcat("policy", "check", tmp_path / "both.json", scored, "--labels", tmp_path / "w5.csv", "--json")
    parts = json.loads(checked.stdout)
    assert checked.exit_code == 1 and [each["quantity"] for each in parts["errors"]] == [
        "error let through on correctness",
        "error let through on helpfulness",
    ]
    assert all(each["alpha"] == 0.0125 for each in parts["errors"])
    twice = hcat("policy", "fit", *files, folder / "cal.json", "--also", folder / "cal.json", "-o", one)
    assert isinstance(twice.exception, HcatError) and "one for each criterion" in str(twice.exception)
