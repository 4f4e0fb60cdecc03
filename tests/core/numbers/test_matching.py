"""Is one number found in another text? What counts as the same, and what does not."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.numbers.comparison import compare
from hcat.core.numbers.matching import NumberIndex, Wanted, nearest, support
from hcat.core.numbers.parsing import parse_numbers


def _doubts(stated: str, source: str) -> list[str] | None:
    """Why the number is doubtful; None where it is not there."""
    (number,) = parse_numbers(stated)[-1:]
    match = NumberIndex(parse_numbers(source)).support(number)
    return None if match is None else [doubt.reading for doubt in match[1].doubts]


def _found(stated: str, source: str) -> bool:
    return _doubts(stated, source) == []


@pytest.mark.parametrize(
    ("stated", "source"),
    [
        # scale words and headings
        ("$8.738 billion", "(in millions)\nRevenue 8,738"),
        ("$8.7 billion", "(in millions)\nRevenue 8,738"),
        ("$1,577 million", "$ in thousands\n1,576,804"),
        ("$381,603,000", "(In thousands)\n381,603"),
        ("8,738", "(in millions)\nRevenue 8,738"),
        ("twenty-five million", "25,000,000 customers"),
        ("25 million", "twenty-five million"),
        # rounding
        ("8.7%", "8.74%"),
        ("9%", "8.74%"),
        ("$1577.00", "$1,577"),
        ("about 8,700", "8,738"),
        ("over 700 million", "$737 million"),
        ("nearly 5%", "4.6%"),
        # signs and units
        ("$460.8 million", "(in millions)\nPurchases (460.8)"),
        ("a loss of 1,561", "(1,561)"),
        ("sales fell 5%", "Change in sales (5)%"),
        ("fell to 5%", "rose to 5%"),  # levels have no direction
        ("half of them", "50%"),
        ("67%", "two thirds"),
        ("2 weeks", "14 days"),
        ("one and a half years", "18 months"),
        ("1.6 km", "1 mile"),
        ("3rd", "third"),
        ("$25 a month", "the monthly fee is $25"),
        ("$2.35", "(in millions)\nEarnings per share 2.35"),
        ("EUR 5", "5 euros"),
        ("$5", "5.00"),
        ("12%", "0.12"),
        ("0.12", "12%"),
        ("25 basis points", "0.25%"),
        ("0.5%", "50 bps"),
        ("18.5%", "Gross margin (%)\n18.5"),
        ("2.1:1", "a ratio of 2.1"),
        ("1.5x", "1.50"),
        ("three", "3 acquisitions"),
        ("1.234,50 €", "EUR 1,234.50"),
        # dates
        ("March 2023", "5 March 2023"),
        ("FY2022", "December 31, 2022"),
        ("2022", "Q3 2022"),
        ("2022-12-31", "December 31, 2022"),
        ("03/04/2022", "4 March 2022"),
        ("Q2 2023", "second quarter of 2023"),
        ("2,000", "2000"),
        ("8:00", "08:00 to 22:00"),
    ],
)
def test_found(stated: str, source: str) -> None:
    assert _found(stated, source)


@pytest.mark.parametrize(
    ("stated", "source", "reading"),
    [
        ("$8.738 billion", "Revenue 8,738", "fits if the table is in millions"),
        ("$3,497,254,000", "3,497,254", "fits if the table is in thousands"),
        ("$8,738", "(in millions)\nRevenue 8,738", "fits if the table is not in millions"),
        ("-1,561", "1,561", "same size, opposite sign"),
        ("a profit of $3 million", "a loss of $3 million", "same size, opposite sign or direction"),
        ("earned $3 million", "lost $3 million", "same size, opposite sign or direction"),
        ("rose 5%", "fell 5%", "same size, opposite sign or direction"),
        ("net income of $412 million", "(in millions)\nNet loss (412)", "same size, opposite sign or direction"),
        ("30 months", "30 days", "the source says day, not month"),
        ("12 miles", "12 km", "the source says kilometre, not mile"),
        ("20 pounds", "20 kg", "the source says kilogram, not GBP"),
        ("$25 a year", "$25 per month", "the source says per month, not per year"),
        ("5 percentage points", "5%", "the source speaks of per cent"),
        ("the 3rd day", "3 branches", "the source has a count"),
    ],
)
def test_the_same_figure_under_another_reading_is_doubtful(stated: str, source: str, reading: str) -> None:
    assert _doubts(stated, source) == [reading]


@pytest.mark.parametrize(
    ("stated", "source"),
    [
        ("$8.738 billion", "$8.7 billion"),  # more than the source says
        ("$8.73 billion", "(in millions)\nRevenue 8,738"),  # cut off, not rounded
        ("$8,738 thousand", "(in millions)\nRevenue 8,738"),
        ("$8,738 billion", "$8,738 million"),
        ("$8,783", "$8,738"),
        ("€5", "$5"),
        ("5 basis points", "5%"),
        ("5%", "5 branches"),
        ("5%", "$0.05"),
        ("3", "3.4"),  # a count
        ("three", "3,194"),
        ("two million", "2"),  # one digit is no evidence of a lost heading
        ("25 days", "26 days"),
        ("over 700 million", "$690 million"),
        ("under 700 million", "$737 million"),
        ("about 8,700", "8,600"),
        ("5 March 2023", "March 2023"),
        ("March 2023", "March 2022"),
        ("Q2 2023", "Q3 2023"),
        ("FY2022", "FY2021"),
        ("08:00", "8%"),
        ("2022", "$2,022"),
        ("1.5x", "1.6x"),
    ],
)
def test_not_found(stated: str, source: str) -> None:
    assert not _found(stated, source)


def test_the_plainest_support_is_named_and_the_rest_is_noted() -> None:
    (stated,) = parse_numbers("$8.7 billion")
    index = NumberIndex(parse_numbers("(in millions)\nRevenue 8,738\nTotal $8.7 billion"))
    number, found = index.support(stated)  # type: ignore[misc]
    assert (number.text, found.notes) == ("$8.7 billion", ())
    number, found = NumberIndex(parse_numbers("(in millions)\nLoss (8,738)")).support(stated)  # type: ignore[misc]
    assert found.notes == ("scale from a heading", "rounded")
    assert [doubt.kind for doubt in found.doubts] == ["direction"]


def test_what_speaks_outranks_what_is_silent() -> None:
    source = "Revenue fell 5% (note: 5% of all)."
    assert _found("fell 5%", source)
    assert not _found("rose 5%", source)  # although the other 5% would not contradict it


def test_the_nearest_is_the_smallest_relative_difference_of_its_kind() -> None:
    (stated,) = parse_numbers("$110")
    number, found = NumberIndex(parse_numbers("$100, €110, 110%, $200, 1 May 2020")).nearest(stated)  # type: ignore[misc]
    assert number.text == "$100"
    assert found.distance == pytest.approx(10 / 110)
    assert NumberIndex(parse_numbers("1 May 2020")).nearest(stated) is None


amounts = st.decimals(min_value=1, max_value=10**10, places=2)


@given(amounts, st.integers(0, 4))
def test_what_is_rounded_half_up_is_found(value: Decimal, places: int) -> None:
    stated = f"${round(value / 1000, places):,} thousand"
    assert _found(stated, f"it came to ${value:,}")


@given(amounts, st.sampled_from([Decimal("1.1"), Decimal("0.5"), Decimal(10), Decimal(1000)]))
def test_another_amount_is_not(value: Decimal, factor: Decimal) -> None:
    # 1,000 times as much is another amount, too, where the source states a currency and no heading a scale …
    changed = round(value * factor, 2)
    lost_heading = changed % 1000 == 0  # … unless the statement's zeros may be those of a table in thousands
    if abs(changed - value) > Decimal("0.02") and not lost_heading:
        assert not _found(f"${changed:,}", f"it came to ${value:,}")


@given(st.lists(amounts, max_size=30), amounts)
def test_the_index_finds_what_comparing_with_all_finds(values: list[Decimal], wanted: Decimal) -> None:
    source = "(in thousands)\n" + "\n".join(f"{value:,}" for value in [*values, round(wanted / 1000, 2)])
    numbers = parse_numbers(source)
    (stated,) = parse_numbers(f"${wanted:,}")
    directly = any((found := compare(stated, one)) is not None and found.agrees for one in numbers)
    assert (NumberIndex(numbers).support(stated) is not None) == directly


@given(st.lists(st.lists(st.sampled_from(["5", "5.0", "5 million", "2022", "May 2022", "5%", "0.05"])), max_size=4))
def test_several_sources_are_searched_as_one(sources: list[list[str]]) -> None:
    indexes = [NumberIndex(parse_numbers(" ; ".join(texts))) for texts in sources]
    together = NumberIndex(number for index in indexes for number in index.numbers)
    for wording in ("5", "5 million", "2022", "May 2022", "5%"):
        (stated,) = parse_numbers(wording)
        for apart, whole in (
            (support(Wanted.of(stated), indexes), together.support(stated)),
            (nearest(stated, indexes), together.nearest(stated)),
        ):
            assert (apart is None) == (whole is None)
            assert apart is None or whole is None or (apart[0] is whole[0] and apart[1] == whole[1])
