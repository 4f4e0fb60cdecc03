"""`hcat generate` and `hcat select` on files: counts add up, the same seed gives the same file, folders are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.records.atomic import write_whole
from hcat.core.records.cutting import cut
from hcat.core.records.passages import passages_jsonl
from hcat.core.settings import ROOT, settings
from hcat.dashboard.cli import app

HANDBOOK = ROOT / "data" / "demo" / "handbook"


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()


def hcat(*words: str) -> Any:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout[result.stdout.index("{") :]) if "--json" in words else result.stdout


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hcat.core.importers.documents import read_documents

    documents, _ = read_documents([HANDBOOK / "02-cards.md", HANDBOOK / "08-mortgages.md"])
    path = tmp_path_factory.mktemp("corpus") / "passages.jsonl"
    write_whole(path, passages_jsonl(passage for document in documents for passage in cut(document)).encode())
    return path


def test_a_test_set_is_generated_and_selected_again(passages: Path, tmp_path: Path) -> None:
    tests, again = tmp_path / "tests.jsonl", tmp_path / "again.jsonl"
    call = ("generate", str(passages), "-n", "12", "--types", "simple factual=2,yes/no=1", "--seed", "3")
    document = hcat(*call, "-o", str(tests), "--json")
    assert (document["asked"], document["made"]) == (12, 12)
    assert sum(count["made"] for count in document["types"]) == 12
    assert sum(count["asked"] for count in document["strata"]) == 12
    assert document["candidates"] == document["made"] + document["spare"] + sum(document["dropped"].values())
    assert document["settings"]["seed"] == 3
    cases = read_cases(tests.read_bytes(), filename="tests.jsonl")
    assert all(case.probability and 0 < case.probability <= 1 for case in cases)
    assert "All 12 test cases were made." in hcat(*call, "-o", str(again))
    assert again.read_bytes() == tests.read_bytes()
    selected = hcat("select", str(tests), str(passages), "-o", str(again), "--json")
    assert (selected["examined"], selected["accepted"], selected["dropped"]) == (12, 12, {})
    assert [case.id for case in read_cases(again.read_bytes(), filename="a")] == [case.id for case in cases]


def test_dropped_candidates_are_written_with_their_reasons(passages: Path, tmp_path: Path) -> None:
    candidates, dropped = tmp_path / "c.jsonl", tmp_path / "dropped.jsonl"
    candidates.write_text('{"query": "What does it cost?", "reference": "5", "passages": ["x"]}\n', "utf-8")
    output = hcat("select", str(candidates), str(passages), "-o", str(tmp_path / "t.jsonl"), "--dropped", str(dropped))
    assert "0 of 1 candidate accepted, 1 dropped" in output
    assert json.loads(dropped.read_text("utf-8"))["dropped"] == {"reason": "does not stand alone", "detail": "“it”"}


def test_a_folder_of_documents_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.md").write_text((HANDBOOK / "02-cards.md").read_text("utf-8"), "utf-8")
    (folder / "b.pdf").write_bytes(b"%PDF-1.4 broken")
    result = CliRunner().invoke(app, ["generate", str(folder), "-n", "2", "--types", "open,simple factual", "-o",
                                      str(tmp_path / "t.jsonl")])  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "b.pdf" in result.stderr
    assert len(read_cases((tmp_path / "t.jsonl").read_bytes(), filename="t")) == 2
