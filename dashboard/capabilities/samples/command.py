"""`hcat samples …`: the samples of a run by label, prediction, dimensions and texts, as a file for a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.project_options import CriterionOption, ProjectOption, RunOption

if TYPE_CHECKING:
    from hcat.core.opened.sample_filter import SampleFacts
    from hcat.core.records.project import RunInfo
    from hcat.core.types import Criterion
    from hcat.core.workspace import Workspace

app = typer.Typer(help="Take samples of a run away, with all that is known of them.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Take samples of a run away, with all that is known of them."""


@app.command()
def export(
    project: ProjectOption,
    run: RunOption,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Where the samples go: .csv, .xlsx, .jsonl or .parquet.")
    ],
    criterion: CriterionOption = "correctness",
    where: Annotated[
        list[str] | None, typer.Option(help="DIMENSION=LEVEL. Levels of one dimension: any; of several: all.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help="A level, unlabelled or tie; several: any.")] = None,
    prediction: Annotated[list[str] | None, typer.Option(help="A decision of `hcat predict`; several: any.")] = None,
    flagged: Annotated[bool, typer.Option("--flagged", help="Only those that an annotator flagged.")] = False,
    text: Annotated[str, typer.Option(help="Only those with this in query, answer, reference or contexts.")] = "",
) -> None:
    """Write samples with texts, labels, predictions, dimensions and scores. No spreadsheet runs a cell of the file.

    A run of any size is written a group of rows at a time; an Excel sheet holds 1,048,576 rows.
    """
    from hcat.core.opened.sample_filter import filter_of, filter_samples
    from hcat.core.project.exporting.sample_export import FORMS
    from hcat.core.records.atomic import new_file
    from hcat.core.workspace import Workspace

    form = next((form for form in FORMS if output.suffix.lower() == f".{form}"), None)
    if form is None:
        raise HcatError("samples are written as .csv, .xlsx, .jsonl or .parquet: name the file so")
    pairs = [tuple(pair.split("=", 1)) for pair in where or []]
    if any(len(pair) != 2 for pair in pairs):
        raise HcatError("name levels by --where DIMENSION=LEVEL")
    with Workspace.open(actor="command line") as workspace:
        stored, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        wanted = filter_of(
            known.levels,
            labels=label or (),
            decisions=prediction or (),
            levels=[(name, level) for name, level in pairs],
            flagged=flagged,
            text=text,
        )
        facts = _facts(workspace, stored, known)
        ids = filter_samples(tuple(facts.samples), facts, wanted)
        table = workspace.scoring.table(stored)
        with new_file(output) as file:
            workspace.exports.write_samples(file, ids, facts, table, criterion=known.name, form=form)
    typer.echo(f"{len(ids)} samples of {project} / {run}{f' ({wanted.title})' if wanted.title else ''} → {output}")


def _facts(workspace: Workspace, run: RunInfo, criterion: Criterion) -> SampleFacts:
    from hcat.core.capabilities.calibration.calibrate import predict
    from hcat.core.opened.sample_filter import sample_facts

    opened = workspace.run_data.open(run)
    scored = opened.columns.given_scores is not None
    records = workspace.calibrations.all(run) if scored else []
    predictions = predict(opened.columns, workspace.calibrations.read(records[0])) if records else None
    return sample_facts(opened, criterion, workspace.labels.judgements(run, criterion), predictions)
