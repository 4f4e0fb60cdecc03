"""Instructions for reading a figure."""

from __future__ import annotations

from math import isfinite

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_number, format_percent, p_value_text
from hcat.core.figures.forest import ForestPlot
from hcat.core.figures.frames import FRAMES
from hcat.core.figures.heatmap import HeatmapCell, WeaknessHeatmap
from hcat.core.figures.heatmap_legend import LegendEntry
from hcat.core.figures.shading import PALE_BETTER, PALE_WORSE, STEPS

MOST_IN_WORDS = 5
"""Number of cells that are named where a figure is described in words."""


def scale_sentence(heatmap: WeaknessHeatmap) -> str:
    """The meaning of the colours of a heatmap. They are the same in all heatmaps."""
    worse, better = _directions(heatmap)
    down, up = heatmap.mark(PALE_WORSE - 1), heatmap.mark(PALE_BETTER + 1)
    colours = (
        say("{down} is {worse}, {up} {better}", down=down, worse=worse, up=up, better=better)
        if heatmap.machine
        else say("Orange is {worse}, blue {better}", worse=worse, better=better)
    )
    return say(
        "Strong colours: shown to differ from {compared_with} (q ≤ {heatmap.q:g}); pale: not shown to. "
        "{colours}. The three strengths are fixed: a difference of {steps}. Hatched: fewer than "
        "{heatmap.minimum_n} independent samples in the cell or in the rest, so nothing is compared. Blank: "
        "no sample.",
        compared_with=_compared_with(heatmap),
        heatmap=heatmap,
        colours=colours,
        steps=_steps(heatmap),
    )


def heatmap_legend(heatmap: WeaknessHeatmap) -> tuple[LegendEntry, ...]:
    """The shades and marks of the heatmap; of frames only those that occur."""
    worse, better = _directions(heatmap)
    strong = range(1, len(STEPS) + 2)
    frames = dict.fromkeys(cell.verdict for cell in heatmap.cells if cell.shade is not None and cell.verdict in FRAMES)
    return (
        LegendEntry(
            say(
                "{mark} shown to be {worse} (q ≤ {heatmap.q:g}): {steps}",
                mark=heatmap.mark(PALE_WORSE - 1),
                worse=worse,
                heatmap=heatmap,
                steps=_steps(heatmap),
            ).lstrip(),
            shades=tuple(PALE_WORSE - step for step in strong),
        ),
        LegendEntry(say("not shown to differ"), shades=(PALE_WORSE, PALE_BETTER)),
        LegendEntry(
            say(
                "{mark} shown to be {better}, in the same steps", mark=heatmap.mark(PALE_BETTER + 1), better=better
            ).lstrip(),
            shades=tuple(PALE_BETTER + step for step in strong),
        ),
        LegendEntry(
            say("fewer than {heatmap.minimum_n} independent samples: not compared", heatmap=heatmap), hatched=True
        ),
        LegendEntry(say("blank: no sample")),
        *(LegendEntry(say(verdict), framed=verdict) for verdict in FRAMES if verdict in frames),
    )


def heatmap_in_words(heatmap: WeaknessHeatmap, *, title: str) -> str:
    """The figure for who can't see it: its size, and the worst cells with their numbers."""
    worse, _ = _directions(heatmap)
    size = f"{counted(len(heatmap.rows), 'row')}, {counted(len(heatmap.columns), 'column')}"
    compared = heatmap.worst_first
    shown = [cell for cell in compared if cell.shade is not None and cell.shade < PALE_WORSE]
    said = (
        f"{counted(len(shown), 'cell')} of {len(compared)} compared shown to be {worse}"
        if shown
        else f"none of {counted(len(compared), 'compared cell')} is shown to be {worse}"
    )
    named = "; ".join(_cell_in_words(heatmap, cell) for cell in compared[:MOST_IN_WORDS])
    thin = f" {counted(heatmap.hatched, 'cell')} with too few independent samples, {heatmap.empty} empty."
    return f"{title}: heatmap of {size}. {said}. Worst first: {named or 'none'}.{thin}"


def forest_in_words(forest: ForestPlot, *, title: str) -> str:
    """The levels with their numbers, for who can't see the figure."""
    rows = "; ".join(f"{row.level} {format_estimate(row.mean)}, {row.verdict}" for row in forest.rows[:MOST_IN_WORDS])
    left = len(forest.rows) - MOST_IN_WORDS
    return f"{title}: {rows or 'none'}." + (f" And {counted(left, 'level')} more." if left > 0 else "")


def _cell_in_words(heatmap: WeaknessHeatmap, cell: HeatmapCell) -> str:
    number = format_number(cell.mean.value) if heatmap.machine else format_estimate(cell.mean)
    q = "" if cell.q is None else f", {p_value_text('q', cell.q)}"
    return f"{cell.level_1} × {cell.level_2} {number}{q}, {cell.verdict}"


def _directions(heatmap: WeaknessHeatmap) -> tuple[str, str]:
    """Words for worse and better: of one metric, the direction of its score."""
    if not isfinite(heatmap.overall):
        return say("worse"), say("better")
    return (say("lower"), say("higher")) if heatmap.higher_is_better else (say("higher"), say("lower"))


def _compared_with(heatmap: WeaknessHeatmap) -> str:
    return say("the rest") if heatmap.against is None else say("run {heatmap.against}", heatmap=heatmap)


def _steps(heatmap: WeaknessHeatmap) -> str:
    if isfinite(heatmap.overall):
        first, second = (format_number(step * heatmap.unit) for step in STEPS)
        return say("less than {first}, up to {second}, more", first=first, second=second)
    first, second = (format_percent(step, decimals=0) for step in STEPS)
    return say("less than {first} of the metric's range, up to {second}, more", first=first, second=second)
