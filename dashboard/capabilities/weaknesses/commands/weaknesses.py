"""`hcat weakness`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.core.slices.keys import CORRECTED
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Positive, level_settings
from hcat.dashboard.commands.labelled_runs import SCORES, OptionalScores, ProjectRun, RunOfLabels, takes_inputs
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    names_in,
    print_document,
)

if TYPE_CHECKING:
    from hcat.core.opened.run import Opened
    from hcat.core.slices.table import WeaknessTable

SHOWN_ROWS = 25


OPTIONS = {
    "run": Annotated[Path | None, typer.Argument(help="Run file.")],
    "scores": OptionalScores,
    "project": ProjectRun,
    "name": RunOfLabels,
    "calibration": Annotated[
        Path | None, typer.Option(help="Also compare slices by the pass rate corrected by this calibration (JSON).")
    ],
    "labels": Annotated[
        Path | None,
        typer.Option(
            help="Labels (CSV) on --criterion, or on that of the calibration: only by these can a slice be weak. They "
            "stand beside the scores of metrics too."
        ),
    ],
    "positive": Positive,
    "levels": LevelNames,
    "topics": Annotated[
        Path | None, typer.Option(help='Topics from `hcat topics` (Parquet), as the dimension "topic".')
    ],
    **SCORES,
}


@reads_files
@takes_inputs(OPTIONS)
def weakness(
    source: Inputs,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the table (Parquet).")],
    by: Annotated[
        str | None,
        typer.Option(
            help='Dimensions, comma-separated, or "all"; by default those with most levels that can be tested, as on '
            "the Weaknesses page."
        ),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            help='Metric names, comma-separated, or "all". pass_rate:CRITERION is the pass rate by labels, '
            "pass_probability the corrected one; these are the default as soon as labels allow a test, else one metric."
        ),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also test each pair of levels of two dimensions.")] = False,
    criterion: Annotated[str | None, typer.Option(help="What the labels judge, as in their file.")] = None,
    minimum_n: Annotated[
        int, typer.Option(help="Slices with fewer samples are reported as insufficient evidence.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Compare each slice with the rest: n, mean, interval, difference, q over all slices tested, verdict."""
    from hcat.core.slices.files import write_weaknesses

    from_files = source.project is None
    if from_files and source.calibrations:
        source = replace(source, criteria=())  # the calibration names it, and says what passes
    with opened(source, needs=["run", "scores"]) as (compared,):
        if from_files and source.labels and criterion not in (None, *(each.name for each in compared.criteria)):
            raise HcatError(
                f"the calibration is on {compared.criteria[0].name!r}, not on {criterion!r}: leave out --criterion"
            )
        names = _chosen_metrics(compared, metrics)
        table = _slices_of(compared, names, by=by, pairs=pairs, minimum_n=minimum_n)
        notes = _notes_on(compared, names, table)
    about = document(
        inputs=source.files("run", "scores", "calibration", "labels", "topics"),
        settings={
            "by": list(table.settings.by),
            "metrics": list(names),
            "pairs": pairs,
            "minimum_n": minimum_n,
            "q": table.settings.q,
            **level_settings(source.levels, None),
            **source.place,
        },
        n_tests=table.settings.n_tests,
        refits=table.settings.refits,
        notes=list(notes),
    )
    write_weaknesses(table, output, about=about)
    if as_json:
        print_document({**about, "rows": json.loads(table.frame.to_json(orient="records"))})
        return
    _print_weaknesses(table, output, notes)


def _slices_of(run: Opened, metrics: Sequence[str], *, by: str | None, pairs: bool, minimum_n: int) -> WeaknessTable:
    """The slices by all these metrics as one table; `by` as its option says, and by default those that are planned."""
    from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions
    from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
    from hcat.core.slices.family import as_planned
    from hcat.core.slices.table import combine

    chosen = None if by is None or by == "all" else names_in(by)
    table = combine(
        [
            compare_slices(
                run,
                name,
                by=default_dimensions(run, name) if by is None else chosen,
                pairs=pairs,
                minimum_n=minimum_n,
            )
            for name in metrics
        ]
    )
    return as_planned(table) if by is None else table


def _notes_on(run: Opened, metrics: Sequence[str], table: WeaknessTable) -> list[str]:
    """Sentences on how well each metric can replace people, and on the table."""
    from hcat.core.capabilities.calibration.fitness import fitness_beside
    from hcat.core.capabilities.calibration.wording.fitness import fitness_sentences
    from hcat.core.capabilities.weaknesses.wording import sentences

    beside = [fitness_beside(run, name) for name in metrics]
    return [*fitness_sentences([fitness for fitness in beside if fitness is not None]), *sentences(table)]


def _chosen_metrics(run: Opened, metrics: str | None) -> list[str]:
    """The metrics by which slices are compared, with the corrected pass rate if a calibration is given."""
    from hcat.core.capabilities.weaknesses.slice_metrics import default_metric, slice_metrics

    corrected = () if run.calibration is None else (CORRECTED,)
    if metrics is None:
        chosen = [default_metric(run)]
    else:
        chosen = list(slice_metrics(run)) if metrics == "all" else names_in(metrics)
    return list(dict.fromkeys([*chosen, *corrected]))


def _print_weaknesses(found: WeaknessTable, output: Path, notes: Sequence[str]) -> None:
    from hcat.core.capabilities.weaknesses.views.weaknesses import slices_table
    from hcat.core.slices.same_samples import with_other_names
    from hcat.core.slices.table import ranked
    from hcat.core.view.tree import Paragraph
    from hcat.core.view.view import View
    from hcat.dashboard.commands.printed_view import print_view

    rows = with_other_names(ranked(found))
    shown = rows.head(SHOWN_ROWS)
    title = (
        f"{counted(found.settings.n_tests, 'slice')} tested → {output}; {len(shown)} of {len(rows)}, the weakest first"
    )
    print_view(View((slices_table(found, shown, title=title), *(Paragraph((note,)) for note in notes))))
