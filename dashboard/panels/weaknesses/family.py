"""The slices in view, with q-values over the whole family that was planned, whatever is in view."""

from __future__ import annotations

from collections.abc import Sequence

from core.records.project import RunInfo
from core.weakness.family import shown_slices
from core.weakness.table import WeaknessTable, side_by_side
from dashboard.loaders.slices import default_dimensions, weaknesses


def slices_in_view(run: RunInfo, metrics: Sequence[str], by: Sequence[str], *, pairs: bool = True) -> WeaknessTable:
    """The slices of these metrics over these dimensions and their pairs. Those of a metric's planned dimensions have
    the same q-values on all screens; dimensions beside them are tested apart. Pass rates by labels stand beside the
    scores of a single metric."""
    alone = len(metrics) == 1
    return side_by_side([_of_metric(run, metric, by, pairs=pairs, with_labels=alone) for metric in metrics])


def _of_metric(run: RunInfo, metric: str, by: Sequence[str], *, pairs: bool, with_labels: bool) -> WeaknessTable:
    planned = default_dimensions(run, metric)
    outside = [name for name in by if name not in planned]
    tables = [
        weaknesses(run, metric, names, pairs=pairs, with_labels=with_labels)
        for names in (planned, (*planned, *outside))[: 1 + bool(outside)]
    ]
    return shown_slices(tables[0], tables[1] if outside else None, by)
