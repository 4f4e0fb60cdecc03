"""`hcat projects|runs|criteria …`: list, rename, archive, restore and delete; `hcat queue` has the same for queues."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, print_json, print_table, read_text
from hcat.dashboard.commands.project_options import CriterionOption, ProjectOption, RunOption

if TYPE_CHECKING:
    from hcat.core.records.housekeeping import Item, ItemKind
    from hcat.core.workspace import Workspace

Name = Annotated[str, typer.Argument(help="Its name.")]
NewName = Annotated[str, typer.Argument(help="The new name.")]
Confirm = Annotated[
    str, typer.Option("--confirm", help="The name once more; without it, what would be deleted is said and kept.")
]
Author = Annotated[str, typer.Option("--author", help="Who decides; the log keeps this name.")]
Reason = Annotated[str, typer.Option("--reason", help="Why, for the log.")]

projects = typer.Typer(help="List, rename, archive, restore and delete projects.", no_args_is_help=True)
runs = typer.Typer(help="List, rename, archive, restore and delete the runs of a project.", no_args_is_help=True)
criteria = typer.Typer(help="Add, list, rename, archive, restore and delete criteria.", no_args_is_help=True)


def list_items(kind: ItemKind, project: str | None, *, as_json: bool) -> None:
    """Print the items of a kind, archived ones too."""
    from hcat.core.wording.housekeeping import counts_text
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        items = [item for item in workspace.housekeeping.all(project) if item.kind == kind]
        contents = [workspace.housekeeping.contents(item) for item in items]
    if as_json:
        print_json(
            inputs={},
            settings={"kind": kind, "project": project},
            items=[
                {"name": item.name, "of": item.of, "archived": item.is_archived, "contents": dict(holds.gone)}
                for item, holds in zip(items, contents, strict=True)
            ],
        )
        return
    rows = [
        (item.name, counts_text(holds.gone), f"{item.archived_at:%Y-%m-%d}" if item.archived_at else "")
        for item, holds in zip(items, contents, strict=True)
    ]
    print_table("all projects" if project is None else project, ("Name", "Holds", "Archived"), rows)


def rename_item(kind: ItemKind, name: str, new_name: str, project: str | None) -> None:
    """Rename, and say so."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        renamed = workspace.housekeeping.rename(_item(workspace, kind, name, project), new_name)
    typer.echo(f"{kind} {name} → {renamed.name}")


def archive_item(kind: ItemKind, name: str, project: str | None, of: str = "") -> None:
    """Archive, and say what that means."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        workspace.housekeeping.archive(_item(workspace, kind, name, project, of))
    typer.echo(f"{kind} {name} is archived: pickers and reports leave it out, `restore` takes it back")


def restore_item(kind: ItemKind, name: str, project: str | None, of: str = "") -> None:
    """Take an archived item back."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        workspace.housekeeping.restore(_item(workspace, kind, name, project, of))
    typer.echo(f"{kind} {name} is restored")


def delete_item(
    kind: ItemKind, name: str, project: str | None, of: str = "", *, confirm: str, author: str, reason: str
) -> None:
    """Delete what is confirmed; otherwise refuse, with what would go."""
    from hcat.core.wording.housekeeping import counts_text, goes_text
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        item = _item(workspace, kind, name, project, of)
        holds = workspace.housekeeping.contents(item)
        if confirm == name and not author.strip():
            raise HcatError(f"Nothing was deleted. {goes_text(item, holds)} Say who decides: --author NAME")
        workspace.housekeeping.delete(item, holds, confirmed=confirm, author=author, reason=reason)
    typer.echo(f"deleted: {kind} {name} with {counts_text(holds.gone)}")


def _item(workspace: Workspace, kind: ItemKind, name: str, project: str | None, of: str = "") -> Item:
    return workspace.housekeeping.get(kind, name, project=project, of=of)


@projects.command("list")
def list_projects(as_json: AsJson = False) -> None:
    """List all projects, archived ones too."""
    list_items("project", None, as_json=as_json)


@projects.command("rename")
def rename_project(name: Name, new_name: NewName) -> None:
    """Give a project another name."""
    rename_item("project", name, new_name, None)


@projects.command("archive")
def archive_project(name: Name) -> None:
    """Leave a project out of lists; nothing of it is lost."""
    archive_item("project", name, None)


@projects.command("restore")
def restore_project(name: Name) -> None:
    """Take an archived project back."""
    restore_item("project", name, None)


@projects.command("delete")
def delete_project(name: Name, confirm: Confirm = "", author: Author = "", reason: Reason = "") -> None:
    """Delete a project with all that it holds: runs, labels, findings, calibrations."""
    delete_item("project", name, None, confirm=confirm, author=author, reason=reason)


