"""`hcat compare-slices`: one run less another in each slice, paired by sample; from a project or from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.core.slices.keys import criterion_of
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from hcat.core.types import JsonValue


@reads_files
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
    from hcat.core.capabilities.estimates.wording.paired import paired_sentences
    from hcat.core.capabilities.weaknesses.paired_slices import compare_runs_by_slice
    from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions
    from hcat.core.capabilities.weaknesses.views.paired_slices import paired_slices_view
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    names = None if by is None else names_in(by)
    inputs: dict[str, Path] = {}
    if project is None:
        if scores is None or scores_against is None:
            raise HcatError(
                "to compare two runs, give --scores and --scores-against with their run files, or --project with the "
                "names of its runs"
            )
        inputs = {"run": Path(run), "against": Path(against), "scores": scores, "scores_against": scores_against}
        inputs |= {name: path for name, path in (("labels", labels), ("labels_against", labels_against)) if path}
    of_people = criterion_of(metric)
    if project is None and of_people is not None and (labels is None or labels_against is None):
        raise HcatError("pass rates by labels are compared on labels of both runs: give --labels and --labels-against")
    own, other = (
        Inputs(
            project=project,
            name=None if project is None else name,
            run=Path(name) if project is None else None,
            scores=of_scores,
            labels=None if project is None and of_people is None else of_labels,
            criteria=() if of_people is None else (of_people,),
            positive=positive,
            levels=levels,
            passing=passing,
            stated=statements(directions, ranges),
        )
        for name, of_scores, of_labels in ((run, scores, labels), (against, scores_against, labels_against))
    )
    with opened(own, other) as (first, second):
        if of_people is not None and first.criteria != second.criteria:
            raise HcatError("the labels of the two runs have different levels: give --levels and --passing for both")
        paired = compare_runs_by_slice(first, second, metric, by=names or default_dimensions(first, metric))
    if as_json:
        settings: dict[str, JsonValue] = {"by": list(paired.by), "metric": metric}
        about = document(inputs=inputs, settings=settings, notes=list(paired_sentences(paired)))
        print_document({**about, "comparison": JSON.write_object(paired)})
        return
    print_view(paired_slices_view(paired))
