"""`hcat report --pack` and `hcat verify`, as a person calls them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.settings import settings
from hcat.dashboard.cli import app
from tests.core.capabilities.evidence.packed import OTHER_KEY
from tests.dashboard.capabilities.report.commands.test_report_command import LEVELS, make_project


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    make_project(tmp_path, trials=4, method="isotonic")
    yield
    settings.cache_clear()


def hcat(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)


def files(folder: Path) -> list[str | Path]:
    given = {"run": "run.jsonl", "scores": "s.parquet", "labels": "labels.csv", "calibration": "cal.json"}
    return [word for name, file in given.items() for word in (f"--{name}", folder / file)] + ["--levels", LEVELS]


@pytest.mark.parametrize("texts", [[], ["--withhold-texts"]])
@pytest.mark.parametrize("of", ["project", "files"])
def test_a_pack_is_written_beside_the_report_and_passes(tmp_path: Path, of: str, texts: list[str]) -> None:
    report, pack, key = tmp_path / "r.html", tmp_path / "p.zip", tmp_path / "key.pem"
    on = ["--project", "bank"] if of == "project" else files(tmp_path)
    written = hcat("report", "-o", report, *on, "--pack", pack, *texts)
    assert written.exit_code == 0, written.output
    assert "r.html: " in written.output and f"check it with `hcat verify {pack}`" in written.output
    key.write_text(hcat("key", "show").output)
    checked = hcat("verify", pack, "--key", key, "--recompute")
    assert checked.exit_code == 0, checked.output
    assert checked.output.startswith("Intact: as signed by the key that you named, SHA256:")
    assert checked.output.splitlines()[1].startswith("The manifest is signed by the key that you named")
    with zipfile.ZipFile(pack) as archive:
        assert (archive.read("report.html") == report.read_bytes()) is not bool(texts)
        assert ("runs/1/samples_withheld.jsonl" in archive.namelist()) is bool(texts)


@pytest.mark.parametrize("of", ["project", "files"])
def test_the_pdf_beside_a_pack_passes_by_itself(tmp_path: Path, of: str) -> None:
    pdf, key = tmp_path / "r.pdf", tmp_path / "key.pem"
    on = ["--project", "bank"] if of == "project" else files(tmp_path)
    assert hcat("report", "-o", pdf, *on, "--pack", tmp_path / "p.zip").exit_code == 0
    key.write_text(hcat("key", "show").output)
    checked = hcat("verify", pdf, "--key", key)
    assert checked.exit_code == 0, checked.output
    assert "set again, the PDF has the same bytes" in checked.output
    with pytest.raises(HcatError, match="give the pack that it came in"):
        hcat("verify", pdf, "--recompute")


def test_what_differs_is_named_and_ends_with_1(tmp_path: Path) -> None:
    pack, other = tmp_path / "p.zip", tmp_path / "other.pem"
    hcat("report", "-o", tmp_path / "r.json", "--project", "bank", "--pack", pack)
    other.write_text(OTHER_KEY.public.pem)
    checked = hcat("verify", pack, "--key", other)
    assert (checked.exit_code, checked.output.splitlines()[0]) == (1, "Not intact: 2 things found.")
    assert "names another key than you did" in checked.output
    unnamed = hcat("verify", pack, "--json")
    said = json.loads(unnamed.output)
    assert (unnamed.exit_code, said["intact"], said["problems"], len(said["proved"])) == (3, False, [], 3)
    assert said["unchecked"] == ["who signed, since you named no key"]


def test_a_pack_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    report = tmp_path / "r.html"
    with pytest.raises(FileFormatError, match="there is no folder"):
        hcat("report", "-o", report, "--project", "bank", "--pack", tmp_path / "none" / "p.zip")
    with pytest.raises(HcatError, match="--withhold-texts is of an evidence pack: give --pack"):
        hcat("report", "-o", report, "--project", "bank", "--withhold-texts")
    assert not report.exists()


def test_a_key_that_others_can_read_signs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hcat("key", "show")
    key = tmp_path / "signing_key.pem"
    key.chmod(0o644)
    with pytest.raises(HcatError, match="make it private"):
        hcat("report", "-o", tmp_path / "r.html", "--project", "bank", "--pack", tmp_path / "p.zip")
    assert not (tmp_path / "r.html").exists() and not (tmp_path / "p.zip").exists()
