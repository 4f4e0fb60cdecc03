"""Every command that reads files takes --sheet and --level, and gives the same numbers as from plain files."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from hcat.core.models.model_set import ModelSet
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.evaluate import score_samples
from hcat.core.types import Sample
from hcat.dashboard.cli import app

OWN_WORDS = {0: "Incorrect Answer", 1: "Correct Answer"}
LEVELS = ("--level", "Correct Answer=pass", "--level", "Incorrect Answer=fail")


def a_sample(i: int) -> Sample:
    answer = f"Answer {i}." if i % 3 else "Bananas."
    return Sample(f"s{i}", f"Q {i}?", answer, reference=f"Answer {i}.", dimensions={"kind": "ab"[i % 2]})


def write_run(folder: Path, name: str, samples: list[Sample]) -> None:
    (folder / f"{name}.jsonl").write_text(to_jsonl(samples), "utf-8")
    score_samples(samples, metrics=["token_f1"], models=ModelSet(())).write(folder / f"{name}.parquet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty samples; their labels in the words of somebody else, as a file and as the second sheet of a workbook."""
    write_run(tmp_path, "v1", [a_sample(i) for i in range(40)])
    write_run(tmp_path, "v2", [replace(a_sample(i), answer="Bananas.") for i in range(40)])
    rows = [(f"s{i}", "correctness", OWN_WORDS[int(i % 3 > 0)], "ann") for i in range(40)]
    heads = ("sample_id", "criterion", "label", "annotator")
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    sheet = book.create_sheet("labels")
    with (tmp_path / "own.csv").open("w", newline="") as own, (tmp_path / "plain.csv").open("w", newline="") as plain:
        csv.writer(own).writerows([heads, *rows])
        csv.writer(plain).writerows([heads, *((a, b, "pass" if "Inc" not in c else "fail", d) for a, b, c, d in rows)])
    for row in (heads, *rows):
        sheet.append(row)
    book.save(tmp_path / "labels.xlsx")
    return tmp_path


def hcat(folder: Path, line: str, *more: str) -> dict[str, object]:
    words = [str(folder / word) if "." in word else word for word in line.split()]
    ended = CliRunner().invoke(app, [*words, *more, "--json"], catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    found: dict[str, object] = json.loads(ended.stdout)
    return {name: value for name, value in found.items() if name not in ("inputs", "settings")}


@pytest.mark.parametrize(
    "line",
    [
        "agreement LABELS --criterion correctness",
        "estimate v1.parquet LABELS --criterion correctness --metrics token_f1",
        "trials v1.jsonl --labels LABELS --criterion correctness",
        "compare v1.jsonl v2.jsonl --scores-a v1.parquet --scores-b v2.parquet --labels-a LABELS --labels-b LABELS "
        "--criterion correctness --metrics token_f1",
        "compare-slices --run v2.jsonl --against v1.jsonl --scores v2.parquet --scores-against v1.parquet --labels "
        "LABELS --labels-against LABELS --metric pass_rate:correctness --by kind",
    ],
)
def test_labels_in_own_words_and_in_a_sheet_give_the_same_numbers(folder: Path, line: str) -> None:
    plain = hcat(folder, line.replace("LABELS", "plain.csv"))
    assert hcat(folder, line.replace("LABELS", "own.csv"), *LEVELS) == plain
    assert hcat(folder, line.replace("LABELS", "labels.xlsx"), *LEVELS, "--sheet", "labels") == plain
    named = hcat(folder, line.replace("LABELS", "labels.xlsx"), *LEVELS, "--sheet", "labels.xlsx=labels")
    assert named == plain


@pytest.mark.parametrize(
    ("file", "options", "says"),
    [
        ("own.csv", (), "add --level"),
        ("own.csv", ("--level", "Correct Answer"), "is not a mapping"),
        ("own.csv", (*LEVELS, "--sheet", "labels"), "none of the files is an Excel workbook"),
        ("labels.xlsx", (*LEVELS, "--sheet", "none"), "there is no sheet"),
    ],
)
def test_what_can_not_be_read_says_what_to_do(folder: Path, file: str, options: tuple[str, ...], says: str) -> None:
    words = ["agreement", str(folder / file), "--criterion", "correctness", "--levels", "fail,pass", *options]
    ended = CliRunner().invoke(app, words)
    assert says in str(ended.exception)


def test_options_of_one_command_do_not_outlast_it(folder: Path) -> None:
    hcat(folder, "agreement own.csv --criterion correctness", *LEVELS)
    again = CliRunner().invoke(
        app, ["agreement", str(folder / "own.csv"), "--criterion", "correctness", "--levels", "fail,pass"]
    )
    assert "add --level" in str(again.exception)


def test_a_long_list_of_metrics_is_no_name_of_a_file(folder: Path) -> None:
    names = ",".join(["token_f1", "token_recall", "answer_length"] * 100)
    ended = CliRunner().invoke(
        app, ["score", str(folder / "v1.jsonl"), "-o", str(folder / "s.parquet"), "--metrics", names]
    )
    assert ended.exit_code == 0, ended.output
