"""The whole line on files, with the bundled system and no network: documents become a test set, variants, answers,
scores, and what robustness and coverage say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.demo import system
from hcat.core.settings import ROOT, settings
from hcat.dashboard.cli import app
from tests.pages.conftest import word_models


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    system._system.cache_clear()
    with word_models():
        yield
    system._system.cache_clear()
    settings.cache_clear()


def hcat(*arguments: object) -> dict[str, object]:
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    document: dict[str, object] = json.loads(result.stdout)
    return document


def test_documents_become_answers_and_answers_a_verdict(tmp_path: Path) -> None:
    passages, tests, variants = (tmp_path / f"{name}.jsonl" for name in ("passages", "tests", "variants"))
    run, scores, target = tmp_path / "run.jsonl", tmp_path / "scores.parquet", tmp_path / "target.yaml"
    chapters = sorted((ROOT / "data" / "demo" / "handbook").glob("*.md"))[:2]
    hcat("corpus", *chapters, "-o", passages)
    hcat("generate", passages, "-o", tests, "-n", "6", "--types", "simple factual,yes/no")
    cases = [json.loads(line) for line in tests.read_text("utf-8").splitlines()]
    assert len(cases) >= 4
    hcat("perturb", tests, "-o", variants, "--family", "spelling", "--with-origins")
    target.write_text("kind: demo\n", "utf-8")
    collected = hcat("collect", variants, "--target", target, "-o", run)
    asked = len(variants.read_text("utf-8").splitlines())
    assert (collected["answered"], collected["failed"], collected["stopped"]) == (asked, {}, None)
    samples = [json.loads(line) for line in run.read_text("utf-8").splitlines()]
    assert sum("variant" in sample and sample["variant"] is not None for sample in samples) == asked - len(cases)
    assert all(sample["contexts"] for sample in samples)
    hcat("score", run, "-o", scores, "--metrics", "token_f1,token_recall")
    found = hcat("robustness", run, scores)
    assert "spelling" in json.dumps(found)
    covered = hcat("coverage", tests, passages)
    assert len(json.dumps(covered)) > 100
