"""Score tables: what they say and what survives the file."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.errors import FileFormatError, NotFoundError, UnknownMetricError
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import STATE_COLUMN, ScoreTable, score_table
from hcat.core.types import Score

PROVENANCE = Provenance("1.2.3", "ab" * 32, ("g", "c"), {"encoder": "cd" * 32}, 11, {"g": {"flag_below": 0.5}})


def _table() -> ScoreTable:
    g = [Score(0.25), Score(None, "no answer"), Score(0.75), Score(None, "no answer"), Score(None, "no contexts")]
    return score_table(list("abcde"), {"g": g, "c": [Score(1.0)] * 5}, PROVENANCE)


def test_a_table_gives_values_scores_and_reasons() -> None:
    table = _table()
    np.testing.assert_array_equal(table.values("g"), [0.25, math.nan, 0.75, math.nan, math.nan])
    assert table.score("a", "g") == Score(0.25)
    assert table.score("e", "g") == Score(None, "no contexts")
    assert table.reasons("g") == {"no answer": 2, "no contexts": 1}
    assert table.reasons("c") == {}
    assert table.metrics == ("g", "c")
    assert table.sample_ids == tuple("abcde")
    assert list(table.frame.columns) == ["g", "g__reason", "c"]


def test_every_mean_says_what_it_left_out() -> None:
    summary = _table().summary()
    assert (summary["g"].mean.value, summary["g"].mean.n) == (0.5, 2)
    assert summary["g"].unscored == {"no answer": 2, "no contexts": 1}
    assert (summary["c"].mean.n, summary["c"].unscored) == (5, {})


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(UnknownMetricError, match="No metric 'x' in these scores; they have g, c"):
        _table().values("x")
    with pytest.raises(NotFoundError, match="No sample 'z'"):
        _table().score("z", "g")


def test_a_file_gives_back_the_table(tmp_path: Path) -> None:
    table, path = _table(), tmp_path / "scores.parquet"
    table.write(path)
    again = ScoreTable.read(path)
    pd.testing.assert_frame_equal(again.frame, table.frame)
    assert again.provenance == table.provenance
    assert [file.name for file in tmp_path.iterdir()] == ["scores.parquet"]


def test_the_file_has_the_promised_shape(tmp_path: Path) -> None:
    _table().write(tmp_path / "scores.parquet")
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.schema.names == ["sample_id", "g", "g__reason", "c"]
    assert table.schema.field("g").type == pa.float64()
    assert table["g"].null_count == 3
    assert b"hcat" in table.schema.metadata


def test_other_files_are_refused(tmp_path: Path) -> None:
    pd.DataFrame({"sample_id": ["a"], "g": [1.0]}).to_parquet(tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("not Parquet")
    half = _table().to_bytes()[:-30]
    (tmp_path / "half.parquet").write_bytes(half)
    for name in ("other.parquet", "text.parquet", "half.parquet", "absent.parquet"):
        with pytest.raises(FileFormatError, match=name):
            ScoreTable.read(tmp_path / name)


@pytest.mark.parametrize("metadata", ["[]", "{}", '{"version": "1"}', "null", "{"])
def test_broken_metadata_is_refused(metadata: str) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"sample_id": ["a"]}).replace_schema_metadata({"hcat": metadata}), sink)
    with pytest.raises(FileFormatError, match="not a score file"):
        ScoreTable.from_bytes(sink.getvalue().to_pybytes())


def test_a_table_without_samples_survives() -> None:
    empty = score_table([], {"g": [], "c": []}, PROVENANCE)
    again = ScoreTable.from_bytes(empty.to_bytes())
    assert again.sample_ids == ()
    assert again.summary()["g"].mean.n == 0


@settings(deadline=None)
@given(
    st.lists(st.one_of(st.floats(-1, 1).map(Score), st.sampled_from(["no answer", "ö"]).map(lambda r: Score(None, r))))
)
def test_any_scores_survive_the_file(scores: list[Score]) -> None:
    ids = [f"s{number}" for number in range(len(scores))]
    table = score_table(ids, {"g": scores}, Provenance("1", "h", ("g",)))
    again = ScoreTable.from_bytes(table.to_bytes())
    assert [again.score(sample_id, "g") for sample_id in ids] == scores


def test_trials_of_one_test_case_do_not_narrow_the_mean() -> None:
    # Four copies of three values: the interval is that of the three, 0.5 ± t(0.975, 2) · 0.1 / √3 = 0.5 ± 0.2484.
    ids = [f"s{k}" for k in range(12)]
    scores = {"groundedness": [Score(0.4 + 0.1 * (k // 4)) for k in range(12)]}
    table = score_table(ids, scores, Provenance("1", "0" * 64, ("groundedness",)))
    mean = table.summary({name: f"q{k // 4}" for k, name in enumerate(ids)})["groundedness"].mean
    assert (mean.value, mean.n) == (pytest.approx(0.5), 12)
    assert (mean.low, mean.high) == (pytest.approx(0.5 - 0.2484, abs=1e-4), pytest.approx(0.5 + 0.2484, abs=1e-4))


def test_scored_samples_are_counted_without_an_interval() -> None:
    assert [_table().n_scored(name) for name in ("g", "c")] == [2, 5]
    with pytest.raises(UnknownMetricError, match="No metric 'x'"):
        _table().n_scored("x")


def test_states_survive_the_file_in_a_last_column(tmp_path: Path) -> None:
    states = ("answered", "correct_refusal", "wrong_refusal", "refusal", "no_answer")
    table = replace(_table(), answer_states=states)
    table.write(tmp_path / "scores.parquet")
    assert pq.read_table(tmp_path / "scores.parquet").schema.names == ["sample_id", "g", "g__reason", "c", STATE_COLUMN]
    again = ScoreTable.read(tmp_path / "scores.parquet")
    assert again.answer_states == states
    assert again.refused.tolist() == [False, True, True, True, False]
    assert again.state_counts() == dict.fromkeys(states, 1)
    pd.testing.assert_frame_equal(again.frame, table.frame)  # which holds metrics alone


def test_a_table_made_before_states_were_recorded_says_nothing_of_them() -> None:
    old = ScoreTable.from_bytes(_table().to_bytes())
    assert old.answer_states is None
    assert old.state_counts() is None
    assert not old.refused.any()


def test_an_unknown_state_is_refused() -> None:
    content = replace(_table(), answer_states=("answered",) * 4 + ("perhaps",)).to_bytes()  # type: ignore[arg-type]
    with pytest.raises(FileFormatError, match="not a score file"):
        ScoreTable.from_bytes(content)


def test_clusters_travel_with_the_scores_and_old_files_have_none() -> None:
    names = ("q1", "q1", "q2", "q2", "q3")
    table = replace(_table(), clusters=names)
    again = ScoreTable.from_bytes(table.to_bytes())
    assert again.clusters == table.clusters and tuple(again.frame.columns) == tuple(table.frame.columns)
    assert again.cluster_of == dict(zip(table.sample_ids, names, strict=True))
    old = ScoreTable.from_bytes(_table().to_bytes())
    assert old.clusters is None and old.cluster_of is None
    mean = next(iter(again.summary().values())).mean
    assert mean == next(iter(old.summary(again.cluster_of).values())).mean
