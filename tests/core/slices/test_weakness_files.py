"""Weakness tables survive their file, and other files are refused in one clear line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hcat.core.errors import FileFormatError
from hcat.core.refusals.state import ANSWER_STATES, AnswerState
from hcat.core.slices.family import frozen_verdict
from hcat.core.slices.files import read_weaknesses, write_weaknesses
from hcat.core.slices.rows import COLUMNS
from hcat.core.slices.table import combine, find_weaknesses
from hcat.core.types import Direction
from tests.core.slices.refits import held


def test_a_table_survives_its_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    ids = pd.Index([f"q{i}" for i in range(40)])
    frame = pd.DataFrame({"a": rng.choice(["x", "y"], 40), "b": rng.choice(["u", "v", "w"], 40)}, index=ids)
    tables = [
        find_weaknesses(frame, pd.Series(rng.normal(size=40), index=ids), metric=name, direction="higher", pairs=True)
        for name in ("one", "two")
    ]
    written = combine(tables)
    write_weaknesses(written, tmp_path / "w.parquet", about={"hcat": "test"})
    read = read_weaknesses(tmp_path / "w.parquet")
    pd.testing.assert_frame_equal(read.frame, written.frame)
    assert read.settings == written.settings


def test_a_file_says_that_the_calibrations_error_is_carried(tmp_path: Path) -> None:
    ids, rng = pd.Index([f"q{i}" for i in range(40)]), np.random.default_rng(3)
    frame, values = pd.DataFrame({"a": rng.choice(["x", "y"], 40)}, index=ids), rng.random((21, 40))
    table = find_weaknesses(
        frame, pd.Series(values[0], index=ids), metric="m", direction="higher", refits=held(values[1:])
    )
    write_weaknesses(table, tmp_path / "w.parquet", about={})
    assert read_weaknesses(tmp_path / "w.parquet").settings.refits == 20


def test_an_all_unscored_metric_survives(tmp_path: Path) -> None:
    ids = pd.Index(["a", "b", "c"])
    frame = pd.DataFrame({"a": ["x", "y", "y"]}, index=ids)
    table = find_weaknesses(frame, pd.Series(np.nan, index=ids), metric="m", direction="higher")
    write_weaknesses(table, tmp_path / "w.parquet", about={})
    read = read_weaknesses(tmp_path / "w.parquet")
    assert np.isnan(read.settings.overall["m"].value) and read.settings.unscored == {"m": 3}


def test_a_file_made_before_states_were_counted_is_read_without_them(tmp_path: Path) -> None:
    ids = pd.Index(["a", "b", "c"])
    frame, values = pd.DataFrame({"a": ["x", "y", "y"]}, index=ids), pd.Series([0.1, 0.2, 0.3], index=ids)
    states: dict[str, AnswerState] = {"a": "answered", "b": "wrong_refusal", "c": "answered"}
    table = find_weaknesses(frame, values, metric="m", direction="higher", answer_states=states)
    write_weaknesses(table, tmp_path / "w.parquet", about={})
    pd.testing.assert_frame_equal(read_weaknesses(tmp_path / "w.parquet").frame, table.frame)
    old = replace(table, frame=table.frame.drop(columns=list(ANSWER_STATES)))
    write_weaknesses(old, tmp_path / "old.parquet", about={})
    read = read_weaknesses(tmp_path / "old.parquet").frame
    assert read[list(ANSWER_STATES)].isna().all(axis=None)
    assert read["n"].tolist() == table.frame["n"].tolist()


@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet at all"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w.parquet").write_bytes(content)
    with pytest.raises(FileFormatError, match="hcat weakness"):
        read_weaknesses(tmp_path / "w.parquet")
    with pytest.raises(FileFormatError, match="hcat weakness"):
        read_weaknesses(tmp_path / "absent.parquet")


@pytest.mark.parametrize(
    ("verdict", "basis", "direction", "today"),
    [
        ("weak", "", "higher", "lower score"),
        ("weak", "", "lower", "higher score"),
        ("weak", "labels", "higher", "weak"),
        ("watch", "labels", "higher", "possibly weak"),
        ("fine", "labels", "higher", "not shown to be weak"),
        ("metric is lower here", "metric", "higher", "lower score"),
        ("watch", "metric", "higher", "possibly lower"),
        ("fine", "", "higher", "not shown to be lower"),
        ("watch", "", "none", "different score"),
        ("insufficient evidence", "", "higher", "insufficient evidence"),
        ("weak", "people", "higher", "weak"),
        ("lower score", "", "higher", "lower score"),
    ],
)
def test_verdicts_of_earlier_files_are_read_in_the_words_of_today(
    tmp_path: Path, verdict: str, basis: str, direction: Direction, today: str
) -> None:
    ids = pd.Index(["a", "b", "c"])
    frame, values = pd.DataFrame({"a": ["x", "y", "y"]}, index=ids), pd.Series([0.1, 0.2, 0.3], index=ids)
    table = find_weaknesses(frame, values, metric="m", direction=direction)
    earlier = replace(table, frame=table.frame.assign(verdict=verdict, basis=basis).astype(COLUMNS))
    write_weaknesses(earlier, tmp_path / "w.parquet", about={})
    assert set(read_weaknesses(tmp_path / "w.parquet").frame["verdict"]) == {today}


def test_findings_confirmed_before_are_read_in_the_words_of_today() -> None:
    assert frozen_verdict({"verdict": "weak", "difference": -0.2}) == "lower score"
    assert frozen_verdict({"verdict": "weak", "difference": 0.2, "basis": ""}) == "higher score"
    assert frozen_verdict({"verdict": "weak", "difference": -0.2, "basis": "labels"}) == "weak"
    assert frozen_verdict({"verdict": "fine", "difference": 0.2}) == "not shown to be lower"
    assert frozen_verdict({}) == ""
