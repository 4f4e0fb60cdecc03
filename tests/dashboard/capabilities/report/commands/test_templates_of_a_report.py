"""`hcat report` with a template of one's own, and compared with an earlier report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.types import Sample
from hcat.dashboard.cli import app

ANSWERS = ("one two", "one", "two", "three one")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """The options of a run in files, with its scores."""
    return scored(tmp_path, "a", ANSWERS)


def scored(folder: Path, name: str, answers: tuple[str, ...]) -> tuple[str, ...]:
    samples = [Sample(f"s{k}", f"q{k}", answer, reference="one two") for k, answer in enumerate(answers)]
    run, scores = folder / f"{name}.jsonl", folder / f"{name}.parquet"
    run.write_text(to_jsonl(samples), "utf-8")
    hcat("score", str(run), "-o", str(scores), "--metrics", "token_recall")
    return "--run", str(run), "--scores", str(scores)


def hcat(*words: str) -> str:
    ended = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return ended.output


def report(folder: Path, *words: str) -> dict[str, object]:
    hcat("report", *words, "-o", str(folder / "r.json"))
    return json.loads((folder / "r.json").read_text("utf-8"))


def test_the_usual_template_is_written_and_gives_the_usual_report(tmp_path: Path, files: tuple[str, ...]) -> None:
    template = tmp_path / "t.yaml"
    assert "the usual template" in hcat("report", "--template-out", str(template))
    usual, own = report(tmp_path, *files), report(tmp_path, *files, "--template", str(template))
    assert own["sections"] == usual["sections"]


def test_a_template_of_a_bank_is_followed(tmp_path: Path, files: tuple[str, ...]) -> None:
    template = tmp_path / "t.yaml"
    template.write_text("title: Of the bank\nchapters:\n  - limitations\n  - summary\n", "utf-8")
    tree = report(tmp_path, *files, "--template", str(template))
    assert (tree["title"], [section["id"] for section in tree["sections"]]) == (
        "Of the bank",
        ["limitations", "summary"],
    )
    template.write_text("chapters:\n  - limitations\n  - weather\n", "utf-8")
    with pytest.raises(HcatError, match=r"^t\.yaml, line 3: a report has no chapter 'weather'"):
        report(tmp_path, *files, "--template", str(template))


def test_numbers_are_compared_with_an_earlier_report(tmp_path: Path, files: tuple[str, ...]) -> None:
    report(tmp_path, *files)
    earlier = (tmp_path / "r.json").rename(tmp_path / "earlier.json")
    better = scored(tmp_path, "b", (*ANSWERS[:3], "one two"))  # token recall .5, not 1, in the last: mean .625, now .75
    tree = report(tmp_path, *better, "--since", str(earlier))
    [changes] = [section for section in tree["sections"] if section["id"] == "changes"]
    [table] = [block for block in changes["blocks"] if block.get("title", "").startswith("Changed in: Metrics")]
    rows = {row[0]: row[1:] for row in table["rows"]}
    assert [side["value"] for side in rows["Scores of run b: Token recall: Mean"] if side] == [0.75]
    assert [side["value"] for side in rows["Scores of run a: Token recall: Mean"] if side] == [0.625]


def test_an_earlier_report_is_one_of_ours(tmp_path: Path, files: tuple[str, ...]) -> None:
    (tmp_path / "x.json").write_text('{"a": 1}', "utf-8")
    with pytest.raises(HcatError, match=r"x\.json is no report as JSON"):
        report(tmp_path, *files, "--since", str(tmp_path / "x.json"))
