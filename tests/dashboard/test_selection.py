"""Selections survive the URL, and nonsense in a URL selects everything instead of failing."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.types import Slice
from hcat.dashboard.selection import MapArea, SampleSelection

DIMENSIONS = pd.DataFrame(
    {"topic": ["fees", "fees", "cards"], "type": ["yes/no", "open", "open"]}, index=pd.Index(["a", "b", "c"])
)


@given(st.text(), st.text(), st.text(), st.text())
def test_a_slice_survives_the_url(a: str, b: str, c: str, d: str) -> None:
    for chosen in (Slice(a, b), Slice(a, b, c, d)):
        assert SampleSelection.from_query(SampleSelection(slice=chosen).to_query()).slice == chosen


@given(st.lists(st.text(min_size=1), max_size=20))
def test_ids_survive_the_url(ids: list[str]) -> None:
    assert SampleSelection.from_query(SampleSelection(sample_ids=tuple(ids)).to_query()).sample_ids == tuple(ids)


@pytest.mark.parametrize("value", ["", "{", "5", '{"a": 1}', "[1, 2]", '["one"]', "null"])
def test_nonsense_in_the_url_selects_everything(value: str) -> None:
    assert SampleSelection.from_query({"slice": value}).choose(DIMENSIONS) == ["a", "b", "c"]


def test_choosing() -> None:
    assert SampleSelection(slice=Slice("topic", "fees")).choose(DIMENSIONS) == ["a", "b"]
    assert SampleSelection(slice=Slice("topic", "fees", "type", "open")).choose(DIMENSIONS) == ["b"]
    assert SampleSelection(slice=Slice("nowhere", "fees")).choose(DIMENSIONS) == []
    assert SampleSelection(sample_ids=("c", "a", "gone")).choose(DIMENSIONS) == ["a", "c"]


def test_a_lasso_of_thousands_survives_the_url_of_its_run() -> None:
    order = [f"question-{k}" for k in range(5025)]
    ids = tuple(order[k] for k in range(5025) if k % 7 < 4)
    query = SampleSelection(sample_ids=ids).to_query(order)
    assert sum(map(len, query.values())) < 2_000
    assert SampleSelection.from_query(query, order).sample_ids == ids
    frame = pd.DataFrame(index=pd.Index(order))
    assert SampleSelection.from_query(query, order).choose(frame) == list(ids)
    # On another run, and where the link was cut, it selects nothing rather than other samples.
    assert SampleSelection.from_query(query, order[1:]).choose(frame) == []
    assert SampleSelection.from_query({"marks": query["marks"][:-9]}, order).choose(frame) == []


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(FINITE, FINITE), min_size=3, max_size=40))
def test_an_area_of_the_map_survives_the_url_bit_by_bit(corners: list[tuple[float, float]]) -> None:
    area = MapArea("query", "0a1b2c3d", tuple(corners))
    found = MapArea.from_text(area.to_text())
    assert found is not None
    assert str(found) == str(area)


def test_what_is_shorter_stands_in_the_url() -> None:
    order = [f"question-{k}" for k in range(200_000)]
    ids = tuple(order[k] for k in range(200_000) if (k * k) % 7 < 4)
    area = MapArea("query", "0a1b2c3d", ((0.0, 0.0), (0.1, 0.0), (0.0, 1 / 3)))
    drawn = SampleSelection(sample_ids=ids, area=area)
    query = drawn.to_query(order)
    assert list(query) == ["area"]
    assert SampleSelection.from_query(query, order, inside=lambda found: ids if found == area else ()) == drawn
    frame = pd.DataFrame(index=pd.Index(order))
    assert SampleSelection.from_query(query, order).choose(frame) == []  # of topics that are no longer there
    long = MapArea("query", "0a1b2c3d", tuple((float(k), 0.0) for k in range(2_000)))
    assert list(SampleSelection(sample_ids=ids[:500], area=long).to_query(order)) == ["marks"]
    assert list(SampleSelection(sample_ids=ids[:3], area=area).to_query(order)) == ["ids"]


@pytest.mark.parametrize("text", ["", "query", "query.0.", "query.0.AAAA", "query.0.!", "query.0." + "A" * 64, "ü.ü.ü"])
def test_no_area_but_a_polygon_is_taken_from_the_url(text: str) -> None:
    found = MapArea.from_text(text)
    assert found is None or len(found.corners) >= 3
    infinite = MapArea("query", "0", ((0.0, 0.0), (1.0, float("inf")), (1.0, 0.0)))
    assert MapArea.from_text(infinite.to_text()) is None
    assert MapArea.from_text(MapArea("query", "0", ((0.0, 0.0),) * 2).to_text()) is None
    assert MapArea.from_text(MapArea("query", "0", ((0.0, 0.0),) * 2_001).to_text()) is None


@pytest.mark.parametrize("text", ["[" * 3_000, "9" * 5_000, "[" * 100_000, '"\\ud800"'])
def test_a_hostile_address_selects_all_samples(text: str) -> None:
    assert SampleSelection.from_query({"slice": text, "ids": text}) == SampleSelection()
