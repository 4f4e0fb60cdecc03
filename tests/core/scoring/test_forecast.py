"""What scoring takes is told by the first samples, and refused where there is no room."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from hcat.core.errors import LimitError
from hcat.core.importers import streamed
from hcat.core.jobs import forecast as forecasting
from hcat.core.jobs.forecast import Room
from hcat.core.models.model_set import ModelSet
from hcat.core.models.opened import OpenModels
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring import forecast
from hcat.core.scoring.forecast import scoring_forecast
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.settings import settings
from hcat.core.types import Passage, Sample
from hcat.dashboard.cli import app

N = 1_500
METRICS = "token_f1,answer_length,token_groundedness"


def samples(n: int = N) -> list[Sample]:
    return [
        Sample(f"s{k}", f"Query {k}?", f"The fee of item {k} is {k}.", (Passage("p", f"Item {k % 9}: {k}."),), f"{k}")
        for k in range(n)
    ]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run file that is taken for a large one, of a large run."""
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 0)
    monkeypatch.setattr(forecast, "FORECAST_FROM", N)
    path = tmp_path / "run.jsonl"
    path.write_text(to_jsonl(samples()), "utf-8")
    return path


def score(file: Path, name: str, *options: str) -> Result:
    line = ["score", str(file), "-o", str(file.with_name(name)), "--metrics", METRICS, *options]
    return CliRunner().invoke(app, line)


def test_a_large_file_has_the_scores_of_one_that_is_read_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_row = score(file, "a.parquet", "--explain", str(file.with_name("a.jsonl")), "--json")
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 10**9)
    whole = score(file, "b.parquet", "--explain", str(file.with_name("b.jsonl")), "--json")
    assert by_row.exit_code == whole.exit_code == 0, by_row.output + whole.output
    one, other = (file.with_name(f"{name}.parquet").read_bytes() for name in "ab")
    assert one == other
    assert file.with_name("a.jsonl").read_bytes() == file.with_name("b.jsonl").read_bytes()
    said = [{**json.loads(ended.stdout), "seconds": 0} for ended in (by_row, whole)]
    assert said[0] == said[1] and said[0]["n"] == N


def test_no_sample_of_a_large_file_stays_in_memory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(*args: object, **kwargs: object) -> None:
        raise AssertionError("the file is read whole")

    monkeypatch.setattr("hcat.dashboard.capabilities.runs.commands.opened_samples.read_samples", whole)
    theirs = file.with_name("theirs.csv")
    theirs.write_text("sample_id,judge\n" + "".join(f"{sample.id},0.5\n" for sample in samples()[1:]), "utf-8")
    for options in ([], ["--with", str(theirs)]):
        ended = score(file, "a.parquet", *options)
        assert ended.exit_code == 0, ended.output
        table = ScoreTable.read(file.with_name("a.parquet"))
        assert table.sample_ids == tuple(sample.id for sample in samples())
    assert table.n_scored("judge") == N - 1 and table.metrics[-1] == "judge"


def test_problems_of_a_large_file_are_told_before_it_is_scored(file: Path) -> None:
    with file.open("a") as rows:
        rows.write('{"answer": "no query"}\n')
    refused = score(file, "a.parquet")
    assert "1 problem in 1,501 rows. The first: row 1501, column query" in str(refused.exception)
    assert not file.with_name("a.parquet").exists()


def test_the_forecast_is_said_of_large_runs_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = score(file, "a.parquet").stderr
    assert f"run.jsonl: {N:,} samples: up to 1 s on one processor, by the first samples, " in said
    monkeypatch.setattr(forecast, "FORECAST_FROM", N + 1)
    assert "processor" not in score(file, "a.parquet").stderr


@pytest.mark.parametrize(
    ("room", "message"),
    [
        (lambda found: Room(1e3, dict.fromkeys(found.disk, 1e12)), "1,500 rows need about .* of memory"),
        (lambda found: Room(1e12, dict.fromkeys(found.disk, 1e3)), "need about .* on the disk of .* free"),
    ],
)
def test_a_run_without_room_is_not_scored(
    file: Path, monkeypatch: pytest.MonkeyPatch, room: object, message: str
) -> None:
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 10**9)  # else it has no room to be kept on the disk either
    monkeypatch.setattr(forecasting, "room_for", room)
    refused = score(file, "a.parquet")
    assert isinstance(refused.exception, LimitError)
    with pytest.raises(LimitError, match=message):
        raise refused.exception
    assert not file.with_name("a.parquet").exists()
    assert not list((file.parent / "artifacts").rglob("*.parquet"))


def test_time_memory_and_disk_are_in_proportion_to_the_samples(tmp_path: Path) -> None:
    def told(n: int) -> forecasting.Forecast:
        none = OpenModels(ModelSet(()))
        return scoring_forecast(
            samples(n),
            metrics=METRICS,
            open_models=lambda: none,
            root=str(tmp_path),
            beside=tmp_path,
        )

    small, large = told(2_000), told(20_000)
    assert large.disk[tmp_path] == pytest.approx(10 * small.disk[tmp_path], rel=0.05)
    assert 5 < large.memory / small.memory <= 10
    assert small.seconds > 0 and np.isfinite(large.seconds)
