"""Several judges as a panel: their mean, and its information relative to one judge, given how correlated they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_json
from hcat.core.scoring.file_metric import JUDGED, FileMetric
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.statistics.rank_correlation import RankCorrelations, rank_correlations
from hcat.core.types import Score

INCOMPLETE = "a judge of the panel gave no score"


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges by the names of their metrics, the rank correlation of each two, and the mean of these correlations.

    `effective` is the effective number of independent judges, k / (1 + (k − 1) r̄): k if they are uncorrelated, 1 if
    they always agree. NaN if no two have a correlation."""

    metrics: tuple[str, ...]
    correlations: RankCorrelations
    mean_correlation: float
    effective: float


def panel_of(table: ScoreTable, metrics: Sequence[str]) -> Panel:
    """The correlations within a panel of judges. HcatError for fewer than two, or for metrics on different scales.

    Source of the effective number: Kish 1965, section 5.4, with judges as the members of one cluster."""
    names = tuple(dict.fromkeys(metrics))
    if len(names) < 2:
        raise HcatError("a panel has two judges at least: name their metrics, comma-separated")
    ranges = {table.facts(name).range for name in names if table.n_scored(name) >= 0}
    if len(ranges) > 1:
        raise HcatError("the judges of a panel score on one scale: these differ")
    correlations = rank_correlations({name: table.values(name) for name in names}, clusters=table.clusters)
    pairs = [estimate.value for estimate in correlations.estimates.values() if estimate is not None]
    mean = math.fsum(pairs) / len(pairs) if pairs else math.nan
    inflation = 1 + (len(names) - 1) * mean
    return Panel(names, correlations, mean, len(names) / inflation if inflation > 0 else math.nan)


def panel_scores(table: ScoreTable, panel: Panel, *, name: str) -> ScoreTable:
    """A table of one metric: the mean of all judges, unscored if any has no score. It is declared like a judge's."""
    values = np.column_stack([table.values(metric) for metric in panel.metrics])
    means = [Score(None, INCOMPLETE) if np.isnan(row).any() else Score(float(row.mean())) for row in values]
    declared = table.provenance.from_files
    versions = [declared[metric].sha256 if metric in declared else metric for metric in panel.metrics]
    low, high = table.facts(panel.metrics[0]).range
    metric = FileMetric(
        column=name,
        file=f"a panel of {', '.join(panel.metrics)}",
        sha256=sha256_of_json([*versions]),
        direction=table.direction_of(panel.metrics[0]),
        low=low if math.isfinite(low) else None,
        high=high if math.isfinite(high) else None,
        framework=JUDGED,
        description="The mean of several judges' scores; unscored where one of them has none.",
    )
    provenance = replace(table.provenance, metrics=(name,), from_files={name: metric}, left_out={})
    return score_table(
        list(table.sample_ids),
        {name: means},
        provenance,
        answer_states=table.answer_states,
        clusters=table.clusters,
    )
