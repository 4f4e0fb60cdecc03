"""Repeated random splits of the labels into fit, threshold and check, which show how much depends on the split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.arrays import Bools, Floats, Ints
from hcat.core.calibration.checks.evidence import RepeatedSplits, Spread
from hcat.core.calibration.conformal.stage_2 import (
    Fitting,
    SetRule,
    Thresholds,
    coverage_shape_over,
    set_thresholds,
    sets_of,
)
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.calibration.sufficiency import require_enough
from hcat.core.calibration.training_rows import rows_the_map_can_use
from hcat.core.errors import HcatError
from hcat.core.statistics.beta_binomial import beta_binomial_cdf
from hcat.core.statistics.clusters import rate_effective_n, weighted_effective_n
from hcat.core.statistics.discrimination import auc
from hcat.core.statistics.partition import SHARES, SPLITS
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Estimate

REPEATS = 20
Hashes = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]

_STEP = np.uint64(0x9E3779B97F4A7C15)
LEAST_REPEATS = 10
"""The least number of splits with a fitted and checked map for a summary."""
ENDS = (0.05, 0.95)


@dataclass(frozen=True, slots=True, eq=False)
class SplitCheck:
    """One split: the map's probabilities (n,) and sets (n, levels) for the labels `part` that check it."""

    fit: LabelledScores
    part: LabelledScores
    probability: Floats
    sets: Bools
    thresholds: Thresholds


def repeated_checks(
    data: LabelledScores, rule: SetRule, fitting: Fitting, *, repeats: int = REPEATS
) -> tuple[SplitCheck, ...]:
    """The check on each of so many random splits, without those whose parts are too small to fit, set or check with.

    Splits have the sizes of the one that is handed out; if no label is reserved for its check, 30% check the
    calibrations of the others. They follow from the content of labels and scores, not from the names of samples, and
    one more label moves no other. Test cases stay whole."""
    positions = content_positions(data, repeats)
    checks = (_check_of(replace(data, splits=splits), rule, fitting) for splits in _splits_at(positions, rule))
    return tuple(check for check in checks if check is not None)


def _splits_at(positions: Floats, rule: SetRule) -> Ints:
    if rule.full is not None:
        return np.where(positions < 1 - SHARES["check"], SPLITS.index("fit"), SPLITS.index("check"))
    cuts = np.cumsum(list(SHARES.values()))[:-1]
    return np.searchsorted(cuts, positions, side="right").astype(np.intp)


def _check_of(data: LabelledScores, rule: SetRule, fitting: Fitting) -> SplitCheck | None:
    turned = data.rows(rows_the_map_can_use(data)) if np.isnan(data.X).any() else data
    part = turned.part("check")
    if not len(part):
        return None
    try:
        levels = rule.levels if rule.by_level else None
        require_enough(turned, what="a split", levels=levels, divided=rule.full is None)
        fitted = fitting(turned)
    except HcatError:
        return None
    thresholds = set_thresholds(fitted, turned, rule)
    sets = sets_of(fitted, part, rule, thresholds)
    return SplitCheck(turned.part("fit"), part, fitted.probability(part.X), sets, thresholds)


def content_positions(data: LabelledScores, repeats: int) -> Floats:
    """A number in [0, 1) for each split and label, (repeats, n), by a hash of the content of the label's test case.

    That is its scores, levels and weights; test cases with equal content get different numbers, in the order of rows,
    since they are interchangeable."""
    with np.errstate(over="ignore"):
        row: Hashes = np.zeros(len(data), dtype=np.uint64)
        weights = data.weights / data.weights.max(initial=0.0)  # equal ones say nothing, whatever they are
        for column in (*data.X.T, weights, data.levels.astype(np.float64)):
            # One bit pattern for all that is the same number: + 0 turns −0 into 0.
            bits = np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint64)
            row = _mixed(row * _STEP + bits)
        case = np.arange(len(data)) if (codes := data.clusters) is None else codes
        content = np.zeros(int(case.max(initial=-1)) + 1, dtype=np.uint64)
        np.add.at(content, case, _mixed(row))  # a sum, so that the order of a test case's samples does not count
        order = np.argsort(content, kind="stable")
        ordered, same = content[order], np.empty_like(content)
        same[order] = np.arange(len(order)) - np.searchsorted(ordered, ordered)
        seed = _mixed(content + same * _STEP)[case]
        salts = np.arange(1, repeats + 1, dtype=np.uint64) * _STEP
        return np.asarray((_mixed(seed[None, :] ^ _mixed(salts)[:, None]) >> np.uint64(11)) * 2.0**-53)


