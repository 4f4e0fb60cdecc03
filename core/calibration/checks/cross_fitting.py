"""Cross-fitting of a calibration for few labels: the roles fit, threshold and check rotate over folds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from hcat.core.arrays import Ints
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.repeated_splits import content_positions
from hcat.core.calibration.conformal.stage_2 import (
    CheckSettings,
    Fitting,
    SetRule,
    Thresholds,
    coverage_shape_over,
    measure,
    set_thresholds,
    sets_of,
)
from hcat.core.calibration.dataset import LabelledScores
from hcat.core.calibration.sufficiency import require_enough
from hcat.core.calibration.training_rows import rows_the_map_can_use
from hcat.core.errors import HcatError
from hcat.core.statistics.partition import SPLITS, Split, assign_fold
from hcat.core.types import Estimate

CROSS_FIT_BELOW = 100
"""Below this number of labels the third split would have about 30 or fewer: then every label checks, in turn."""

FOLDS = 5
ONE_TURN_ABOVE = 200
"""Above this number of labels one fold is enough for a preview: the Labelling page redraws after every label."""
ROLES: tuple[Split, ...] = ("check", "conformal", "conformal", "fit", "fit")
ROLES_WITHOUT_THRESHOLDS: tuple[Split, ...] = ("check", "fit", "fit", "fit", "fit")


def cross_check(
    data: LabelledScores,
    rule: SetRule,
    fitting: Fitting,
    settings: CheckSettings,
    *,
    handed_out: Thresholds,
    turns: int = FOLDS,
) -> Diagnostics | None:
    """Diagnostics in which each label is checked once, by a map and thresholds from other folds.

    None if a fold leaves too few labels for a fit. Of five folds, in each round one checks, two set thresholds and
    two fit: no label serves twice within a round. If no label is reserved for thresholds, the other four make map
    and sets; folds then follow from the content of labels and are stratified by level, and sample names do not
    matter. With one of the `turns` alone, the labels of one fold check. Samples of one cluster stay in one fold.
    Maps of five rounds are pooled, so that the AUC is slightly too low. Each round learns from about as many labels
    as the calibration that is handed out, but it is not that calibration: the procedure is measured. Only the
    interval of the coverage is that of the thresholds `handed_out`: the deviation of a threshold from the procedure
    is added to it (`with_threshold_spread`). Labels without a metric that is too rarely missing in a round to learn
    from are not checked. The direction of trivial scores is the one that is best on all labels. Source: Chernozhukov
    et al. 2018, section 3 (cross-fitting); Bengio & Grandvalet 2004 on intervals, for which labels of one fold are
    not independent."""
    n = len(data)
    fold_of = _folds_by_name(data) if rule.full is None else _folds_by_content(data)
    roles = np.array([SPLITS.index(role) for role in (ROLES if rule.full is None else ROLES_WITHOUT_THRESHOLDS)])
    probability, sets = np.full(n, np.nan), np.zeros((n, len(rule.levels)), dtype=bool)
    metrics: tuple[str, ...] = ()
    for turn in range(turns):
        whole = replace(data, splits=roles[(fold_of + turn) % FOLDS])
        kept = rows_the_map_can_use(whole)
        turned, inside = whole.rows(kept), kept & (whole.splits == SPLITS.index("check"))
        if not inside.any():
            continue
        try:
            if rule.full is None:
                require_enough(turned, what="a fold", levels=rule.levels if rule.by_level else None)
            fitted = fitting(turned)
        except HcatError:
            return None
        thresholds = set_thresholds(fitted, turned, rule)
        part = turned.part("check")
        probability[inside], sets[inside] = fitted.probability(part.X), sets_of(fitted, part, rule, thresholds)
        metrics = fitted.metrics
    known = ~np.isnan(probability)
    if not known.any():
        return None
    checked = data.rows(known)
    diagnostics = measure(
        probability[known],
        sets[known],
        checked,
        rule,
        settings,
        fit=checked,
        besides=metrics,
        folds=turns,
    )
    shape = coverage_shape_over(handed_out, checked, rule)
    return replace(diagnostics, coverage=with_threshold_spread(diagnostics.coverage, shape))


def _folds_by_name(data: LabelledScores) -> Ints:
    return np.array([assign_fold(case, folds=FOLDS, salt="hcat-check") for case in data.cases], dtype=np.intp)


def _folds_by_content(data: LabelledScores) -> Ints:
    """Folds of equal size, stratified by level: labels are assigned in a random order that follows from their
    content."""
    fold_of = np.empty(len(data), dtype=np.intp)
    fold_of[np.lexsort((content_positions(data, 1)[0], data.levels))] = np.arange(len(data)) % FOLDS
    return fold_of


def with_threshold_spread(coverage: Estimate, shape: tuple[float, float] | None) -> Estimate:
    """The interval for the coverage of one threshold, from that for the coverage of the procedure that set it.

    The coverage of a threshold is Beta over draws of labels; with this `shape` its deviations from the mean are those
    of its quantiles. Both distances add in squares, above and below separately; and the interval contains these
    quantiles, since near 1 the distribution is more skewed than the sum. Without a shape every set contains every
    level. Source: Zou & Donner 2008, Construction of confidence limits about effect measures, section 2."""
    from scipy.special import betaincinv

    method = f"{coverage.method}, and the spread of one threshold"
    if shape is None:
        return replace(coverage, high=1.0, method=method)
    tail = (1 - coverage.level) / 2
    mean, first, last = shape[0] / (shape[0] + shape[1]), betaincinv(*shape, tail), betaincinv(*shape, 1 - tail)
    low = coverage.value - math.hypot(coverage.value - coverage.low, mean - first)
    high = coverage.value + math.hypot(coverage.high - coverage.value, last - mean)
    return replace(coverage, low=max(min(low, float(first)), 0.0), high=min(max(high, float(last)), 1.0), method=method)
