"""`hcat compare-slices`: one run less another in each slice, paired by sample; from a project or from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.core.weakness.keys import criterion_of
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.labelled_runs import LabelOptions, open_labelled_run
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document
from hcat.dashboard.commands.runs import open_columns, warn_of_clusters
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunData
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import Criterion, JsonValue
    from hcat.core.weakness.paired import PairedSlices


def compare_slices(
    run: Annotated[str, typer.Option("--run", help="The run of the project; without --project its run file.")],
    against: Annotated[str, typer.Option(help="Another run, by name or file as the first: its scores are subtracted.")],
    metric: Annotated[
        str, typer.Option(help="A metric scored in both runs, or pass_rate:CRITERION for labels in both.")
    ],
    project: Annotated[str | None, typer.Option(help="Compare two runs of this project instead of files.")] = None,
    scores: Annotated[Path | None, typer.Option(help="Scores of the run's file.")] = None,
    scores_against: Annotated[Path | None, typer.Option(help="Scores of the other run's file.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Labels of the run's file, for pass_rate:CRITERION.")] = None,
    labels_against: Annotated[Path | None, typer.Option(help="Labels of the other run's file.")] = None,
    by: Annotated[
        str | None, typer.Option(help="Dimensions, comma-separated; by default those of the Weaknesses page.")
    ] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs slice by slice: the paired difference with interval, q over all slices tested, verdict."""
    from hcat.core.records.codec import JSON
    from hcat.core.views.paired_slices import paired_slices_view
    from hcat.core.wording.paired import paired_sentences
    from hcat.dashboard.commands.printed_view import print_view

    names = None if by is None else names_in(by)
    inputs: dict[str, Path] = {}
    if project is not None:
        paired = _compare_stored(project, run, against, metric, names)
    else:
        if scores is None or scores_against is None:
            raise HcatError(
                "to compare two runs, give --scores and --scores-against with their run files, or --project with the "
                "names of its runs"
            )
        known = statements(directions, ranges)
        files = (_Files(Path(run), scores, labels), _Files(Path(against), scores_against, labels_against))
        options = LabelOptions(criterion_of(metric) or "", positive, levels, passing)
        opened = [_open(each, options, known) for each in files]
        paired = _compare_files(opened, metric, names)
        inputs = {"run": files[0].run, "against": files[1].run, "scores": scores, "scores_against": scores_against}
        inputs |= {name: path for name, path in (("labels", labels), ("labels_against", labels_against)) if path}
    if as_json:
        settings: dict[str, JsonValue] = {"by": list(paired.by), "metric": metric}
        about = document(inputs=inputs, settings=settings, notes=list(paired_sentences(paired)))
        print_document({**about, "comparison": JSON.write_object(paired)})
        return
    print_view(paired_slices_view(paired))


class _Files(NamedTuple):
    """The files of one run."""

    run: Path
    scores: Path
    labels: Path | None


def _compare_stored(project: str, run: str, against: str, metric: str, names: Sequence[str] | None) -> PairedSlices:
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        first, second = workspace.runs.get(project, run), workspace.runs.get(project, against)
        chosen = names or workspace.weaknesses.default_dimensions(first, metric)
        return workspace.weaknesses.compare(first, second, metric, by=chosen)


def _open(files: _Files, options: LabelOptions, stated: Mapping[str, Statement]) -> tuple[RunData, Criterion | None]:
    """The run, with the labels that its pass rate is compared by."""
    from hcat.core.analysis.files import run_from_files

    columns = open_columns(files.run, files.scores, stated)
    if not options.criterion:
        warn_of_clusters(columns)
        return run_from_files(columns), None
    if files.labels is None:
        raise HcatError("pass rates by labels are compared on labels of both runs: give --labels and --labels-against")
    return open_labelled_run(columns, files.labels, options)


def _compare_files(
    opened: Sequence[tuple[RunData, Criterion | None]], metric: str, names: Sequence[str] | None
) -> PairedSlices:
    from hcat.core.analysis.paired_slices import compare_runs_by_slice
    from hcat.core.analysis.slice_metrics import default_dimensions

    (first, criterion), (second, other) = opened
    if criterion != other:
        raise HcatError("the labels of the two runs have different levels: give --levels and --passing for both")
    chosen = names or default_dimensions(first, () if criterion is None else (criterion,), metric)
    return compare_runs_by_slice(first, second, metric, by=chosen, criterion=criterion)
