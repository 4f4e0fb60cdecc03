"""`hcat findings …`: the weaknesses of a project that somebody confirmed."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

import typer

from core.errors import HcatError
from core.types import JsonValue, Slice
from dashboard.commands.output import AsJson, print_json, print_table
from dashboard.commands.project_options import ProjectOption, RunOption

app = typer.Typer(help="Confirm weaknesses as findings, and follow them up.", no_args_is_help=True)

Due = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Due date, as 2027-01-31.")]


@app.command("list")
def list_findings(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the findings of a project, oldest first."""
    from core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        rows: list[dict[str, JsonValue]] = [
            {
                "id": finding.id,
                "title": finding.title,
                "severity": finding.severity,
                "status": finding.status,
                "owner": finding.owner,
                "due": None if finding.due is None else finding.due.isoformat(),
                "author": finding.author,
            }
            for finding in workspace.findings.all(project)
        ]
    if as_json:
        print_json(inputs={}, settings={"project": project}, findings=list(rows))
        return
    print_table(
        f"{len(rows)} findings of {project}",
        ("id", "title", "severity", "status", "owner", "due", "author"),
        [tuple("" if value is None else str(value) for value in row.values()) for row in rows],
    )


@app.command()
def confirm(
    title: Annotated[str, typer.Argument(help="What the finding says.")],
    project: ProjectOption,
    run: RunOption,
    metric: Annotated[str, typer.Option(help="The metric that shows the weakness.")],
    where: Annotated[list[str], typer.Option(help="DIMENSION=LEVEL, once or twice: the slice that is weak.")],
    severity: Annotated[str, typer.Option(help="low, medium or high.")],
    author: Annotated[str, typer.Option(help="Who confirms it.")],
    owner: Annotated[str, typer.Option(help="Who is to deal with it.")] = "",
    due: Due = None,
    comment: Annotated[str, typer.Option(help="What else is to be said.")] = "",
) -> None:
    """Confirm a slice as a finding, with its samples and scores frozen as they are now."""
    from core.weakness.slices import samples_in
    from core.workspace import Workspace

    chosen = _slice(where)
    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        table = workspace.scoring.required(stored)
        if metric not in table.metrics:
            raise HcatError(f"run {run!r} is not scored on {metric!r}: score it first")
        ids = samples_in(workspace.run_data.columns(stored).dimensions, chosen)
        values = dict(zip(table.sample_ids, table.values(metric).tolist(), strict=True))
        selection = workspace.findings.freeze(
            stored,
            chosen.title,
            metric=metric,
            scores={sample_id: values.get(sample_id) for sample_id in ids},
            filter={"slice": chosen.title},
        )
        finding = workspace.findings.confirm(
            stored,
            title,
            selection=selection,
            severity=severity,
            author=author,
            slice=chosen,
            owner=owner,
            due=_day(due),
            comment=comment,
        )
    typer.echo(f"finding {finding.id}: {title} ({len(selection.scores)} samples)")


@app.command()
def change(
    finding: Annotated[int, typer.Argument(help="Id of the finding, as `hcat findings list` shows it.")],
    project: ProjectOption,
    status: Annotated[str | None, typer.Option(help="New status.")] = None,
    severity: Annotated[str | None, typer.Option(help="New severity.")] = None,
    owner: Annotated[str | None, typer.Option(help="New owner.")] = None,
    due: Due = None,
    comment: Annotated[str | None, typer.Option(help="New comment.")] = None,
) -> None:
    """Change the status, severity, owner, due date or comment of a finding; what is not named stays."""
    from core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = next((item for item in workspace.findings.all(project) if item.id == finding), None)
        if chosen is None:
            raise HcatError(f"project {project!r} has no finding {finding}: see `hcat findings list`")
        changed = workspace.findings.change(
            chosen, status=status, severity=severity, owner=owner, due=_day(due) or "keep", comment=comment
        )
    typer.echo(f"finding {changed.id}: {changed.status}, {changed.severity}")


def _slice(pairs: list[str]) -> Slice:
    levels = [tuple(pair.split("=", 1)) for pair in pairs]
    wrong = next((pair for pair, parts in zip(pairs, levels, strict=True) if len(parts) != 2 or not parts[0]), None)
    if wrong is not None or not 1 <= len(levels) <= 2:
        raise HcatError("name the slice by --where DIMENSION=LEVEL, once, or twice for a pair")
    return Slice(*levels[0]) if len(levels) == 1 else Slice(*levels[0], *levels[1])


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()
