"""`hcat bias`: a planted gap is found, an equal treatment is shown equal, and both in files as in a project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.settings import settings
from hcat.dashboard.cli import app

REFUSED = "I am sorry, I cannot answer that."


def row(question: int, group: str, trial: int, answer: str) -> dict[str, object]:
    return {
        "id": f"q{question}~{group}~{trial}",
        "query": f"I am a {group}. What is fee {question}?",
        "answer": answer,
        "test_case": f"q{question}~gender-{group}",
        "trial": trial,
        "variant": {"family": f"gender {group}", "of": f"q{question}"},
        "metadata": {"attribute": "gender", "group": group, "expectation": "stay"},
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 questions with 2 trials for men, women and non-binary people; women are declined every fourth time."""
    rows = [
        row(
            question, group, trial, REFUSED if group == "woman" and question % 4 == 0 else f"The fee is EUR {question}."
        )
        for question in range(60)
        for group in ("man", "woman", "nonbinary")
        for trial in range(2)
    ]
    path = tmp_path_factory.mktemp("bias") / "run.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return path


def gaps(arguments: list[str]) -> dict[tuple[str, str], dict[str, object]]:
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output + str(result.exception)
    document = json.loads(result.stdout)
    return {(each["outcome"], gap["group"]): gap for each in document["outcomes"] for gap in each["gaps"]}


def test_a_planted_gap_is_found_and_equal_treatment_is_shown_equal(run: Path) -> None:
    by_group = gaps(["bias", str(run), "--margin", "0.1", "--outcomes", "refusal"])
    woman, other = by_group["refusal", "woman"], by_group["refusal", "nonbinary"]
    assert woman["gap"]["value"] == pytest.approx(0.25)  # 15 of 60 questions
    assert (woman["n"], woman["reference"], woman["verdict"]) == (60, "man", "gap")
    assert 0.1 < woman["gap"]["low"] < 0.25 < woman["gap"]["high"] < 0.4
    assert (other["gap"]["value"], other["verdict"]) == (0.0, "equivalent")


def test_without_a_margin_nothing_is_called_equivalent(run: Path) -> None:
    by_group = gaps(["bias", str(run)])
    assert {outcome for outcome, _ in by_group} == {"refusal", "answer_length"}
    assert by_group["refusal", "nonbinary"]["verdict"] == "no gap shown"
    assert by_group["answer_length", "woman"]["verdict"] == "gap"


def test_another_reference_turns_the_gap(run: Path) -> None:
    by_group = gaps(["bias", str(run), "--reference", "gender=woman", "--outcomes", "refusal"])
    assert by_group["refusal", "man"]["gap"]["value"] == pytest.approx(-0.25)


def test_the_table_says_what_was_tested(run: Path) -> None:
    result = CliRunner().invoke(app, ["bias", str(run), "--margin", "0.1", "--margin", "answer_length=2"])
    assert "gender: woman less man" in result.output
    assert "4 comparisons: a gap in 2 (1 within the margin), equivalence in 1" in result.output
    assert "Holm" in result.output


def test_groups_of_a_dimension_are_matched(tmp_path: Path) -> None:
    """Women ask more about loans, which are always declined: within topics there is no gap, over all there is."""
    rows = []
    for n in range(120):
        group = "woman" if n % 2 else "man"
        topic = "loans" if (n % 20 < 15 if group == "woman" else n % 20 < 5) else "cards"
        answer = REFUSED if topic == "loans" else "The fee is EUR 3."
        rows.append({"id": f"s{n}", "query": f"Question {n}?", "answer": answer,
                     "dimensions": {"asker": group, "topic": topic}})  # fmt: skip
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    arguments = ["bias", str(path), "--by", "asker", "--reference", "asker=man", "--outcomes", "refusal"]
    matched, unmatched = gaps(arguments), gaps([*arguments, "--match", "none"])
    assert matched["refusal", "woman"]["gap"]["value"] == pytest.approx(0.0, abs=1e-9)
    assert unmatched["refusal", "woman"]["gap"]["value"] > 0.3
    matching = matched["refusal", "woman"]["matching"]
    assert isinstance(matching, dict)
    assert matching["unmatched"]["value"] == unmatched["refusal", "woman"]["gap"]["value"]
    assert (matching["strata"], matching["left_out"]) == (2, 0)
    said = CliRunner().invoke(app, arguments)
    assert "60 and 60 samples in 2 strata; none was left out. Without matching the gap is +0.40" in said.output
    for wrong, why in (("nowhere", "no dimension 'nowhere'"), ("refusal", "once the system has answered")):
        assert why in str(CliRunner().invoke(app, [*arguments, "--match", wrong]).exception)


def test_margins_are_stored_in_a_project_and_hold_for_its_runs(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()

    def hcat(*arguments: str) -> str:
        result = CliRunner().invoke(app, [*arguments])
        assert result.exit_code == 0, result.output + str(result.exception)
        return result.output

    hcat("import", str(run), "--project", "bank", "--run", "probes")
    told = hcat("bias", "--project", "bank", "--margin", "0.1", "--settle", "V. Lead")
    assert told == "Margins: ±0.1 on outcomes from 0 to 1. Set by V. Lead.\n"
    of_project = gaps(["bias", "probes", "--project", "bank"])
    of_file = gaps(["bias", str(run), "--margin", "0.1"])
    assert of_project == of_file
    assert of_project["refusal", "nonbinary"]["verdict"] == "equivalent"
    chosen = ["--outcomes", "refusal,toxicity", "--reference", "gender=woman"]
    told = hcat("bias", "--project", "bank", "--margin", "0.2", *chosen, "--settle", "V. Lead")
    assert "outcomes: Refusal, Toxicity; compared with woman (gender). Set by V. Lead." in told
    as_settled = CliRunner().invoke(app, ["bias", "probes", "--project", "bank", "--json"])
    assert "This run has no values of Toxicity." in as_settled.stderr
    outcomes = json.loads(as_settled.stdout)["outcomes"]
    assert [(each["outcome"], each["margin"]) for each in outcomes] == [("refusal", 0.2)]
    assert {(gap["group"], gap["reference"]) for gap in outcomes[0]["gaps"]} == {
        ("man", "woman"),
        ("nonbinary", "woman"),
    }
    of_men = gaps(["bias", "probes", "--project", "bank", "--reference", "gender=man"])
    assert ("refusal", "woman") in of_men


def test_what_so_many_questions_find_is_told_beforehand() -> None:
    result = CliRunner().invoke(app, ["bias", "--questions", "100", "--trials", "2", "--rate", "0.8", "--alike", "0.5"])
    assert "find a gap of 0.09 with 80%" in result.output
    plan = CliRunner().invoke(app, ["bias", "--questions", "100", "--json"])
    assert json.loads(plan.stdout)["plan"]["questions"] == 100
