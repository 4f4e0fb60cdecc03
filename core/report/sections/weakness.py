"""The sections on weaknesses: which slices are weaker than the rest, and what people confirmed."""

from __future__ import annotations

from collections.abc import Collection
from math import isfinite, isnan
from typing import TYPE_CHECKING

from core.figures.forest import level_forest
from core.figures.heatmap import weakness_heatmap
from core.figures.marginal_heatmap import marginal_heatmaps
from core.refusals.state import REFUSALS
from core.report.evidence.records import Evidence, WeaknessEvidence
from core.report.sections.calibration import verdict_callout
from core.report.tree import (
    Block,
    Callout,
    Column,
    Figure,
    Heading,
    Paragraph,
    Quantity,
    Samples,
    Section,
    Table,
    Value,
)
from core.scoring.file_metric import facts_of
from core.weakness.table import WeaknessTable, ranked
from core.weakness.verdicts import INSUFFICIENT, POSSIBLE, SHOWN, VERDICTS
from core.wording.figures import scale_sentence
from core.wording.weakness import FINDINGS_NOTE, sentences, verdict_key

if TYPE_CHECKING:
    import pandas as pd

MOST_RANKED = 25
MOST_HEATMAPS = 3
MOST_LEVELS = 12

_RANKED_COLUMNS = (
    Column("Slice"),
    Column("n", "count"),
    Column("Unscored", "count"),
    Column("Refusals"),
    Column("Mean", "number"),
    Column("95% low", "number"),
    Column("95% high", "number"),
    Column("Difference from the rest", "difference"),
    Column("q", "p-value"),
    Column("Shrunken", "number"),
    Column("Selected low", "number"),
    Column("Selected high", "number"),
    Column("Verdict", "verdict"),
)
_RANKED_NUMBERS = ("mean", "low", "high", "difference", "q", "shrunken", "selected_low", "selected_high")
_RANKED_NOTE = (
    "q is the p-value adjusted for all slices tested (Benjamini and Hochberg). "
    "Shrunken means are pulled towards the overall mean, more so for slices with fewer samples (empirical Bayes). "
    "The selected interval of a weak slice's mean allows for its having been picked (Benjamini and Yekutieli 2005). "
    "n counts scored samples. Refusals are correct / wrong / of unknown correctness."
)


def weakness_section(evidence: Evidence) -> Section:
    """Ranked slices, marginal means and heatmaps of every metric that was tested; the worst samples as text."""
    blocks: list[Block] = []
    for item in evidence.weaknesses:
        if len(item.table.settings.overall) > 1:
            blocks += _all_metrics(item, _machine(evidence, item.run))
        for metric in item.table.settings.overall:
            heading, *rest = _of_metric(item, metric)
            blocks += [heading, *_unfit(evidence, item.run, metric), *rest]
    if not blocks:
        blocks = [Callout("warning", "No weakness analysis", ("Slices were not compared.",))]
    for worst in evidence.worst:
        note = ("Long texts are cut. Nothing in them is interpreted: markup and addresses are shown as text.",)
        blocks.append(Samples(f"Worst-scoring samples of run {worst.run} on {worst.metric}", worst.items, note))
    return Section("weaknesses", "Weaknesses", tuple(blocks))


def finding_section(evidence: Evidence) -> Section:
    """The findings that a person confirmed."""
    if not evidence.findings:
        return Section("findings", "Findings", (Paragraph(("No finding has been confirmed by a person.",)),))
    columns = (
        Column("Finding"),
        Column("Slice"),
        Column("Shrunken mean, selected interval", "estimate"),
        Column("Observed mean", "number"),
        Column("q", "number"),
        Column("Slices tested", "count"),
        Column("Verdict"),
        Column("Severity"),
        Column("Status"),
        Column("Owner"),
        Column("Due"),
        Column("Comment"),
        Column("By"),
        Column("On"),
        Column("Evidence, SHA-256"),
    )
    rows = tuple(
        (
            f.title,
            f.slice,
            f.shrunken,
            None if f.mean is None else f.mean.value,
            f.q,
            f.tested,
            f.verdict or None,
            f.severity,
            f.status,
            f.owner or None,
            None if f.due is None else f.due.isoformat(),
            f.comment or None,
            f.author,
            f.at.strftime("%Y-%m-%d"),
            None if f.frozen_hash is None else f.frozen_hash[:16],
        )
        for f in evidence.findings
    )
    return Section("findings", "Findings", (Table("Confirmed findings", columns, rows, (FINDINGS_NOTE,)),))


def weak_slices(table: WeaknessTable) -> tuple[int, int]:
    """How many slices are weak, and how many had enough samples to be tested."""
    verdicts = table.frame["verdict"]
    return int(verdicts.isin(SHOWN).sum()), int((verdicts != INSUFFICIENT).sum())


def _of_metric(item: WeaknessEvidence, metric: str) -> list[Block]:
    settings = item.table.settings
    frame = ranked(item.table)
    frame = frame[frame["metric"] == metric]
    marginal, pairs = frame[frame["dimension_2"].isna()], frame[frame["dimension_2"].notna()]
    counts = frame["verdict"].value_counts()
    intro = (
        f"Mean of {metric} over all samples: ",
        Quantity(settings.overall[metric], "estimate"),
        ". Of ",
        Quantity(len(frame), "count"),
        " slices, ",
        *_counted(counts),
        f" ({settings.minimum_n} samples are needed in the slice and in the rest). {verdict_key(item.table, metric)}",
    )
    blocks: list[Block] = [
        Heading(f"{metric}, run {item.run}"),
        Paragraph(intro),
        Paragraph((" ".join(sentences(item.table)),)),
        _ranked_table(frame, metric, item.run),
    ]
    blocks += [_forest(item.table, metric, name) for name in sorted(marginal["dimension_1"].unique())]
    return blocks + [_heatmap(item.table, metric, rows, columns) for rows, columns in _telling_pairs(pairs)]


