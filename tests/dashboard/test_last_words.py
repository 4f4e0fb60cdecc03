"""What the command line says where something ends it that is nobody's mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from hcat.core.settings import settings
from hcat.dashboard import cli


def ended(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["hcat", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    return int(caught.value.code or 0), capsys.readouterr().err


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    settings.cache_clear()
    yield
    settings.cache_clear()


def all_raise(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(**_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "_help_for", lambda _: "hcat --help")


def test_a_defect_is_one_line_that_names_its_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    all_raise(monkeypatch, KeyError("the customer's name"))
    code, said = ended(monkeypatch, capsys, "score", "private.jsonl", "--metrics=answer_f1", "-o", "s.parquet")
    (log,) = (tmp_path / "logs").iterdir()
    assert code == cli.DEFECT == 70
    assert said == (
        f"hcat: this is a defect of hcat (KeyError): send {log} to whoever maintains it, and say what you did\n"
    )
    assert "during: hcat score --metrics\n" in log.read_text("utf-8")
    assert "private.jsonl" not in log.read_text("utf-8")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "stopped"),
        (MemoryError(), 2, "there is not enough memory"),
        (UnicodeEncodeError("utf-8", "a\ud800", 1, 2, "surrogates not allowed"), 2, "not Unicode (U+D800)"),
        (PermissionError(13, "Permission denied", "x.csv"), 2, "Permission denied (x.csv)"),
    ],
)
def test_what_somebody_can_do_something_about(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    error: BaseException,
    code: int,
    says: str,
) -> None:
    all_raise(monkeypatch, error)
    got, said = ended(monkeypatch, capsys, "score", "x.jsonl")
    assert (got, said.count("\n")) == (code, 1)
    assert says in said
    assert list(tmp_path.iterdir()) == []


def test_an_argument_that_is_no_unicode(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = ended(monkeypatch, capsys, "import", "run.jsonl", "--project", "caf\udce9", "--run", "r")
    assert (code, said) == (2, "hcat: 'caf\\udce9' is not UTF-8: write it anew, or rename the file\n")
