"""`hcat topics`, `design` and `coverage` of a project give what its pages give."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.capabilities.test_sets.services.generation import GenerationRequest
from hcat.core.records.passages import CorpusPassage, passages_jsonl
from hcat.core.records.run_file import to_record
from hcat.core.records.test_case import TestCase, as_sample
from hcat.core.settings import settings
from hcat.core.types import JsonValue
from hcat.core.workspace import Workspace
from hcat.dashboard import cli

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
    printed = hcat("coverage fees --project bank", monkeypatch, capsys)
    assert "Passages tested: 2 of 12" in printed
    assert "Passages by status" in printed and "Passages without a test case" in printed
    assert "made from no corpus" in hcat("coverage mine --project bank", monkeypatch, capsys, code=2)
    named = json.loads(hcat("coverage mine handbook --project bank --json", monkeypatch, capsys))
    assert named["passages"] == {"tested": 2, "not tested": 10, "untestable": 0}


def test_any_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.open(settings()) as workspace:
        [corpus] = workspace.corpora.all("bank")
        workspace.corpora.add_version(corpus, CorpusImport(PASSAGES[:4]))
        test_set = workspace.test_sets.version("bank", "fees")
        workspace.test_sets.add_version(test_set, CASES[:1], source="one left out")
    newest = json.loads(hcat("coverage fees --project bank --json", monkeypatch, capsys))
    assert newest["passages"] == {"tested": 1, "not tested": 3, "untestable": 0}
    first = json.loads(hcat("coverage fees --project bank --version 1 --corpus-version 1 --json", monkeypatch, capsys))
    assert first["passages"] == {"tested": 2, "not tested": 9, "untestable": 1}
    assert (first["settings"]["test_set"]["version"], first["settings"]["corpus"]["version"]) == (1, 1)
    refused = hcat("coverage fees --project bank --corpus-version 3", monkeypatch, capsys, code=2)
    assert "corpus 'handbook' has versions 1 to 2, not 3" in refused
    assert "--project" in hcat("coverage t.jsonl p.jsonl --version 1", monkeypatch, capsys, code=2)


def test_the_report_on_files_has_coverage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same numbers as `hcat coverage`, of the cases that the run asked."""
    Path("passages.jsonl").write_text(passages_jsonl(PASSAGES), "utf-8")
    samples = [replace(as_sample(case), answer="12 euros") for case in CASES]
    Path("run.jsonl").write_text("".join(f"{json.dumps(to_record(sample))}\n" for sample in samples), "utf-8")
    Path("declared.json").write_text(json.dumps(ACCOUNT), "utf-8")
    hcat("score run.jsonl -o s.parquet --metrics answer_length", monkeypatch, capsys)
    call = "report --run run.jsonl --scores s.parquet -o r.json --corpus passages.jsonl"
    hcat(f"{call} --declared declared.json", monkeypatch, capsys)
    sections = {section["id"]: section for section in json.loads(Path("r.json").read_text("utf-8"))["sections"]}
    said = json.dumps(sections["coverage"])
    assert "2 test cases that are of no stored test set" in said and "the corpus is passages.jsonl." in said
    [statuses] = [block for block in sections["coverage"]["blocks"] if block.get("title") == "Passages by status"]
    assert [row[:2] for row in statuses["rows"]] == [["tested", 2], ["not tested", 9], ["untestable", 1]]
    with Workspace.open(settings()) as workspace:
        assert workspace.corpora.all("bank")[0].content_hash in json.dumps(sections["data"])
    Path("other.jsonl").write_text('{"id": "z", "text": "Something else."}', "utf-8")
    refused = hcat(call.replace("passages.jsonl", "other.jsonl"), monkeypatch, capsys, code=2)
    assert "give the corpus that the tests were made from" in refused
    Path("theirs.json").write_text(json.dumps({**ACCOUNT, "passages": [{"id": "z"}]}), "utf-8")
    refused = hcat(f"{call} --declared theirs.json", monkeypatch, capsys, code=2)
    assert "theirs.json was drawn from other passages than passages.jsonl" in refused
    alone = "report --run run.jsonl --scores s.parquet -o r.json --declared declared.json"
    assert "give --corpus" in hcat(alone, monkeypatch, capsys, code=2)


@pytest.mark.parametrize("place", ["file", "folder"])
def test_a_design_of_another_corpus_is_refused(
    place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, texts in {"mine": ("fees", "cards", "loans"), "theirs": ("ponds", "hills", "roads")}.items():
        Path(name).mkdir()
        for text in texts:
            Path(name, f"{text}.md").write_text(
                f"The {text} of the bank are told of on this page, which is long.\n" * 4
            )
        hcat(f"corpus {name} -o {name}.jsonl", monkeypatch, capsys)
        hcat(f"design {name}.jsonl -n 2 -o {name}.json", monkeypatch, capsys)
    drawn = json.loads(Path("mine.jsonl").read_text("utf-8").splitlines()[0])["id"]
    Path("tests.jsonl").write_text(json.dumps({"id": "a", "query": "What?", "passages": [drawn]}), "utf-8")
    corpus = "mine.jsonl" if place == "file" else "mine"
    hcat(f"coverage tests.jsonl {corpus} --declared mine.json", monkeypatch, capsys)
    refused = hcat(f"coverage tests.jsonl {corpus} --declared theirs.json", monkeypatch, capsys, code=2)
    assert f"theirs.json was drawn from other passages than {corpus}" in refused


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
