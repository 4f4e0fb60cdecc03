"""Two runs in one heatmap: the paired difference in each pair of levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite

from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.shading import SPREADS_IN_RANGE, shade
from hcat.core.slices.paired import PairedSlice, PairedSlices
from hcat.core.types import Slice


def paired_heatmap(
    paired: PairedSlices,
    *,
    rows: str,
    columns: str,
    order: tuple[tuple[str, ...], tuple[str, ...]],
    machine: bool = False,
) -> WeaknessHeatmap:
    """A heatmap with the colours of one run's, of the difference: orange if the run is worse than the other.

    `order` has all levels of both dimensions in their order; those without a pair are left out."""
    slices = [
        replace(each, slice=turned)
        for each in paired.slices
        if (turned := _turned(each.slice, rows, columns)) is not None
    ]
    cells = tuple(_cell(each, paired) for each in slices)
    return WeaknessHeatmap(
        paired.metric,
        rows,
        columns,
        _in_order(order[0], (cell.level_1 for cell in cells)),
        _in_order(order[1], (cell.level_2 for cell in cells)),
        cells,
        paired.overall.difference.value,
        unit=_unit(paired),
        higher_is_better=paired.direction != "lower",
        q=paired.q,
        minimum_n=paired.minimum_n,
        machine=machine,
        against=paired.against,
    )


def paired_slice(paired: PairedSlices, slice_: Slice) -> PairedSlice:
    """The row of a slice, with its dimensions in either order."""
    return next(
        each
        for each in paired.slices
        if each.slice == slice_
        or (slice_.dimension_2 and _turned(each.slice, slice_.dimension_1, slice_.dimension_2) == slice_)
    )


def _turned(slice_: Slice, rows: str, columns: str) -> Slice | None:
    """The slice with the dimension of the rows first; None if it is of others."""
    if (slice_.dimension_1, slice_.dimension_2) == (rows, columns):
        return slice_
    if (slice_.dimension_1, slice_.dimension_2) == (columns, rows):
        return Slice(rows, str(slice_.level_2), columns, slice_.level_1)
    return None


def _cell(each: PairedSlice, paired: PairedSlices) -> HeatmapCell:
    levels = (each.slice.level_1, str(each.slice.level_2))
    if not isfinite(each.q):
        return HeatmapCell(*levels, each.difference, None, each.verdict)
    turned = -1.0 if paired.direction == "lower" else 1.0
    share = turned * each.difference.value / _unit(paired)
    place = shade(share, shown=each.q <= paired.q)
    return HeatmapCell(*levels, each.difference, each.difference.value, each.verdict, each.q, place)


def _unit(paired: PairedSlices) -> float:
    if isfinite(paired.unit) and paired.unit > 0:
        return paired.unit
    return SPREADS_IN_RANGE * paired.spread if isfinite(paired.spread) and paired.spread > 0 else 1.0


def _in_order(order: tuple[str, ...], among: Iterable[str]) -> tuple[str, ...]:
    present = set(among)
    return tuple(level for level in order if level in present)
