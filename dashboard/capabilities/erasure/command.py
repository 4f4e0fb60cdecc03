"""`hcat erase`, `hcat erasures` and `hcat retention …`: texts that are to go, and for how long others stay."""

from __future__ import annotations

from typing import Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, print_json, print_note, print_table
from hcat.dashboard.commands.project_options import ProjectOption

retention = typer.Typer(help="For how long a project keeps the texts of samples.", no_args_is_help=True)

Author = Annotated[str, typer.Option("--author", help="Who decides; pages and the log keep this name.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be erased, and erase nothing.")]


def erase(
    samples: Annotated[list[str] | None, typer.Argument(help="The ids of the samples.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="The project.")] = None,
    run: Annotated[str | None, typer.Option("--run", help="The run of the project.")] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, in one line; it is shown where the text was.")] = "",
    author: Author = "",
    confirm: Annotated[
        str, typer.Option("--confirm", help="The run's name once more; without it, nothing is erased.")
    ] = "",
    finish: Annotated[
        bool, typer.Option("--finish", help="Only remove what an interrupted erasure left; name no sample.")
    ] = False,
) -> None:
    """Erase the texts of samples of a project's run: query, contexts, answer, reference, metadata. It can't be undone.

    Scores, labels, ids and dimensions stay. Backups and files that were exported before still hold the texts.
    """
    from hcat.core.capabilities.erasure.wording import BEYOND, erased_text, traces_text
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        if finish:
            n = workspace.erasures.finish()
            typer.echo(f"{n} file{'s' * (n != 1)} that earlier erasures left {'were' if n != 1 else 'was'} removed")
            return
        if project is None or run is None or not samples:
            raise HcatError("name samples, and where they are: hcat erase SAMPLE … --project NAME --run NAME")
        stored = workspace.runs.get(project, run)
        if confirm != run:
            traces = workspace.erasures.traces(stored, samples)
            said = f"{len(samples)} text{'s' * (len(samples) != 1)} of run {run}. {traces_text(traces)}"
            raise HcatError(f"Nothing was erased. This would erase {said} It can't be undone: --confirm {run!r}")
        if not author.strip():
            raise HcatError("Nothing was erased. Say who decides: --author NAME")
        traces = workspace.erasures.traces(stored, samples)
        for each in workspace.erasures.erase(stored, samples, reason=reason, author=author):
            typer.echo(erased_text(each))
    print_note(f"{traces_text(traces)} {BEYOND}")


def erasures(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the texts that were erased in a project: when, by whom, and why."""
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        erased = workspace.erasures.all(project)
    if as_json:
        rows: list[JsonValue] = [JSON.write_object(each) for each in erased]
        print_json(inputs={}, settings={"project": project}, erasures=rows)
        return
    cells = [(f"{each.at:%Y-%m-%d %H:%M}", each.run, each.sample_id, each.author, each.reason) for each in erased]
    print_table(f"Texts erased in {project}", ("When", "Run", "Sample", "By", "Reason"), cells)


@retention.command("set")
def settle(
    project: ProjectOption,
    author: Author,
    days: Annotated[int | None, typer.Option("--days", help="Days after a run's import.")] = None,
    forever: Annotated[bool, typer.Option("--forever", help="Keep texts until somebody erases them.")] = False,
) -> None:
    """Settle for how many days after its import the texts of a run are kept. Nothing is erased by it."""
    from hcat.core.capabilities.erasure.wording import retention_text
    from hcat.core.workspace import Workspace

    if (days is None) == (not forever):
        raise HcatError("say for how long: --days N, or --forever")
    with Workspace.open(actor="command line") as workspace:
        settled = workspace.retentions.settle(project, days, author=author)
    typer.echo(retention_text(settled))


@retention.command()
def show(project: ProjectOption, as_json: AsJson = False) -> None:
    """Show what is settled, and when the texts of which run go."""
    from hcat.core.capabilities.erasure.wording import retention_text
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        settled, due = workspace.retentions.get(project), workspace.retentions.due(project)
    if as_json:
        rows: list[JsonValue] = [JSON.write_object(each) for each in due]
        days = None if settled is None else settled.days
        print_json(inputs={}, settings={"project": project}, days=days, runs=rows)
        return
    typer.echo(retention_text(settled))
    print_table(
        "Texts to be erased",
        ("Run", "Texts", "On", "Waits for"),
        [
            (
                each.run,
                f"{each.texts:,}",
                f"{each.due:%Y-%m-%d}",
                "" if each.waiting is None else f"the approval of report version {each.waiting}",
            )
            for each in due
        ],
    )


@retention.command()
def apply(project: ProjectOption, author: Author = "", dry_run: DryRun = False) -> None:
    """Erase the texts that are due. Those of a run on which a report waits for its approval stay until it has it."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        now = workspace.store.clock()
        due = [each for each in workspace.retentions.due(project) if each.is_due(now)]
        if not dry_run and not author.strip():
            raise HcatError("Nothing was erased. Say who decides: --author NAME")
        erased = [] if dry_run else workspace.retentions.apply(project, author=author)
    would = sum(each.texts for each in due)
    names = ", ".join(each.run for each in due) or "none"
    if dry_run:
        typer.echo(f"{would:,} texts are due, of runs: {names}. Nothing was erased")
    else:
        typer.echo(f"{len(erased):,} texts were erased, of runs: {names}")
