"""`hcat preregistration …`: what will be asked of the labels on a criterion, registered before the first of them."""

from __future__ import annotations

from typing import Annotated

import typer

from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, names_in, print_json, print_table
from hcat.dashboard.commands.project_options import ProjectOption

app = typer.Typer(help="Register what will be asked of labels before the first of them.", no_args_is_help=True)

CriterionName = Annotated[str, typer.Option(help="Criterion that the plan is on.")]


@app.command()
def register(
    project: ProjectOption,
    criterion: CriterionName,
    n: Annotated[int, typer.Option("--n", help="Samples that people label in each run.")],
    threshold: Annotated[float, typer.Option(help="Pass rate that the system must reach, as 0.9.")],
    alpha: Annotated[float, typer.Option(help="Error rate of the conformal sets.")],
    author: Annotated[str, typer.Option(help="Who registers it.")],
    by: Annotated[str, typer.Option(help="Slices: the dimensions, separated by commas, and no others.")] = "",
    metrics: Annotated[str, typer.Option(help="Metrics that predict the labels, separated by commas.")] = "",
    rule: Annotated[str, typer.Option(help="What decides, in words; needed where no metrics are named.")] = "",
) -> None:
    """Register a plan. It can't be changed or deleted; a later one supersedes it, and says after how many labels."""
    from hcat.core.capabilities.sign_off.wording.preregistration import registered_text
    from hcat.core.records.preregistration import Plan
    from hcat.core.workspace import Workspace

    plan = Plan(criterion, n, threshold, alpha, tuple(names_in(by)), tuple(names_in(metrics)), rule)
    with Workspace.open(actor="command line") as workspace:
        registered = workspace.preregistrations.register(workspace.projects.get(project), plan, author=author)
    typer.echo(f"{registered_text(registered)}. SHA-256 {registered.hash}")


@app.command("list")
def list_(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the plans of a project, oldest first."""
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        plans = workspace.preregistrations.all(workspace.projects.get(project))
    if as_json:
        rows: list[JsonValue] = [JSON.write_object(each) for each in plans]
        print_json(inputs={}, settings={"project": project}, plans=rows)
        return
    print_table(
        f"Plans of {project}",
        ("criterion", "plan", "registered (UTC)", "by", "labels before", "n", "threshold", "α", "SHA-256"),
        [
            (
                *(each.criterion, str(each.version), f"{each.at:%Y-%m-%d %H:%M}", each.author),
                *(str(each.labels_before), str(each.plan.n), f"{each.plan.threshold:g}", f"{each.plan.alpha:g}"),
                each.hash[:16],
            )
            for each in plans
        ],
    )


@app.command()
def show(
    project: ProjectOption,
    criterion: CriterionName,
    number: Annotated[int | None, typer.Option("--plan", help="Number of the plan; by default, the newest.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a plan with its hash."""
    from hcat.core.capabilities.sign_off.view import plan_view
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.printed_view import print_view

    with Workspace.open(actor="command line") as workspace:
        plan = workspace.preregistrations.get(workspace.projects.get(project), criterion, number)
    if as_json:
        print_json(inputs={}, settings={"project": project}, registered=JSON.write(plan))
        return
    print_view(plan_view(plan))
