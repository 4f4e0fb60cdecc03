"""`hcat weakness`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.weakness.keys import CORRECTED
from hcat.dashboard.commands.label_files import (
    LevelNames,
    Positive,
    calibrated_criterion,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from hcat.dashboard.commands.labelled_runs import OptionalScores, ProjectRun, Stored, StoredRun, stored_run
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    names_in,
    print_document,
    read_text,
)
from hcat.dashboard.commands.runs import open_columns, warn_of_clusters
from hcat.dashboard.commands.score_files import Directions, Ranges, statements
from hcat.dashboard.commands.testgen.topic_files import with_topics

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunData
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.types import Criterion, Label
    from hcat.core.weakness.table import WeaknessTable

SHOWN_ROWS = 25


def weakness(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the table (Parquet).")],
    run: Annotated[Path | None, typer.Argument(help="Run file.")] = None,
    scores: OptionalScores = None,
    project: ProjectRun = None,
    stored: StoredRun = None,
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
    calibration: Annotated[
        Path | None, typer.Option(help="Also compare slices by the pass rate corrected by this calibration (JSON).")
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            help="Labels (CSV) on --criterion, or on that of the calibration: only by these can a slice be weak. They "
            "stand beside the scores of metrics too."
        ),
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="What the labels judge, as in their file.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    topics: Annotated[
        Path | None, typer.Option(help='Topics from `hcat topics` (Parquet), as the dimension "topic".')
    ] = None,
    minimum_n: Annotated[
        int, typer.Option(help="Slices with fewer samples are reported as insufficient evidence.")
    ] = 10,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Compare each slice with the rest: n, mean, interval, difference, q over all slices tested, verdict."""
    from hcat.core.analysis.files import run_from_files
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.weakness.files import write_weaknesses

    fitted = None if calibration is None else Calibration.from_json(read_text(calibration))
    with ExitStack() as opened:
        if project is not None:
            files = (run, scores, labels, topics, positive, levels)
            held = opened.enter_context(stored_run(project, stored, criterion, files))
            compared = _of_project(held, fitted)
        else:
            if run is None or scores is None:
                raise HcatError("give a run file and a score file, or --project and --run")
            columns = open_columns(run, scores, statements(directions, ranges))
            if topics is not None:
                columns = with_topics(columns, topics)
            judged, on = _labels_of(fitted, labels, criterion, positive, levels)
            warn_of_clusters(columns)
            compared = _Compared(run_from_files(columns, judged), () if on is None else (on,), fitted)
        names = _chosen_metrics(compared, metrics)
        table = _slices_of(compared, names, by=by, pairs=pairs, minimum_n=minimum_n)
        notes = _notes_on(compared, names, table)
    given = {"run": run, "scores": scores, "calibration": calibration, "labels": labels, "topics": topics}
    about = document(
        inputs={name: path for name, path in given.items() if path is not None},
        settings={
            "by": list(table.settings.by),
            "metrics": list(names),
            "pairs": pairs,
            "minimum_n": minimum_n,
            "q": table.settings.q,
            **level_settings(levels, None),
            **({} if project is None else {"project": project, "run": stored}),
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


class _Compared(NamedTuple):
    """The run whose slices are compared, with the criteria of its labels and the calibration that was given."""

    run: RunData
    criteria: Sequence[Criterion]
    calibration: Calibration | None


def _of_project(held: Stored, fitted: Calibration | None) -> _Compared:
    """The run with the criterion that is named, else all of its project, and the calibration that is given, else the
    one in force."""
    if fitted is None and held.workspace.calibrations.all(held.info):
        fitted = held.in_force()
    every = held.workspace.criteria.all(held.workspace.projects.by_id(held.info.project_id))
    return _Compared(held.run, every if held.criterion is None else (held.criterion,), fitted)


def _slices_of(
    compared: _Compared, metrics: Sequence[str], *, by: str | None, pairs: bool, minimum_n: int
) -> WeaknessTable:
    """The slices by all these metrics as one table; `by` as its option says, and by default those that are planned."""
    from hcat.core.analysis.slice_metrics import default_dimensions
    from hcat.core.analysis.weaknesses import compare_slices
    from hcat.core.weakness.family import as_planned
    from hcat.core.weakness.table import combine

    run, criteria, calibration = compared
    chosen = None if by is None or by == "all" else names_in(by)
    table = combine(
        [
            compare_slices(
                run,
                name,
                criteria,
                calibration=calibration,
                by=default_dimensions(run, criteria, name) if by is None else chosen,
                pairs=pairs,
                minimum_n=minimum_n,
            )
            for name in metrics
        ]
    )
    return as_planned(table) if by is None else table


def _notes_on(compared: _Compared, metrics: Sequence[str], table: WeaknessTable) -> list[str]:
    """How far each metric stands in for people, and what the table says."""
    from hcat.core.analysis.fitness import fitness_beside
    from hcat.core.wording.fitness import fitness_sentences
    from hcat.core.wording.weakness import sentences

    run, criteria, calibration = compared
    beside = [fitness_beside(run, criteria, name, calibration=calibration) for name in metrics]
    return [*fitness_sentences([fitness for fitness in beside if fitness is not None]), *sentences(table)]


def _labels_of(
    fitted: Calibration | None, labels: Path | None, criterion: str | None, positive: str | None, levels: str | None
) -> tuple[tuple[Label, ...], Criterion | None]:
    """The labels on the criterion and the criterion itself; None if no file is given."""
    if labels is None:
        return (), None
    name = criterion if fitted is None else fitted.criterion
    if name is None:
        raise HcatError("--labels are on a criterion: name it by --criterion, or add --calibration")
    if criterion not in (None, name):
        raise HcatError(f"the calibration is on {name!r}, not on {criterion!r}: leave out --criterion")
    stated = stated_criterion(name, levels, positive)
    preview = read_label_file(labels, criterion=name, positive=positive, run=None, levels=stated)
    on = labelled_criterion(preview, name) if fitted is None else calibrated_criterion(preview, fitted)
    return preview.labels, on


def _chosen_metrics(compared: _Compared, metrics: str | None) -> list[str]:
    """What slices are compared by, with the corrected pass rate where a calibration is given."""
    from hcat.core.analysis.slice_metrics import default_metric, slice_metrics

    run, criteria, calibration = compared
    corrected = () if calibration is None else (CORRECTED,)
    if metrics is None:
        chosen = [default_metric(run, criteria, calibration=calibration)]
    else:
        chosen = list(slice_metrics(run, criteria, calibration=calibration)) if metrics == "all" else names_in(metrics)
    return list(dict.fromkeys([*chosen, *corrected]))


def _print_weaknesses(found: WeaknessTable, output: Path, notes: Sequence[str]) -> None:
    from hcat.core.view.tree import Paragraph
    from hcat.core.view.view import View
    from hcat.core.views.weaknesses import slices_table
    from hcat.core.weakness.same_samples import with_other_names
    from hcat.core.weakness.table import ranked
    from hcat.dashboard.commands.printed_view import print_view

    rows = with_other_names(ranked(found))
    shown = rows.head(SHOWN_ROWS)
    title = (
        f"{counted(found.settings.n_tests, 'slice')} tested → {output}; {len(shown)} of {len(rows)}, the weakest first"
    )
    print_view(View((slices_table(found, shown, title=title), *(Paragraph((note,)) for note in notes))))
