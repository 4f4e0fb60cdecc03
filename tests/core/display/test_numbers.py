import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.display.numbers import (
    MISSING,
    counted,
    format_count,
    format_difference,
    format_estimate,
    format_interval,
    format_number,
    format_p_value,
    format_percent,
    format_with_interval,
)
from hcat.core.types import Estimate

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.714, "0.71"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (83.25, "83.2"),
        (1234.5, "1,234"),
        (-0.5, "−0.50"),
        (-0.001, "0.00"),
        (0.0, "0.00"),
        (NAN, MISSING),
        (math.inf, MISSING),
        (None, MISSING),
    ],
)
def test_numbers(value: float | None, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.7108, "71.1%"),
        (0.5, "50.0%"),
        (0.0, "0%"),
        (1.0, "100%"),
        (0.0003, "<0.1%"),
        (0.9997, ">99.9%"),
        (-0.05, "−5.0%"),
        (NAN, MISSING),
        (None, MISSING),
    ],
)
def test_percents(share: float | None, text: str) -> None:
    assert format_percent(share) == text


def test_percents_without_decimals() -> None:
    assert [format_percent(share, decimals=0) for share in (0.711, 0.001, 0.999, 1.0)] == ["71%", "<1%", ">99%", "100%"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "<0.001"), (0.00099, "<0.001"), (0.0123, "0.012"), (0.345, "0.34"), (1.0, "1.00"), (NAN, MISSING)],
)
def test_p_values(value: float, text: str) -> None:
    assert format_p_value(value) == text


def test_differences_carry_a_sign_unless_they_round_to_none() -> None:
    assert [format_difference(value) for value in (0.123, -0.05, 0.0, 0.001, -0.001, NAN)] == [
        "+0.12",
        "−0.05",
        "0.00",
        "0.00",
        "0.00",
        MISSING,
    ]


def test_counts() -> None:
    assert [format_count(n) for n in (0, 83, 1234567, None)] == ["0", "83", "1,234,567", MISSING]


def test_estimates_show_interval_and_n() -> None:
    assert format_estimate(Estimate(0.714, 0.65, 0.7749, 83)) == "0.71 [0.65, 0.77], n = 83"
    assert format_estimate(Estimate(0.714, 0.65, 0.7749, 83), percent=True) == "71.4% [65.0%, 77.5%], n = 83"
    assert format_estimate(Estimate(104.2, 9.5, 198.9, 1200)) == "104.2 [9.5, 198.9], n = 1,200"


def test_a_narrow_interval_takes_the_decimals_that_it_needs() -> None:
    narrow = Estimate(0.7998, 0.79937, 0.80023, 979_891)
    assert format_estimate(narrow) == "0.7998 [0.7994, 0.8002], n = 979,891"
    assert format_with_interval(narrow, percent=True) == "79.98% [79.94%, 80.02%]"
    assert format_with_interval(Estimate(-0.0021, -0.0031, -0.0011, 10**6), signed=True) == "−0.002 [−0.003, −0.001]"
    assert format_with_interval(Estimate(0.121, 0.05, 0.19, 80), signed=True) == "+0.12 [0.05, 0.19]"
    share = Estimate(0.121, -0.05, 0.19, 80)
    assert format_with_interval(share, percent=True, signed=True) == "+12.1% [−5.0%, 19.0%]"
    assert format_with_interval(Estimate(0.0, -0.05, 0.05, 80), percent=True, signed=True).startswith("0%")
    assert format_with_interval(Estimate(1.0, 1.0, 1.0, 50)) == "1.00 [1.00, 1.00]"


@given(st.floats(-5, 5), st.floats(0, 1), st.floats(0, 1))
def test_bounds_of_an_interval_that_can_be_told_apart_read_apart(value: float, below: float, above: float) -> None:
    estimate = Estimate(value, value - below, value + above, 9)
    shown = format_interval(estimate)
    low, _, high = shown.strip("[]").partition(", ")
    if estimate.high - estimate.low >= 0.0002:
        assert low != high
    assert len(low.partition(".")[2]) == len(high.partition(".")[2]) <= 5


def test_estimates_without_interval_or_value_still_show_n() -> None:
    assert format_estimate(Estimate(0.5, NAN, NAN, 1)) == "0.50, n = 1"
    assert format_interval(Estimate(0.5, NAN, NAN, 1)) == ""
    assert format_estimate(Estimate(NAN, NAN, NAN, 0)) == f"{MISSING}, n = 0"


@given(st.floats(-1e9, 1e9))
def test_a_number_reads_back_within_half_a_unit(value: float) -> None:
    text = format_number(value)
    decimals = len(text.partition(".")[2])
    back = float(text.replace(",", "").replace("−", "-"))
    assert abs(back - value) <= 0.5 * 10**-decimals * (1 + 1e-9)
    assert not text.startswith("-")


@given(st.floats(0, 1))
def test_only_none_reads_as_none_and_only_all_as_all(share: float) -> None:
    assert (format_percent(share) == "0%") == (share == 0)
    assert (format_percent(share) == "100%") == (share == 1)


@pytest.mark.parametrize(
    ("n", "text"), [(0, "0 problems"), (1, "1 problem"), (2, "2 problems"), (1234, "1,234 problems")]
)
def test_things_are_counted(n: int, text: str) -> None:
    assert counted(n, "problem") == text
