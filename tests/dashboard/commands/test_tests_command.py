"""`hcat tests`: a test set imported, shown, frozen, compared and exported, and generated from a project's corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hcat.core.records import test_case
from hcat.core.records.test_case import TestCase
from hcat.core.settings import ROOT, settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

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


def test_cases_are_reviewed_as_on_the_page() -> None:
    hcat("tests import t.jsonl --project bank --name fees")
    listed = hcat("tests review fees --project bank --json")
    assert sorted(listed["unreviewed"]) == ["c0", "c1", "c2"] and listed["reviews"]["unreviewed"] == 3
    assert "What is fee 1?" in hcat("tests review fees --project bank")
    rows = [{"id": "c2", "query": "How high is fee 2?"}, {"id": "c1", "query": CASES[1].query}]
    Path("e.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    decided = "tests review fees --project bank --reviewer ann --accept c0 --reject c1 --edit e.jsonl --json"
    refused = CliRunner().invoke(app, decided.split())  # a rejection takes a reason, and then nothing else is kept
    assert "say why the case is rejected" in str(refused.exception)
    done = hcat(f"{decided} --reason unclear")
    assert (done["reviews"], done["unreviewed"]) == ({"accepted": 1, "edited": 1, "rejected": 1, "unreviewed": 0}, [])
    with Workspace.open() as workspace:
        log = workspace.test_sets.decisions(workspace.test_sets.version("bank", "fees"))
    assert {(entry.case_id, entry.decision, entry.reviewer) for entry in log} == {
        ("c0", "accept", "ann"),
        ("c1", "reject", "ann"),
        ("c2", "edit", "ann"),
    }
    hcat("tests freeze fees --project bank --author ann --unreviewed left-out")
    hcat("tests export fees --project bank -o f.jsonl")
    frozen = [json.loads(line) for line in Path("f.jsonl").read_text("utf-8").splitlines()]
    assert [(case["id"], case["query"], case["reference"]) for case in frozen] == [
        ("c0", "What is fee 0?", "0 euros"),
        ("c2", "How high is fee 2?", "2 euros"),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--reviewer ann --accept c9", "has no case 'c9'"),
        ("--accept c0", "say who decides"),
        ("--reviewer ann --accept c0 --reject c0 --reason x", "two decisions on the case 'c0'"),
        ("--reviewer ann --edit t.jsonl", "changes no case"),
    ],
)
def test_a_review_that_can_not_be_is_refused(words: str, said: str) -> None:
    hcat("tests import t.jsonl --project bank --name fees")
    result = CliRunner().invoke(app, f"tests review fees --project bank {words}".split())
    assert said in str(result.exception)
