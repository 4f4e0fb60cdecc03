"""`hcat queue …`: label queues of a project, planned, listed and written to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.labelling.queue import QueueKind, QueueRules
from hcat.core.types import JsonValue
from hcat.dashboard.capabilities.runs.commands.housekeeping import archive_queue, delete_queue, restore_queue
from hcat.dashboard.commands.output import AsJson, print_json, print_table
from hcat.dashboard.commands.project_options import CriterionOption, ProjectOption, RunOption, slice_of

app = typer.Typer(help="Plan and list the label queues of a run.", no_args_is_help=True)

app.command("archive")(archive_queue)
app.command("restore")(restore_queue)
app.command("delete")(delete_queue)

Kind = Annotated[str, typer.Option(help=f"Kind of queue: {', '.join(get_args(QueueKind))}.")]


@app.command()
def plan(
    project: ProjectOption,
    run: RunOption,
    criterion: CriterionOption = "correctness",
    kind: Kind = "random",
    dimension: Annotated[str | None, typer.Option(help="With stratified: the dimension to stratify by.")] = None,
    where: Annotated[
        list[str] | None, typer.Option(help="With slice: DIMENSION=LEVEL, once or twice: the slice to label.")
    ] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Number of samples; 100 by default.")] = None,
    overlap: Annotated[int | None, typer.Option(min=1, help="Annotators per item; by default everybody.")] = None,
    repeats: Annotated[float, typer.Option(min=0, max=0.5, help="Share of hidden repeats.")] = 0.0,
    gold: Annotated[float, typer.Option(min=0, max=0.5, help="Share of gold items.")] = 0.0,
    new_round: Annotated[bool, typer.Option("--new-round", help="Draw a further queue of this kind.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a queue, each sample with a known probability, so that estimates stay unbiased."""
    from hcat.core.labelling.selection import ChosenSamples
    from hcat.core.slices.slices import samples_in
    from hcat.core.workspace import Workspace

    if kind not in get_args(QueueKind):
        raise HcatError(f"there is no kind of queue {kind!r}: choose one of {', '.join(get_args(QueueKind))}")
    if kind == "confirming":
        raise HcatError("a confirming queue is of a finding: plan it with `hcat findings queue`")
    if (kind == "slice") != bool(where):
        raise HcatError("a queue of a slice needs --where DIMENSION=LEVEL, and any other takes none")
    slice_ = slice_of(where) if where else None
    with Workspace.open(actor="command line") as workspace:
        stored, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        queue = workspace.queues.plan(
            stored,
            known,
            kind=cast("QueueKind", kind),
            dimension=dimension,
            planned=size,
            chosen=None
            if slice_ is None
            else ChosenSamples(slice_.title, tuple(samples_in(workspace.run_data.columns(stored).dimensions, slice_))),
            rules=QueueRules(overlap=overlap, repeats=repeats, gold=gold),
            new_round=new_round,
        )
    if as_json:
        settings: dict[str, JsonValue] = {"project": project, "run": run, "criterion": criterion}
        print_json(inputs={}, settings=settings, queue=queue.name, planned=queue.planned)
        return
    typer.echo(f"{counted(queue.planned, 'sample')} in the queue “{queue.name}” on {criterion} → {project} / {run}")


@app.command("list")
def list_queues(
    project: ProjectOption,
    run: RunOption,
    criterion: Annotated[str | None, typer.Option(help="Only the queues of this criterion.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the queues of a run, with how many of their items have all their labels."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        known = None if criterion is None else workspace.criteria.get(project, criterion)
        rows: list[dict[str, JsonValue]] = [
            {
                "criterion": queue.criterion,
                "queue": queue.name,
                "planned": queue.planned,
                "complete": workspace.queues.team_progress(queue).complete,
            }
            for queue in workspace.queues.all(stored, known)
        ]
    if as_json:
        print_json(inputs={}, settings={"project": project, "run": run}, queues=list(rows))
        return
    print_table(
        f"{counted(len(rows), 'queue')} of {project} / {run}",
        ("criterion", "queue", "planned", "complete"),
        [tuple(str(value) for value in row.values()) for row in rows],
    )


@app.command()
def items(
    project: ProjectOption,
    run: RunOption,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the items go (CSV).")],
    criterion: CriterionOption = "correctness",
    queue: Annotated[str, typer.Option(help="Name of the queue, as `hcat queue list` shows it.")] = "random",
) -> None:
    """Write the items of a queue: the sample, its stratum and the probability with which it was drawn."""
    from hcat.core.importers.reading.spreadsheet import csv_text
    from hcat.core.records.atomic import write_whole
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        queues = workspace.queues.all(stored, known)
        chosen = next((candidate for candidate in queues if candidate.name == queue), None)
        if chosen is None:
            names = ", ".join(candidate.name for candidate in queues) or "none"
            raise HcatError(f"there is no queue {queue!r} on {criterion}: there are {names}")
        drawn = workspace.queues.items(chosen)
    rows = ((item.sample_id, item.stratum, item.probability) for item in drawn)
    write_whole(output, csv_text([("sample_id", "stratum", "probability"), *rows]).encode())
    typer.echo(f"{counted(len(drawn), 'item')} → {output}")
