"""Kinds of items, which have the same labels: agreement is computed from them, and the bootstrap draws them."""

from __future__ import annotations

import numpy as np

from hcat.core.arrays import Floats, Ints

PRIOR_ITEMS = 2.0
"""The number of items that Jeffreys' prior adds to the table of two annotators and two levels: half in each cell.

For more levels it is Perks' prior, with the same number spread over all cells."""
PRIOR_OF_SHARES = 1.0
"""The same for a share, as of equal pairs: half an item in each of its two kinds."""


def value_counts(table: Floats, values: Floats) -> Floats:
    """The number of times each value was given to each item of (items, annotators): (items, levels)."""
    counts: Floats = (table[:, :, None] == values).sum(axis=1).astype(np.float64)
    return counts


def item_kinds(counts: Floats) -> tuple[Floats, Ints]:
    """The kinds (kinds, levels) of items by their counts of levels (items, levels), and the kind of each item
    (items,)."""
    if not len(counts):
        return counts, np.zeros(0, dtype=np.intp)
    kinds, kind_of = np.unique(counts, axis=0, return_inverse=True)
    return kinds, kind_of.reshape(-1).astype(np.intp)


def unseen_pairs(kinds: Floats, *, items: float = PRIOR_ITEMS) -> tuple[Floats, Floats]:
    """The kinds (kinds, levels) followed by each pair of levels, and the pseudo-count of each, `items` in all."""
    levels = kinds.shape[1]
    one = np.eye(levels)
    pairs = (one[:, None, :] + one[None, :, :]).reshape(-1, levels)
    added = np.full(len(pairs), items / levels**2)
    return np.vstack([kinds, pairs]), np.concatenate([np.zeros(len(kinds)), added])
