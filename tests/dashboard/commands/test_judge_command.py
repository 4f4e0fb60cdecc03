"""`hcat judge` on files, over a loopback server: cost first, scores, labels of a language model, agreement, bias."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.judges.scores import SHOWN
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import settings
from hcat.core.types import Passage, Sample
from hcat.dashboard.cli import app
from tests.core.models.llm.scripted import Asked, Endpoint, endpoint

MANY = [
    Sample(f"s{n}", f"What is {n}?", f"It is {n if n % 3 else n + 1}.", (Passage("p", f"It is {n}."),), f"{n}")
    for n in range(70)
]
SAMPLES = MANY[:40]
MODEL = ("--model", "small")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with endpoint(read_well) as running:
        yield running
    settings.cache_clear()


def read_well(asked: Asked) -> dict[str, Any]:
    """A judge that says 5 where the answer is the reference's, and 2 else."""
    item = asked.data["item"]
    score = 5 if item["answer"].startswith(f"It is {item['reference']}.") else 2
    names = asked.body["response_format"]["json_schema"]["schema"]["properties"]
    return {name: {"reason": "read", "score": score} for name in names}


def hcat(*words: str) -> Any:
    result = CliRunner().invoke(app, ["judge", *words])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in words else result.stdout


def run_file(samples: list[Sample], path: Path) -> str:
    path.write_text(to_jsonl(samples), "utf-8")
    return str(path)


def label_file(n_samples: int, path: Path) -> str:
    rows = [
        f"s{n},correctness,{'pass' if n % 3 else 'fail'},P,the number is {'right' if n % 3 else 'wrong'}"
        for n in range(n_samples)
    ]
    path.write_text("\n".join(["sample_id,criterion,label,annotator,rationale", *rows]), "utf-8")
    return str(path)


@pytest.fixture
def run(tmp_path: Path) -> str:
    return run_file(SAMPLES, tmp_path / "run.jsonl")


@pytest.fixture
def labels(tmp_path: Path) -> str:
    return label_file(len(SAMPLES), tmp_path / "labels.csv")


def test_the_cost_comes_first_and_nothing_is_asked(server: Endpoint, run: str) -> None:
    printed = hcat(run, "--endpoint", server.url, *MODEL, "--criteria", "captured_rate,missing_out", "--dry-run")
    assert "40 requests for 80 verdicts: about" in printed
    document = hcat(run, "--endpoint", server.url, *MODEL, "--dry-run", "--json", "--trials", "2")
    assert (document["forecast"]["requests"], server.calls) == (80, 0)


def test_a_run_is_judged_compared_and_written(server: Endpoint, run: str, labels: str, tmp_path: Path) -> None:
    out, verdicts, given = tmp_path / "s.parquet", tmp_path / "v.jsonl", tmp_path / "llm.csv"
    call = (run, "-o", str(out), "--endpoint", server.url, *MODEL, "--criteria", "captured_rate", "--labels", labels)
    document = hcat(
        *call, "--criterion", "correctness", "--verdicts", str(verdicts), "--llm-labels", str(given), "--json"
    )
    [agreement] = document["agreement"]
    assert (agreement["n"], agreement["kappa"]["value"], agreement["disagreements"]) == (40, 1.0, [])
    assert agreement["kappa"]["low"] < 1
    assert document["settings"]["rubric"] == "five criteria"
    assert document["usage"]["calls"] == 40
    table = ScoreTable.read(out)
    assert table.metrics == ("judge:captured_rate",)
    assert table.provenance.from_files["judge:captured_rate"].sha256 == document["settings"]["version"]
    assert table.facts("judge:captured_rate").range == (1, 5)
    assert len(verdicts.read_text("utf-8").splitlines()) == 40
    assert given.read_text("utf-8").splitlines()[1].endswith(',"llm"')
    printed = hcat(*call, "--criterion", "correctness")
    assert "40 answers came from the cache" in printed
    assert server.calls == 40


