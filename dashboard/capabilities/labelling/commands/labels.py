"""`hcat labels …`: the labels of a project as a file, the disagreements among them, and decisions on these."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, print_json, print_table
from hcat.dashboard.commands.project_options import CriterionOption, ProjectOption, RunOption

if TYPE_CHECKING:
    from hcat.core.capabilities.agreement.services.disagreements import Disagreement
    from hcat.core.types import Criterion, JsonValue

app = typer.Typer(help="Export labels, and decide on disagreements.", no_args_is_help=True)


@app.command()
def export(
    project: ProjectOption,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the labels go (CSV).")],
    run: Annotated[str | None, typer.Option("--run", help="Only the labels of this run.")] = None,
    criterion: CriterionOption = "correctness",
    log: Annotated[bool, typer.Option("--log", help="All entries, including those changed since.")] = False,
) -> None:
    """Write the current labels to a file that `hcat calibrate` reads. Annotators appear under pseudonyms."""
    from hcat.core.records.atomic import new_file
    from hcat.core.workspace import Workspace

    if log and run is None:
        raise HcatError("the log belongs to a run: name the run with --run")
    with Workspace.open(actor="command line") as workspace:
        known = workspace.criteria.get(project, criterion)
        stored = None if run is None else workspace.runs.get(project, run)
        with new_file(output) as file:
            if log and stored is not None:
                workspace.exports.write_label_log(file, project, known, stored)
            else:
                workspace.exports.write_label_file(file, project, known, stored)
    typer.echo(f"labels on {criterion} of {project} → {output}")


@app.command()
def disagreements(
    project: ProjectOption, run: RunOption, criterion: CriterionOption = "correctness", as_json: AsJson = False
) -> None:
    """List the samples to which people gave different levels, undecided ones first.

    Whoever reads the list has seen the labels of others on these samples.
    """
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        rows = [_row(item, known) for item in workspace.disagreements.all(stored, known)]
    if as_json:
        settings: dict[str, JsonValue] = {"project": project, "run": run, "criterion": criterion}
        print_json(inputs={}, settings=settings, disagreements=list(rows))
        return
    print_table(
        f"{counted(len(rows), 'disagreement')} on {criterion} in {project} / {run}",
        ("sample", "labels", "decision"),
        [(str(row["sample_id"]), _told(row["labels"]), str(row["decision"] or "open")) for row in rows],
    )


@app.command()
def decide(
    sample: Annotated[str, typer.Argument(help="Id of the sample.")],
    level: Annotated[str, typer.Argument(help="The level decided on, such as pass.")],
    project: ProjectOption,
    run: RunOption,
    author: Annotated[str, typer.Option(help="Who decides; the decision carries the name.")],
    rationale: Annotated[str, typer.Option(help="Why.")],
    criterion: CriterionOption = "correctness",
) -> None:
    """Decide a disagreement. All labels stay in the log; the decision counts in their place."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored, known = workspace.runs.get(project, run), workspace.criteria.get(project, criterion)
        if level not in known.levels:
            raise HcatError(f"{criterion} has no level {level!r}: choose one of {', '.join(known.levels)}")
        place = known.levels.index(level)
        workspace.disagreements.adjudicate(stored, known, sample, place, author=author, rationale=rationale)
    typer.echo(f"{sample}: {level}, decided by {author}")


def _row(item: Disagreement, criterion: Criterion) -> dict[str, JsonValue]:
    levels = {record.annotator: criterion.levels[record.level] for record in item.labels if record.level is not None}
    decided = None if item.decided is None else criterion.levels[item.decided.level]
    return {"sample_id": item.sample_id, "labels": dict(levels), "decision": decided}


def _told(labels: JsonValue) -> str:
    return ", ".join(f"{name}: {level}" for name, level in labels.items()) if isinstance(labels, dict) else ""
