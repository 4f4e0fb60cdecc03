"""`hcat corpus` on files and in a project."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hcat.core.records.passages import read_passages
from hcat.core.settings import ROOT, settings
from hcat.core.types import Passage, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard import cli


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Cards\n\nA lost card is blocked.\n\n## Fees\n\nGold costs EUR 90.")
    (tmp_path / "docs" / "b.txt").write_text("Loans are given by the branch.")
    (tmp_path / "docs" / "c.pdf").write_bytes(b"no pdf")
    return tmp_path


def hcat(call: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_documents_become_a_file_of_passages(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert hcat("corpus docs -o p.jsonl --json", monkeypatch) == 0
    out, err = capsys.readouterr()
    assert (
        err
        == "hcat: c.pdf was left out: it is not a PDF, whatever its name says: save it in the format that it is in\n"
    )
    printed = json.loads(out)
    assert (printed["passages"], printed["settings"]["words"]) == (3, 120)
    assert [row["id"] for row in printed["documents"]] == ["a.md", "b.txt"]
    assert printed["problems"][0]["document"] == "c.pdf"
    passages = read_passages(Path("p.jsonl"))
    assert [(passage.document, passage.heading, passage.text) for passage in passages] == [
        ("a.md", ("Cards",), "A lost card is blocked."),
        ("a.md", ("Cards", "Fees"), "Gold costs EUR 90."),
        ("b.txt", (), "Loans are given by the branch."),
    ]
    first = json.loads(Path("p.jsonl").read_text().splitlines()[0])
    assert {"id", "text", "document", "page", "heading", "start", "end"} <= first.keys()
    assert hcat("corpus p.jsonl --passages -o again.jsonl", monkeypatch) == 0
    assert Path("again.jsonl").read_text() == Path("p.jsonl").read_text()


def test_nothing_that_can_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert hcat("corpus docs/c.pdf -o p.jsonl", monkeypatch) == 2
    assert capsys.readouterr().err.startswith("hcat: no file could be read. c.pdf was left out: it is not a PDF")
    assert not Path("p.jsonl").exists()


def test_a_project_keeps_versions(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert hcat("corpus docs --project bank --name handbook", monkeypatch) == 0
    title = "2 documents, 3 passages; 1 file left out → bank / handbook, version 1"
    assert title in " ".join(capsys.readouterr().out.split())
    assert hcat("corpus docs --project bank --name handbook", monkeypatch) == 0
    out = capsys.readouterr().out
    assert "version 1" in out and "Nothing has changed" in out
    Path("docs/a.md").write_text("# Cards\n\nA lost card is blocked.\n\n## Fees\n\nGold costs EUR 95.")
    Path("docs/b.txt").rename("docs/loans.txt")
    assert hcat("corpus docs --project bank --name handbook --json", monkeypatch) == 0
    changes = json.loads(capsys.readouterr().out)["changes"]
    assert changes["documents"] == {"same": 0, "new": 1, "changed": 1, "gone": 1}
    assert changes["passages"] == {"same": 1, "new": 1, "changed": 1, "gone": 1}
    assert [(row["document"], row["renamed_from"]) for row in changes["changes"]] == [
        ("a.md", ""),
        ("loans.txt", "b.txt"),
        ("b.txt", ""),
    ]
    assert hcat("corpora list --project bank", monkeypatch) == 0
    assert "2 corpus versions" in capsys.readouterr().out


def test_contexts_of_a_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    first, other = Passage("a#1", "Gold costs EUR 90."), Passage("a#1", "Gold costs EUR 95.")
    samples = [Sample(f"q{k}", "fee?", "x", contexts=(first, other)) for k in range(3)]
    with Workspace.open(actor="tests") as workspace:
        workspace.runs.add(workspace.projects.create("bank"), "v1", samples, source="x")
    assert hcat("corpus --project bank --run v1", monkeypatch) == 0
    assert "not its whole corpus" in capsys.readouterr().err
    with Workspace.open(actor="tests") as workspace:
        [corpus] = workspace.corpora.all("bank")
        assert [passage.id for passage in workspace.corpora.passages(corpus)] == ["a#1", "a#1-2"]
        assert [(row.id, row.format) for row in workspace.corpora.summaries(corpus)] == [("a", "passages")]


def test_the_handbook_of_the_demo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert hcat(f"corpus {ROOT}/data/demo/handbook -o p.jsonl --words 60 --overlap 15", monkeypatch) == 0
    assert "14 documents" in capsys.readouterr().out
    assert max(len(passage.text.split()) for passage in read_passages(Path("p.jsonl"))) <= 60
