"""Differences between the semantic groups of runs: by hand, and where one run fails what another answers."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.capabilities.grammar.differences import compare_groups
from hcat.core.capabilities.grammar.wording import difference_sentences
from hcat.core.statistics.paired import paired_differences


def answers(groups: list[str]) -> GroupedAnswers:
    """Groups written as "1101": right, right, wrong, right."""
    right = np.array([text == "1" for group in groups for text in group])
    names = np.array([f"g{place}" for place, group in enumerate(groups) for _ in group])
    unknown = np.full(len(right), math.nan)
    return GroupedAnswers(names, right, unknown, unknown, (frozenset(),) * len(right))


def test_by_hand() -> None:
    first = answers(["11", "10", "11", "00", "10"] * 3)
    second = answers(["11", "00", "10", "01", "11"] * 3)
    [found] = compare_groups({"a": first, "b": second})
    # Both answer three of each five groups: differences 0, ½ and −½. R by the source: 6/8 less 6/8.
    assert (found.robustness.estimate.value, found.robustness.estimate.n) == (0, 9)
    assert (found.only_first, found.only_second) == (3, 3)
    assert found.published == pytest.approx(6 / 8 - 6 / 8)
    assert found.accuracy.estimate.value == pytest.approx(6 / 10 - 6 / 10)
    assert found.robustness.verdict == "too few groups" and found.accuracy.verdict == "not shown"


def test_the_test_is_that_of_paired_differences_at_holms_level() -> None:
    first, second = answers(["1111"] * 12 + ["1110"] * 6), answers(["1110"] * 12 + ["1110"] * 6)
    [found] = compare_groups({"a": first, "b": second})
    alone = paired_differences([0.25] * 12 + [0.0] * 6, symmetric=True)
    assert found.robustness.p == pytest.approx(alone.p) and found.robustness.verdict == "higher"
    assert found.robustness.p_holm == pytest.approx(2 * alone.p)
    assert found.robustness.estimate.low > 0 and found.robustness.estimate.level == pytest.approx(0.975)
    [turned] = compare_groups({"b": second, "a": first})
    assert turned.robustness.verdict == "lower"


def test_a_run_that_fails_more_never_takes_wordings_better() -> None:
    """Half of the groups that A answers by half fail altogether in B: R by the source rises, over common groups not."""
    a = ["1111"] * 20 + ["1100"] * 20
    b = ["1111"] * 20 + ["1100"] * 10 + ["0000"] * 10
    [found] = compare_groups({"B": answers(b), "A": answers(a)})
    assert found.published == pytest.approx(100 / 120 - 120 / 160)
    assert found.robustness.estimate.value == 0 and found.robustness.verdict == "not shown"
    assert found.accuracy.estimate.value < 0
    said = difference_sentences(found)[0]
    assert "on 30 groups that both answer" in said and "A alone answers 10" in said and "higher" not in said


@pytest.mark.parametrize(("first", "second"), [("10", "1010"), ("110", "11000"), ("10", "100")])
def test_of_unequal_numbers_of_texts_both_count_as_of_the_fewer(first: str, second: str) -> None:
    """The expected share of right texts among as many as the fewer, where one of them is right; by all choices."""
    fewer = min(len(first), len(second))

    def drawn(group: str) -> float:
        shares = [sum(text == "1" for text in some) / fewer for some in combinations(group, fewer)]
        return float(np.mean([share for share in shares if share > 0]))

    [found] = compare_groups({"a": answers([first] * 12), "b": answers([second] * 12)})
    assert found.robustness.estimate.value == pytest.approx(drawn(first) - drawn(second))


def test_more_runs_are_one_family() -> None:
    runs = {name: answers([group] * 15) for name, group in (("a", "1111"), ("b", "1110"), ("c", "1110"))}
    found = compare_groups(runs)
    assert [(each.first, each.second) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    smallest = min(each.robustness.p for each in found)
    assert found[0].robustness.p_holm == pytest.approx(6 * smallest)
    assert found[2].robustness.verdict == "not shown" and found[2].robustness.p == 1


def test_runs_without_common_groups_have_nothing_to_compare() -> None:
    other = answers(["1"] * 3)
    [found] = compare_groups({"a": answers(["0", "0"]), "b": other})
    assert math.isnan(found.robustness.estimate.value) and found.robustness.verdict == "too few groups"
    assert "nothing to compare" in difference_sentences(found)[0]
