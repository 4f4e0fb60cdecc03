"""`hcat policy regenerate` against a real server on the loopback."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import HcatError
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import settings
from hcat.dashboard.cli import app
from tests.core.capabilities.collect.servers import Response, Seen, serving

REFERENCE = "one two three four five six seven eight"
WORDS = REFERENCE.split()
N = 240


def hcat(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """240 answers whose overlap with the reference tells whether they pass; two are missing."""
    tmp_path = tmp_path_factory.mktemp("regenerate")
    chance = random.Random(3)
    rows = [
        {"id": f"s{k}", "query": f"question {k}", "answer": " ".join(WORDS[: k % 8 + 1]), "reference": REFERENCE}
        for k in range(N)
    ]
    for k in (230, 231):
        rows[k]["answer"] = ""
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    labels = [f"s{k},correctness,{'pass' if chance.random() < min(0.98, (k % 8) / 5) else 'fail'}" for k in range(220)]
    (tmp_path / "labels.csv").write_text("\n".join(["sample_id,criterion,label", *labels]) + "\n", "utf-8")
    scored = hcat("score", tmp_path / "run.jsonl", "--metrics", "token_recall", "-o", tmp_path / "s.parquet")
    assert scored.exit_code == 0, scored.output
    files = (tmp_path / "s.parquet", tmp_path / "labels.csv")
    options = ("--criterion", "correctness", "--metrics", "token_recall", "-o", tmp_path / "cal.json")
    assert hcat("calibrate", *files, *options).exit_code == 0
    fitted = hcat("policy", "fit", *files, tmp_path / "cal.json", "--fail-below", 0.3, "--accept-from", 0.8,
                  "-o", tmp_path / "policy.json")  # fmt: skip
    assert fitted.exit_code == 0, fitted.output
    return tmp_path


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HCAT_ALLOW_PRIVATE_TARGETS", "1")
    settings.cache_clear()
    yield Path(shutil.copytree(prepared, tmp_path / "files"))
    settings.cache_clear()


def regenerate(folder: Path, url: str, *more: object, body: object = None) -> Result:
    target = {"kind": "http", "url": url, "body": body or {"q": "{{query}}", "why": "{{reason}}"}, "answer": "$.a",
              "attempts": 1, "timeout": 10}  # fmt: skip
    (folder / "target.yaml").write_text(json.dumps(target), "utf-8")
    files = [folder / name for name in ("run.jsonl", "s.parquet", "policy.json")]
    outputs = ("-o", folder / "new.jsonl", "--new-scores", folder / "new.parquet", "--actions", folder / "a.parquet")
    return hcat("policy", "regenerate", *files, "--target", folder / "target.yaml", *outputs, *more)


def to_regenerate(folder: Path) -> set[str]:
    done = hcat("policy", "apply", folder / "s.parquet", folder / "policy.json", "-o", folder / "before.parquet")
    assert done.exit_code == 0, done.output
    before = pd.read_parquet(folder / "before.parquet")
    return set(before.loc[before["action"] == "regenerate", "sample_id"])


def improving(seen: Seen) -> Response:
    """Good answers to even questions; to odd ones the same poor answer again and again; none to question 9."""
    assert isinstance(seen.content, dict)
    number = int(str(seen.content["q"]).split("\n")[0].split()[-1])
    if number == 9:
        return Response(status=400)
    return Response({"a": REFERENCE if number % 2 == 0 else "one"})


def test_answers_are_asked_for_again_with_the_reason_and_decided_on_again(folder: Path) -> None:
    again = to_regenerate(folder)
    assert {"s0", "s9", "s230"} <= again
    with serving(improving) as server:
        done = regenerate(folder, server.url, "--json")
        asked = len(server.seen)
        assert done.exit_code == 0, done.output
        assert regenerate(folder, server.url).exit_code == 0 and len(server.seen) == asked  # from the journals
    reasons = {
        str(seen.content["q"]): str(seen.content["why"]) for seen in server.seen if isinstance(seen.content, dict)
    }
    assert "was not accepted: it passes on correctness with a probability of only" in reasons["question 0"]
    assert "No answer came before" in reasons["question 230"]
    assert not any(word in text for text in reasons.values() for word in ("eight", REFERENCE))
    result = json.loads(done.stdout)
    even = {name for name in again if int(name[1:]) % 2 == 0}
    first, second = result["attempts"]
    assert (first["asked"], first["answered"], first["accepted"]) == (len(again), len(again) - 1, len(even))
    assert second["asked"] == len(again) - len(even) and second["accepted"] == 0
    assert asked == first["asked"] + second["asked"] and sum(first["failures"].values()) == 1
    decisions = pd.read_parquet(folder / "a.parquet").set_index("sample_id")["action"]
    assert "regenerate" not in set(decisions) and decisions["s0@1"] == "accept" and decisions["s9"] == "person"
    assert "s0" not in decisions.index and decisions["s1@2"] == "person" and len(decisions) == N
    samples = {row["id"]: row for row in map(json.loads, (folder / "new.jsonl").read_text("utf-8").splitlines())}
    assert samples["s0@1"]["answer"] == REFERENCE and samples["s0@1"]["metadata"]["first_id"] == "s0"
    scores = ScoreTable.read(folder / "new.parquet")
    assert scores.score("s0@1", "token_recall").value == 1.0
    before = ScoreTable.read(folder / "s.parquet")
    assert scores.score("s7", "token_recall") == before.score("s7", "token_recall")
    rescored = hcat("score", folder / "new.jsonl", "--metrics", "token_recall", "-o", folder / "whole.parquet")
    assert rescored.exit_code == 0
    whole = ScoreTable.read(folder / "whole.parquet")
    assert whole.provenance.run_hash == scores.provenance.run_hash and whole.answer_states == scores.answer_states
    pd.testing.assert_series_equal(whole.frame["token_recall"], scores.frame["token_recall"])


def test_nothing_is_promised_of_a_regenerated_answer(folder: Path) -> None:
    with serving(improving) as server:
        assert regenerate(folder, server.url).exit_code == 0
    done = hcat("policy", "apply", folder / "new.parquet", folder / "policy.json", "--samples", folder / "new.jsonl",
                "--attempt", 2, "--accepted", folder / "ok.jsonl", "-o", folder / "b.parquet")  # fmt: skip
    assert done.exit_code == 0, done.output
    lines = {row["id"]: row["certificate"] for row in map(json.loads, (folder / "ok.jsonl").read_text().splitlines())}
    assert lines["s0@1"]["error"] is None and lines["s0@1"]["shown"] is False
    assert "says nothing of this one" in lines["s0@1"]["statement"] and lines["s7"]["error"] == 0.1


def test_a_system_that_takes_no_reason_gets_it_after_the_question(folder: Path) -> None:
    with serving(improving) as server:
        assert regenerate(folder, server.url, body={"q": "{{query}}"}).exit_code == 0
    texts = [str(seen.content["q"]) for seen in server.seen if isinstance(seen.content, dict)]
    assert any(text.startswith("question 0\n\nThe answer that you gave before was not accepted") for text in texts)


def test_a_dry_run_asks_nothing_and_a_dead_system_leaves_nothing(folder: Path) -> None:
    with serving(lambda _: Response(status=400)) as server:
        plan = regenerate(folder, server.url, "--dry-run")
        assert plan.exit_code == 0 and not server.seen
        assert f"{len(to_regenerate(folder))} answers to regenerate, each at most 2 times" in plan.output
        dead = regenerate(folder, server.url)
    assert isinstance(dead.exception, HcatError) and not (folder / "new.jsonl").exists()
