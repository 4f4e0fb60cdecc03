"""The slices that a report compares, and the validity of the metrics for the comparison as a substitute for people."""

from __future__ import annotations

from hcat.core.capabilities.calibration.fitness import fitness_beside
from hcat.core.capabilities.calibration.wording.fitness import fitness_sentence
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.evidence.records import WeaknessEvidence
from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions, default_metric
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED, find_calibrated_weaknesses, find_weaknesses
from hcat.core.errors import NotFoundError
from hcat.core.slices.family import as_planned
from hcat.core.slices.keys import criterion_of
from hcat.core.slices.table import WeaknessTable


def weaknesses_of(reported: ReportedRun) -> list[WeaknessEvidence]:
    """The slices by people's labels, once there are enough, else by the calibration or a metric."""
    run, newest = reported.run, reported.newest
    if reported.weaknesses is not None:
        return [_weakness(reported, reported.weaknesses)]
    metric = _metric_of_slices(reported) if reported.find else None
    by = [] if metric is None else default_dimensions(run, metric)
    if metric is None or not by:
        return []
    if (name := criterion_of(metric)) is not None:
        on = next(criterion for criterion in reported.criteria if criterion.name == name)
        return [_weakness(reported, as_planned(find_pass_rate_weaknesses(run, on, by=by, pairs=True)))]
    if metric != CALIBRATED or newest is None:
        return [_weakness(reported, as_planned(find_weaknesses(run, metric, by=by, pairs=True)))]
    table = find_calibrated_weaknesses(run, newest, reported.criterion_of(newest), by=by, pairs=True)
    return [_weakness(reported, as_planned(table))]


def _metric_of_slices(reported: ReportedRun) -> str | None:
    try:
        return default_metric(reported.run)
    except NotFoundError:
        return None


def _weakness(reported: ReportedRun, table: WeaknessTable) -> WeaknessEvidence:
    """The table, with a sentence on each of its metrics as a substitute for people."""
    fitness = {name: fitness_text(reported, name) for name in table.settings.overall}
    return WeaknessEvidence(reported.run.name, table, {name: text for name, text in fitness.items() if text})


def fitness_text(reported: ReportedRun, metric: str) -> str:
    """Sentence on the validity of a metric as a substitute for people on this run; "" for people's own rates and
    unknown metrics."""
    table = reported.run.columns.given_scores
    if metric != CALIBRATED and (table is None or metric not in table.metrics):
        return ""
    fitness = fitness_beside(reported.run, metric)
    return "" if fitness is None else fitness_sentence(fitness)
