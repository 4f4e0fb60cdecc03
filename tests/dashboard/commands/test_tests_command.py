"""`hcat tests`: a test set imported, shown, frozen, compared and exported, and generated from a project's corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.settings import ROOT, settings
from core.testgen import test_case
from core.testgen.test_case import TestCase
from core.workspace import Workspace
from dashboard.cli import app

CASES = tuple(TestCase(f"c{k}", f"What is fee {k}?", f"{k} euros") for k in range(3))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    Path("t.jsonl").write_text(test_case.test_cases_jsonl(CASES), "utf-8")
    with Workspace.open() as workspace:
        workspace.projects.create("bank")


def hcat(line: str) -> Any:
    result = CliRunner().invoke(app, line.split())
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout) if "--json" in line else result.stdout


def test_a_test_set_goes_in_is_frozen_compared_and_comes_out() -> None:
    made = hcat("tests import t.jsonl --project bank --name fees --json")
    assert (made["version"], made["cases"], made["frozen"]) == (1, 3, False)
    with Workspace.open() as workspace:
        workspace.test_sets.decide(workspace.test_sets.version("bank", "fees"), CASES[0], "accept", reviewer="ann")
    shown = hcat("tests show fees --project bank --json")
    assert shown["reviews"] == {"accepted": 1, "edited": 0, "rejected": 0, "unreviewed": 2}
    assert shown["acceptance"][0]["accepted"]["n"] == 1
    assert "20.7%, 100%], n = 1" in hcat("tests show fees --project bank")
    frozen = hcat("tests freeze fees --project bank --author ann --unreviewed left-out --json")
    assert (frozen["version"], frozen["cases"], frozen["frozen"]) == (2, 1, True)
    changes = hcat("tests diff fees --project bank --from 1 --json")
    assert ([case["id"] for case in changes["gone"]], changes["unchanged"]) == (["c1", "c2"], 1)
    hcat("tests export fees --project bank --version 1 -o out.jsonl --decisions log.jsonl")
    assert Path("out.jsonl").read_bytes() == Path("t.jsonl").read_bytes()
    assert json.loads(Path("log.jsonl").read_text("utf-8"))["decision"] == "accept"
    assert hcat("tests import out.jsonl --project bank --name fees --json")["version"] == 3
    assert [each["version"] for each in hcat("tests list --project bank --json")["test_sets"]] == [3]


def test_a_test_set_is_generated_from_a_stored_corpus() -> None:
    hcat(f"corpus {ROOT / 'data/demo/handbook/02-cards.md'} --project bank --name cards")
    made = hcat("tests generate cards --project bank --name made -n 3 --by document --types open,yes/no --json")
    assert made["cases"] == made["account"]["asked"] == 3
    by_topic = hcat("tests generate cards --project bank --name more -n 3 --by topic --json")
    assert 0 < by_topic["cases"] <= by_topic["account"]["asked"] == 3
    asked = "tests generate cards --project bank --name wide -n 2 --by document --per-passage 2 --types open"
    wide = hcat(f"{asked} --json")
    assert wide["account"]["settings"]["per_passage"] == 2
    hcat("tests export wide --project bank -o wide.jsonl")
    drawn = [json.loads(line)["metadata"]["drawn_from"] for line in Path("wide.jsonl").read_text("utf-8").splitlines()]
    assert 1 <= len(set(drawn)) <= 2


def test_variants_of_a_test_set_are_stored_beside_their_origins() -> None:
    hcat("tests import t.jsonl --project bank --name fees")
    stored = hcat(
        "tests perturb fees --project bank --to asked-otherwise --family filler,opposite --strength 0.2 --json"
    )
    by_family = {
        row["family"]: (row["variants"], sum(row["unchanged"].values())) for row in stored["account"]["families"]
    }
    assert by_family == {"filler": (3, 0), "opposite": (0, 3)}
    assert (stored["cases"], stored["account"]["variants_of"]["version"]) == (6, 1)
    hcat("tests export asked-otherwise --project bank -o v.jsonl")
    hcat("perturb t.jsonl --family filler --strength 0.2 --with-origins -o files.jsonl")
    assert Path("v.jsonl").read_bytes() == Path("files.jsonl").read_bytes()
