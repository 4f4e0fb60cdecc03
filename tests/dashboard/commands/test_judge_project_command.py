"""`hcat judge --project`: the numbers of files and of the page, scores and labels stored, none of them people's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.models.llm.scripted import Asked, Endpoint, endpoint

PROJECT, RUN = "bank", "first"
COMMON = ("--model", "writer", "--criterion", "correctness", "--criteria", "captured_rate")
PEOPLE = Criterion("correctness", ("wrong", "right"))
SAMPLES = [
    Sample(f"s{n}", f"What is {n // 2}?", f"It is {n if n % 3 else n + 1}.", (Passage("p", f"It is {n}."),), f"{n}",
           test_case=f"c{n // 2}", trial=n % 2)
    for n in range(40)
]  # fmt: skip
LABELS = [
    Label(f"s{n}", "correctness", int(n % 4 > 0), "ann", rationale="the number is what counts", run=RUN)
    for n in range(36)
]


def read_well(asked: Asked) -> dict[str, Any]:
    item = asked.data["item"]
    score = 5 if item["answer"].startswith(f"It is {item['reference']}.") else 2
    names = asked.body["response_format"]["json_schema"]["schema"]["properties"]
    return {name: {"reason": "read", "score": score} for name in names}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a labelled run, and the same as files."""
    folder = tmp_path_factory.mktemp("judged")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        settings.cache_clear()
        with Workspace.open() as workspace:
            project = workspace.projects.create(PROJECT)
            workspace.criteria.add(project, PEOPLE)
            run = workspace.runs.add(project, RUN, SAMPLES, source="run.jsonl")
            workspace.labels.add(run, PEOPLE, LABELS)
            (folder / "labels.csv").write_text(workspace.exports.label_file(project, PEOPLE, run), "utf-8")
        (folder / "run.jsonl").write_text(to_jsonl(SAMPLES), "utf-8")
        yield folder
    settings.cache_clear()


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    with endpoint(read_well) as running:
        yield running


def hcat(*words: str) -> Any:
    result = CliRunner().invoke(app, [*words])
    assert result.exit_code == 0, result.output + str(result.exception)
    return json.loads(result.stdout) if "--json" in words else result.stdout


@pytest.fixture(scope="module")
def asked(server: Endpoint) -> tuple[str, ...]:
    return ("--endpoint", server.url, "--model", "small", "--criteria", "captured_rate", "--criterion", "correctness")


@pytest.mark.parametrize("examples", ["0", "3"])
def test_a_project_and_its_files_give_the_same(folder: Path, asked: tuple[str, ...], examples: str) -> None:
    by_file = hcat(
        "judge", str(folder / "run.jsonl"), "-o", str(folder / "s.parquet"), *asked, "--levels", "wrong,right",
        "--labels", str(folder / "labels.csv"), "--examples", examples, "--json",
    )  # fmt: skip
    stored = hcat("judge", RUN, "--project", PROJECT, *asked, "--examples", examples, "--json")
    assert stored["settings"].pop("rubric_version") == 0
    for part in ("settings", "n", "run_hash", "metrics", "agreement"):
        assert stored[part] == by_file[part], part
    shown = set(stored["settings"]["examples"])
    cases = {name: sample.test_case for name, sample in ((each.id, each) for each in SAMPLES)}
    assert stored["n"] == 40 - sum(cases[name] in {cases[each] for each in shown} for name in cases)


def test_the_verdicts_are_scores_and_labels_that_are_nobodys(folder: Path, asked: tuple[str, ...]) -> None:
    with Workspace.open() as workspace:
        project, run = workspace.projects.get(PROJECT), workspace.runs.get(PROJECT, RUN)
        people = workspace.labels.current(project, by="people")
        hcat("judge", RUN, "--project", PROJECT, *asked, "--name", "labeller", "--keep-labels")
        assert "labeller:captured_rate" in workspace.scoring.required(run).metrics
        given = workspace.labels.current(project, "captured_rate", run)
        assert {label.source for label in given} == {"llm"}
        assert (len(given), {label.level for label in given}) == (40, {1, 4})
        assert workspace.criteria.get(project, "captured_rate").levels == ("1", "2", "3", "4", "5")
        assert workspace.labels.current(project, by="people") == people
        opened = workspace.run_data.open(run)
        assert opened.labels(workspace.criteria.get(project, "captured_rate")).sample_ids == ()
        before = workspace.judges.all(run)[0]
        hcat("judge", RUN, "--project", PROJECT, *asked, "--name", "labeller", "--keep-labels")  # twice adds nothing
        assert len(workspace.labels.current(project, "captured_rate", run)) == 40
        assert workspace.judges.all(run)[0].version == before.version


def test_a_few_samples_are_a_trial_and_no_scores(folder: Path, asked: tuple[str, ...]) -> None:
    document = hcat("judge", RUN, "--project", PROJECT, *asked, "--name", "tried", "--sample", "10", "--json")
    by_file = hcat(
        "judge", str(folder / "run.jsonl"), "-o", str(folder / "t.parquet"), *asked, "--levels", "wrong,right",
        "--labels", str(folder / "labels.csv"), "--name", "tried", "--sample", "10", "--json",
    )  # fmt: skip
    assert (document["n"], document["agreement"]) == (10, by_file["agreement"])
    with Workspace.open() as workspace:
        run = workspace.runs.get(PROJECT, RUN)
        assert workspace.judges.all(run)[0].work == "trial"
        table = workspace.scoring.table(run)
        assert table is None or "tried:captured_rate" not in table.metrics


