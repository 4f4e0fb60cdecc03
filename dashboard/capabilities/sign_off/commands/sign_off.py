"""`hcat sign-off …`: the two steps in which a project's report is signed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, print_json, print_table
from hcat.dashboard.commands.project_options import ProjectOption

if TYPE_CHECKING:
    from hcat.core.records.report import ReportVersion
    from hcat.core.records.sign_off import SignOff
    from hcat.core.workspace import Workspace

app = typer.Typer(help="Submit a report for review, and approve or return it.", no_args_is_help=True)

VersionOption = Annotated[int | None, typer.Option("--version", help="Version of the report; by default, the newest.")]
Comment = Annotated[str, typer.Option(help="Comment, kept with the signature.")]
Reviewer = Annotated[str, typer.Option(help="Who reviews it: nobody who wrote anything of the report.")]


@app.command("list")
def list_(project: ProjectOption, as_json: AsJson = False) -> None:
    """Show where each version of the report stands, who signed it, and what has changed since."""
    from hcat.core.capabilities.sign_off.wording.sign_off import changed_text, signature_text
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        standing = workspace.sign_offs.all(workspace.projects.get(project))
    if as_json:
        rows: list[JsonValue] = [{**JSON.write_object(each), "state": each.state} for each in standing]
        print_json(inputs={}, settings={"project": project}, versions=rows)
        return
    print_table(
        f"Reports of {project}",
        ("version", "state", "signatures", "changed since"),
        [
            (
                str(each.version),
                each.state,
                " ".join(signature_text(signature) for signature in each.signatures),
                changed_text(each.changed),
            )
            for each in standing
        ],
    )


@app.command()
def submit(
    project: ProjectOption,
    author: Annotated[str, typer.Option(help="Who submits it.")],
    version: VersionOption = None,
    comment: Comment = "",
) -> None:
    """Submit the newest version of the report for review."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _version(workspace, project, version)
        _print(workspace.sign_offs.submit(chosen, author=author, comment=comment))


@app.command()
def approve(
    project: ProjectOption,
    reviewer: Reviewer,
    version: VersionOption = None,
    comment: Comment = "",
    condition: Annotated[
        str, typer.Option(help="What the reviewer labelled or decided for one of its runs; it stands on the cover.")
    ] = "",
) -> None:
    """Approve a version that was submitted."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _version(workspace, project, version)
        _print(workspace.sign_offs.approve(chosen, reviewer=reviewer, comment=comment, condition=condition))


@app.command("return")
def return_(project: ProjectOption, reviewer: Reviewer, comment: Comment, version: VersionOption = None) -> None:
    """Return a version that was submitted to its author, and say why."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = _version(workspace, project, version)
        _print(workspace.sign_offs.return_(chosen, reviewer=reviewer, comment=comment))


def _version(workspace: Workspace, project: str, number: int | None) -> ReportVersion:
    versions = workspace.reports.versions(workspace.projects.get(project))
    if not versions:
        raise HcatError(f"project {project!r} has no report yet: build one with `hcat report --project`")
    wanted = versions[-1].version if number is None else number
    chosen = next((each for each in versions if each.version == wanted), None)
    if chosen is None:
        raise HcatError(f"project {project!r} has no version {number} of its report: see `hcat sign-off list`")
    return chosen


def _print(stands: SignOff) -> None:
    from hcat.core.capabilities.sign_off.wording.sign_off import signature_text

    typer.echo(f"version {stands.version}: {signature_text(stands.signatures[-1])}")
