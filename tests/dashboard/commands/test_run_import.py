"""`hcat import` of large files: row by row, with what it takes said before, and nothing left where it is refused."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import HcatError, LimitError, StorageError
from hcat.core.importers import streamed
from hcat.core.jobs import forecast as forecasting
from hcat.core.jobs.forecast import Forecast, Room, check_room
from hcat.core.project.import_forecast import BYTES_A_ROW
from hcat.core.settings import settings
from hcat.core.storage import sample_files
from hcat.core.storage.stores.projects import Repository
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app

N = 300
ROWS: list[dict[str, object]] = [
    {"id": f"s{k // 2}", "trial": k % 2, "query": f"q{k // 2}", "answer": f"I don't know {k}.", "area": "nsew"[k % 4]}
    for k in range(N)
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A run file that is taken for a large one."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 0)
    settings.cache_clear()
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    yield path
    settings.cache_clear()


def imported(file: Path, run: str, *options: str) -> Result:
    return CliRunner().invoke(app, ["import", str(file), "--project", "p", "--run", run, *options])


def test_a_large_file_becomes_the_run_that_a_small_one_becomes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_row = imported(file, "row by row")
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 10**9)
    whole = imported(file, "whole")
    assert by_row.exit_code == whole.exit_code == 0, by_row.output + whole.output
    assert by_row.stdout.replace("row by row", "whole") == whole.stdout
    with Workspace.open() as workspace:
        one, other = (workspace.runs.get("p", name) for name in ("row by row", "whole"))
        assert (one.content_hash, one.n) == (other.content_hash, other.n)
        assert one.n == N and workspace.runs.sample(one, "s3#1").test_case == "s3"
        assert workspace.runs.columns(one).dimension("area").counts() == dict.fromkeys("nsew", N // 4)


def test_what_it_takes_is_said_before(file: Path) -> None:
    said = imported(file, "r").stderr
    assert f"run.jsonl: About {N} rows: 1 s on one processor, " in said
    assert "MB of memory, " in said and "MB of disk." in said


@pytest.mark.parametrize(
    ("room", "message"),
    [
        (
            lambda forecast: Room(1e3, dict.fromkeys(forecast.disk, 1e12)),
            "300 rows need about .* of memory, and 0.0 MB",
        ),
        (
            lambda forecast: Room(1e12, dict.fromkeys(forecast.disk, 1e3)),
            "300 rows need about .* on the disk of .* free",
        ),
    ],
)
def test_it_is_refused_where_there_is_no_room(
    file: Path, monkeypatch: pytest.MonkeyPatch, room: object, message: str
) -> None:
    monkeypatch.setattr(forecasting, "room_for", room)
    refused = imported(file, "r")
    assert isinstance(refused.exception, LimitError)
    with pytest.raises(LimitError, match=message):
        raise refused.exception
    with Workspace.open() as workspace:
        assert workspace.projects.all() == []
    assert not list((file.parent / "artifacts").rglob("*.parquet"))


def test_disks_that_are_one_have_room_for_all_that_is_written(tmp_path: Path) -> None:
    folders: Mapping[Path, float] = {tmp_path / "a": 60.0, tmp_path / "b": 60.0}
    free = Room(1.0, dict.fromkeys(folders, 100.0))
    with pytest.raises(LimitError, match="on the disk of"):
        check_room(Forecast(1, 0.0, 0.0, folders), free)
    check_room(Forecast(1, 0.0, 0.0, {tmp_path / "a": 100.0}), free)


def test_limits_are_raised_by_the_command(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HCAT_MAX_ROWS", "100")
    settings.cache_clear()
    assert "--max-file-mb" in str(imported(file, "r", "--max-file-mb", "0.01").exception)
    assert "HCAT_MAX_ROWS" in str(imported(file, "r").exception)
    assert imported(file, "r", "--max-rows", "300").exit_code == 0


def test_a_file_that_has_to_be_read_whole_says_so(file: Path) -> None:
    file.write_text(json.dumps(ROWS), "utf-8")
    ended = imported(file, "r")
    assert ended.exit_code == 0, ended.output
    assert "is read whole: only JSON Lines, CSV and Parquet are read row by row" in ended.stderr


def test_two_samples_of_one_name_leave_no_run(file: Path) -> None:
    """The second is called as the first is told apart."""
    with file.open("a") as rows:
        rows.write(json.dumps({"id": "s3#1", "query": "q", "answer": "a"}) + "\n")
    refused = imported(file, "r")
    assert isinstance(refused.exception, HcatError) and "two samples have the id 's3#1'" in str(refused.exception)
    assert_nothing_is_left(file)


@pytest.mark.parametrize("streamed_from", [0, 10**9])
def test_a_run_that_cannot_be_stored_leaves_no_project(
    file: Path, monkeypatch: pytest.MonkeyPatch, streamed_from: int
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(streamed, "STREAMED_BYTES", streamed_from)
    monkeypatch.setattr(sample_files, "write_samples", full)
    assert imported(file, "r").exit_code != 0
    assert_nothing_is_left(file)


def test_a_run_whose_row_cannot_be_stored_leaves_no_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise StorageError("the database is full")

    assert imported(file, "r").exit_code == 0
    stored = list((file.parent / "artifacts").rglob("*.parquet"))
    monkeypatch.setattr(Repository, "add_run", full)
    assert imported(file, "another").exit_code != 0
    assert list((file.parent / "artifacts").rglob("*.parquet")) == stored


def assert_nothing_is_left(file: Path) -> None:
    with Workspace.open() as workspace:
        assert workspace.projects.all() == []
    assert not list((file.parent / "artifacts").rglob("*.parquet"))


def test_the_columns_of_a_mapping_are_remembered(file: Path) -> None:
    file.write_text("".join(json.dumps({"Frage": row["query"], "Antwort": "x"}) + "\n" for row in ROWS), "utf-8")
    assert imported(file, "r", "--map", "Frage=query", "--map", "Antwort=answer").exit_code == 0
    again = imported(file, "again")
    assert again.exit_code == 0 and "using the column mapping saved in this project" in again.stderr


def test_memory_grows_by_what_is_kept_of_each_row(file: Path) -> None:
    from hcat.core.importers import Limits
    from hcat.core.importers.reading.row_stream import row_stream
    from hcat.core.project.import_forecast import import_forecast

    stream = row_stream(file, Limits())
    assert stream is not None
    with Workspace.open() as workspace:
        forecast = import_forecast(stream, workspace.store)
    assert forecast.rows == N and forecast.seconds > 0 and len(forecast.disk) == 2
    assert forecast.memory > BYTES_A_ROW * N and min(forecast.disk.values()) > 0
