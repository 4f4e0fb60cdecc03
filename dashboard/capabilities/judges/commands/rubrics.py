"""`hcat judge rubric`: the rubric that comes with hcat, as a file to edit; and a project's, with all its versions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.capabilities.judges.commands.judge_options import Criteria, chosen_rubric
from hcat.dashboard.commands.output import AsJson, names_in, print_json, print_table, read_text

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.rubric import Rubric


def rubric(
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write it as a file to edit (JSON).")] = None,
    rubric: Annotated[
        str | None, typer.Option(help="A rubric (JSON), or with --project its name; by default the newest there.")
    ] = None,
    criteria: Criteria = "",
    project: Annotated[str | None, typer.Option(help="The rubric of this project.")] = None,
    version: Annotated[int | None, typer.Option(min=0, help="With --project: this version, not the newest.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="With --project: keep this file (JSON) as the next version; it is signed.")
    ] = None,
    author: Annotated[str, typer.Option(help="With --save: who signs.")] = "",
    note: Annotated[str, typer.Option(help="With --save: what changed, and why.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show a rubric, write it to a file to be edited, or keep an edited file as a project's next version."""
    from hcat.core.capabilities.judges.rubric import rubric_json
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.codec import JSON

    if project is None:
        if save is not None or version is not None:
            raise HcatError("versions are kept in a project: name it with --project")
        chosen, number = chosen_rubric(None if rubric is None else Path(rubric), criteria), None
    else:
        chosen, number = _of_project(project, rubric, criteria, version, save, author, note)
    if output is not None:
        write_whole(output, rubric_json(chosen).encode())
    if as_json:
        inputs = {} if rubric is None or project is not None else {"rubric": Path(rubric)}
        print_json(inputs=inputs, settings={}, rubric=JSON.write_object(chosen), hash=chosen.hash, version=number)
        return
    if number is not None:
        typer.echo(f"Rubric “{chosen.name}”, {f'version {number}' if number else 'as it comes with hcat'}.")
    for each in chosen.criteria:
        print_table(
            f"{each.name}: {each.question}",
            ("score", "level"),
            [(f"{score}{' (passes)' if score >= each.passing else ''}", text) for score, text in
             zip(each.scores, each.levels, strict=True)],
        )  # fmt: skip
    if output is not None:
        typer.echo(f"Written to {output}: edit it and give it to `hcat judge RUN --rubric {output}`.")


def _of_project(
    project: str, name: str | None, criteria: str, version: int | None, save: Path | None, author: str, note: str
) -> tuple[Rubric, int]:
    from hcat.core.capabilities.judges.rubric import read_rubric
    from hcat.core.workspace import Workspace

    if save is not None and not author.strip():
        raise HcatError("a rubric is signed: say who by --author")
    with Workspace.open(actor="command line") as workspace:
        owner = workspace.projects.get(project)
        if save is not None:
            kept = workspace.rubrics.save(owner, read_rubric(read_text(save), name=save.name), author=author, note=note)
            name = kept.name
        chosen, number = workspace.rubrics.newest(owner, name)
        if version is not None:
            earlier = workspace.rubrics.by_number(owner, chosen.name, version)
            if earlier is None:
                raise HcatError(f"the rubric {chosen.name!r} has no version {version}")
            chosen, number = earlier, version
    return (chosen.only(names_in(criteria)) if criteria else chosen), number
