"""What the dashboard can do, the command line can: queues, disagreements, findings, retrieval, topics of a project."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import Settings, settings
from hcat.core.topics import landmarks, model
from hcat.core.types import Criterion, Passage, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

N = 12
IN_PROJECT = ("--project", "bank", "--run", "v1")


def a_sample(i: int) -> Sample:
    return Sample(
        f"s{i}",
        f"Question {i}?",
        f"Answer {i}.",
        contexts=(Passage(f"d{i}", "text"), Passage("d99", "text")),
        reference=f"Answer {i}.",
        relevant_ids={f"d{i}": 1, "d50": 1},
        dimensions={"kind": "fees" if i < 6 else "loans"},
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve samples, scored on a cheap metric; two people labelled six of them and differ on two."""
    folder = tmp_path_factory.mktemp("store")
    chosen = Settings(database_url=f"sqlite:///{folder / 'h.db'}", artifacts=str(folder / "artifacts"))
    with Workspace.open(chosen) as workspace:
        bank = workspace.projects.create("bank")
        criterion = workspace.criteria.add(bank, Criterion("correctness"))
        run = workspace.runs.add(bank, "v1", [a_sample(i) for i in range(N)], source="x")
        workspace.scoring.score(run, metrics="token_f1")
        for i in range(6):
            workspace.labels.record(run, criterion, f"s{i}", 1, annotator="ann")
            workspace.labels.record(run, criterion, f"s{i}", int(i >= 2), annotator="bob")
    return folder


