"""A user's statements about metrics from files: another name, the direction, the range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from hcat.core.errors import HcatError
from hcat.core.metrics.facts import registered_facts
from hcat.core.scoring.file_metric import FileMetric
from hcat.core.scoring.score_file import metric_name
from hcat.core.scoring.score_table import REASON_SUFFIX, ScoreTable
from hcat.core.types import Direction

ROUNDING = 1e-6
"""A score this far outside its range is so by rounding, as for a cosine in single precision, and counts as the end."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one metric; None for what is not stated. `bounds` are the smallest and the largest value."""

    direction: Direction | None = None
    bounds: tuple[float | None, float | None] | None = None
    name: str | None = None


def with_statements(table: ScoreTable, statements: Mapping[str, Statement]) -> ScoreTable:
    """The table with the statements applied to its metrics from files, by their names or those of their columns.

    A score outside a metric's range is unscored, and the reason says so. HcatError for a name that no metric from a
    file has, and for a new name that is in use."""
    metrics = {name: _metric(table, name) for name in statements}
    declared = dict(table.provenance.from_files)
    for name, statement in statements.items():
        declared[metrics[name]] = _stated(declared[metrics[name]], statement)
    within = replace(table, frame=_within(table.frame, declared))
    within = replace(within, provenance=replace(table.provenance, from_files=declared))
    renamed = {metrics[name]: made.name for name, made in statements.items() if made.name}
    return _renamed(within, {old: new for old, new in renamed.items() if old != new})


def _metric(table: ScoreTable, name: str) -> str:
    """The metric that a statement is about."""
    declared = table.provenance.from_files
    if name in declared:
        return name
    of_column = [metric for metric, made in declared.items() if made.column == name]
    if of_column:
        return of_column[0]
    if name in table.metrics or registered_facts(name) is not None:
        raise HcatError(f"{name!r} is computed by hcat: its direction and range are its own, not to be stated")
    raise HcatError(f"no metric {name!r} comes from a file: these do: {', '.join(declared) or 'none'}")


def _stated(declared: FileMetric, statement: Statement) -> FileMetric:
    low, high = (declared.low, declared.high) if statement.bounds is None else statement.bounds
    return replace(declared, direction=statement.direction or declared.direction, low=low, high=high)


def _within(frame: pd.DataFrame, declared: Mapping[str, FileMetric]) -> pd.DataFrame:
    """The scores without those outside their range, each with its reason."""
    columns = {str(name): frame[name] for name in frame.columns}
    for name, metric in declared.items():
        low, high = metric.range
        values = columns[name]
        outside = (values < low - ROUNDING) | (values > high + ROUNDING)
        columns[name] = values.clip(low, high).mask(outside, np.nan)
        if outside.any():
            reasons = columns.get(name + REASON_SUFFIX, pd.Series(pd.NA, index=frame.index, dtype="str"))
            columns[name + REASON_SUFFIX] = reasons.mask(outside, f"outside the range {metric.bounds}")
    return pd.DataFrame(columns, index=frame.index)


def _renamed(table: ScoreTable, names: Mapping[str, str]) -> ScoreTable:
    if not names:
        return table
    for old, new in names.items():
        if metric_name(new, "") != new or (new in table.metrics and new not in names) or not new:
            raise HcatError(f"{new!r} can't be the name of a metric from a file: choose another one for {old!r}")
    columns = {**names, **{old + REASON_SUFFIX: new + REASON_SUFFIX for old, new in names.items()}}
    metrics = tuple(names.get(name, name) for name in table.metrics)
    if len(set(metrics)) < len(metrics):
        raise HcatError(f"two metrics would be called the same: {', '.join(sorted(names.values()))}")
    declared = {names.get(name, name): metric for name, metric in table.provenance.from_files.items()}
    provenance = replace(table.provenance, metrics=metrics, from_files=declared)
    return replace(table, frame=table.frame.rename(columns=columns), provenance=provenance)
