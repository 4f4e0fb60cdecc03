"""F2 of personal data by hand: filling words are passed over, stretches joined, and nine tenths must agree."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.privacy_spans import Counts, counts, f2, f2_interval, recall_by_type

TEXT = "Anna Weber lives at 12 Mill Street, Leeds and pays Bob."
ADDRESS, LEEDS, ANNA, BOB = (20, 34), (36, 41), (0, 10), (51, 54)


def test_stretches_are_joined_over_filling_words_and_compared_whatever_their_kind() -> None:
    # marked: "Anna Weber", "12 Mill (Street,) Leeds" as one, "Bob"
    marked = [ANNA, ADDRESS, LEEDS, BOB]
    assert counts(TEXT, marked, marked) == Counts(3, 3, 3)
    assert counts(TEXT, marked, [(20, 41)]) == Counts(3, 1, 1)
    assert counts(TEXT, marked, [ADDRESS]) == Counts(3, 1, 0)  # Leeds is missed: 7 of 21 characters
    assert counts(TEXT, [], [ANNA]) == Counts(0, 1, 0)
    assert counts(TEXT, marked, []) == Counts(3, 0, 0)


def test_f2_weighs_recall_four_times() -> None:
    rows = np.array([(4, 2, 1), (6, 3, 2)])  # precision 3/5, recall 3/10
    assert f2(rows) == pytest.approx((0.6, 0.3, 5 * 0.6 * 0.3 / (4 * 0.6 + 0.3)))
    assert f2(np.array([(3, 0, 0)])) == (0.0, 0.0, 0.0)


def test_the_interval_is_over_templates() -> None:
    each = [Counts(1, 1, 1)] * 10 + [Counts(1, 1, 0)] * 10
    alike = f2_interval(each, [*([1] * 10), *([2] * 10)], np.random.default_rng(0))
    apart = f2_interval(each, list(range(20)), np.random.default_rng(0))
    assert alike.value == apart.value == pytest.approx(0.5)
    assert (alike.low, alike.high) == (0.0, 1.0)  # two templates: any draw may be all of one
    assert 0.2 < apart.low < 0.4 < 0.6 < apart.high < 0.8


def test_recall_by_type_counts_whole_spans_by_their_letters() -> None:
    spans = [(*ANNA, "PERSON"), (*BOB, "PERSON"), (*LEEDS, "GPE")]
    assert recall_by_type([(TEXT, spans)], [[(0, 4), (5, 10), (36, 40)]]) == {"PERSON": (1, 2), "GPE": (0, 1)}
