"""`hcat audit list|export|checkpoint|verify`: who changed what, and whether the log of that is whole."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, existing, print_json, print_table

if TYPE_CHECKING:
    from hcat.core.capabilities.audit.service import AuditFilter
    from hcat.core.records.signing import PublicKey

app = typer.Typer(help="The audit log: list, export, check and attest it.", no_args_is_help=True)

Actor = Annotated[str | None, typer.Option("--actor", help="Only what this person or program did.")]
Action = Annotated[str | None, typer.Option("--action", help="Only this action, such as label.record.")]
Project = Annotated[str | None, typer.Option("--project", help="Only this project, by its name at that time.")]
Since = Annotated[str | None, typer.Option("--since", help="Only from this day or time on, such as 2026-11-23 (UTC).")]
Until = Annotated[str | None, typer.Option("--until", help="Only before this day or time (UTC).")]


@app.command("list")
def list_entries(
    actor: Actor = None,
    action: Action = None,
    project: Project = None,
    since: Since = None,
    until: Until = None,
    newest: Annotated[int, typer.Option("--newest", min=1, help="How many rows, counted from the newest.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List the newest changes: who did what, when, to which rows."""
    from hcat.core.workspace import Workspace

    chosen = _filter(actor, action, project, since, until)
    with Workspace.open(actor="command line") as workspace:
        entries, n = workspace.audit.entries(chosen, newest=newest), workspace.audit.count(chosen)
    if as_json:
        rows: list[JsonValue] = [{**asdict(entry), "at": entry.at.isoformat()} for entry in entries]
        print_json(inputs={}, settings={"newest": newest}, n=n, entries=rows)
        return
    columns = ("Row", "Time (UTC)", "Who", "Action", "Project", "Rows changed")
    cells = [
        (
            *(str(entry.sequence), f"{entry.at:%Y-%m-%d %H:%M:%S}", _who(entry.actor, entry.role)),
            *(entry.action, entry.project, entry.subject),
        )
        for entry in entries
    ]
    print_table(f"the newest {len(entries)} of {n:,} rows", columns, cells)


@app.command()
def export(
    output: Annotated[Path, typer.Option("--output", "-o", help="The CSV file to write.")],
    actor: Actor = None,
    action: Action = None,
    project: Project = None,
    since: Since = None,
    until: Until = None,
) -> None:
    """Write the log, or a part of it, as CSV with all digests and hashes."""
    from hcat.core.records.atomic import new_file
    from hcat.core.workspace import Workspace

    chosen = _filter(actor, action, project, since, until)
    with Workspace.open(actor="command line") as workspace:
        n = workspace.audit.count(chosen)
        with new_file(output) as file:
            workspace.audit.write_csv(file, chosen)
    typer.echo(f"wrote {n:,} rows ({output})")


@app.command()
def checkpoint(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
) -> None:
    """Sign how far the log goes now. Keep the file where nobody who runs the store can change it."""
    from hcat.core.capabilities.evidence.installation import installation_key
    from hcat.core.records.atomic import write_whole
    from hcat.core.workspace import Workspace

    key = installation_key()
    with Workspace.open(actor="command line") as workspace:
        write_whole(output, workspace.audit.checkpoint(key))
    typer.echo(f"signed by {key.public.fingerprint} ({output}): keep it on another machine")


@app.command()
def verify(
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="A checkpoint that was kept elsewhere: tells a cut end too.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="The public key that signed it; this installation's own if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the whole log and what it is about; exit code 1 where something is wrong, with the first row."""
    from hcat.core.workspace import Workspace

    signer = None if checkpoint is None else _public_key(key)
    content = None if checkpoint is None else existing(checkpoint).read_bytes()
    with Workspace.open(actor="command line") as workspace:
        state = workspace.audit.verify(content, key=signer, name=str(checkpoint))
    if as_json:
        fault = None if state.fault is None else asdict(state.fault)
        print_json(inputs={}, settings={}, n=state.n, hash=state.hash, fault=fault, unguarded=[*state.unguarded])
    elif not state.complaint:
        against = "" if checkpoint is None else f", and it goes on from {checkpoint}"
        typer.echo(f"whole: {state.n:,} rows, newest hash {state.hash}{against}")
    else:
        typer.echo(f"{'not whole' if state.fault else 'not guarded'}: {state.complaint}")
    if state.complaint:
        raise typer.Exit(1)


def _public_key(file: Path | None) -> PublicKey:
    from hcat.core.capabilities.evidence.installation import installation_key
    from hcat.core.records.signing import read_public_key

    return installation_key().public if file is None else read_public_key(existing(file).read_bytes(), name=str(file))


def _filter(
    actor: str | None, action: str | None, project: str | None, since: str | None, until: str | None
) -> AuditFilter:
    from hcat.core.capabilities.audit.service import AuditFilter

    return AuditFilter(
        actor=actor, action=action, project=project, since=_time("--since", since), until=_time("--until", until)
    )


def _time(option: str, written: str | None) -> datetime | None:
    if written is None:
        return None
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        raise HcatError(f"{option} {written}: write a day or a time, such as 2026-11-23 or 2026-11-23T14:30") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _who(actor: str, role: str) -> str:
    return f"{actor} ({role})" if role else actor
