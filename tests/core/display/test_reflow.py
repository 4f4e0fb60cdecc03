"""Filings with a number a line, set as rows, without a character of the text lost or moved."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.display.reflow import reflow

BALANCE_SHEET = (
    "As of June 30,\n2020\n2019\nAssets\nCash and cash equivalents\n$\n742.6 \n$\n601.6 \n"
    "Assets held for sale\n \n416.1 \n"
    "Goodwill........................\n5,339.3\n5,156.0\n(Loss)\n(16)\n(2)\n%\n"
)


def test_lines_of_one_number_become_rows() -> None:
    assert reflow(BALANCE_SHEET).shown == (
        "As of June 30, 2020 | 2019\nAssets\nCash and cash equivalents | $742.6 | $601.6\n"
        "Assets held for sale | · | 416.1\nGoodwill | 5,339.3 | 5,156.0\n(Loss) | (16) | (2)%\n"
    )


def test_blank_lines_before_every_cell_of_a_row_are_no_empty_cells() -> None:
    padded = "Depreciation\n \n856 \n \n788 \n \n757 \nReceivables\n \n(198) \n(430) \n106 \n"
    assert reflow(padded).shown == "Depreciation | 856 | 788 | 757\nReceivables | · | (198) | (430) | 106 \n"


def test_a_broken_line_of_a_table_goes_on() -> None:
    text = "Changes, net of acquired\nassumed liabilities\n1\n2\n3\n4\n"
    assert reflow(text).shown == "Changes, net of acquired assumed liabilities | 1 | 2 | 3 | 4\n"


def test_prose_keeps_its_lines_and_one_blank_line() -> None:
    prose = "A fee is due.\n\nIt is 3 euros\na month.\n \n\nFrom 2024 on:\n12\n"
    assert reflow(prose).shown == "A fee is due.\n\nIt is 3 euros\na month.\n\nFrom 2024 on:\n12\n"
    assert reflow("The fee is 3 euros.").gaps == ()
    assert reflow("").shown == ""
    assert reflow(" \n\nThe fee").shown == "The fee"


def test_a_stretch_is_read_as_it_is_in_the_whole() -> None:
    sheet = reflow(BALANCE_SHEET)
    start, end = BALANCE_SHEET.index("Cash"), BALANCE_SHEET.index("Assets held")
    assert sheet.between(start, end) == "Cash and cash equivalents | $742.6 | $601.6\n"
    number = BALANCE_SHEET.index("416.1")
    assert sheet.between(number, number + 5) == "416.1"
    middle = BALANCE_SHEET.index("\n \n416.1") + 1  # begins within a gap
    assert sheet.between(middle, number + 5) == "416.1"


LINES = st.sampled_from(
    ["Goodwill", "goes on", "$", "1,577", "(4)", "%", "", " ", "Total......... ", "\t", "2022 \r", "#", "ü 😀"]
)


@given(st.lists(LINES, max_size=40).map("\n".join))
def test_gaps_hold_nothing_but_space_and_leaders(text: str) -> None:
    sheet = reflow(text)
    end = 0
    for gap in sheet.gaps:
        assert end <= gap.start < gap.end <= len(text)
        assert re.fullmatch(r"[\s.]*", text[gap.start : gap.end])
        end = gap.end
    letters = re.sub(r"[\s.]", "", text)
    assert re.sub(r"[\s.|·…]", "", sheet.shown) == letters
    assert sheet.between(0, len(text)) == sheet.shown


@pytest.mark.parametrize("text", ["." * 100_000, "\n" * 100_000, "1\n" * 50_000, "$ " * 50_000])
def test_long_texts_take_no_time(text: str) -> None:
    assert reflow(text).text is text