@pytest.fixture
def project(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A copy of the store, which commands work on."""
    shutil.copytree(store, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    yield
    settings.cache_clear()


def hcat(*arguments: str) -> str:
    ended = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert ended.exit_code == 0, ended.output
    return ended.stdout  # what takes long is told on standard error


def test_a_queue_is_planned_listed_and_written(project: None, tmp_path: Path) -> None:
    assert hcat("queue", "plan", *IN_PROJECT, "--size", "5").startswith("5 samples in the queue “random”")
    (listed,) = json.loads(hcat("queue", "list", *IN_PROJECT, "--json"))["queues"]
    assert listed["queue"] == "random" and listed["planned"] == 5
    hcat("queue", "items", *IN_PROJECT, "-o", str(tmp_path / "items.csv"))
    rows = list(csv.DictReader((tmp_path / "items.csv").open()))
    assert len({row["sample_id"] for row in rows}) == 5
    assert {float(row["probability"]) for row in rows} == {5 / N}


def test_a_stratified_queue_draws_as_many_from_each_level(project: None) -> None:
    plan = ("queue", "plan", *IN_PROJECT, "--kind", "stratified", "--dimension", "kind", "--size", "6", "--json")
    assert json.loads(hcat(*plan))["queue"] == "stratified by kind"


def test_a_queue_of_a_slice_draws_of_the_samples_without_a_label(project: None, tmp_path: Path) -> None:
    plan = ("queue", "plan", *IN_PROJECT, "--kind", "slice", "--where", "kind=loans", "--size", "4", "--json")
    assert json.loads(hcat(*plan)) | {"queue": "slice: kind = loans", "planned": 4} == json.loads(hcat(*plan))
    hcat("queue", "items", *IN_PROJECT, "--queue", "slice: kind = loans", "-o", str(tmp_path / "items.csv"))
    rows = list(csv.DictReader((tmp_path / "items.csv").open()))
    # The rest has labels on all of its samples, so all four are of the six in the slice.
    assert {(row["stratum"], float(row["probability"])) for row in rows} == {("slice", 4 / 6)}


def test_samples_are_written_for_a_spreadsheet(project: None, tmp_path: Path) -> None:
    said = hcat(
        "samples", "export", *IN_PROJECT, "-o", str(tmp_path / "s.csv"), "--label", "tie", "--where", "kind=fees"
    )
    assert said.startswith("2 samples of bank / v1 (kind = fees, label tie)")
    rows = list(csv.DictReader((tmp_path / "s.csv").open(encoding="utf-8-sig")))
    assert [(row["sample_id"], row["answer"], row["dimension:kind"]) for row in rows] == [
        ("s0", "Answer 0.", "fees"),
        ("s1", "Answer 1.", "fees"),
    ]
    assert "12 samples" in hcat("samples", "export", *IN_PROJECT, "-o", str(tmp_path / "s.xlsx"))
    assert (tmp_path / "s.xlsx").read_bytes().startswith(b"PK")


def test_disagreements_are_listed_decided_and_exported(project: None, tmp_path: Path) -> None:
    listed = json.loads(hcat("labels", "disagreements", *IN_PROJECT, "--json"))["disagreements"]
    assert [row["sample_id"] for row in listed] == ["s0", "s1"]
    assert listed[0]["labels"] == {"ann": "pass", "bob": "fail"} and listed[0]["decision"] is None
    hcat("labels", "decide", "s0", "fail", *IN_PROJECT, "--author", "lead", "--rationale", "wrong fee")
    again = json.loads(hcat("labels", "disagreements", *IN_PROJECT, "--json"))["disagreements"]
    assert [(row["sample_id"], row["decision"]) for row in again] == [("s1", None), ("s0", "fail")]
    hcat("labels", "export", *IN_PROJECT, "-o", str(tmp_path / "labels.csv"))
    rows = list(csv.DictReader((tmp_path / "labels.csv").open()))
    assert len(rows) == 13  # six by each of two people, and the decision
    assert not {"ann", "bob"} & {row["annotator"] for row in rows}


def test_a_finding_is_confirmed_listed_and_changed(project: None) -> None:
    said = hcat(
        *("findings", "confirm", "Fees are weak", *IN_PROJECT, "--metric", "token_f1", "--where", "kind=fees"),
        *("--severity", "high", "--author", "vera", "--due", "2027-01-31"),
    )
    assert "(6 samples)" in said and "slices tested" in said and "on the same data" in said
    (finding,) = json.loads(hcat("findings", "list", "--project", "bank", "--json"))["findings"]
    assert (finding["title"], finding["severity"], finding["due"]) == ("Fees are weak", "high", "2027-01-31")
    hcat("findings", "change", str(finding["id"]), "--project", "bank", "--status", "closed", "--author", "lee")
    (changed,) = json.loads(hcat("findings", "list", "--project", "bank", "--json"))["findings"]
    assert (changed["status"], changed["due"]) == ("closed", "2027-01-31")
    history = hcat("findings", "history", str(finding["id"]), "--project", "bank")
    assert "vera" in history and "lee" in history and "status: open → closed" in history


def test_a_finding_can_rest_on_peoples_labels(project: None) -> None:
    hcat(
        *("findings", "confirm", "Fees fail", *IN_PROJECT, "--metric", "pass_rate:correctness", "--where", "kind=fees"),
        *("--severity", "high", "--author", "vera"),
    )
    with Workspace.open() as workspace:
        (finding,) = workspace.findings.all("bank")
    assert finding.evidence["metric"] == "pass_rate:correctness"
    with Workspace.open() as workspace:
        selection = workspace.findings.selection(finding)
    assert selection is not None
    assert [selection.scores[f"s{i}"] for i in range(6)] == [None, None, 1.0, 1.0, 1.0, 1.0]  # on two people differ
    said = CliRunner().invoke(app, ["findings", "confirm", "x", *IN_PROJECT, "--metric", "pass_rate:tone",
                                    "--where", "kind=fees", "--severity", "low", "--author", "v"])  # fmt: skip
    assert "no scores or labels on 'pass_rate:tone'" in str(said.exception)


def test_a_finding_is_judged_by_fresh_labels(project: None) -> None:
    hcat(
        *("findings", "confirm", "Loans", *IN_PROJECT, "--metric", "token_f1", "--where", "kind=loans"),
        *("--severity", "low", "--author", "vera"),
    )
    with Workspace.open() as workspace:
        workspace.criteria.add("bank", Criterion("clarity"))
    assert "on the same data" in hcat("findings", "judge", "1", "--project", "bank")
    planned = hcat("findings", "queue", "1", "--project", "bank", "--size", "6", "--criterion", "clarity")
    assert planned.startswith("6 samples in the queue “confirming: finding 1”")
    assert "6 more labels needed of the 6 drawn" in hcat("findings", "judge", "1", "--project", "bank")
    (judged,) = json.loads(hcat("findings", "judge", "1", "--project", "bank", "--json"))["judgements"]
    assert (judged["verdict"], judged["rounds"]) == ("6 more labels needed", 1)


def test_where_all_is_judged_the_commands_say_what_to_do(project: None) -> None:
    hcat(
        *("findings", "confirm", "Loans", *IN_PROJECT, "--metric", "token_f1", "--where", "kind=loans"),
        *("--severity", "low", "--author", "vera"),
    )
    # People have labelled all that is not a loan, so that there is nothing fresh to compare loans with.
    ended = CliRunner().invoke(app, ["findings", "queue", "1", "--project", "bank"])
    assert "All samples of the rest of the run have been judged already" in str(ended.exception)
    assert "answer the same test cases once more" in str(ended.exception)
    assert "answer the same test cases once more" in hcat("findings", "judge", "1", "--project", "bank")
    said = json.loads(hcat("findings", "judge", "1", "--project", "bank", "--json"))
    assert (said["judgements"], said["nothing_left"][:28]) == ([], "All samples of the rest of t")


def test_a_finding_is_renamed_and_withdrawn_with_a_reason(project: None) -> None:
    hcat(
        *("findings", "confirm", "Fees", *IN_PROJECT, "--metric", "token_f1", "--where", "kind=fees"),
        *("--severity", "low", "--author", "vera"),
    )
    hcat("findings", "rename", "1", "Fees are low", "--project", "bank", "--author", "lee")
    said = hcat("findings", "withdraw", "1", "--project", "bank", "--reason", "wrong labels.", "--author", "lee")
    assert "Withdrawn by lee on " in said and ": wrong labels. The report" in said
    (finding,) = json.loads(hcat("findings", "list", "--project", "bank", "--json"))["findings"]
    assert (finding["title"], finding["status"]) == ("Fees are low", "withdrawn")
    (rename, status, reason) = json.loads(hcat("findings", "history", "1", "--project", "bank", "--json"))["history"]
    assert (rename["before"], rename["after"], rename["author"]) == ("Fees", "Fees are low", "lee")
    assert (status["part"], status["after"], reason["after"]) == ("status", "withdrawn", "wrong labels.")
    again = CliRunner().invoke(
        app, ["findings", "withdraw", "1", "--project", "bank", "--reason", "x", "--author", "lee"]
    )
    assert "is withdrawn already" in str(again.exception)


def test_retrieval_of_a_file_equals_its_arithmetic(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(to_jsonl([a_sample(i) for i in range(N)]), "utf-8")
    found = json.loads(hcat("retrieval", str(path), "--json"))
    assert found["n"] == N and found["left_out"] == 0
    assert found["measures"]["recall@8"]["value"] == 0.5  # one of two relevant passages
    assert found["measures"]["precision@8"]["value"] == 1 / 8
    assert found["measures"]["rr"]["value"] == 1.0
    assert found["measures"]["recall@100"]["n"] == 0 and "ceiling" not in found["measures"]
    assert "The candidates of stage 1 are known for 0" in hcat("retrieval", str(path))


def test_topics_of_a_project_are_stored(project: None) -> None:
    found = json.loads(hcat("topics", *IN_PROJECT, "--json"))
    with Workspace.open() as workspace:
        stored = workspace.topics.read(workspace.runs.get("bank", "v1"))
    assert stored is not None
    assert stored.model.n == found["n"] == N


@pytest.mark.parametrize("on", ["query", "contexts"])
def test_topics_by_landmarks_say_so(project: None, monkeypatch: pytest.MonkeyPatch, on: str) -> None:
    for module in (landmarks, model):
        monkeypatch.setattr(module, "MOST_TEXTS", 10)
    monkeypatch.setattr(landmarks, "LANDMARKS", 6)
    monkeypatch.setattr(landmarks, "STRATA", 2)
    found = json.loads(hcat("topics", *IN_PROJECT, "--on", on, "--json"))
    assert (found["settings"]["landmarks"], found["settings"]["agreement_n"], found["n"]) == (6, 10, N)
    assert -1 <= found["settings"]["agreement_ari"] <= 1
    with Workspace.open() as workspace:
        stored = workspace.topics.read(workspace.runs.get("bank", "v1"), on="query" if on == "query" else "contexts")
    assert stored is not None
    assert stored.model.settings["landmarks"] == 6
    assert "among 6 of the 12" in " ".join(hcat("topics", *IN_PROJECT, "--on", on).split())


def test_a_mistake_says_what_there_is(project: None) -> None:
    for arguments, text in (
        (("queue", "items", *IN_PROJECT, "-o", "x.csv", "--queue", "none"), "there is no queue 'none'"),
        (("queue", "plan", *IN_PROJECT, "--kind", "best"), "choose one of random"),
        (("labels", "decide", "s0", "good", *IN_PROJECT, "--author", "a", "--rationale", "b"), "has no level 'good'"),
        (("findings", "change", "99", "--project", "bank"), "has no finding 99"),
    ):
        ended = CliRunner().invoke(app, list(arguments))
        assert ended.exit_code != 0
        assert text in str(ended.exception)


def test_two_runs_are_compared_slice_by_slice(project: None) -> None:
    with Workspace.open() as workspace:
        worse = [replace(a_sample(i), answer="Bananas are yellow.") for i in range(N)]
        workspace.scoring.score(workspace.runs.add("bank", "v2", worse, source="y"), metrics="token_f1")
    runs = ("--project", "bank", "--run", "v2", "--against", "v1")
    call = ("compare-slices", *runs, "--metric", "token_f1", "--by", "kind")
    said = hcat(*call)
    assert "v2 less v1" in said and "over 12 pairs" in said
    found = json.loads(hcat(*call, "--json"))["comparison"]
    assert found["overall"]["difference"]["value"] == pytest.approx(-1.0)
    assert found["overall"]["verdict"] == "lower"  # 12 of 12: p = 2 / 4096
    assert {each["verdict"] for each in found["slices"]} == {"insufficient evidence"}  # six a level


def test_two_runs_are_compared_slice_by_slice_from_files_with_the_same_numbers(project: None, tmp_path: Path) -> None:
    with Workspace.open() as workspace:
        worse = [replace(a_sample(i), answer="Bananas are yellow." if i % 2 else "Answer.") for i in range(N)]
        second = workspace.runs.add("bank", "v2", worse, source="y")
        workspace.scoring.score(second, metrics="token_f1")
        criterion = workspace.criteria.get("bank", "correctness")
        for i in range(6):
            workspace.labels.record(second, criterion, f"s{i}", i % 2, annotator="ann")
        for run in workspace.runs.all("bank"):
            (tmp_path / f"{run.name}.jsonl").write_text(to_jsonl(workspace.runs.samples(run)), "utf-8")
            workspace.scoring.required(run).write(tmp_path / f"{run.name}.parquet")
            hcat("labels", "export", "--project", "bank", "--run", run.name, "-o", str(tmp_path / f"{run.name}.csv"))
    files = ["compare-slices"]
    for option, name in (("run", "v2"), ("against", "v1")):
        other = "" if option == "run" else "-against"
        files += [f"--{option}", str(tmp_path / f"{name}.jsonl"), f"--scores{other}", str(tmp_path / f"{name}.parquet")]
        files += [f"--labels{other}", str(tmp_path / f"{name}.csv")]
    stored = ["compare-slices", "--project", "bank", "--run", "v2", "--against", "v1"]
    for metric in ("token_f1", "pass_rate:correctness"):
        chosen = ["--metric", metric, "--by", "kind", "--json"]
        assert json.loads(hcat(*files, *chosen))["comparison"] == json.loads(hcat(*stored, *chosen))["comparison"]
    for call in (files[:1] + files[1:3] + files[7:9], [*files[:5], *files[7:11]]):
        ended = CliRunner().invoke(app, [*call, "--metric", "pass_rate:correctness", "--by", "kind"])
        assert "give --scores and --scores-against" in str(ended.exception) or "give --labels" in str(ended.exception)