def test_a_criterion_of_other_levels_takes_no_labels_of_a_judge(folder: Path, server: Endpoint) -> None:
    with Workspace.open() as workspace:
        workspace.criteria.add(PROJECT, Criterion("missing_out"))
    call = ("judge", RUN, "--project", PROJECT, "--endpoint", server.url, "--model", "small", "--keep-labels")
    before = server.calls
    result = CliRunner().invoke(app, [*call, "--criteria", "missing_out"])
    assert result.exit_code != 0
    assert "has other levels than the rubric's" in str(result.exception)
    assert server.calls == before


@pytest.fixture(scope="module")
def writer() -> Iterator[Endpoint]:
    """By the first rubric it always says 5, by its own it reads; of two answers it takes the first."""
    levels = {str(score): f"level {score}" for score in range(1, 6)}

    def answer(asked: Asked) -> dict[str, Any]:
        if asked.prompt == "distil_rubric":
            return {"question": "Is the number that of the reference?", "levels": levels}
        if asked.prompt == "judge_pair":
            return {"reason": "it stands first", "better": "first"}
        wrote = "Is the number that" in asked.body["messages"][0]["content"]
        return read_well(asked) if wrote else {"captured_rate": {"reason": "", "score": 5}}

    with endpoint(answer) as running:
        yield running


def test_a_rubric_is_distilled_edited_saved_and_its_gain_measured(folder: Path, writer: Endpoint) -> None:
    files, new = (str(folder / "run.jsonl"), str(folder / "labels.csv")), folder / "new.json"
    common = (
        "--criterion",
        "correctness",
        "--criteria",
        "captured_rate",
        "--endpoint",
        writer.url,
        "--model",
        "writer",
    )
    levels = ("--levels", "wrong,right")
    stored = hcat("judge", "distil", RUN, "--project", PROJECT, *common, "-o", str(new), "--json")
    by_file = hcat("judge", "distil", *files, *common, *levels, "-o", str(folder / "other.json"), "--json")
    for part in ("rubric", "critiques", "gain", "shown"):
        assert stored[part] == by_file[part], part
    with Workspace.open() as workspace:
        project, run = workspace.projects.get(PROJECT), workspace.runs.get(PROJECT, RUN)
        assert workspace.rubrics.versions(project) == []  # nobody has signed it
        [kept] = workspace.rubric_gains.all(run)
        measured = workspace.rubric_gains.result(kept)
        assert (kept.work, measured.critiques) == ("distil", stored["critiques"])
        assert measured.first.question != measured.second.question
    new.write_text(new.read_text("utf-8").replace("level 3", "in between"), "utf-8")
    saved = hcat("judge", "rubric", "--project", PROJECT, "--save", str(new), "--author", "lee", "--json")
    assert saved["version"] == 1
    assert hcat("judge", "rubric", "--project", PROJECT, "--version", "0", "--json")["hash"] != saved["hash"]
    first = folder / "first.json"
    hcat("judge", "rubric", "-o", str(first))
    edited = hcat("judge", "gain", RUN, "--project", PROJECT, *common, "--against", "0", "--json")
    of_files = ("judge", "gain", *files, *common, *levels, "--against", str(first), "--rubric", str(new), "--json")
    again = hcat(*of_files, "--tries", "2")
    assert edited["gain"] == again["gain"] and edited["gain"]["tries"] == 2  # the distilled one was the first
    assert edited["rubric"]["criteria"][0]["levels"][2] == "in between"
    few = hcat("judge", "gain", RUN, "--project", PROJECT, *common, "--against", "0", "--sample", "6")
    assert "6 held-out answers" in few


def test_answers_of_two_runs_are_compared_in_both_orders(folder: Path, writer: Endpoint) -> None:
    others = [replace(each, answer=f"{each.answer} So says the handbook.") for each in SAMPLES]
    (folder / "second.jsonl").write_text(to_jsonl(others), "utf-8")
    with Workspace.open() as workspace:
        project = workspace.projects.get(PROJECT)
        run = workspace.runs.add(project, "second", others, source="second.jsonl")
        workspace.labels.add(run, PEOPLE, [each._replace(level=0, run="second") for each in LABELS])
        (folder / "second.csv").write_text(workspace.exports.label_file(project, PEOPLE, run), "utf-8")
    common = (
        "--criterion",
        "correctness",
        "--criteria",
        "captured_rate",
        "--endpoint",
        writer.url,
        "--model",
        "writer",
    )
    out = folder / "v.jsonl"
    stored = hcat(
        "judge",
        "pairs",
        RUN,
        "second",
        "--project",
        PROJECT,
        *common,
        "--rubric",
        "five criteria",
        "-o",
        str(out),
        "--json",
    )
    by_file = hcat(
        "judge", "pairs", str(folder / "run.jsonl"), str(folder / "second.jsonl"), *common, "--levels", "wrong,right",
        "--labels-a", str(folder / "labels.csv"), "--labels-b", str(folder / "second.csv"), "--dry-run",
    )  # fmt: skip
    assert "80 requests for 80 verdicts" in by_file
    assert (stored["n"], stored["bias"]["consistent"]["value"]) == (40, 0)
    assert stored["bias"]["accuracy_if_first"]["n"] == sum(label.level for label in LABELS)
    [recorded] = hcat("judge", "bias", str(out), "--json")["judges"]
    assert recorded == stored["bias"]
    said = hcat("judge", "pairs", RUN, "second", "--project", PROJECT, *common, "--sample", "12")
    said = " ".join(said.split())
    assert "Verdicts in both orders: 12 pairs." in said
    assert "first is preferred to second" in said and "│ first │ 50.0% [" in said
    assert "│ position │ 100% [" in said