def _mixed(x: Hashes) -> Hashes:
    """The finaliser of SplitMix64: each bit of the result depends on all bits of the number."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def summary(
    checks: Sequence[SplitCheck],
    rule: SetRule,
    *,
    handed_out: tuple[ProbabilityMap, Thresholds, LabelledScores],
    level: float,
    test_level: float,
) -> RepeatedSplits | None:
    """The summary of the checks of all splits, and the decided share of the calibration that is `handed_out`.

    `handed_out` are its map, thresholds and labels. None if too few splits could be checked. `test_level` is what the
    test of coverage is compared with."""
    if len(checks) < LEAST_REPEATS:
        return None
    fitted, thresholds, data = handed_out
    others = data if rule.full is not None else data.rows(data.splits != SPLITS.index("fit"))
    measured = [_measured(check, rule, level) for check in checks]
    decided = [each.decided for each in measured]
    return RepeatedSplits(
        splits=len(checks),
        q_hat=spread([check.thresholds.overall.q_hat for check in checks]),
        coverage=spread([each.coverage for each in measured]),
        auc=spread([auc(c.probability, c.part.passed, weights=c.part.unequal_weights) for c in checks]),
        decided=spread([each.value for each in decided]),
        decided_low=float(np.median([each.low for each in decided])),
        coverage_p=min(1.0, 2 * float(np.median([each.coverage_p for each in measured]))),
        handed_out=_share_decided(sets_of(fitted, others, rule, thresholds), others, rule, level),
        coverage_level=test_level,
    )


def spread(values: Sequence[float]) -> Spread:
    """Median and ends of these values, without NaN, which a split may have."""
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    if not len(known):
        return Spread(math.nan, math.nan, math.nan)
    return Spread(float(np.median(known)), *np.quantile(known, ENDS).tolist())


@dataclass(frozen=True, slots=True)
class _Measured:
    coverage: float
    coverage_p: float
    decided: Estimate


def _measured(check: SplitCheck, rule: SetRule, level: float) -> _Measured:
    part, given = check.part, rule.given(check.part)
    covered = check.sets[np.arange(len(part)), given].astype(np.float64)
    coverage = float(np.average(covered, weights=part.weights))
    return _Measured(coverage, _coverage_p(check, rule, covered, level), _share_decided(check.sets, part, rule, level))


def _share_decided(sets: Bools, part: LabelledScores, rule: SetRule, level: float) -> Estimate:
    decided = sets[:, : rule.passing].any(axis=1) != sets[:, rule.passing :].any(axis=1)
    return weighted_proportion(decided, weights=part.unequal_weights, clusters=part.clusters, level=level)


def _coverage_p(check: SplitCheck, rule: SetRule, covered: Floats, level: float) -> float:
    """The probability that a valid threshold covers no more of the checked labels than this one did.

    The coverage of a threshold is Beta over draws of the labels that set it, so the number that it covers is
    beta-binomial: the binomial alone would treat one draw of the threshold as the promised coverage. At effective
    numbers of labels if they are weighted or clustered. Source: Angelopoulos & Bates 2023, section 3.2."""
    shape = coverage_shape_over(check.thresholds, check.part, rule)
    if shape is None:
        return 1.0
    part, codes = check.part, check.part.clusters
    value = float(np.average(covered, weights=part.weights))
    if codes is not None:
        n = rate_effective_n(covered, part.weights, codes, level=level)
    elif part.unequal_weights is not None:
        n = weighted_effective_n(covered, part.weights)
    else:
        n = float(len(part))
    return beta_binomial_cdf(value * n, n, *shape)
