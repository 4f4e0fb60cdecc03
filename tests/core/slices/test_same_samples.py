"""The same samples under several names are one test and one row; a label's rate stands beside a score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hcat.core.slices.beside_labels import beside_labels
from hcat.core.slices.files import read_weaknesses, write_weaknesses
from hcat.core.slices.same_samples import with_other_names
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable, combine, find_weaknesses, ranked
from hcat.core.statistics.multiplicity import benjamini_hochberg

IDS = pd.Index([f"s{k}" for k in range(120)])
AREA = ["abc"[k % 3] for k in range(120)]


def twice(values: np.ndarray, *, direction: str = "higher", pairs: bool = True, metric: str = "m") -> WeaknessTable:
    """Two dimensions that divide the run alike: each level of one is one of the other, and their pair too."""
    frame = pd.DataFrame({"area": AREA, "region": [f"region {x}" for x in AREA]}, index=IDS)
    return find_weaknesses(
        frame,
        pd.Series(values, index=IDS),
        metric=metric,
        direction=direction,
        pairs=pairs,  # type: ignore[arg-type]
    )


def test_a_set_of_samples_is_tested_once_however_many_names_it_has() -> None:
    values = np.random.default_rng(3).normal(size=120) - 0.8 * (np.array(AREA) == "b")
    table = twice(values)
    assert len(table.frame) == 9 and table.settings.n_tests == 3 + 3
    one = find_weaknesses(
        pd.DataFrame({"area": AREA}, index=IDS), pd.Series(values, index=IDS), metric="m", direction="higher"
    ).frame
    for level in "abc":
        same = table.frame[table.frame["level_1"].str.endswith(level)]
        assert len(same) == 3 and same["samples"].nunique() == 1
        assert same["q"].unique() == pytest.approx(one.loc[one["level_1"] == level, "q"].to_numpy())
    assert table.frame["q"].to_numpy()[:3] == pytest.approx(benjamini_hochberg(one["p"]))


def test_a_list_names_the_other_slices_of_the_same_samples() -> None:
    values = np.random.default_rng(3).normal(size=120) - 0.8 * (np.array(AREA) == "b")
    rows = with_other_names(ranked(twice(values)))
    assert row_slice(rows.iloc[0]).title == "area = b"
    assert rows.iloc[0]["also"] == "region = region b; area = b, region = region b"
    assert len(rows) == 3 and rows["dimension_2"].isna().all()


def test_tables_of_one_run_count_a_set_once_when_combined() -> None:
    values = np.random.default_rng(3).normal(size=120)
    frame = pd.DataFrame({"area": AREA, "region": [f"region {x}" for x in AREA]}, index=IDS)
    make = {"metric": "m", "direction": "higher"}
    tables = [find_weaknesses(frame, pd.Series(values, index=IDS), by=[name], **make) for name in frame]
    assert combine(tables).settings.n_tests == 3
    assert combine([*tables, twice(values, metric="other")]).settings.n_tests == 3 + 6


def test_a_file_that_does_not_say_which_samples_keeps_all_tests(tmp_path: Path) -> None:
    table = twice(np.random.default_rng(3).normal(size=120))
    old = WeaknessTable(table.frame.drop(columns=["samples", "label_low", "disagreement"]), table.settings)
    write_weaknesses(old, tmp_path / "old.parquet", about={})
    read = read_weaknesses(tmp_path / "old.parquet")
    assert read.frame["samples"].isna().all() and combine([read]).settings.n_tests == 9
    assert len(with_other_names(read.frame)) == 9


def test_the_rate_by_labels_stands_beside_the_score_and_disagreement_is_said() -> None:
    rng = np.random.default_rng(3)
    is_b = np.array(AREA) == "b"
    by_metric = twice(rng.normal(size=120) - 2 * is_b)
    for passes, said in ((is_b | (np.arange(120) % 2 == 0), "shown"), (is_b | (np.arange(120) % 30 > 0), "observed")):
        labelled = twice(np.where(passes, 1.0, 0.0), metric="pass_rate:c")
        labelled = WeaknessTable(labelled.frame.assign(labels=labelled.frame["n"]), labelled.settings)
        rows = beside_labels(by_metric, labelled).frame.set_index("level_1")
        b = rows.loc["b"].iloc[0]
        assert b["verdict"] == "lower score"
        assert (b["label_pass_rate"], b["labels"], b["disagreement"]) == (pytest.approx(1.0), 40, said)
        assert set(rows.loc["a", "disagreement"]) == {""}
    few = np.where(np.arange(120) < 12, 1.0, np.nan)
    rows = beside_labels(by_metric, twice(few, metric="pass_rate:c")).frame
    assert set(rows["disagreement"]) == {""}
