"""The results by slice: slices worse than the rest; in full, pass rates and the content of their answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from hcat.core.capabilities.calibration.chapter import verdict_callout
from hcat.core.capabilities.estimates.chapters.results import slice_rates
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence, WeaknessEvidence, WorstSamples
from hcat.core.capabilities.report.verdict_counts import VerdictCounts, verdict_counts
from hcat.core.capabilities.weaknesses.views.weaknesses import estimate_of, number_of, slices_table, value_kind
from hcat.core.capabilities.weaknesses.wording import sentences, verdict_key
from hcat.core.display.messages import say
from hcat.core.figures.forest import level_forest
from hcat.core.figures.heatmap import weakness_heatmap
from hcat.core.figures.marginal_heatmap import marginal_heatmaps
from hcat.core.slices.keys import CORRECTED
from hcat.core.slices.slices import row_slice
from hcat.core.slices.table import WeaknessTable, ranked
from hcat.core.slices.verdicts import (
    BY_PEOPLE,
    INSUFFICIENT,
    NOT_SHOWN,
    POSSIBLE,
    SHOWN,
    urgency,
)
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import (
    Block,
    Callout,
    Figure,
    Heading,
    Paragraph,
    Quantity,
    SampleExcerpt,
    Samples,
    Section,
    Table,
    Text,
    Value,
)
from hcat.core.wording.figures import scale_sentence

if TYPE_CHECKING:
    import pandas as pd

MOST_RANKED = 25
MOST_HEATMAPS = 3
MOST_LEVELS = 12

APPENDIX = "Appendix: results by slice in full"
IN_FULL = "All slices with intervals and figures, pass rates by slice, and the worst answers: see “{appendix}”."
COUNTED = (
    "Tested: slices with enough independent samples inside and outside; of the others nothing is known. Worse, or "
    "different where neither direction is better: evidence, after allowing for all slices tested (q). Possibly worse: "
    "p ≤ 0.05 only, so it may be noise. Not shown: no evidence of a difference, nor of its absence. Slices that rest "
    "on scores alone have at most a lower score: only labels show that a slice is weak."
)
NONE_BY_LABELS = "By labels, no slice is shown or suggested to be worse than the rest of its run."
OF_FOUND = "Shown are {rows} of {found} such slices, the most urgent first. Picked for their means, these exaggerate."

CUT = "Long texts are cut, and say by how much. Nothing in them is interpreted: markup is shown as text."
NOT_LABELLED = "Nobody has judged these answers: a low score alone does not say that an answer is wrong."
FAILED_BY_PEOPLE = "Answers that people failed, lowest {title} first, run {worst.run}"
FAILED_BY_RULE = "Answers that a rule failed, lowest {title} first, run {worst.run}"
PASSED_BY_PEOPLE = "People passed these answers although their score is low: here the metric misleads."

BY_SCORE = "Pass rate estimated by the score alone"


def weakness_section(evidence: Evidence) -> Section:
    """Number of slices by verdict, and the slices that labels show or suggest to be worse. All others are in
    `all_slices`."""
    blocks: list[Block] = []
    for item in evidence.weaknesses:
        blocks.append(Paragraph((say("Run {item.run}. {table}", item=item, table=" ".join(sentences(item.table))),)))
        blocks += [each for metric in item.table.settings.overall for each in _unfit(evidence, item.run, metric)]
    if evidence.weaknesses:
        blocks += [_counted(evidence), *_by_labels(evidence)]
    else:
        blocks.append(Callout("warning", say("No weakness analysis"), (say("Slices were not compared."),)))
    if evidence.weaknesses or evidence.worst or any(slice_rates(evidence)):
        blocks.append(Paragraph((say(IN_FULL, appendix=say(APPENDIX)),)))
    return Section("weaknesses", say("Results by slice"), tuple(blocks))


def all_slices_section(evidence: Evidence) -> Section | None:
    """Pass rates by slice; ranked slices, marginal means and heatmaps of every metric that was tested; the worst
    samples as text. None where there is nothing of all that."""
    rates = tuple(slice_rates(evidence))
    blocks: list[Block] = [Heading(say("Pass rates by slice")), *rates] if rates else []
    for item in evidence.weaknesses:
        if len(item.table.settings.overall) > 1:
            blocks += _all_metrics(evidence, item)
        for counts in verdict_counts(item.table):
            blocks += _of_metric(evidence, item, counts)
    for worst in evidence.worst:
        blocks += _worst(evidence, worst)
    return Section("all-slices", say(APPENDIX), tuple(blocks)) if blocks else None


def _counted(evidence: Evidence) -> Table:
    """One row for the slices of a run and metric that are based on labels, and one for those based on scores alone."""
    columns = (
        *(column("Metric"), column("Run"), column("Rests on"), column("Slices", "count"), column("Tested", "count")),
        *(column("Worse", "count"), column("Possibly worse", "count"), column("Not shown", "count")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(_title(evidence, item.table, counts.metric), item.run, say("labels" if labelled else "scores")),
            *(counts.slices, counts.tested),
            *(sum(n for verdict, n in counts.by_verdict if verdict in words) for words in (SHOWN, POSSIBLE, NOT_SHOWN)),
        )
        for item in evidence.weaknesses
        for labelled in (True, False)
        for counts in verdict_counts(item.table, by_labels=labelled)
    )
    return Table(say("Verdicts on slices"), columns, rows, (say(COUNTED),))


def _by_labels(evidence: Evidence) -> list[Block]:
    """The slices that labels show or suggest to be worse than the rest, from the most urgent on."""
    columns = (
        *(column("Slice"), column("Run"), column("Metric"), column("Value, 95% interval", "share")),
        *(column("Difference from the rest", "difference"), column("q", "p-value"), column("Verdict", "verdict")),
    )
    found = [
        (urgency(row["verdict"]), _by_labels_row(_title(evidence, item.table, row["metric"]), item.run, row))
        for item in evidence.weaknesses
        for _, row in ranked(item.table).iterrows()
        if row["basis"] in BY_PEOPLE and row["verdict"] in (*SHOWN, *POSSIBLE)
    ]
    if not found:
        return [Paragraph((say(NONE_BY_LABELS),))]
    rows = tuple(row for _, row in sorted(found, key=lambda each: each[0])[:MOST_RANKED])
    of = tell(OF_FOUND, rows=Quantity(len(rows), "count"), found=Quantity(len(found), "count"))
    return [Table(say("Slices that labels show or suggest to be worse"), columns, rows, of)]


def _by_labels_row(title: str, run: str, row: pd.Series) -> tuple[Value, ...]:
    return (
        *(row_slice(row).title, run, title, estimate_of(row, "mean", "low", "high")),
        *(number_of(row, "difference"), number_of(row, "q"), str(row["verdict"])),
    )


def _worst(evidence: Evidence, worst: WorstSamples) -> list[Samples]:
    """Answers that people failed, the lowest scores without a label, and low scores that people passed."""
    title = evidence.title(worst.metric)
    failed = tell(
        "{failed} of {n_failed} such answers. {cut}",
        failed=Quantity(len(worst.failed), "count"),
        n_failed=Quantity(worst.n_failed, "count"),
        cut=say(CUT),
    )
    lists: tuple[tuple[str, tuple[SampleExcerpt, ...], Text], ...] = (
        (
            say(FAILED_BY_PEOPLE if worst.by_people else FAILED_BY_RULE, title=title, worst=worst),
            worst.failed,
            failed,
        ),
        (
            say("Lowest {title} without a label, run {worst.run}", title=title, worst=worst),
            worst.unlabelled,
            (say(NOT_LABELLED),),
        ),
        (
            say("Low {title}, passed by people, run {worst.run}", title=title, worst=worst),
            worst.passed,
            (say(PASSED_BY_PEOPLE),),
        ),
    )
    return [Samples(heading, items, note) for heading, items, note in lists if items]


def _of_metric(evidence: Evidence, item: WeaknessEvidence, counts: VerdictCounts) -> list[Block]:
    settings, metric = item.table.settings, counts.metric
    frame = ranked(item.table)
    frame = frame[frame["metric"] == metric]
    marginal, pairs = frame[frame["dimension_2"].isna()], frame[frame["dimension_2"].notna()]
    title, said = _title(evidence, item.table, metric), item.fitness.get(metric, "")
    intro: Text = tell(
        "{title} over all samples: {overall}. Verdicts: {text}. {insufficient} more have insufficient "
        "evidence (fewer than {settings.minimum_n} independent samples in the slice or in the rest). {verdict_key}",
        title=title,
        overall=Quantity(settings.overall[metric], value_kind(metric)),
        text=_verdicts(item.table, counts),
        insufficient=Quantity(counts.insufficient, "count"),
        settings=settings,
        verdict_key=(verdict_key(item.table, metric),),
    )
    blocks: list[Block] = [
        Heading(say("{title}, run {item.run}", title=title, item=item)),
        Paragraph(intro),
        *([Callout("info", say("How far this metric stands in for people"), (said,))] if said else []),
        _ranked_table(item.table, frame, say("Lowest slices by {title}, run {item.run}", title=title, item=item)),
    ]
    dimensions = sorted(marginal["dimension_1"].unique())
    blocks += [_forest(item.table, metric, name, title=title) for name in dimensions]
    return blocks + [_heatmap(item.table, metric, pair, title=title) for pair in _telling_pairs(pairs)]


def _title(evidence: Evidence, table: WeaknessTable, metric: str) -> str:
    """Title of the metric; a pass rate without correction by labels in any slice has a title that says so."""
    corrected = any(counts.metric == metric for counts in verdict_counts(table, by_labels=True))
    return evidence.title(metric) if corrected or metric != CORRECTED else say(BY_SCORE)


def _verdicts(table: WeaknessTable, counts: VerdictCounts) -> Text:
    """Number of slices by verdict; those based on labels are counted apart from those based on the score alone."""
    labelled, alone = (
        [each.text() for each in verdict_counts(table, by_labels=by_labels) if each.metric == counts.metric]
        for by_labels in (True, False)
    )
    if not labelled or not alone:
        return counts.text()
    return tell("{labelled}; by the calibrated metric alone, {alone}", labelled=labelled[0], alone=alone[0])


def _all_metrics(evidence: Evidence, item: WeaknessEvidence) -> list[Figure]:
    titles = {name: evidence.title(name) for name in item.table.settings.overall}
    figures = marginal_heatmaps(item.table, titles=titles, machine=_machine(evidence, item.run))
    several = len(figures) > 1
    return [
        Figure(
            say("All levels and metrics, run {item.run}, part {number}", item=item, number=number)
            if several
            else say("All levels and metrics, run {item.run}", item=item),
            figure,
            (say("Each level's mean on each metric. {scale}", scale=scale_sentence(figure)),),
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
    titles = "; ".join(verdict_callout(item, evidence).title for item in unfit)
    title = evidence.title(metric)
    text = say(
        "{title} comes from a calibration. Treat the slices below as places to look at, not as results: {titles}.",
        title=title,
        titles=titles,
    )
    return [Callout("warning", say("The calibration is not shown to be fit for use"), (text,))] if unfit else []


def _ranked_table(table: WeaknessTable, frame: pd.DataFrame, title: str) -> Table:
    telling = frame[frame["verdict"].isin([*SHOWN, *POSSIBLE])]
    shown = (telling if len(telling) else frame[frame["verdict"] != INSUFFICIENT]).head(MOST_RANKED)
    of = tell(
        "Shown are {rows} of {frame} slices, lowest first. ",
        rows=Quantity(len(shown), "count"),
        frame=Quantity(len(frame), "count"),
    )
    return slices_table(table, shown, title=title, note=of)


def _forest(table: WeaknessTable, metric: str, dimension: str, *, title: str) -> Figure:
    whole = level_forest(table, metric, dimension=dimension)
    shown = level_forest(table, metric, dimension=dimension, most_levels=MOST_LEVELS)
    caption = say(
        "{title} at each level of {dimension} with 95% intervals; the dashed line is the value of all samples.",
        title=title,
        dimension=dimension,
    )
    if len(whole.rows) > len(shown.rows):
        caption += say(" The {rows} lowest of {rows_2} levels.", rows=len(shown.rows), rows_2=len(whole.rows))
    return Figure(
        say("{title} by {dimension}", title=title, dimension=dimension), replace(shown, metric=title), (caption,)
    )


def _telling_pairs(pairs: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs of dimensions with the weakest pair slices, at most three of them; `pairs` is ranked."""
    worth = pairs[pairs["verdict"] != INSUFFICIENT]
    keys = dict.fromkeys(zip(worth["dimension_1"], worth["dimension_2"], strict=True))
    return [(str(first), str(second)) for first, second in keys][:MOST_HEATMAPS]


def _heatmap(table: WeaknessTable, metric: str, pair: tuple[str, str], *, title: str) -> Figure:
    rows, columns = pair
    whole = weakness_heatmap(table, metric, rows=rows, columns=columns)
    shown = weakness_heatmap(table, metric, rows=rows, columns=columns, most_levels=MOST_LEVELS)
    caption = say("{title} and n for each pair of levels. {scale}", title=title, scale=scale_sentence(shown))
    if len(shown.cells) < len(whole.cells):
        caption += say(
            " Of {cells} pairs, the {cells_2} among the levels with most samples.",
            cells=len(whole.cells),
            cells_2=len(shown.cells),
        )
    return Figure(
        say("{title} by {rows} and {columns}", title=title, rows=rows, columns=columns),
        replace(shown, metric=title),
        (caption,),
    )


CHAPTER = Chapter(
    "weaknesses", "Results by slice", weakness_section, lambda evidence: evidence.weaknesses, after="comparison"
)


ALL_SLICES = Chapter("all-slices", "Appendix: results by slice in full", all_slices_section, after="all-metrics")
