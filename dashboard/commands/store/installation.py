"""`hcat doctor` and `hcat migrate`: is the installation in order, and its database on the newest schema?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.control_characters import one_line
from hcat.dashboard.commands.output import AsJson, print_json

if TYPE_CHECKING:
    from hcat.core.project.installation.doctor import Check
    from hcat.core.project.installation.schema import SchemaState

Deep = Annotated[bool, typer.Option("--deep", help="Read each file and each page of the database too.")]
OnlyLook = Annotated[bool, typer.Option("--check", help="Say what would be done, and change nothing.")]


def doctor(deep: Deep = False, as_json: AsJson = False) -> None:
    """Check settings, network, packages, store and models; exit code 1 where something is broken."""
    from hcat.core.project.installation.doctor import examine

    checks = []
    for check in examine(deep=deep):
        checks.append(check)
        if not as_json:
            typer.echo(_line(check))
    if as_json:
        print_json(inputs={}, settings={"deep": deep}, checks=[asdict(check) for check in checks])
    if any(check.state == "broken" for check in checks):
        raise typer.Exit(1)


def migrate(check: OnlyLook = False, as_json: AsJson = False) -> None:
    """Bring the store's database to the schema of this hcat. An embedded one is copied first."""
    from hcat.core.project.installation import schema

    state = schema.schema_state() if check else schema.migrate()
    if as_json:
        print_json(inputs={}, settings={"check": check}, schema=asdict(state))
        return
    typer.echo(_told(state, done=not check))


def _line(check: Check) -> str:
    to_do = f" → {check.to_do}" if check.to_do else ""
    return f"{check.state:6}  {one_line(f'{check.name}: {check.found}{to_do}')}"


def _told(state: SchemaState, *, done: bool) -> str:
    if state.ready:
        return f"the database has the newest schema, {state.newest}: nothing to do"
    if state.current is None:
        return f"{'made' if done else 'would make'} a database with schema {state.newest}"
    change = f"the database from schema {state.current} to {state.newest}"
    if state.copy is None:
        return f"{'took' if done else 'would take'} {change}; one on a server is not copied: use pg_dump before"
    return f"{'took' if done else 'would take'} {change}; as it was: {state.copy}"
