from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.agreement.consistency import LevelPair, gold_accuracy, self_consistency
from hcat.core.capabilities.agreement.drift import drift, drifts
from hcat.core.capabilities.agreement.leniency import (
    against_others,
    agreement_with_others,
    conclusion,
    leniencies,
)
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.errors import HcatError
from hcat.core.types import Criterion, Estimate, Label

N = math.nan
BINARY = Criterion("correctness")
ORDINAL = Criterion("helpfulness", ("poor", "fair", "good"), passing=1)
Z2 = 1.959963985**2
START = datetime(2025, 3, 1, tzinfo=UTC)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_self_consistency_and_gold_by_hand() -> None:
    said = [("ann", 1, 1), ("ann", 1, 0), ("ann", 0, 0), ("ann", 0, None), ("bob", None, 1)]
    ann, bob = self_consistency([LevelPair(*each) for each in said], criterion=BINARY, rng=rng())
    # Two of three are the same; chance: first 1, 1, 0 and again 1, 0, 0, so (2·1 + 1·2)/9 = 4/9; κ = (2/3 − 4/9)/(5/9).
    assert (ann.same.value, ann.same.n, ann.cannot_judge, ann.enough) == (2 / 3, 3, 1, False)
    assert ann.kappa.value == pytest.approx(0.4)
    assert (bob.same.n, bob.cannot_judge) == (0, 1) and math.isnan(bob.same.value)
    given = [LevelPair("ann", *levels) for levels in ((2, 1), (0, 0), (1, 0), (1, 1))]
    [gold] = gold_accuracy(given, criterion=ORDINAL)
    assert (gold.level_right.value, gold.side_right.value, gold.level_right.n) == (0.5, 0.75, 4)


def test_trials_that_agree_tell_no_more_than_their_test_cases() -> None:
    """Five trials of each of forty test cases, all judged as their test case is."""
    levels = [(int(k % 3 > 0), int(k % 4 > 0)) for k in range(40)]
    once = [LevelPair("ann", *pair, f"case-{k}") for k, pair in enumerate(levels)]
    trials = [look for look in once for _ in range(5)]
    [alone], [together] = (self_consistency(looks, criterion=BINARY, rng=rng()) for looks in (once, trials))
    assert together.same.value == alone.same.value and together.same.n == 200
    assert together.same.high - together.same.low == pytest.approx(alone.same.high - alone.same.low, rel=0.1)
    assert together.kappa.high - together.kappa.low == pytest.approx(alone.kappa.high - alone.kappa.low, rel=0.15)
    [alone_right], [right] = (gold_accuracy(looks, criterion=BINARY) for looks in (once, trials))
    assert right.level_right.low == pytest.approx(alone_right.level_right.low, abs=0.02)
    assert "clustered" in right.side_right.method


def test_each_is_held_against_the_others_on_the_same_samples() -> None:
    levels = np.array([[1, 0, 1], [1, 1, N], [1, N, N], [0, 0, 2]])
    table = Ratings(("s1", "s2", "s3", "s4"), ("ann", "bob", "cy"), levels)
    assert np.array_equal(
        against_others(table, ORDINAL), [[0.5, -1, 0.5], [0, 0, N], [N, N, N], [-0.5, -0.5, 1]], equal_nan=True
    )
    assert np.array_equal(
        agreement_with_others(table), [[0.5, 0, 0.5], [1, 1, N], [N, N, N], [0.5, 0.5, 0]], equal_nan=True
    )


def test_leniency_is_told_where_its_interval_leaves_zero_out() -> None:
    # Bob fails 12 of the 40 answers that Ann passes, and never the other way round.
    levels = np.array([[1, 0]] * 12 + [[1, 1]] * 18 + [[0, 0]] * 10, dtype=float)
    ann, bob = leniencies(Ratings(tuple(map(str, range(40))), ("ann", "bob"), levels), criterion=BINARY)
    assert (ann.annotator, ann.manner, ann.difference.value, ann.difference.n) == ("ann", "lenient", 0.3, 40)
    assert (bob.annotator, bob.manner, bob.difference.value) == ("bob", "strict", -0.3)
    # The squares about the mean are 12 − 12²/40 = 8.4; two annotators are one comparison, at 95%.
    half = math.sqrt(Z2 * (8.4 + Z2 / 2) / (40 * (40 - Z2)))
    assert (ann.difference.low, ann.difference.high) == pytest.approx((0.3 - half, 0.3 + half))
    assert ann.difference.level == 0.95 and ann.p == ann.p_holm == bob.p_holm < 0.05
    assert ann.own.value == 0.75
    few = leniencies(Ratings(tuple("abcde"), ("ann", "bob"), levels[:5]), criterion=BINARY)
    assert {one.manner for one in few} == {"insufficient evidence"}


def test_of_a_team_the_interval_is_that_which_decided() -> None:
    """Ann passes 8 more of 40 than each of three others, who pass the same: shown alone, and at 1 − 0.05/4."""
    levels = np.array([[1, 0, 0, 0]] * 12 + [[1, 1, 1, 1]] * 18 + [[0, 0, 0, 0]] * 10, dtype=float)
    team = leniencies(Ratings(tuple(map(str, range(40))), ("ann", "bob", "cy", "di"), levels), criterion=BINARY)
    ann, others = team[0], team[1:]
    assert (ann.annotator, ann.manner) == ("ann", "lenient")
    assert ann.p_holm == pytest.approx(4 * ann.p) and ann.difference.level == pytest.approx(1 - 0.05 / 4)
    for one in team:
        excludes_0 = one.difference.low > 0 or one.difference.high < 0
        assert excludes_0 == (one.manner in ("lenient", "strict"))
    assert {round(one.difference.value, 6) for one in others} == {-0.1}


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.91, 0.97, "shown"), (0.7, 0.89, "not reached"), (0.85, 0.95, "open"), (N, N, "insufficient evidence")],
)
def test_a_conclusion_follows_the_interval(low: float, high: float, said: str) -> None:
    assert conclusion(Estimate(0.9, low, high, 50), 0.9) == said


