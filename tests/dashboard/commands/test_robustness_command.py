"""`hcat robustness`, on files: one run with its origins, or two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.dashboard.cli import app
from tests.pages.conftest import word_models

N = 14


def rows(*, variants: bool) -> list[dict[str, object]]:
    """Fourteen origins; all variants of one family are answered with another figure, of the other as the origins."""
    made: list[dict[str, object]] = []
    for n in range(N):
        answer = f"The fee of card {n} is EUR {n + 3}."
        if not variants:
            made.append({"id": f"q{n}", "query": f"Fee of card {n}?", "answer": answer, "reference": answer})
            continue
        for family, strength, text in (
            ("spelling", 0.2, answer),
            ("spelling", 0.6, f"Nobody pays more than EUR {n + 99}."),
            ("case", 0.2, answer),
        ):
            made.append(
                {"id": f"q{n}-{family}-{strength}", "query": f"wat is the fee of card {n}", "answer": text,
                 "reference": answer, "metadata": {"expectation": "stay"},
                 "variant": {"family": family, "of": f"q{n}", "strength": strength}}
            )  # fmt: skip
    return made


def write(path: Path, content: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in content), "utf-8")
    return path


def scored(run: Path) -> Path:
    output = run.with_suffix(".parquet")
    result = CliRunner().invoke(app, ["score", str(run), "-o", str(output), "--metrics", "token_f1,answer_length"])
    assert result.exit_code == 0, result.output
    return output


@pytest.fixture
def one_run(tmp_path: Path) -> list[str]:
    run = write(tmp_path / "run.jsonl", [*rows(variants=False), *rows(variants=True)])
    return [str(run), str(scored(run))]


def robustness(arguments: list[str]) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["robustness", *arguments, "--no-similarity", "--json"])
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_worst_family_first_with_dose_and_expectation(one_run: list[str]) -> None:
    document = robustness(one_run)
    assert (document["pairs"], document["without_origin"]) == (3 * N, 0)
    outcomes = {outcome["outcome"]: outcome for outcome in document["outcomes"]}
    spelling, case = outcomes["token_f1"]["families"]
    assert (spelling["family"], spelling["verdict"], spelling["cases"]) == ("spelling", "worse", N)
    assert (case["change"]["value"], case["verdict"]) == (0, "not shown to differ")
    assert case["change"]["low"] < 0 < case["change"]["high"]  # no spread is not no doubt
    (dose,) = outcomes["token_f1"]["doses"]
    assert dose["slope"]["value"] < -1
    first, second = document["answers"]
    assert (first["family"], first["met"]["value"]) == ("spelling", pytest.approx(0.5))
    assert (second["family"], second["met"]["value"]) == ("case", 1)


def test_two_runs_give_the_same_numbers(tmp_path: Path, one_run: list[str]) -> None:
    origins = write(tmp_path / "o.jsonl", rows(variants=False))
    variants = write(tmp_path / "v.jsonl", rows(variants=True))
    both = robustness(
        [str(variants), str(scored(variants)), "--origins", str(origins), "--origin-scores", str(scored(origins))]
    )
    alone = robustness(one_run)
    assert both["outcomes"] == alone["outcomes"]
    assert both["answers"] == alone["answers"]


def test_the_table_says_what_it_rests_on(one_run: list[str]) -> None:
    result = CliRunner().invoke(app, ["robustness", *one_run, "--no-similarity", "--outcome", "token_f1"])
    assert result.exit_code == 0, result.output
    assert "spelling: Token F1 changes by" in result.output
    assert "No person looked." in result.output


def test_labels_tell_lost_passes(tmp_path: Path, one_run: list[str]) -> None:
    lines = ["sample_id,criterion,label,annotator"]
    lines += [f"q{n},ok,pass,anna" for n in range(N)]
    lines += [f"q{n}-spelling-0.6,ok,{'fail' if n < 12 else 'pass'},anna" for n in range(N)]
    labels = tmp_path / "labels.csv"
    labels.write_text("\n".join(lines), "utf-8")
    document = robustness([*one_run, "--labels", str(labels), "--criterion", "ok"])
    by_labels = document["outcomes"][0]
    assert by_labels["outcome"] == "pass_rate:ok"
    passes = by_labels["passes"]["spelling"]
    assert (passes["lost"], passes["gained"], passes["both"]) == (12, 0, 2)
    assert passes["p"] == pytest.approx(0.000532, abs=1e-6)  # McNemar: z = 12 / √12, two-sided


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (rows(variants=False), "has no variants: make them with `hcat perturb`"),
        (rows(variants=True), "no answer to a test case that they were made from"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, content: list[dict[str, object]], message: str) -> None:
    run = write(tmp_path / "run.jsonl", content)
    result = CliRunner().invoke(app, ["robustness", str(run), "--no-similarity"])
    assert message in str(result.exception)


def test_the_report_has_the_same_families(tmp_path: Path, one_run: list[str]) -> None:
    output = tmp_path / "report.json"
    with word_models():
        result = CliRunner().invoke(
            app, ["report", "--run", one_run[0], "--scores", one_run[1], "-o", str(output), "--format", "json"]
        )
        assert result.exit_code == 0, result.output
        page = CliRunner().invoke(
            app, ["report", "--run", one_run[0], "--scores", one_run[1], "-o", str(tmp_path / "r.html")]
        )
        assert page.exit_code == 0, page.output
    text = output.read_text("utf-8")
    assert "Token F1: variants less origins" in text
    assert "Answers compared with those of their origins" in text
    alone = robustness(one_run)
    spelling = next(each for each in alone["outcomes"] if each["outcome"] == "token_f1")["families"][0]
    assert str(spelling["change"]["value"]) in text
    assert "Results by variant" in (tmp_path / "r.html").read_text("utf-8")
