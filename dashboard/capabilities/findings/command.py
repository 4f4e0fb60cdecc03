"""`hcat findings …`: the weaknesses of a project that somebody confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.types import JsonValue, Slice
from hcat.dashboard.commands.output import AsJson, print_json, print_table
from hcat.dashboard.commands.project_options import CriterionOption, ProjectOption, RunOption, slice_of

if TYPE_CHECKING:
    from hcat.core.records.project import Finding
    from hcat.core.workspace import Workspace

app = typer.Typer(help="Confirm weaknesses as findings, and follow them up.", no_args_is_help=True)

FindingId = Annotated[int, typer.Argument(help="Id of the finding, as `hcat findings list` shows it.")]
Author = Annotated[str, typer.Option(help="Who does it, for its history.")]
Due = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Due date, as 2027-01-31.")]


@app.command("list")
def list_findings(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the findings of a project, oldest first."""
    from hcat.core.workspace import Workspace

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
        f"{counted(len(rows), 'finding')} of {project}",
        ("id", "title", "severity", "status", "owner", "due", "author"),
        [tuple("" if value is None else str(value) for value in row.values()) for row in rows],
    )


@app.command()
def confirm(
    title: Annotated[str, typer.Argument(help="What the finding says.")],
    project: ProjectOption,
    run: RunOption,
    metric: Annotated[
        str, typer.Option(help="What shows the weakness: a metric, or pass_rate:CRITERION for people's labels.")
    ],
    where: Annotated[list[str], typer.Option(help="DIMENSION=LEVEL, once or twice: the slice that is weak.")],
    severity: Annotated[str, typer.Option(help="low, medium or high.")],
    author: Annotated[str, typer.Option(help="Who confirms it.")],
    owner: Annotated[str, typer.Option(help="Who follows it up.")] = "",
    due: Due = None,
    comment: Annotated[str, typer.Option(help="Comment.")] = "",
) -> None:
    """Confirm a slice as a finding, with its samples, scores and statistics frozen as they are now: q is over the
    slices of all dimensions (with two of --where also their pairs) on all metrics of the run, and on a pass rate by
    labels where that is given."""
    from hcat.core.capabilities.weaknesses.slice_metrics import slice_values
    from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
    from hcat.core.capabilities.weaknesses.wording import finding_sentence
    from hcat.core.slices.family import frozen_statistics
    from hcat.core.slices.slices import row_slice, samples_in
    from hcat.core.slices.table import combine
    from hcat.core.workspace import Workspace

    chosen = slice_of(where)
    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        opened = workspace.run_data.open(stored)
        values = slice_values(opened, metric)
        if values is None:
            raise HcatError(f"run {run!r} has no scores or labels on {metric!r}: score or label it first")
        ids = samples_in(opened.columns.dimensions, chosen)
        scored = opened.columns.given_scores
        names = dict.fromkeys((metric, *(() if scored is None else scored.metrics)))
        tested = combine([compare_slices(opened, name, pairs=len(where) > 1) for name in names])
        rows = tested.frame[tested.frame["metric"] == metric]
        row = next((row for _, row in rows.iterrows() if row_slice(row) in (chosen, _turned(chosen))), None)
        selection = workspace.findings.freeze(
            stored,
            chosen.title,
            metric=metric,
            scores=dict(zip(ids, values.reindex(list(ids)).tolist(), strict=True)),
            filter={"slice": chosen.title},
            statistics=None if row is None else frozen_statistics(tested, row, looked_at=datetime.now(UTC)),
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
    typer.echo(f"finding {finding.id}: {title} ({counted(len(selection.scores), 'sample')})")
    typer.echo(finding_sentence(finding.evidence))


@app.command()
def queue(
    finding: FindingId,
    project: ProjectOption,
    criterion: CriterionOption = "correctness",
    size: Annotated[int | None, typer.Option(min=2, help="Number of samples; 60 by default.")] = None,
) -> None:
    """Draw samples that nobody has judged, as many of the finding as of the rest, whose labels confirm it or not."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
        known = workspace.criteria.get(project, criterion)
        drawn = workspace.confirmations.plan(chosen, known, planned=size)
    typer.echo(f"{counted(drawn.planned, 'sample')} in the queue “{drawn.name}” on {criterion}")


@app.command("judge")
def judgements_of_finding(
    finding: FindingId,
    project: ProjectOption,
    as_json: AsJson = False,
) -> None:
    """Say whether the labels drawn since confirm a finding: pass rates of its samples and of the rest, by these alone.

    Nothing is tested before all labels of the confirming queue are there.
    """
    from hcat.core.capabilities.estimates.wording.fresh_labels import NO_FRESH_LABELS, fresh_sentence, fresh_verdict
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
        judgements = workspace.confirmations.judgements(chosen)
        nothing = _nothing_left(workspace, chosen, project) if not judgements else ""
    if as_json:
        rows: list[JsonValue] = [
            {**JSON.write_object(judgement), "verdict": fresh_verdict(judgement)} for judgement in judgements
        ]
        print_json(
            inputs={}, settings={"project": project, "finding": finding}, judgements=rows, nothing_left=nothing or None
        )
        return
    for judgement in judgements:
        typer.echo(fresh_sentence(judgement))
    if not judgements:
        typer.echo(nothing or NO_FRESH_LABELS)


@app.command()
def history(
    finding: FindingId,
    project: ProjectOption,
    as_json: AsJson = False,
) -> None:
    """Show who confirmed a finding, and who changed what of it since."""
    from hcat.core.capabilities.findings.view import history_view
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.printed_view import print_view

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
    if as_json:
        changes: list[JsonValue] = [JSON.write_object(change) for change in chosen.history]
        print_json(inputs={}, settings={"project": project, "finding": finding}, history=changes)
        return
    title = f"Finding {chosen.id}: {chosen.title}"
    print_view(history_view(chosen.author, chosen.created_at, chosen.history, title=title))


@app.command()
def rename(
    finding: FindingId,
    title: Annotated[str, typer.Argument(help="Its new title.")],
    project: ProjectOption,
    author: Author,
) -> None:
    """Give a finding another title; its history keeps the one before."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
        changed = workspace.findings.change(chosen, title=title, author=author)
    typer.echo(f"finding {changed.id}: {changed.title}")


@app.command()
def withdraw(
    finding: FindingId,
    project: ProjectOption,
    reason: Annotated[str, typer.Option(help="Why it is no finding after all; the report tells it.")],
    author: Author,
) -> None:
    """Withdraw a finding: it is kept, with the reason, and counts no more. A new status reinstates it."""
    from hcat.core.capabilities.findings.wording import withdrawal_sentence
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
        withdrawn = workspace.findings.withdraw(chosen, reason=reason, author=author)
    if withdrawn.withdrawal is not None:
        typer.echo(f"finding {withdrawn.id}: {withdrawal_sentence(withdrawn.withdrawal)}")


@app.command()
def change(
    finding: FindingId,
    project: ProjectOption,
    status: Annotated[str | None, typer.Option(help="New status.")] = None,
    severity: Annotated[str | None, typer.Option(help="New severity.")] = None,
    owner: Annotated[str | None, typer.Option(help="New owner.")] = None,
    due: Due = None,
    comment: Annotated[str | None, typer.Option(help="New comment.")] = None,
    author: Annotated[str, typer.Option(help="Who changes it, for its history.")] = "",
) -> None:
    """Change the status, severity, owner, due date or comment of a finding; what is not named stays."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _required(workspace.findings.all(project), finding, project)
        changed = workspace.findings.change(
            chosen,
            status=status,
            severity=severity,
            owner=owner,
            due=_day(due) or "keep",
            comment=comment,
            author=author,
        )
    typer.echo(f"finding {changed.id}: {changed.status}, {changed.severity}")


def _nothing_left(workspace: Workspace, finding: Finding, project: str) -> str:
    """Why no fresh labels can confirm the finding, where that is so for each criterion; "" otherwise."""
    from hcat.core.capabilities.estimates.wording.fresh_labels import no_fresh_samples

    if finding.run_id is None:
        return ""
    said = [
        no_fresh_samples(workspace.confirmations.sizes(finding, criterion))
        for criterion in workspace.criteria.all(workspace.projects.get(project))
    ]
    return said[0] if said and all(said) else ""


def _required(findings: Sequence[Finding], number: int, project: str) -> Finding:
    chosen = next((item for item in findings if item.id == number), None)
    if chosen is None:
        raise HcatError(f"project {project!r} has no finding {number}: see `hcat findings list`")
    return chosen


def _turned(pair: Slice) -> Slice:
    """The same pair of levels, named the other way round."""
    if pair.dimension_2 is None or pair.level_2 is None:
        return pair
    return Slice(pair.dimension_2, pair.level_2, pair.dimension_1, pair.level_1)


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()
