"""The hypergeometric distribution: how many marked ones are among those drawn without replacement."""

from __future__ import annotations

import math

import numpy as np

_NEGLIGIBLE = 14.0
"""Standard deviations from the middle beyond which all terms together are below 1e-30 of the sum."""


def hypergeometric_tails(
    hits: int, *, total: int, marked: int, drawn: int, narrow: bool = False
) -> tuple[float, float]:
    """The chances of as few hits or fewer, and of as many or more, in `drawn` of `total` of which some are marked.

    Each term follows from the one before by their ratio, so that no logarithms of factorials are subtracted. `narrow`
    leaves out terms that are too small to count, so that large numbers take no longer than small ones.
    """
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    if narrow:
        middle = drawn * marked / total
        spread = math.sqrt(middle * (1 - marked / total) * (total - drawn) / max(total - 1, 1))
        reach = math.ceil(_NEGLIGIBLE * (spread + _NEGLIGIBLE))
        least = max(least, min(hits, int(middle) - reach))
        most = min(most, max(hits, int(middle) + reach))
    k = np.arange(least, most)
    ratios = np.log((marked - k) * (drawn - k)) - np.log((k + 1) * (total - marked - drawn + k + 1))
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    terms = np.exp(logs - logs.max())
    place = hits - least
    few, many = terms[: max(place + 1, 0)].sum(), terms[max(place, 0) :].sum()
    return float(few / terms.sum()), float(many / terms.sum())