@projects.command("log")
def log(as_json: AsJson = False) -> None:
    """Print who renamed, archived, restored or deleted what, in all projects."""
    from dataclasses import asdict

    from hcat.core.records.codec import JSON
    from hcat.core.wording.housekeeping import entry_text
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        entries = workspace.housekeeping.log()
    if as_json:
        print_json(inputs={}, settings={}, log=[JSON.write(asdict(entry)) for entry in entries])
        return
    rows = [(f"{entry.at:%Y-%m-%d %H:%M}", entry.project, entry_text(entry)) for entry in entries]
    print_table("housekeeping", ("When", "Project", "What"), rows)


@runs.command("list")
def list_runs(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the runs of a project, archived ones too."""
    list_items("run", project, as_json=as_json)


@runs.command("rename")
def rename_run(name: Name, new_name: NewName, project: ProjectOption) -> None:
    """Give a run another name, unless findings or saved calibrations name it."""
    rename_item("run", name, new_name, project)


@runs.command("archive")
def archive_run(name: Name, project: ProjectOption) -> None:
    """Leave a run out of lists and reports; nothing of it is lost."""
    archive_item("run", name, project)


@runs.command("restore")
def restore_run(name: Name, project: ProjectOption) -> None:
    """Take an archived run back."""
    restore_item("run", name, project)


@runs.command("delete")
def delete_run(
    name: Name, project: ProjectOption, confirm: Confirm = "", author: Author = "", reason: Reason = ""
) -> None:
    """Delete a run with its scores and labels, unless findings or saved calibrations rest on it."""
    delete_item("run", name, project, confirm=confirm, author=author, reason=reason)


@criteria.command("list")
def list_criteria(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the criteria of a project, archived ones too."""
    list_items("criterion", project, as_json=as_json)


@criteria.command("add")
def add_criterion(
    name: Name,
    project: ProjectOption,
    levels: Annotated[str, typer.Option(help="Its levels, from worst to best, comma-separated.")] = "fail,pass",
    passing: Annotated[
        str | None, typer.Option(help="The lowest level that counts as a pass; by default, the best.")
    ] = None,
    guideline: Annotated[
        Path | None, typer.Option(help="By what people judge (a text file); version 1 of the guideline.")
    ] = None,
) -> None:
    """Add a criterion, by which samples of the project can then be labelled."""
    from hcat.core.types import Criterion
    from hcat.core.workspace import Workspace

    named = tuple(level.strip() for level in levels.split(","))
    lowest = named[-1] if passing is None else passing.strip()
    if lowest not in named:
        raise HcatError(f"--passing {lowest!r} is none of the levels {', '.join(named)}")
    text = "" if guideline is None else read_text(guideline)
    with Workspace.open(actor="command line") as workspace:
        made = workspace.criteria.add(project, Criterion(name, named, text, passing=named.index(lowest)))
    typer.echo(f"criterion {made.name} → {project}: {' < '.join(made.levels)}, passes from {lowest}")


@criteria.command("rename")
def rename_criterion(name: Name, new_name: NewName, project: ProjectOption) -> None:
    """Give a criterion another name, unless findings or saved calibrations name it."""
    rename_item("criterion", name, new_name, project)


@criteria.command("archive")
def archive_criterion(name: Name, project: ProjectOption) -> None:
    """Leave a criterion out of lists and reports; its labels stay."""
    archive_item("criterion", name, project)


@criteria.command("restore")
def restore_criterion(name: Name, project: ProjectOption) -> None:
    """Take an archived criterion back."""
    restore_item("criterion", name, project)


@criteria.command("delete")
def delete_criterion(
    name: Name, project: ProjectOption, confirm: Confirm = "", author: Author = "", reason: Reason = ""
) -> None:
    """Delete a criterion with its labels, unless findings or saved calibrations rest on it."""
    delete_item("criterion", name, project, confirm=confirm, author=author, reason=reason)


def archive_queue(
    name: Name, project: ProjectOption, run: RunOption, criterion: CriterionOption = "correctness"
) -> None:
    """Offer a queue no more; its labels keep the probabilities with which it drew them."""
    archive_item("queue", name, project, f"{run}, {criterion}")


def restore_queue(
    name: Name, project: ProjectOption, run: RunOption, criterion: CriterionOption = "correctness"
) -> None:
    """Offer an archived queue again."""
    restore_item("queue", name, project, f"{run}, {criterion}")


def delete_queue(
    name: Name,
    project: ProjectOption,
    run: RunOption,
    criterion: CriterionOption = "correctness",
    confirm: Confirm = "",
    author: Author = "",
    reason: Reason = "",
) -> None:
    """Delete a queue that has no label yet; labels carry the probabilities of the queue that drew them."""
    delete_item("queue", name, project, f"{run}, {criterion}", confirm=confirm, author=author, reason=reason)