def _counted(counts: pd.Series[int]) -> list[str | Quantity]:
    """How many slices have each verdict, the most urgent first."""
    parts: list[str | Quantity] = []
    for word in VERDICTS:
        if word in counts:
            parts += [", "] if parts else []
            parts += [Quantity(int(counts[word]), "count"), f" “{word}”"]
    return parts


def _all_metrics(item: WeaknessEvidence, machine: Collection[str]) -> list[Figure]:
    titles = {name: facts_of(name, {}).title for name in item.table.settings.overall}
    figures = marginal_heatmaps(item.table, titles=titles, machine=machine)
    several = len(figures) > 1
    return [
        Figure(
            f"All levels and metrics, run {item.run}" + (f", part {number}" if several else ""),
            figure,
            (f"Each level's mean on each metric. {scale_sentence(figure)}",),
        )
        for number, figure in enumerate(figures, start=1)
    ]


def _machine(evidence: Evidence, run: str) -> Collection[str]:
    """The metrics of a run whose scores are verdicts of a machine."""
    return {
        name
        for reported in evidence.runs
        if reported.name == run
        for name, summary in reported.scores.items()
        if summary.judged
    }


def _unfit(evidence: Evidence, run: str, metric: str) -> list[Block]:
    """A warning where slices were compared on a calibrated score that is not shown to be fit for use."""
    if any(metric in scored.scores for scored in evidence.runs if scored.name == run):
        return []
    unfit = [c for c in evidence.calibrations if c.run == run and c.calibration.fit_for_use.value != "yes"]
    titles = "; ".join(verdict_callout(item).title for item in unfit)
    text = f"{metric} comes from a calibration. Treat the slices below as places to look at, not as results: {titles}."
    return [Callout("warning", "The calibration is not shown to be fit for use", (text,))] if unfit else []


def _ranked_table(frame: pd.DataFrame, metric: str, run: str) -> Table:
    telling = frame[frame["verdict"].isin([*SHOWN, *POSSIBLE])]
    shown = (telling if len(telling) else frame[frame["verdict"] != INSUFFICIENT]).head(MOST_RANKED)
    rows = tuple(_ranked_row(row) for _, row in shown.iterrows())
    of = "Shown are ", Quantity(len(rows), "count"), " of ", Quantity(len(frame), "count"), " slices, weakest first. "
    return Table(f"Weakest slices of {metric}, run {run}", _RANKED_COLUMNS, rows, (*of, _RANKED_NOTE))


def _ranked_row(row: pd.Series) -> tuple[Value, ...]:
    numbers = [_number(row[name]) for name in _RANKED_NUMBERS]
    return _slice_title(row), int(row["n"]), int(row["unscored"]), _refusals(row), *numbers, str(row["verdict"])


def _refusals(row: pd.Series) -> str | None:
    """How many answers decline: correct, wrong, and of unknown correctness; None where that was not recorded."""
    counts = [row[state] for state in REFUSALS]
    return None if any(map(_absent, counts)) else " / ".join(str(int(count)) for count in counts)


def _slice_title(row: pd.Series) -> str:
    first = f"{row['dimension_1']} = {row['level_1']}"
    return first if _absent(row["dimension_2"]) else f"{first}, {row['dimension_2']} = {row['level_2']}"


def _forest(table: WeaknessTable, metric: str, dimension: str) -> Figure:
    whole = level_forest(table, metric, dimension=dimension)
    shown = level_forest(table, metric, dimension=dimension, most_levels=MOST_LEVELS)
    caption = (
        f"Mean of {metric} at each level of {dimension} with 95% intervals; the dashed line is the mean of all samples."
    )
    if len(whole.rows) > len(shown.rows):
        caption += f" The {len(shown.rows)} weakest of {len(whole.rows)} levels."
    return Figure(f"{metric} by {dimension}", shown, (caption,))


def _telling_pairs(pairs: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs of dimensions with the weakest pair slices, at most three of them; `pairs` is ranked."""
    worth = pairs[pairs["verdict"] != INSUFFICIENT]
    keys = dict.fromkeys(zip(worth["dimension_1"], worth["dimension_2"], strict=True))
    return [(str(first), str(second)) for first, second in keys][:MOST_HEATMAPS]


def _heatmap(table: WeaknessTable, metric: str, rows: str, columns: str) -> Figure:
    whole = weakness_heatmap(table, metric, rows=rows, columns=columns)
    shown = weakness_heatmap(table, metric, rows=rows, columns=columns, most_levels=MOST_LEVELS)
    caption = f"Mean of {metric} and n for each pair of levels. {scale_sentence(shown)}"
    if len(shown.cells) < len(whole.cells):
        caption += f" Of {len(whole.cells)} pairs, the {len(shown.cells)} among the levels with most samples."
    return Figure(f"{metric} by {rows} and {columns}", shown, (caption,))


def _number(value: object) -> float | None:
    number = float(str(value)) if not _absent(value) else float("nan")
    return number if isfinite(number) else None


def _absent(value: object) -> bool:
    return value is None or str(value) in ("<NA>", "None") or (isinstance(value, float) and isnan(value))
