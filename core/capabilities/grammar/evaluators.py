"""Evaluators of grouped runs, compared with the right verdicts in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.calibration.checks.diagnostics import DECISION_THRESHOLD
from hcat.core.capabilities.grammar.answers import GroupedAnswers
from hcat.core.estimates.evaluator_reliability import EvaluatorReliability, reliabilities

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.types import Direction

CALIBRATED = "calibrated probability"


def evaluator_table(
    answers: Mapping[str, GroupedAnswers],
    scores: Mapping[str, ScoreTable],
    *,
    calibration: Calibration | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> tuple[EvaluatorReliability, ...]:
    """Every metric of the score tables, by run, over the answers of all runs that have scores.

    Answers to texts of one group are one cluster, in whichever run. A calibration's threshold is its own.
    """
    names = [name for name in answers if name in scores]
    if not names:
        return ()
    columns = {metric: [] for name in names for metric in scores[name].metrics}  # type: dict[str, list[np.ndarray]]
    directions: dict[str, Direction] = {}
    stated = dict(thresholds or {})
    if calibration is not None:
        checked = calibration.diagnostics
        columns[CALIBRATED] = []
        stated[CALIBRATED] = DECISION_THRESHOLD if checked is None else checked.decision_threshold
    for name in names:
        table, ids = scores[name], answers[name].ids
        places = np.array([table.row_of.get(sample_id, -1) for sample_id in ids])
        for metric in columns:
            if metric == CALIBRATED and calibration is not None:
                values = calibration.probability(table)
            else:
                known = metric in table.metrics
                values = table.values(metric) if known else np.full(len(table.sample_ids), np.nan)
                if known:
                    directions[metric] = table.direction_of(metric)
            columns[metric].append(np.where(places >= 0, values[places], np.nan))
    usable = {metric: np.concatenate(parts) for metric, parts in columns.items() if directions.get(metric) != "none"}
    return reliabilities(
        usable,
        np.concatenate([answers[name].right for name in names]),
        clusters=np.concatenate([answers[name].group for name in names]),
        directions=directions,
        thresholds=stated,
    )