def test_a_judge_is_a_metric_that_is_found_fit_or_not(server: Endpoint, run: str, labels: str, tmp_path: Path) -> None:
    out = str(tmp_path / "s.parquet")
    hcat(run, "-o", out, "--endpoint", server.url, *MODEL, "--criteria", "captured_rate")
    call = ["calibrate", out, labels, "--criterion", "correctness", "--metrics", "judge:captured_rate"]
    result = CliRunner().invoke(app, [*call, "-o", str(tmp_path / "cal.json"), "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["diagnostics"]["auc"] == 1
    assert document["fit_for_use"]
    table = ScoreTable.read(out)
    assert (
        document["inputs"]["file of judge:captured_rate"] == table.provenance.from_files["judge:captured_rate"].sha256
    )


def test_examples_come_from_labels_with_critiques_and_are_not_judged(
    server: Endpoint, run: str, labels: str, tmp_path: Path
) -> None:
    out = tmp_path / "s.parquet"
    call = (run, "-o", str(out), "--endpoint", server.url, *MODEL, "--criteria", "captured_rate", "--examples", "4")
    document = hcat(*call, "--labels", labels, "--criterion", "correctness", "--json")
    shown = document["settings"]["examples"]
    assert (len(shown), document["n"], document["agreement"][0]["n"]) == (4, 36, 36)
    assert {example["critique"] for example in server.asked[0].data["examples"]} == {
        "the number is right",
        "the number is wrong",
    }
    table = ScoreTable.read(out)
    assert {table.score(name, "judge:captured_rate").reason for name in shown} == {SHOWN}


def test_scores_are_put_beside_others(server: Endpoint, run: str, tmp_path: Path) -> None:
    first, second = str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")
    common = ("--endpoint", server.url, *MODEL, "--criteria", "captured_rate")
    hcat(run, "-o", first, *common)
    hcat(run, "-o", second, *common, "--with", first, "--name", "second", "--order", "verdict-first")
    assert ScoreTable.read(second).metrics == ("judge:captured_rate", "second:captured_rate")
    out = str(tmp_path / "panel.parquet")
    names = "judge:captured_rate,second:captured_rate"
    document = hcat("panel", second, "--metrics", names, "-o", out, "--json")
    assert document["effective_judges"] == pytest.approx(1)  # they always say the same
    assert ScoreTable.read(out).metrics[-1] == "panel"
    assert "are worth 1.00 independent ones" in hcat("panel", second, "--metrics", names)


def test_a_sample_of_the_run_is_judged(server: Endpoint, run: str, tmp_path: Path) -> None:
    out = tmp_path / "s.parquet"
    document = hcat(run, "-o", str(out), "--endpoint", server.url, *MODEL, "--criteria", "captured_rate",
                    "--sample", "10", "--json")  # fmt: skip
    assert (document["n"], server.calls) == (10, 10)
    assert document["metrics"]["judge:captured_rate"]["unscored"] == {"not judged": 30}


def test_a_rubric_is_written_edited_and_used(server: Endpoint, run: str, tmp_path: Path) -> None:
    path = tmp_path / "rubric.json"
    assert "Written to" in hcat("rubric", "-o", str(path), "--criteria", "captured_rate")
    path.write_text(path.read_text("utf-8").replace("How much of what", "How much in all of what"), "utf-8")
    hcat(run, "-o", str(tmp_path / "s.parquet"), "--endpoint", server.url, *MODEL, "--rubric", str(path))
    assert "How much in all of what" in server.asked[0].body["messages"][0]["content"]


def test_a_judge_that_likes_length_is_flagged_on_a_run(server: Endpoint, run: str) -> None:
    def by_length(asked: Asked) -> dict[str, Any]:
        score = 5 if len(asked.data["item"]["answer"]) > 150 else 2
        return {"captured_rate": {"reason": "", "score": score}}

    server.answer = by_length
    call = ("bias", run, "--run", "--endpoint", server.url, *MODEL, "--criteria", "captured_rate")
    document = hcat(*call, "--json")
    by_name = {shift["manipulation"]: shift for shift in document["shifts"]}
    assert by_name["verbosity"]["p_holm"] < 0.001
    assert by_name["verbosity"]["pass_rate"]["value"] == 1
    printed = hcat(*call)
    assert "Biases, on 40 samples" in printed and "moves the pass rate on captured_rate by +100 points" in printed


def test_recorded_verdicts_are_checked(server: Endpoint, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    rows = [
        {"judge": "j", "pair_id": n, "label": "A>B" if n % 2 else "B>A", "decisions": ["A>B", "A>B"],
         "length_a": 2, "length_b": 1}
        for n in range(30)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    [judged] = hcat("bias", str(path), "--json")["judges"]
    assert (judged["accuracy"]["value"], judged["consistent"]["value"], judged["first_slot"]["value"]) == (0, 0, 1)
    printed = hcat("bias", str(path))
    printed = " ".join(printed.split())
    assert "│ j │ position │ 100% [" in printed and "flagged" in printed
    assert "not measured: " in printed


def test_a_rubric_is_distilled_and_its_gain_is_measured_on_the_other_half(server: Endpoint, tmp_path: Path) -> None:
    """By the first rubric the judge always says 5; by the one that it wrote itself it reads."""
    run, labels = run_file(MANY, tmp_path / "many.jsonl"), label_file(len(MANY), tmp_path / "many.csv")
    levels = {str(score): f"level {score}" for score in range(1, 6)}

    def answer(asked: Asked) -> dict[str, Any]:
        if asked.prompt == "distil_rubric":
            return {"question": "Is the number that of the reference?", "levels": levels}
        wrote = "Is the number that" in asked.body["messages"][0]["content"]
        return read_well(asked) if wrote else {"captured_rate": {"reason": "", "score": 5}}

    server.answer = answer
    out = tmp_path / "new.json"
    call = ("distil", run, labels, "--criterion", "correctness", "--criteria", "captured_rate", "-o", str(out))
    document = hcat(*call, "--endpoint", server.url, *MODEL, "--json")
    assert (document["shown"], document["gain"]["gain"]["value"]) == (True, 1.0)
    assert document["critiques"] + document["gain"]["gain"]["n"] == len(MANY)
    assert json.loads(out.read_text("utf-8"))["criteria"][0]["levels"][4] == "level 5"
    [asked] = [each for each in server.asked if each.prompt == "distil_rubric"]
    held_out = {each.data["item"]["question"] for each in server.asked if each.prompt == "judge"}
    assert len(held_out) == document["gain"]["gain"]["n"]
    assert len(asked.data["critiques"]) == document["critiques"]
    server.answer = lambda asked: (
        {"question": "Is it good?", "levels": levels} if asked.prompt == "distil_rubric" else read_well(asked)
    )
    other = hcat(*call[:3], *call[3:7], "-o", str(out), "--endpoint", server.url, "--model", "other")
    assert "No gain shown" in other and "Tries on these answers so far: 1." in " ".join(other.split())
    fifth = hcat(*call, "--endpoint", server.url, *MODEL, "--tries", "5", "--json")["gain"]
    assert (fifth["tries"], fifth["gain"]["level"]) == (5, pytest.approx(1 - 0.05 / 30))
