"""Merges two score tables of one run: newly computed metrics over older ones, and metrics from files with ours."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hcat.core.errors import ConflictError
from hcat.core.scoring.score_table import REASON_SUFFIX, ScoreTable

if TYPE_CHECKING:
    import pandas as pd


def merged(past: ScoreTable | None, computed: ScoreTable) -> ScoreTable:
    """One table with the columns of both; if both have a metric, the computed one is used."""
    if past is None:
        return computed
    carried = tuple(name for name in past.metrics if name not in computed.metrics)
    metrics = (*carried, *computed.metrics)
    old, new = past.provenance, computed.provenance
    provenance = replace(
        new,
        metrics=metrics,
        models={**old.models, **new.models},
        models_of={**old.models_of, **new.models_of},
        parameters={**old.parameters, **new.parameters},
        from_files={**old.from_files, **new.from_files},
        left_out={name: why for name, why in {**old.left_out, **new.left_out}.items() if name not in metrics},
    )
    return replace(computed, frame=columns_of(past, carried).join(computed.frame), provenance=provenance)


def with_erased_scores(past: ScoreTable | None, computed: ScoreTable, erased: Collection[str]) -> ScoreTable:
    """The computed scores, with past ones for samples whose text is erased.

    They are of the same metrics and as if computed now: the caller passes no others. The state of their answers is
    preserved, too."""
    chosen = [name for name in computed.sample_ids if name in set(erased)]
    if past is None or not chosen:
        return computed
    frame, both = computed.frame.copy(), [name for name in computed.metrics if name in past.metrics]
    for column in columns_of(past, both).columns:
        if column not in frame:
            frame[column] = None
        frame.loc[chosen, column] = past.frame.loc[chosen, column]
    for metric in both:
        reason = metric + REASON_SUFFIX
        if reason in frame and reason not in past.frame:
            frame.loc[chosen, reason] = None
    return replace(computed, frame=frame)


def joined(past: ScoreTable | None, table: ScoreTable, *, overwrite: bool = False) -> ScoreTable:
    """The table with metrics from a file added. ConflictError if one would replace another."""
    if set(table.metrics) - set(table.provenance.from_files):
        raise ConflictError("only scores that hcat did not compute can be added to others")
    if past is not None and past.sample_ids != table.sample_ids:
        raise ConflictError("the scores are of other samples, or in another order: give them as a table with sample_id")
    if past is None:
        return replace(table, provenance=replace(table.provenance, left_out={}))
    declared = past.provenance.from_files
    for name, metric in table.provenance.from_files.items():
        other = declared.get(name)
        is_same = other is not None and (other.sha256, other.column) == (metric.sha256, metric.column)
        if name in past.metrics and not is_same and not (overwrite and other is not None):
            whose = "computed by hcat" if other is None else other.origin
            raise ConflictError(f"the run has a metric {name!r} already, {whose}: choose another name, or replace it")
    carried = tuple(name for name in past.metrics if name not in table.metrics)
    provenance = replace(
        past.provenance,
        metrics=(*carried, *table.metrics),
        from_files={**declared, **table.provenance.from_files},
    )
    return replace(past, frame=columns_of(past, carried).join(table.frame), provenance=provenance)


def columns_of(table: ScoreTable, metrics: Sequence[str]) -> pd.DataFrame:
    """The columns of these metrics, and of their reasons."""
    return table.frame[[name for name in table.frame.columns if name.removesuffix(REASON_SUFFIX) in metrics]]
