"""`hcat grammar evaluate`, on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dashboard.cli import app

BLUE = {"id": "blue", "text": "The fee of Blue is 12 euros."}


def write(path: Path, answers: dict[str, list[str | None]], **more: object) -> Path:
    rows = [
        {
            "id": f"{group}{number}",
            "query": "What is the fee of 'Blue'?",
            "answer": answer,
            "contexts": [BLUE],
            "reference": "12 euros",
            "relevant_ids": {"blue": 1},
            "group": group,
            **more,
        }
        for group, some in answers.items()
        for number, answer in enumerate(some)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    short = write(tmp_path / "s.jsonl", {"a": ["12 euros"] * 2, "b": ["12 euros", "free"], "c": [None, "free"]})
    long = write(tmp_path / "l.jsonl", {"a": ["12 euros", "free"], "b": ["free"] * 2, "c": [None, "free"]})
    return [f"short={short}", f"long={long}"]


def evaluate(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["grammar", "evaluate", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_document_holds_groups_rates_and_differences(files: list[str]) -> None:
    found = json.loads(evaluate(*files, "--verbatim", "--json"))
    assert found["settings"] == {"verdicts": "verbatim", "closed_domain": False}
    short = found["runs"]["short"]
    assert short["groups"] == {"gap": 1, "robust": 1, "non_robust": 1, "total": 3}
    assert short["R"]["value"] == pytest.approx(3 / 4)
    assert short["accuracy"]["value"] == pytest.approx(3 / 6)
    assert short["attribution"] == {"language_model": 1, "retrieval": 0, "undecided": 0}
    assert short["right_without_document"]["value"] == 0
    [difference] = found["differences"]
    assert (difference["a"], difference["b"]) == ("short", "long")
    assert difference["R"]["value"] == pytest.approx(3 / 4 - 1 / 2)
    assert set(found["inputs"]) == {"short", "long"}


def test_the_table_says_the_same_in_words(files: list[str]) -> None:
    text = evaluate(*files, "--verbatim")
    assert "non-robust: some right" in text
    assert "R, short less long: +0.25 [" in text
    assert "a rule, not a person" in text


def test_labels_say_what_is_right(files: list[str], tmp_path: Path) -> None:
    rows = [
        f"{name},correctness,{label},{run}"
        for run in ("short", "long")
        for name, label in (
            ("a0", "pass"),
            ("a1", "pass"),
            ("b0", "pass"),
            ("b1", "fail"),
            ("c0", "fail"),
            ("c1", "fail"),
        )
    ]
    labels = tmp_path / "labels.csv"
    labels.write_text("sample_id,criterion,label,run\n" + "\n".join(rows), "utf-8")
    found = json.loads(evaluate(*files, "--labels", str(labels), "--criterion", "correctness", "--json"))
    assert found["runs"]["short"]["R"]["value"] == found["runs"]["long"]["R"]["value"] == pytest.approx(3 / 4)
    assert found["differences"][0]["R"]["low"] < 0 < found["differences"][0]["R"]["high"]


def test_recorded_verdicts_are_the_default(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", {"a": ["yes", "no"]}, metadata={"judgement": "Correct"})
    assert json.loads(evaluate(str(path), "--json"))["runs"]["run"]["R"]["value"] == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "no answer has a verdict"),
        (["--verbatim", "--labels", "x.csv"], "choose one"),
        (["--labels", "x.csv"], "needs --criterion"),
        (["--verbatim", "--documents", "none.json"], "not a file"),
    ],
)
def test_a_mistake_is_one_line(files: list[str], more: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["grammar", "evaluate", *files, *more])
    assert said in str(result.exception)


def test_two_runs_of_one_name_are_refused(files: list[str]) -> None:
    result = CliRunner().invoke(app, ["grammar", "evaluate", files[0], files[0]])
    assert "name each as CRITERION=FILE" in str(result.exception)
