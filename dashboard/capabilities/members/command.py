"""`hcat members …`: who is known to the installation, and what they are in which project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, print_json, print_table

if TYPE_CHECKING:
    from hcat.core.records.people import Person
    from hcat.core.types import JsonValue
    from hcat.core.workspace import Workspace

app = typer.Typer(help="Give people roles in projects, and take them away.", no_args_is_help=True)
Who = Annotated[str, typer.Argument(help="Name or subject of somebody who signed in before.")]
Role = Annotated[str, typer.Option("--role", help="viewer, annotator, validator, reviewer or administrator.")]
Project = Annotated[str | None, typer.Option("--project", help="The project.")]
Administrator = Annotated[bool, typer.Option("--administrator", help="Of the whole installation, in each project.")]


@app.command()
def add(
    who: Who,
    project: Project = None,
    role: Role = "viewer",
    administrator: Administrator = False,
    account: Annotated[
        bool, typer.Option("--account", help="WHO is an account of this machine, for commands.")
    ] = False,
) -> None:
    """Make somebody a member of a project, or an administrator of the installation.

    With the first administrator roles come into use: from then on commands, pages and jobs do what the roles allow.
    """
    from hcat.core.workspace import Workspace

    _one_of(project, administrator)
    with Workspace.open(actor="command line") as workspace:
        person = _account(workspace, who) if account else workspace.people.find(who)
        if administrator:
            workspace.people.set_administrator(person, administrator=True)
        else:
            workspace.people.set_role(str(project), person, role)
    of = "the installation, as administrator" if administrator else f"{project}, as {role}"
    typer.echo(f"{person.name} is a member of {of}")


@app.command()
def role(
    who: Who, new_role: Annotated[str, typer.Argument(metavar="ROLE", help="The new role.")], project: Project = None
) -> None:
    """Change what a member of a project is there."""
    from hcat.core.workspace import Workspace

    if project is None:
        raise HcatError("say in which project: --project NAME")
    with Workspace.open(actor="command line") as workspace:
        person = workspace.people.find(who)
        if person.id not in {member.person.id for member in workspace.people.members(project)}:
            raise HcatError(f"{person.name} is no member of {project}: add them with `hcat members add`")
        workspace.people.set_role(project, person, new_role)
    typer.echo(f"{person.name} is {new_role} of {project} from now on")


@app.command()
def remove(who: Who, project: Project = None, administrator: Administrator = False) -> None:
    """Take a role away; what the person did stays. It ends with the next thing that they try to read or do."""
    from hcat.core.workspace import Workspace

    _one_of(project, administrator)
    with Workspace.open(actor="command line") as workspace:
        person = workspace.people.find(who)
        if administrator:
            workspace.people.set_administrator(person, administrator=False)
        else:
            workspace.people.remove(str(project), person)
    typer.echo(f"{person.name} is no {'administrator' if administrator else f'member of {project}'} any more")


@app.command("list")
def list_members(project: Project = None, as_json: AsJson = False) -> None:
    """List the members of a project, or everybody who is known here."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        if project is None:
            rows = [_row(each, "administrator" if each.administrator else "") for each in workspace.people.all()]
        else:
            rows = [_row(member.person, member.role) for member in workspace.people.members(project)]
    if as_json:
        people: list[JsonValue] = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        print_json(inputs={}, settings={"project": project}, people=people)
        return
    print_table(project or "everybody", ("Name", "Role", "E-mail", "Subject", "Issuer"), rows)


_COLUMNS = ("name", "role", "email", "subject", "issuer")


def _row(person: Person, role: str) -> tuple[str, str, str, str, str]:
    return person.name, role, person.email, person.subject, person.issuer


def _account(workspace: Workspace, name: str) -> Person:
    from hcat.core.records.people import THIS_MACHINE, Identity

    return workspace.people.register(Identity(THIS_MACHINE, name, name))


def _one_of(project: str | None, administrator: bool) -> None:
    if (project is None) != administrator:
        raise HcatError("name a project by --project, or say --administrator for the whole installation")
