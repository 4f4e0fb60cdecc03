import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.capabilities.test_sets.allocation import KINDS, DesignKind, Levels, targets, whole_numbers
from hcat.core.errors import HcatError

SIZES: dict[Levels, int] = {("a",): 10, ("b",): 30, ("c",): 60}


def by_hand(values: dict[Levels, float]) -> dict[str, float]:
    return {"/".join(levels): round(value, 6) for levels, value in values.items()}


def test_each_kind_shares_out_by_its_rule() -> None:
    assert by_hand(targets(SIZES, 10, kind="proportional")) == {"a": 1, "b": 3, "c": 6}
    assert by_hand(targets(SIZES, 6, kind="equal")) == {"a": 2, "b": 2, "c": 2}
    # 3 : 1 : 1 of 10.
    assert by_hand(targets(SIZES, 10, kind="weighted", weights={"a": 3})) == {"a": 6, "b": 2, "c": 2}


def test_what_a_stratum_cannot_give_goes_to_the_others_in_the_same_proportions() -> None:
    # a gives all of its 10; the other 32 are shared equally.
    assert by_hand(targets(SIZES, 42, kind="equal")) == {"a": 10, "b": 16, "c": 16}
    # 3 : 1 : 2 of 36 would be 18, 6, 12; a has 10, and 26 remain for 1 : 2.
    weighted = targets(SIZES, 36, kind="weighted", weights={"a": 3, "c": 2})
    assert by_hand(weighted) == {"a": 10, "b": round(26 / 3, 6), "c": round(52 / 3, 6)}


def test_a_minimum_is_taken_from_the_others() -> None:
    # 2 for a, and 8 shared out 30 : 60.
    assert by_hand(targets(SIZES, 10, kind="proportional", least=2)) == {
        "a": 2,
        "b": round(8 / 3, 6),
        "c": round(16 / 3, 6),
    }
    # By default one of each where n reaches for all: 1 for a and b, since 3 · 10/100 and 3 · 30/100 are less.
    assert by_hand(targets(SIZES, 3, kind="proportional")) == {"a": 1, "b": 1, "c": 1}
    assert by_hand(targets(SIZES, 2, kind="proportional")) == {"a": 0.2, "b": 0.6, "c": 1.2}


def test_the_second_dimension_divides_what_the_first_got() -> None:
    sizes: dict[Levels, int] = {("a", "x"): 10, ("a", "y"): 30, ("b", "x"): 40}
    assert by_hand(targets(sizes, 8, kind="proportional")) == {"a/x": 1, "a/y": 3, "b/x": 4}
    assert by_hand(targets(sizes, 8, kind="equal")) == {"a/x": 2, "a/y": 2, "b/x": 4}
    weighted = targets(sizes, 8, kind="weighted", weights={"a": 3})
    assert by_hand(weighted) == {"a/x": 1.5, "a/y": 4.5, "b/x": 2}


@pytest.mark.parametrize(
    ("n", "kind", "weights", "least", "problem"),
    [
        (0, "equal", None, None, "at least one case"),
        (101, "equal", None, None, "can give 100 cases, not 101"),
        (5, "equal", None, 2, "ask for at least 6"),
        (5, "equal", {"a": 2}, None, "for the design “weighted”"),
        (5, "weighted", None, None, "takes the weights"),
        (5, "weighted", {"d": 1}, None, "weight for 'd'"),
        (5, "weighted", {"a": 0}, None, "positive number"),
        (5, "none", None, None, "no kind of design"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(
    n: int, kind: DesignKind, weights: dict[str, float] | None, least: int | None, problem: str
) -> None:
    with pytest.raises(HcatError, match=problem):
        targets(SIZES, n, kind=kind, weights=weights, least=least)


def test_no_passage_is_refused() -> None:
    with pytest.raises(HcatError, match="no passage"):
        targets({}, 1, kind="equal")


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), st.integers(1, 50), min_size=1),
    st.floats(0, 1),
    st.sampled_from(KINDS),
    st.integers(0, 2**32 - 1),
)
def test_numbers_are_exact_and_within_one_of_their_targets(
    sizes: dict[Levels, int], share: float, kind: DesignKind, seed: int
) -> None:
    n = max(1, round(share * sum(sizes.values())))
    weights = {min(sizes)[0]: 2.5} if kind == "weighted" else None
    wanted = targets(sizes, n, kind=kind, weights=weights)
    order = sorted(wanted)
    numbers = whole_numbers([wanted[levels] for levels in order], rng=np.random.default_rng(seed))
    assert numbers.sum() == n
    for levels, number in zip(order, numbers.tolist(), strict=True):
        assert 0 <= number <= sizes[levels]
        assert abs(number - wanted[levels]) < 1
    for first in {levels[0] for levels in order}:
        inside = [k for k, levels in enumerate(order) if levels[0] == first]
        assert abs(numbers[inside].sum() - sum(wanted[order[k]] for k in inside)) < 1
    if n >= len({levels[0] for levels in order}):
        reached = {levels[0] for levels, number in zip(order, numbers.tolist(), strict=True) if number}
        assert reached == {levels[0] for levels in order}


def test_whole_numbers_have_their_targets_as_expectation() -> None:
    wanted = [0.3, 1.5, 0.2, 2.0, 1.0]
    rng = np.random.default_rng(1)
    draws = np.array([whole_numbers(wanted, rng=rng) for _ in range(4000)])
    # The standard error of a mean of 0s and 1s over 4,000 draws is at most 0.008.
    assert np.abs(draws.mean(axis=0) - wanted).max() < 0.03
    assert (draws[:, 3] == 2).all()
