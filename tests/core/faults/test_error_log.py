from __future__ import annotations

import stat
from pathlib import Path

import pytest

from hcat.core.errors import HcatError
from hcat.core.faults.error_log import MOST_CHARACTERS, line_for
from hcat.core.settings import Settings


def settings_at(folder: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{folder / 'hcat.db'}", artifacts=str(folder / "artifacts"))


def failed(message: str) -> KeyError:
    try:
        raise KeyError(message)
    except KeyError as error:
        return error


def log_named_in(line: str) -> Path:
    return Path(line.split("send ", 1)[1].split(" to ", 1)[0])


def test_a_mistake_is_its_own_line_and_leaves_no_log(tmp_path: Path) -> None:
    assert line_for(HcatError("write\nit anew"), during="hcat score", settings=settings_at(tmp_path)) == "write it anew"
    missing = FileNotFoundError(2, "No such file or directory", "a.csv")
    assert line_for(missing, during="hcat score", settings=settings_at(tmp_path)) == "No such file or directory (a.csv)"
    assert list(tmp_path.iterdir()) == []


def test_a_defect_names_a_log_that_only_its_owner_reads(tmp_path: Path) -> None:
    line = line_for(failed("topic"), during="hcat weakness --by", settings=settings_at(tmp_path))
    log = log_named_in(line)
    assert line.startswith("this is a defect of hcat (KeyError): send ")
    assert log.parent == tmp_path / "logs"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    text = log.read_text("utf-8")
    assert "during: hcat weakness --by" in text
    assert "KeyError: 'topic'" in text
    assert "test_error_log.py:19 in failed" in text


def test_a_log_has_no_secrets_and_little_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_LLM_API_KEY", "sk-very-secret")
    text = "postgresql://u:hunter2@h/db sk-very-secret " + "the customer wrote " * 100
    content = log_named_in(line_for(failed(text), during="a page", settings=settings_at(tmp_path))).read_text("utf-8")
    assert "hunter2" not in content
    assert "very-secret" not in content
    assert max(map(len, content.splitlines())) <= MOST_CHARACTERS + len("KeyError: …")


def test_a_defect_that_happens_again_overwrites_its_log(tmp_path: Path) -> None:
    lines = [line_for(failed(text), during="a page", settings=settings_at(tmp_path)) for text in ("one", "two")]
    assert lines[0] == lines[1]
    (log,) = (tmp_path / "logs").iterdir()
    assert "KeyError: 'two'" in log.read_text("utf-8")


def test_the_errors_that_led_to_a_defect_are_told(tmp_path: Path) -> None:
    try:
        try:
            raise ValueError("first")
        except ValueError as first:
            raise KeyError("second") from first
    except KeyError as error:
        content = log_named_in(line_for(error, during="a page", settings=settings_at(tmp_path))).read_text("utf-8")
    assert content.index("KeyError: 'second'") < content.index("ValueError: first")


def test_an_endless_recursion_gives_a_short_log(tmp_path: Path) -> None:
    def deeper() -> None:
        deeper()

    with pytest.raises(RecursionError) as caught:
        deeper()
    log = log_named_in(line_for(caught.value, during="a page", settings=settings_at(tmp_path)))
    assert len(log.read_text("utf-8").splitlines()) < 80


def test_without_a_store_the_log_lies_in_the_users_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    log = log_named_in(line_for(failed("x"), during="hcat", settings=settings_at(tmp_path / "none")))
    assert log.parent == tmp_path / "state" / "hcat"
    assert not (tmp_path / "none").exists()


def test_where_no_log_can_be_written_the_line_names_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in the way").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "in the way"))
    line = line_for(failed("x"), during="hcat", settings=settings_at(tmp_path / "none"))
    assert line.startswith("this is a defect of hcat (KeyError at ")
    assert "in failed): tell whoever maintains it what you did" in line
