"""`hcat import --map`: columns mapped by hand, remembered in the project for the next file of the same layout."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

FILE = "Frage,Resultat,Team\nWas kostet es?,3 Euro.,Nord\nUnd das?,4 Euro.,Nord\nUnd dies?,5 Euro.,Ost\n"
MAP = ("--map", "Frage=query", "--map", "Resultat=answer", "--map", "Team=dimension")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    (tmp_path / "x.csv").write_text(FILE, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> object:
    yield
    settings.cache_clear()


def run_import(folder: Path, run: str, *options: str) -> tuple[object, str]:
    found = CliRunner().invoke(app, ["import", str(folder / "x.csv"), "--project", "p", "--run", run, *options])
    return found.exception, found.output


def test_a_mapping_is_used_and_used_again_without_saying_it(folder: Path) -> None:
    assert run_import(folder, "first", *MAP)[0] is None
    error, output = run_import(folder, "second")
    assert error is None
    assert "using the column mapping saved in this project" in output
    workspace = Workspace.open()
    for run in workspace.runs.all("p"):
        samples = workspace.runs.samples(run)
        assert [sample.answer for sample in samples] == ["3 Euro.", "4 Euro.", "5 Euro."]
        assert [sample.dimensions for sample in samples] == [{"Team": "Nord"}, {"Team": "Nord"}, {"Team": "Ost"}]


def test_a_new_mapping_takes_the_place_of_the_old_one(folder: Path) -> None:
    run_import(folder, "first", *MAP)
    assert run_import(folder, "second", *MAP[:4], "--map", "Team=left out")[0] is None
    workspace = Workspace.open()
    second = workspace.runs.get("p", "second")
    assert [sample.dimensions for sample in workspace.runs.samples(second)] == [{}, {}, {}]
    kept = workspace.mappings.find("p", ("Frage", "Resultat", "Team"))
    assert kept is not None
    assert kept.mapping["Team"] == "left out"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "the columns match no known format"),
        (("--map", "Frage"), "is not a column mapping: write COLUMN=FIELD"),
        (("--map", "Frage=question"), '"question" is not a column of a run file'),
        (("--map", "Weg=query"), 'no column is called "Weg"'),
        (("--map", "Frage=query"), "native needs query, answer"),
    ],
)
def test_a_mapping_that_can_not_be_is_one_clear_line(folder: Path, options: tuple[str, ...], message: str) -> None:
    error, _ = run_import(folder, "first", *options)
    assert message in str(error)
    assert "\n" not in str(error)
    assert Workspace.open().projects.all() == []
