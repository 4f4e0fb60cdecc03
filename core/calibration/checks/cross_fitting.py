"""Checking a calibration where labels are few: the roles fit, threshold and check go round over folds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.conformal.stage_2 import CheckSettings, Fitting, SetRule, measure, set_thresholds, sets_of
from core.calibration.dataset import LabelledScores
from core.calibration.sufficiency import require_enough
from core.calibration.training_rows import rows_the_map_can_use
from core.errors import HcatError
from core.statistics.partition import SPLITS, Split, assign_fold

CROSS_FIT_BELOW = 100
"""With fewer labels than this the third split would check with some 30 or less: then every label checks, in turn."""

FOLDS = 5
ROLES: tuple[Split, ...] = ("check", "conformal", "conformal", "fit", "fit")


def cross_check(
    data: LabelledScores,
    rule: SetRule,
    fitting: Fitting,
    settings: CheckSettings,
) -> Diagnostics | None:
    """Diagnostics in which each label is checked once, by a map and thresholds from other folds; None where a fold
    leaves too few labels to fit with.

    Of five folds, in each round one checks, two set thresholds and two fit: no label serves twice within a round.
    Trials of one test case stay in one fold. Maps of five rounds are pooled, so that AUC leans a little down. Each
    round learns from a like number of labels as the calibration that is handed out, but it is not that calibration:
    what is measured is the procedure. Labels that lack a metric of which a round has too few to learn that from are not
    checked. Trivial scores are turned the way round that suits them on all labels.
    Source: Chernozhukov et al. 2018, section 3 (cross-fitting); Bengio & Grandvalet 2004 on intervals,
    for which labels of one fold are not independent.
    """
    n = len(data)
    fold_of = np.array([assign_fold(case, folds=FOLDS, salt="hcat-check") for case in data.cases], dtype=np.intp)
    probability, sets = np.full(n, np.nan), np.zeros((n, len(rule.levels)), dtype=bool)
    metrics: tuple[str, ...] = ()
    for turn in range(FOLDS):
        whole = replace(data, splits=np.array([SPLITS.index(role) for role in ROLES])[(fold_of + turn) % FOLDS])
        kept = rows_the_map_can_use(whole)
        turned, inside = whole.rows(kept), kept & (whole.splits == SPLITS.index("check"))
        if not inside.any():
            continue
        try:
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
    return measure(
        probability[known],
        sets[known],
        checked,
        rule,
        settings,
        fit=checked,
        besides=metrics,
        folds=FOLDS,
    )
