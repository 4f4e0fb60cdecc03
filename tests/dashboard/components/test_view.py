"""Tables of a view on a page: as they read, and as a file holds them."""

from __future__ import annotations

import math

from hcat.core.types import Estimate
from hcat.core.view.tree import Column, Quantity, Table
from hcat.dashboard.components.view import exact_frame, table_frame

TABLE = Table(
    "Rates",
    (Column("Run"), Column("Rate", "share"), Column("Change", "difference"), Column("Labels", "count")),
    (
        ("May", Estimate(2 / 3, 0.5, 0.8, 30), Quantity(-0.12345, "difference"), 30),
        ("June", Estimate(math.nan, math.nan, math.nan, 0), None, 0),
    ),
)


def test_a_page_shows_counts_as_numbers_and_all_else_as_it_reads() -> None:
    frame = table_frame(TABLE)
    assert frame.iloc[0].to_list() == ["May", "66.7% [50.0%, 80.0%], n = 30", "−0.12", 30]
    assert frame.iloc[1].to_list() == ["June", "–, n = 0", "–", 0]


def test_a_file_holds_exact_numbers() -> None:
    frame = exact_frame(TABLE)
    assert [*frame] == ["Run", "Rate", "Rate, low", "Rate, high", "Rate, n", "Change", "Labels"]
    assert frame.iloc[0].to_list() == ["May", 2 / 3, 0.5, 0.8, 30, -0.12345, 30]
