"""Against scipy's, which takes long to import."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hcat.core.statistics.hypergeometric import hypergeometric_tails


def test_by_hand() -> None:
    # 5 of 10 are marked, 4 drawn: C(5,0) C(5,4) / C(10,4) = 5/210, and C(5,1) C(5,3) / C(10,4) = 50/210
    few, many = hypergeometric_tails(1, total=10, marked=5, drawn=4)
    assert few == pytest.approx(55 / 210)
    assert many == pytest.approx(205 / 210)


@given(st.data())
def test_scipys(data: st.DataObject) -> None:
    total = data.draw(st.integers(1, 3000))
    marked, drawn = data.draw(st.integers(0, total)), data.draw(st.integers(0, total))
    hits = data.draw(st.integers(max(0, drawn + marked - total), min(drawn, marked)))
    few, many = hypergeometric_tails(hits, total=total, marked=marked, drawn=drawn)
    expected = stats.hypergeom(total, marked, drawn)
    assert few == pytest.approx(expected.cdf(hits), rel=1e-9, abs=1e-290)
    assert many == pytest.approx(expected.sf(hits - 1), rel=1e-9, abs=1e-290)


def test_far_tails_of_many() -> None:
    few, many = hypergeometric_tails(50, total=100_000, marked=20_000, drawn=1_000)
    assert few == pytest.approx(stats.hypergeom.cdf(50, 100_000, 20_000, 1_000), rel=1e-6)
    assert many == 1.0
