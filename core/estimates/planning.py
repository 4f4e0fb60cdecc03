"""How many labels a question takes, before anybody is asked to give them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from core.calibration.conformal import conformal_quantile
from core.calibration.splits import SHARES
from core.errors import HcatError

MOST = 10_000_000
SURE = 0.95
"""How probable it is to be that chance leaves every split with enough labels."""


@dataclass(frozen=True, slots=True)
class LabelPlan:
    """Labels needed in all, and those still missing. `reachable` is False where no number of labels is enough:
    then `needed` is the most that there can be, and `note` says what would help."""

    needed: int
    more: int
    reachable: bool
    note: str = ""


def labels_for_width(
    width: float,
    *,
    rate: float = 0.5,
    quality: float = 0.0,
    samples: int | None = None,
    have: int = 0,
    effect: float = 1.0,
    level: float = 0.95,
) -> LabelPlan:
    """Labels, drawn at random, for an interval of a pass rate that is `width` wide from end to end.

    `rate` is the pass rate expected, 0.5 being the worst; `quality` the share of the variance of labels that the metric
    explains, R² in [0, 1) (0: labels only; see `quality_of`); `samples` the size N of the run, none for a run without
    end; `effect` how much a label tells of what a plain random one does, less than 1 for trials of one test case.
    PPI++ with n labels has the variance rate · (1 − rate) · ((1 − R²)/n + R²/N), which R² = 0 makes that of labels
    alone, and of which Wilson's interval at the effective n is taken. With all N samples labelled the interval is as
    narrow as the run allows. Source: Angelopoulos, Duchi & Zrnic 2023, section 6.
    """
    if not 0 < width < 1 or not 0 <= rate <= 1 or not 0 <= quality < 1:
        raise HcatError("a plan takes a width in (0, 1), a rate in [0, 1] and a quality in [0, 1)")
    _require_effect(effect)
    most = MOST if samples is None else samples

    def wide(n: int) -> float:
        variance = (1 - quality) / (effect * n) + (0.0 if samples is None else quality / samples)
        return _wilson_width(rate, 1 / variance, level)

    if most < 1 or wide(most) > width:
        reach = wide(most) if most >= 1 else math.nan
        note = f"All {most} samples labelled give a width of {reach:.3f}: a larger run is needed."
        return LabelPlan(most, max(0, most - have), reachable=False, note=note)
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wide(middle) <= width else (middle, high)
    return LabelPlan(high, max(0, high - have), reachable=True)


def _require_effect(effect: float) -> None:
    if not 0 < effect < math.inf:
        raise HcatError("what a label tells, of what a plain random one does, is a positive number")


def quality_of(labels_only_error: float, powered_error: float, *, n: int, samples: int) -> float:
    """R² in [0, 1) that the standard errors of labels only and of PPI++ on n of N samples show.

    (powered / labels only)² = 1 − R² (1 − n/N). 0 where all samples are labelled, since nothing is left to predict.
    """
    if n >= samples or not labels_only_error > 0:
        return 0.0
    saved = 1 - (powered_error / labels_only_error) ** 2
    return min(max(saved / (1 - n / samples), 0.0), 1 - 1e-9)


def labels_for_difference(
    difference: float,
    *,
    rates: tuple[float, float],
    correlation: float = 0.0,
    quality: float = 0.0,
    power: float = 0.8,
    have: int = 0,
    effect: float = 1.0,
    level: float = 0.95,
) -> LabelPlan:
    """Test cases to label on both runs, so that a true difference of this size is found with this power.

    `rates` are the pass rates expected, `correlation` that of the two labels of a test case (0 is the cautious guess),
    `quality` the share of the variance of their difference that the metric explains, on a run much larger than the
    labels, `effect` as in `labels_for_width`. n = ((z₁ + z₂)² · variance / difference²), with the variance of the
    difference of two paired outcomes, and two more for the t quantile.
    Source: Fleiss, Levin & Paik 2003, section 13.4.2, without the null variance.
    """
    from scipy.special import ndtri

    first, second = rates
    if difference == 0 or not 0 <= first <= 1 or not 0 <= second <= 1 or not -1 <= correlation <= 1:
        raise HcatError("a plan takes a difference other than 0, rates in [0, 1] and a correlation in [−1, 1]")
    if not 0 < power < 1 or not 0 <= quality < 1:
        raise HcatError("a plan takes a power in (0, 1) and a quality in [0, 1)")
    _require_effect(effect)
    spreads = [rate * (1 - rate) for rate in rates]
    variance = (sum(spreads) - 2 * correlation * math.sqrt(spreads[0] * spreads[1])) * (1 - quality)
    reach = float(ndtri(0.5 + level / 2)) + float(ndtri(power))
    needed = math.ceil(reach**2 * max(variance, 0.0) / (effect * difference**2)) + 2
    return LabelPlan(needed, max(0, needed - have), reachable=True)


def labels_for_conformal(
    alpha: float,
    *,
    shares: Mapping[str, float] | None = None,
    tolerance: float | None = None,
    split: float = SHARES["conformal"],
    have: int = 0,
) -> LabelPlan:
    """Labels in all, of which a hash sends `split` to the threshold, so that it is set with probability 0.95.

    `shares` are those of groups (or classes) that each get a threshold of their own. Without `tolerance` each takes the
    ⌈1/α⌉ − 1 labels below which every set holds both classes. With it, each takes as many as make the coverage that
    these very labels lead to, which is Beta(n + 1 − l, l) with l = ⌊(n + 1)α⌋, at least 1 − α − tolerance with
    probability 0.95. Groups share out the remaining 0.05 (Bonferroni).
    Source: Vovk 2012, Conditional Validity of Inductive Conformal Predictors, proposition 2a.
    """
    groups = dict(shares) if shares else {"all": 1.0}
    if any(not 0 < share <= 1 for share in groups.values()) or not 0 < split <= 1:
        raise HcatError("shares of groups, and that of the split, must lie in (0, 1]")
    each = conformal_quantile([], alpha=alpha).needed if tolerance is None else _for_tolerance(alpha, tolerance)
    sure = 1 - (1 - SURE) / len(groups)
    needed = max(_total_for(each, split * share, sure) for share in groups.values())
    note = f"Each threshold takes {each} labels; a label reaches the threshold's split with probability {split:g}."
    return LabelPlan(needed, max(0, needed - have), reachable=True, note=note)


def _for_tolerance(alpha: float, tolerance: float) -> int:
    if not 0 < tolerance < 1 - alpha:
        raise HcatError("the tolerance is how far coverage may fall below 1 − α, such as 0.05")
    # The bound moves in steps of n, and not always down: a stretch of n that all hold is asked for.
    n, held = conformal_quantile([], alpha=alpha).needed, 0
    stretch = math.ceil(1 / alpha) + 1
    while held < stretch:
        held = held + 1 if _holds(n, alpha, tolerance) else 0
        n += 1
        if n > MOST:
            raise HcatError("no number of labels gives this tolerance")
    return n - stretch


def _holds(n: int, alpha: float, tolerance: float) -> bool:
    from scipy.special import betainc

    below = math.floor((n + 1) * alpha + 1e-9)
    return below >= 1 and float(betainc(n + 1 - below, below, 1 - alpha - tolerance)) <= 1 - SURE


def _total_for(each: int, share: float, sure: float) -> int:
    """The smallest total of which at least `each` fall into a part of this share with probability `sure`."""
    from scipy.special import bdtrc

    low, high = each - 1, each
    while float(bdtrc(each - 1, high, share)) < sure:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if float(bdtrc(each - 1, middle, share)) >= sure else (middle, high)
    return high


def _wilson_width(rate: float, n: float, level: float) -> float:
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 + level / 2)) ** 2
    return 2 * math.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
