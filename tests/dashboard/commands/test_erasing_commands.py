"""`hcat erase`, `hcat erasures` and `hcat retention`: nothing goes without a confirmation, and what went is listed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.errors import HcatError
from hcat.core.settings import settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

ERASE = ["erase", "q1", "--project", "bank", "--run", "v1", "--reason", "asked"]


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    with Workspace.open() as workspace:
        project = workspace.projects.create("bank")
        workspace.runs.add(project, "v1", [Sample(f"q{k}", f"fee {k}?", f"{k}") for k in range(3)], source="x")
    yield
    settings.cache_clear()


def hcat(*given: str) -> str:
    result = CliRunner().invoke(app, list(given))
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_a_text_is_erased_by_the_name_of_its_run() -> None:
    with pytest.raises(HcatError, match="This would erase 1 text of run v1"):
        hcat(*ERASE, "--author", "lee")
    with pytest.raises(HcatError, match="Say who decides"):
        hcat(*ERASE, "--confirm", "v1")
    assert "sample q1: text erased on" in hcat(*ERASE, "--confirm", "v1", "--author", "lee")
    [erased] = json.loads(hcat("erasures", "--project", "bank", "--json"))["erasures"]
    assert (erased["sample_id"], erased["author"], erased["reason"]) == ("q1", "lee", "asked")
    assert "asked" in hcat("erasures", "--project", "bank")
    assert hcat("erase", "--finish").startswith("0 files")
    with pytest.raises(HcatError, match="name samples"):
        hcat("erase")


def test_retention_is_settled_shown_and_applied() -> None:
    with pytest.raises(HcatError, match="--days N, or --forever"):
        hcat("retention", "set", "--project", "bank", "--author", "lee")
    said = hcat("retention", "set", "--project", "bank", "--author", "lee", "--days", "30")
    assert said.startswith("Texts are kept for 30 days after the import of a run, settled by lee")
    shown = json.loads(hcat("retention", "show", "--project", "bank", "--json"))
    assert (shown["days"], [each["texts"] for each in shown["runs"]]) == (30, [3])
    assert "v1" in hcat("retention", "show", "--project", "bank")
    assert "0 texts are due" in hcat("retention", "apply", "--project", "bank", "--dry-run")
    assert "0 texts were erased" in hcat("retention", "apply", "--project", "bank", "--author", "lee")
