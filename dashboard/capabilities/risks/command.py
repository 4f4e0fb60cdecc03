"""`hcat risks`: the risk register of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hcat.core.errors import FileFormatError
from hcat.core.records.file_limits import parse_document
from hcat.dashboard.commands.output import AsJson, print_json, read_text
from hcat.dashboard.commands.project_options import ProjectOption

app = typer.Typer(help="The risk register of a project: scope, risks, and what touches them.", no_args_is_help=True)


@app.command()
def show(project: ProjectOption, as_json: AsJson = False) -> None:
    """The newest register, and what no test or finding touches."""
    from hcat.core.capabilities.risks.view import coverage_view, register_view, scope_view
    from hcat.core.records.codec import JSON
    from hcat.core.records.risks import risk_coverage
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.printed_view import print_view

    with Workspace.open(actor="command line") as workspace:
        stored = workspace.projects.get(project)
        register, evidence = workspace.risks.current(stored), workspace.risks.evidence(stored)
    if as_json:
        print_json(
            inputs={},
            settings={"project": project},
            register=JSON.write(register),
            evidence=JSON.write(evidence),
            coverage=JSON.write(risk_coverage(register, evidence)),
        )
        return
    for view in (scope_view(register), register_view(register, evidence), coverage_view(register, evidence)):
        print_view(view)


@app.command()
def state(
    register: Annotated[
        Path, typer.Argument(help='JSON: {"scope": {use, limits, excluded}, "risks": [{risk, failure_mode, …}]}.')
    ],
    project: ProjectOption,
    author: Annotated[str, typer.Option(help="Who signs it.")],
) -> None:
    """Sign a register, as `hcat risks show --json` writes it, as the project's newest version."""
    from hcat.core.records.codec import JSON
    from hcat.core.records.risks import RiskRegister
    from hcat.core.workspace import Workspace

    try:
        document = parse_document(read_text(register))
    except ValueError as error:
        raise FileFormatError(f"{register.name} is no JSON ({error})") from None
    if isinstance(document, dict) and isinstance(document.get("register"), dict):
        document = document["register"]
    stated = JSON.read(RiskRegister, document)
    with Workspace.open(actor="command line") as workspace:
        signed = workspace.risks.state(workspace.projects.get(project), stated, author=author)
    typer.echo(f"Version {signed.version} of the register is signed by {signed.author}.")
