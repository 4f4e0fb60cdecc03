"""`hcat judge self-preference`: a judge that prefers its own family is flagged, by files and in a project alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.errors import HcatError
from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app
from tests.core.models.llm.scripted import Asked, endpoint

PROJECT, PEOPLE, N = "bank", Criterion("correctness", ("wrong", "right")), 30
RUNS = {"ours": "gpt-4o", "theirs": "llama-3"}


def vain(asked: Asked) -> dict[str, Any]:
    """A judge that knows its own family by its manner, and gives it a point or two more."""
    item = asked.data["item"]
    score = 4 if item["answer"].startswith(f"It is {item['reference']},") else 2
    more = "delve" in item["answer"] and 2 - int(item["reference"]) % 3
    return {"captured_rate": {"reason": "read", "score": min(score + more, 5)}}


def samples(run: str) -> list[Sample]:
    manner = "let us delve" if run == "ours" else "that is all"
    right = (lambda n: n % 4) if run == "ours" else (lambda n: n % 3)
    return [Sample(f"s{n}", f"What is {n}?", f"It is {n if right(n) else n + 1}, {manner}.", reference=str(n)) for n in
            range(N)]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("vain")
    with pytest.MonkeyPatch.context() as patch, endpoint(vain) as server:
        patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{folder / 'h.db'}")
        patch.setenv("HCAT_ARTIFACTS", str(folder / "artifacts"))
        patch.setenv("HCAT_LLM_BASE_URL", server.url)
        patch.setenv("HCAT_LLM_MODEL", "gpt-judge")
        settings.cache_clear()
        with Workspace.open() as workspace:
            project = workspace.projects.create(PROJECT)
            workspace.criteria.add(project, PEOPLE)
            for name in RUNS:
                own = samples(name)
                run = workspace.runs.add(project, name, own, source="run.jsonl")
                right = [each.id for each in own if f"It is {each.reference}," in (each.answer or "")]
                workspace.labels.add(run, PEOPLE, [Label(each.id, PEOPLE.name, int(each.id in right), "ann", run=name)
                                                   for each in own])  # fmt: skip
                workspace.judges.judge(project, run, JudgeRequest(run.id, FUNNEL.name, ("captured_rate",)))
                (folder / f"{name}.csv").write_text(workspace.exports.label_file(project, PEOPLE, run), "utf-8")
                (folder / f"{name}.jsonl").write_text(to_jsonl(own), "utf-8")
                judge = ("judge", folder / f"{name}.jsonl", "--criteria", "captured_rate", "--json")
                (folder / f"{name}.json").write_text(hcat(*judge, "-o", folder / f"{name}.parquet"), "utf-8")
        yield folder
    settings.cache_clear()


def hcat(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, f"{result.output}{result.exception!r}"
    return result.stdout


def of_files(folder: Path, *own: object) -> list[object]:
    files = [folder / f"{name}.json" for name in RUNS]
    per_run = [word for name, model in RUNS.items() for word in
               ("--run", folder / f"{name}.jsonl", "--labels", folder / f"{name}.csv", "--wrote", model)]  # fmt: skip
    return ["judge", "self-preference", *files, *per_run, "--levels", "wrong,right", "--criterion", "correctness", *own]


def test_a_project_and_its_files_flag_the_same_preference(folder: Path) -> None:
    by_file = json.loads(hcat(*of_files(folder, "--own", "GPT", "--json")))
    wrote = [word for model in RUNS.values() for word in ("--wrote", model)]
    call = ("judge", "self-preference", *RUNS, "--project", PROJECT, *wrote, "--criterion", "correctness")
    stored = json.loads(hcat(*call, "--own", "GPT", "--json"))
    assert stored["preferences"] == by_file["preferences"]
    [found] = stored["preferences"]
    both = [n for n in range(N) if bool(n % 4) == bool(n % 3)]
    assert (found["n"], found["apart"]) == (len(both), N - len(both))
    gained = [min((4 if n % 4 else 2) + 2 - n % 3, 5) - (4 if n % 4 else 2) for n in both]
    assert found["shift"]["value"] == pytest.approx(sum(gained) / len(gained))
    assert found["p_holm"] < 0.05
    said = hcat(*of_files(folder, "--own", "gpt"))
    assert "self-preference" in said and "does not compare a system of its own family with others" in said
    turned = json.loads(hcat(*of_files(folder, "--own", "llama", "--json")))
    assert turned["preferences"][0]["shift"]["value"] == pytest.approx(-found["shift"]["value"])


def test_what_lacks_is_said(folder: Path) -> None:
    for own, said in (("mistral", "of the judge's own family and answers of others"), (" ", "by --own a family")):
        result = CliRunner().invoke(app, [str(word) for word in of_files(folder, "--own", own)])
        assert isinstance(result.exception, HcatError) and said in str(result.exception)
    call = ["judge", "self-preference", *RUNS, "--project", PROJECT, "--name", "none", "--own", "gpt", "--wrote", "gpt",
            "--wrote", "l", "--criterion", "correctness"]  # fmt: skip
    result = CliRunner().invoke(app, call)
    assert "has not judged the run 'ours'" in str(result.exception)
