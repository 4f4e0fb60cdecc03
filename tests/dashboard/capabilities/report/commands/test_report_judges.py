"""The report's chapter on judges: the same numbers from what `hcat judge --json` printed as from a project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Passage, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.models.llm.scripted import Asked, endpoint

PROJECT, RUN, PEOPLE = "bank", "first", Criterion("correctness", ("wrong", "right"))
CRITERION = "captured_rate"
SAMPLES = [
    Sample(f"s{n}", f"What is {n // 2}?", f"It is {n if n % 3 else n + 1}." if n % 10 else "I don't know.",
           (Passage("p", f"It is {n}."), Passage("q", "Nothing.")), f"{n}", test_case=f"c{n // 2}", trial=n % 2)
    for n in range(40)
]  # fmt: skip
LABELS = [Label(f"s{n}", PEOPLE.name, int(n % 4 > 0), "ann", run=RUN) for n in range(36)]


def read_mostly(asked: Asked) -> dict[str, Any]:
    """A judge that reads, and is taken in by every second claim of authority."""
    item = asked.data["item"]
    right = item["answer"].startswith(f"It is {item['reference']}.")
    taken_in = "professor" in item["answer"] and int(item["reference"]) % 2
    return {CRITERION: {"reason": "read", "score": 5 if right or taken_in else 2}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A judged and checked run in a project, and what the commands print on the same run in files."""
    folder = tmp_path_factory.mktemp("reported")
    with pytest.MonkeyPatch.context() as patch, endpoint(read_mostly) as server:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        patch.setenv("HCAT_LLM_BASE_URL", server.url)
        patch.setenv("HCAT_LLM_MODEL", "small")
        settings.cache_clear()
        (folder / f"{RUN}.jsonl").write_text(to_jsonl(SAMPLES), "utf-8")
        with Workspace.open() as workspace:
            project = workspace.projects.create(PROJECT)
            workspace.criteria.add(project, PEOPLE)
            run = workspace.runs.add(project, RUN, SAMPLES, source="run.jsonl")
            workspace.labels.add(run, PEOPLE, LABELS)
            (folder / "labels.csv").write_text(workspace.exports.label_file(project, PEOPLE, run), "utf-8")
            whole = JudgeRequest(run.id, FUNNEL.name, (CRITERION,))
            for request in (whole, replace(whole, work="bias", sample=12)):
                workspace.judges.judge(project, run, request)
        judge = ("judge", folder / f"{RUN}.jsonl", "--criteria", CRITERION, "--json")
        (folder / "judge.json").write_text(hcat(*judge, "-o", folder / "j.parquet"), "utf-8")
        (folder / "trial.json").write_text(hcat(*judge, "-o", folder / "t.parquet", "--sample", "5"), "utf-8")
        bias = ("judge", "bias", folder / f"{RUN}.jsonl", "--run", "--criteria", CRITERION, "--sample", "12", "--json")
        (folder / "bias.json").write_text(hcat(*bias), "utf-8")
        yield folder
    settings.cache_clear()


def hcat(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"
    return result.stdout


def of_files(folder: Path, *judges: str) -> list[str]:
    files = ("--run", folder / f"{RUN}.jsonl", "--scores", folder / "j.parquet", "--labels", folder / "labels.csv")
    reading = ("--levels", "wrong,right", "--criterion", PEOPLE.name, "--chapters", "judges")
    said = [word for name in judges for word in ("--judge", str(folder / name))]
    return [str(word) for word in ("report", *files, *reading, *said, "-o", folder / "files.json")]


def chapter(path: Path) -> Any:
    [section] = json.loads(path.read_text("utf-8"))["sections"]
    return section


def test_a_report_on_files_has_the_judges_of_the_project(folder: Path) -> None:
    hcat(*of_files(folder, "judge.json", "bias.json"))
    hcat("report", "--project", PROJECT, "--chapters", "judges", "-o", folder / "project.json")
    ours, theirs = (chapter(folder / name) for name in ("files.json", "project.json"))
    tables = [block["title"] for block in ours["blocks"] if "rows" in block]
    assert tables == ["Verdicts", "Agreement with the labels", "Biases, on 12 samples"]
    by_hash, by_number = f"{FUNNEL.name}, {FUNNEL.only([CRITERION]).hash[:12]}", f"{FUNNEL.name}, version 0"
    assert json.dumps(ours).replace(by_hash, by_number) == json.dumps(theirs)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("trial.json", "is a trial on 5 samples"),
        ("other.json", "is of another run"),
        ("old.json", "is nothing that a judge said"),
        ("labels.csv", "is nothing that a judge said"),
    ],
)
def test_what_is_no_judgement_of_the_run_is_refused(folder: Path, name: str, said: str) -> None:
    document = json.loads((folder / "judge.json").read_text("utf-8"))
    (folder / "other.json").write_text(json.dumps(document | {"run_hash": "0" * 64}), "utf-8")
    del document["verdicts"]
    (folder / "old.json").write_text(json.dumps(document), "utf-8")
    result = CliRunner().invoke(app, of_files(folder, name))
    assert isinstance(result.exception, HcatError)
    assert said in str(result.exception) and name in str(result.exception)


def test_two_judgements_need_two_names_and_a_project_has_its_own(folder: Path) -> None:
    result = CliRunner().invoke(app, of_files(folder, "judge.json", "judge.json"))
    assert isinstance(result.exception, HcatError) and "give each judge its own --name" in str(result.exception)
    call = ["report", "--project", PROJECT, "--judge", str(folder / "judge.json"), "-o", str(folder / "n.html")]
    result = CliRunner().invoke(app, call)
    assert isinstance(result.exception, HcatError) and "--judge is for a run in files" in str(result.exception)
