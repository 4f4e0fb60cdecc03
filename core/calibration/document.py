"""The layout of the parts of a calibration in its document."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.fitness import Condition, Verdict
from hcat.core.calibration.checks.proportional_odds import ProportionalOdds
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.calibration.maps.parameters import MAP_LAYOUTS
from hcat.core.records.layout import Also, Group, Inline, Key, Layout, Sentence

THRESHOLD: Layout = (
    "q_hat",
    "alpha",
    Group("threshold", ("n", "enough", "needed", "test_cases", "alike", "effective_n", "by_weight")),
)

DIAGNOSTICS: Layout = (
    *("n", "passes"),
    *(Also("auc", "auc.value"), Key("auc_interval", "auc")),
    "ece",
    *(Also("brier", "brier.value"), Key("brier_interval", "brier")),
    *("coverage", "decision_threshold"),
    *(Also("type_1", "type_1.value"), Key("type_1_interval", "type_1")),
    *(Also("type_2", "type_2.value"), Key("type_2_interval", "type_2")),
    *("set_sizes", "undecided", "reliability", "baselines"),
    *("folds", "ece_corrected", "brier_parts", "decided", "cells", "auc_of_score"),
)
"""Plain numbers, each next to its interval."""

PROPORTIONAL_ODDS: Layout = (
    *("statistic", "degrees", "p", "slopes", "n", "reason", "test_cases"),
    Sentence("says"),
)

VERDICT: Layout = ("value", Key("reason", "reason", required=True), "conditions")

CONDITION: Layout = (Key("condition", "name"), "state", "value")

CALIBRATION: Layout = (
    *(Key("hcat", "version", required=True), Key("inputs", "inputs", required=True)),
    Key("settings", "settings", required=True),
    *("criterion", "method", "metrics", Also("parameters", "map")),
    *("levels", "passing", "conditional", "weighted", "thresholds", "sets_by_score", Sentence("guarantee")),
    *("split_sizes", "left_out", "alpha", Inline("threshold")),
    *("diagnostics", "proportional_odds", "evidence", "weights", "fit_for_use", "use"),
)
"""The fields of the threshold for all are not nested in an object."""

LAYOUTS: Mapping[type, Layout] = {
    **MAP_LAYOUTS,
    Threshold: THRESHOLD,
    Diagnostics: DIAGNOSTICS,
    ProportionalOdds: PROPORTIONAL_ODDS,
    Verdict: VERDICT,
    Condition: CONDITION,
}