def test_drift_by_hand() -> None:
    values = [1.0] * 12 + [0.0] * 12
    found = drift(values, rng=rng())
    # Running sums of 1 − ½: the largest deviation is 6, after 12. Only two of the 24-choose-12 orders reach it.
    assert (found.n, found.change, found.before.value, found.after.value) == (24, 12, 1, 0)
    assert found.p == pytest.approx(1 / 2001)
    assert [(block.first, block.last, block.mean.value) for block in found.blocks] == [(1, 12, 1), (13, 24, 0)]
    assert all(block.mean.n == 12 for block in found.blocks)


@pytest.mark.parametrize("values", [[], [1.0], [0.0, 1.0] * 9])
def test_few_labels_show_no_drift(values: list[float]) -> None:
    found = drift(values, rng=rng())
    assert not found.enough and math.isnan(found.p)


def test_no_drift_where_nothing_varies() -> None:
    assert drift(np.ones(50), rng=rng()).p == 1
    with pytest.raises(HcatError, match="known numbers"):
        drift([1, N], rng=rng())


@given(st.integers(0, 10**6))
def test_drift_is_the_same_backwards(seed: int) -> None:
    x = (np.random.default_rng(seed).random(40) < 0.6).astype(float)
    one, other = drift(x, rng=rng()), drift(x[::-1], rng=rng())
    assert one.p == pytest.approx(other.p, abs=0.1)
    assert one.blocks[0].mean == other.blocks[-1].mean


def labelled(annotator: str, levels: list[int], *, shift: int = 0) -> list[Label]:
    return [
        Label(f"s{k}", "correctness", level, annotator, at=START + timedelta(minutes=k + shift))
        for k, level in enumerate(levels)
    ]


def test_drifts_go_by_time_and_compare_on_the_same_samples() -> None:
    # Bob passes all of the first 15 and none of the last; so does Ann: the samples changed, nobody drifted apart.
    both = [1] * 15 + [0] * 15
    labels = labelled("ann", both) + labelled("bob", both)
    ann, bob = drifts(reversed(labels), criterion=BINARY, rng=rng())
    assert ann.change == 15 and ann.p < 0.01 and bob.is_shown and bob.p_holm == 2 * bob.p
    for one in drifts(labels, criterion=BINARY, rng=rng(), measure="lenience"):
        assert one.p == 1
    with pytest.raises(HcatError, match="no measure"):
        drifts(labels, criterion=BINARY, rng=rng(), measure="mood")  # type: ignore[arg-type]


def test_a_changed_label_counts_when_it_was_changed() -> None:
    labels = labelled("ann", [1] * 30)
    changed = Label("s0", "correctness", 0, "ann", at=START + timedelta(days=1))
    [found] = drifts([*labels, changed], criterion=BINARY, rng=rng())
    assert (found.n, found.blocks[-1].mean.value) == (30, 0.9)


def test_leniency_rests_on_test_cases() -> None:
    # Bob fails 2 of the test cases that Ann passes, in all of their 6 trials.
    levels = np.array([[1, 0]] * 12 + [[1, 1]] * 18 + [[0, 0]] * 12, dtype=float)
    cases = tuple(f"q{k // 6}" for k in range(42))
    table = Ratings(tuple(map(str, range(42))), ("ann", "bob"), levels)
    assert [one.manner for one in leniencies(table, criterion=BINARY)] == ["lenient", "strict"]
    for one in leniencies(replace(table, test_cases=cases), criterion=BINARY):
        assert one.manner == "not shown" and one.difference.n == 42
        assert "clustered" in one.difference.method and "clustered" in one.own.method


def test_blocks_of_lenience_have_two_sides() -> None:
    for block in drift(np.zeros(40), rng=rng(), measure="lenience").blocks:
        half = math.sqrt(Z2 * Z2 / 2 / (10 * (10 - Z2)))
        assert block.mean.low == pytest.approx(-half) and block.mean.high == -block.mean.low
    ones = drift(np.ones(20), rng=rng(), measure="lenience").before
    assert ones.method == "paired, score" and ones.low < 1
    same = labelled("ann", [1] * 20) + labelled("bob", [1] * 20)
    for one in drifts(same, criterion=BINARY, rng=rng(), measure="lenience"):
        assert all(block.mean.low < 0 < block.mean.high for block in one.blocks)


def test_drift_of_trials_rests_on_test_cases() -> None:
    levels = [1] * 15 + [0] * 15
    cases = {f"s{k}": f"q{k // 5}" for k in range(30)}
    [plain] = drifts(labelled("ann", levels), criterion=BINARY, rng=rng())
    [by_case] = drifts(labelled("ann", levels), criterion=BINARY, rng=rng(), test_cases=cases)
    # Of the 20 orders of 3 test cases that pass and 3 that fail, 2 deviate as much.
    assert plain.p < 0.001 and by_case.p == pytest.approx(0.1, abs=0.02)
    assert (by_case.n, by_case.change) == (30, 15) and "clustered" in by_case.before.method
    alone = drifts(labelled("ann", levels), criterion=BINARY, rng=rng(), test_cases={name: name for name in cases})
    assert alone[0].p == plain.p and alone[0].blocks == plain.blocks
