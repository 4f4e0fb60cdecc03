"""Verdicts on slices: "weak" by people's labels alone, "lower" by a metric that nobody has compared with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.statistics.growth import MOST, n_until, normal_quantile
from hcat.core.types import Verdict

if TYPE_CHECKING:
    import pandas as pd

WEAK, POSSIBLY_WEAK, NOT_SHOWN_WEAK = "weak", "possibly weak", "not shown to be weak"
LOWER, POSSIBLY_LOWER, NOT_SHOWN_LOWER = "lower score", "possibly lower", "not shown to be lower"
HIGHER, POSSIBLY_HIGHER, NOT_SHOWN_HIGHER = "higher score", "possibly higher", "not shown to be higher"
"""Verdicts by a metric of which lower values are better."""
DIFFERENT, POSSIBLY_DIFFERENT, NOT_SHOWN_DIFFERENT = "different score", "possibly different", "not shown to differ"
"""Verdicts by a metric of which neither direction is better."""
INSUFFICIENT = "insufficient evidence"

SHOWN = (WEAK, LOWER, HIGHER, DIFFERENT)
"""Slices that differ at the level q of the table, over all that were tested with them."""
POSSIBLE = (POSSIBLY_WEAK, POSSIBLY_LOWER, POSSIBLY_HIGHER, POSSIBLY_DIFFERENT)
"""Slices with p ≤ 0.05, which the number of slices tested may explain."""
NOT_SHOWN = (NOT_SHOWN_WEAK, NOT_SHOWN_LOWER, NOT_SHOWN_HIGHER, NOT_SHOWN_DIFFERENT)
VERDICTS = (*SHOWN, *POSSIBLE, *NOT_SHOWN, INSUFFICIENT)
"""From the most to the least urgent."""

PEOPLE, LABELS, METRIC = "people", "labels", "metric"
"""Basis of a row: people's labels alone, labels corrected by a metric, or a calibrated metric for want of labels. The
basis of all other rows is the metric alone, "" in the table."""
BY_PEOPLE = (PEOPLE, LABELS)

POSSIBLE_P = 0.05

_FAMILY = (
    "all slices of a metric in a run, levels and pairs of levels: over the planned dimensions, and over all others "
    "that somebody looks at"
)
BY_SCORES = Verdict(
    name="lower score",
    words=(LOWER, HIGHER, DIFFERENT),
    claim="The mean score of the slice is worse than that of the rest; of a metric without a direction, another.",
    error=0.05,
    family=_FAMILY,
    decides="hcat.core.slices.verdicts:verdicts",
    carried_by="hcat.core.slices.table:judged",
)
BY_LABELS_ALONE = Verdict(
    name="weak by labels",
    words=(WEAK,),
    claim="People pass fewer answers of the slice than of the rest.",
    error=0.05,
    family=_FAMILY,
    decides="hcat.core.slices.verdicts:verdicts",
    carried_by="hcat.core.capabilities.weaknesses.labelled_slices:find_pass_rate_weaknesses",
)
BY_CORRECTED_RATES = Verdict(
    name="weak by corrected rates",
    words=(WEAK,),
    claim="People pass fewer answers of the slice than of the rest.",
    error=0.05,
    family=_FAMILY,
    decides="hcat.core.slices.verdicts:verdicts",
    carried_by="hcat.core.capabilities.weaknesses.labelled_slices:corrected_by_labels",
)
BY_ONE_SLICE = Verdict(
    name="possibly lower",
    words=POSSIBLE,
    claim="The slice is worse than the rest; of a metric without a direction, it differs.",
    error=POSSIBLE_P,
    family="one slice: how many were tested is not accounted for",
    decides="hcat.core.slices.verdicts:verdicts",
    carried_by="hcat.core.slices.table:judged",
)


def n_until_shown(p: float, q: float, n: int, *, error: float) -> int | None:
    """Number of observations in place of `n` with which a slice with this p and q would be shown at q ≤ `error`. It
    assumes that the difference and the rank among the tests stay the same. None where no number would do, where the
    slice is shown, or was not tested."""
    if not (0 < p < 1 and q > error):
        return None
    level = p * error / q
    needed = n_until(normal_quantile(p / 2), n, lambda _: level / 2)
    return int(needed) if needed <= MOST else None


_SIGNS = {"higher": 1.0, "lower": -1.0, "none": 0.0}
_OF_SCORES = {"higher": 0, "lower": 1, "none": 2}
_EARLIER = {"metric is lower here": SHOWN, "weak": SHOWN, "watch": POSSIBLE, "fine": NOT_SHOWN}
"""Words of earlier versions, whatever a row rested on."""


def urgency(verdict: str) -> int:
    """0 for a weak slice, 1 where only a score is worse, and so on: equal where only the direction differs."""
    if verdict == INSUFFICIENT:
        return 2 * 3
    group, words = next((place, words) for place, words in enumerate((SHOWN, POSSIBLE, NOT_SHOWN)) if verdict in words)
    return 2 * group + (verdict != words[0])


def signs(directions: pd.Series[str]) -> Floats:
    """1 where higher is better, −1 where lower is, 0 where neither is: one a row."""
    return np.array([_SIGNS[direction] for direction in directions.to_numpy()], dtype=np.float64)


def verdicts(frame: pd.DataFrame, directions: pd.Series[str], *, q: float) -> list[str]:
    """The verdict on each row, from its difference, p, q and basis."""
    shown, possible = worse(frame, directions, "q", q), worse(frame, directions, "p", POSSIBLE_P)
    tested = ~np.isnan(frame["p"].to_numpy(dtype=np.float64))
    by_evidence = np.select([~tested, shown, possible], [-1, 0, 1], default=2)
    rows = zip(by_evidence.tolist(), frame["basis"].to_numpy(), directions.to_numpy(), strict=True)
    return [INSUFFICIENT if place < 0 else verdict_words(basis, of)[place] for place, basis, of in rows]


def worse(frame: pd.DataFrame, directions: pd.Series[str], column: str, limit: float) -> Bools:
    """Whether each slice is worse than the rest, or differs from it where neither direction is better, with p or q up
    to a limit."""
    sign = signs(directions)
    difference = frame["difference"].to_numpy(dtype=np.float64)
    by_chance = frame[column].to_numpy(dtype=np.float64)
    return np.asarray(((difference * sign < 0) | (sign == 0)) & (by_chance <= limit), dtype=np.bool_)


def of_today(verdict: str, *, basis: str, direction: str) -> str:
    """A verdict in the words of today; those of earlier versions said "weak" of any metric."""
    if verdict not in _EARLIER or (verdict == WEAK and basis in BY_PEOPLE):
        return verdict
    place = (SHOWN, POSSIBLE, NOT_SHOWN).index(_EARLIER[verdict])
    if direction == "none" and verdict == "watch":
        place = 0  # it marked those that differ at q
    return verdict_words(basis, direction)[place]


def verdict_words(basis: str, direction: str) -> tuple[str, str, str]:
    """The verdicts on a slice that is worse at q, at p only, at neither."""
    kind = 0 if basis in BY_PEOPLE else 1 + _OF_SCORES[direction]
    return SHOWN[kind], POSSIBLE[kind], NOT_SHOWN[kind]
