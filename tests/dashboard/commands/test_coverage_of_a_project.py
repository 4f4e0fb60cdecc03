"""`hcat topics`, `design` and `coverage` of a project give what its pages give."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import settings
from core.testgen.corpus_import import CorpusImport
from core.testgen.passages import CorpusPassage
from core.testgen.test_case import TestCase
from core.types import JsonValue
from core.workspace import Workspace
from core.workspace.testgen.generation import GenerationRequest
from dashboard import cli

PASSAGES = tuple(
    CorpusPassage(f"{name}{k}", text.format(k), f"{name}.md")
    for name, text in (("fees", "A card fee of {} euros is charged."), ("lava", "The volcano erupted {} years ago."))
    for k in range(6)
)
CASES = (TestCase("a", "q1", passages=("fees0",)), TestCase("b", "q2", passages=("fees1",), type="open"))
ACCOUNT: dict[str, JsonValue] = {"types": [{"type": "open", "asked": 2}], "untestable": {"lava0": "no fact"}}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A corpus of two documents, and a test set that was made from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        workspace.projects.create("bank")
        corpus = workspace.corpora.add("bank", "handbook", CorpusImport(PASSAGES))
        workspace.test_sets.add("bank", "fees", CASES, source="a test", corpus=corpus, account=ACCOUNT)
        workspace.test_sets.add("bank", "mine", CASES, source="a file")
    yield
    settings.cache_clear()


def hcat(call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, code: int = 0) -> str:
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert (ended.value.code or 0) == code
    output = capsys.readouterr()
    return output.err if code else output.out


def test_coverage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(hcat("coverage fees --project bank --json", monkeypatch, capsys))
    assert found["passages"] == {"tested": 2, "not tested": 9, "untestable": 1}
    assert found["untestable"] == {"lava0": "no fact"}
    assert found["topics"] == []
    declared = [(row["level"], row["declared"], row["realised"]) for row in found["distributions"]]
    assert ("open", 2.0, 1) in declared
    assert (found["settings"]["test_set"]["version"], found["settings"]["corpus"]["name"]) == (1, "handbook")
    assert "made from no corpus" in hcat("coverage mine --project bank", monkeypatch, capsys, code=2)
    named = json.loads(hcat("coverage mine handbook --project bank --json", monkeypatch, capsys))
    assert named["passages"] == {"tested": 2, "not tested": 10, "untestable": 0}


def test_topics_are_stored_and_coverage_and_design_use_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = "topics --project bank --corpus handbook --reduce pca --cluster k-means --k 2"
    hcat(call, monkeypatch, capsys)
    with Workspace.open(settings()) as workspace:
        corpus = workspace.corpora.versions("bank", "handbook")[0]
        workspace.corpus_topics.rename(corpus, 0, "First")
    again = json.loads(hcat(f"{call} --json", monkeypatch, capsys))
    assert (again["titles"][0], again["n"], again["settings"]["version"]) == ("First", 12, 1)
    found = json.loads(hcat("coverage fees handbook --project bank --json", monkeypatch, capsys))
    assert "First" in [row["level"] for row in found["topics"]]
    hcat("design handbook --project bank -n 6 -o d.json --kind weighted --weight First=3", monkeypatch, capsys)
    written = json.loads(Path("d.json").read_text("utf-8"))
    drawn = {row["levels"][0]: row["drawn"] for row in written["strata"]}
    assert (len(drawn), sum(drawn.values())) == (2, 6)
    assert drawn["First"] in (4, 5)  # 4.5 of 6, rounded at random
    with Workspace.open(settings()) as workspace:
        weights, seed = {"First": 3.0}, settings().seed
        request = GenerationRequest("x", "handbook", 1, 6, {}, kind="weighted", weights=weights, seed=seed)
        design = workspace.generation.design(workspace.projects.get("bank"), request)
    assert written["passages"] == design.document()["passages"]
    refused = hcat("design handbook --project bank -n 6 -o d.json --topics t.parquet", monkeypatch, capsys, code=2)
    assert refused.startswith("hcat: --topics is for files")
