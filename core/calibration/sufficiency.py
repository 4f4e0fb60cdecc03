"""Whether there are enough labels to fit a map and to set a threshold, and if not, how many more are needed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hcat.core.calibration.dataset import LabelledScores
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.statistics.partition import SHARES, SPLITS

LEAST_TO_FIT = 10
LEAST_OF_EACH_CLASS = 2


def require_enough(
    data: LabelledScores, *, what: str, levels: Sequence[str] | None = None, divided: bool = True
) -> None:
    """Raise NotEnoughLabelsError, with the number of further labels that covers every shortage on average.

    A fit needs 10 labels with 2 of each class, or of each of `levels` if every level gets its probability; a threshold
    needs 1, if labels are `divided` between both; else the labels that fit the map set it, too."""
    to_fit = SHARES["fit"] if divided else 1.0
    fit = np.flatnonzero(data.splits == SPLITS.index("fit"))
    sides = ("fails", "passes") if levels is None else tuple(levels)
    all_given = data.passed.astype(np.intp) if levels is None else data.levels
    given = all_given[fit]
    counts, seen = (np.bincount(column, minlength=len(sides)) for column in (given, all_given))
    more, missing = 0.0, []
    if len(given) < LEAST_TO_FIT:
        more = (LEAST_TO_FIT - len(given)) / to_fit
        missing.append(f"fitting {len(given)}/{LEAST_TO_FIT}")
    for side, count, everywhere in zip(sides, counts.tolist(), seen.tolist(), strict=True):
        if count < LEAST_OF_EACH_CLASS:
            # Laplace's rule makes the expected share of a class without labels positive.
            expected_share = (everywhere + 1) / (len(all_given) + len(sides))
            more = max(more, (LEAST_OF_EACH_CLASS - count) / (to_fit * expected_share))
            missing.append(f"{side} {count}/{LEAST_OF_EACH_CLASS}")
    if divided and data.split_sizes["conformal"] == 0:
        more = max(more, 1 / SHARES["conformal"])
        missing.append("threshold 0/1")
    if missing:
        needed = math.ceil(more - 1e-9)
        lost = ", ".join(f"{count} {reason}" for reason, count in data.left_out.items() if count)
        raise NotEnoughLabelsError(
            f"{what} needs about {needed:,} more labels ({', '.join(missing)})"
            + (f"; labelled samples left out: {lost}" if lost else ""),
            needed=needed,
        )
