"""The number of draws of a test of slices, and the cost beyond which random sets replace permutations of all rows.

Which test a slice gets follows from its data (`against_rest`). Only how the null distribution is drawn depends on what
it would cost, and only here.
"""

from __future__ import annotations

DRAWS, FIRST_DRAWS = 9_999, 999
"""The most draws of a test, and those that every slice sees; their quantiles give the intervals."""
_PERMUTED = 4e7
"""Numbers that all permutations of a test may hold."""
_IN_SETS = 1e7
"""Numbers that all random sets of one size may hold."""
ROWS_OF_SPLIT_CLUSTERS = int(_PERMUTED / FIRST_DRAWS)
"""Largest number of rows that are permuted where clusters lie in several slices: of more there would be fewer than
`FIRST_DRAWS`."""
UNITS_OF_UNLIKE_SIZES = ROWS_OF_SPLIT_CLUSTERS // 4
"""Largest number of values that are permuted over places of unlike sizes or weights, which takes five sums of each."""


def permutations_of(rows: int) -> int:
    """Number of permutations that are drawn of so many rows."""
    return max(FIRST_DRAWS, min(DRAWS, int(_PERMUTED / rows)))


def draws_of(size: int) -> int:
    """Number of random sets of up to this size that are drawn: large ones, whose statistic is nearly normal, take
    fewer."""
    return int(min(max(_IN_SETS / size, FIRST_DRAWS), DRAWS))
