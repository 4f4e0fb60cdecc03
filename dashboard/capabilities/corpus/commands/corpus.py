"""`hcat corpus`: documents into passages, as a file or as a corpus of a project; `hcat corpora`: those of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError, NotFoundError
from hcat.core.records.cutting import OVERLAP, WORDS
from hcat.core.types import JsonValue
from hcat.dashboard.capabilities.corpus.commands.corpus_files import documents_at
from hcat.dashboard.capabilities.runs.commands.housekeeping import (
    Author,
    Confirm,
    Name,
    NewName,
    Reason,
    archive_item,
    delete_item,
    list_items,
    rename_item,
    restore_item,
)
from hcat.dashboard.commands.output import AsJson, document, existing, print_document, print_note, print_table
from hcat.dashboard.commands.project_options import ProjectOption

if TYPE_CHECKING:
    from hcat.core.capabilities.corpus.corpus_changes import CorpusChanges
    from hcat.core.capabilities.corpus.corpus_import import CorpusImport
    from hcat.core.records.corpus import CorpusInfo
    from hcat.core.workspace import Workspace

app = typer.Typer(help="List, rename, archive, restore and delete the corpora of a project.", no_args_is_help=True)


def corpus(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders or files: .md .txt .html .pdf .docx .csv .jsonl, or a .zip of them."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the passages (JSON Lines).")
    ] = None,
    words: Annotated[int, typer.Option(help="The most words that a passage has.")] = WORDS,
    overlap: Annotated[int, typer.Option(help="How many words a passage may share with the one before it.")] = OVERLAP,
    passages: Annotated[
        bool, typer.Option("--passages", help="The file holds passages, one a line with id and text: take them as are.")
    ] = False,
    project: Annotated[
        str | None, typer.Option(help="A project that keeps the corpus; created if there is none of this name.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="With --project: the corpus's name; an existing one gets a new version.")
    ] = None,
    run: Annotated[str | None, typer.Option(help="With --project, instead of files: the contexts of this run.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read documents and cut them into passages, with their places in the documents.

    Files that can't be read are left out, each named with the reason on standard error."""
    if (output is None) == (project is None):
        raise HcatError("name a file for the passages by -o, or --project")
    if bool(paths) == (run is not None) or (run is not None and project is None):
        raise HcatError("name files or folders; or, with --project, a --run whose contexts are taken")
    if project is None:
        imported = _of_paths(paths or [], words=words, overlap=overlap, passages=passages)
        _write(imported, output)
        _print(imported, str(output), as_json=as_json)
        return
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        if run is not None:
            imported = _of_run(workspace, project, run)
        else:
            imported = _of_paths(paths or [], words=words, overlap=overlap, passages=passages)
        title = name or run or (paths or [Path("corpus")])[0].resolve().stem
        stored, changes = _store(workspace, project, title, imported)
    _print(imported, f"{project} / {stored.name}, version {stored.version}", as_json=as_json, changes=changes)


def _of_paths(paths: list[Path], *, words: int, overlap: int, passages: bool) -> CorpusImport:
    from hcat.core.capabilities.corpus.corpus_import import corpus_of_passages
    from hcat.core.importers.passage_file import read_passage_file

    if not passages:
        return documents_at(paths, words=words, overlap=overlap)
    if len(paths) > 1:
        raise HcatError("--passages takes one file")
    return corpus_of_passages(read_passage_file(existing(paths[0])), source=paths[0].name)


def _of_run(workspace: Workspace, project: str, run: str) -> CorpusImport:
    from hcat.core.capabilities.corpus.corpus_import import corpus_of_contexts
    from hcat.core.capabilities.corpus.wording import CONTEXTS_NOTE

    imported = corpus_of_contexts(workspace.runs.samples(workspace.runs.get(project, run)), source=f"run {run}")
    print_note(f"hcat: {CONTEXTS_NOTE}")
    return imported


def _write(imported: CorpusImport, output: Path | None) -> None:
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.passages import passages_jsonl

    if output is not None:
        write_whole(output, passages_jsonl(imported.passages).encode("utf-8"))


def _store(
    workspace: Workspace, project: str, name: str, imported: CorpusImport
) -> tuple[CorpusInfo, CorpusChanges | None]:
    """The stored version, and what changed since the one before it."""
    from hcat.core.capabilities.corpus.service import check_importable

    try:
        target = workspace.projects.get(project)
    except NotFoundError:
        check_importable(name, imported)
        target = workspace.projects.create(project)
    try:
        [before, *_] = workspace.corpora.versions(target, name)
    except NotFoundError:
        return workspace.corpora.add(target, name, imported), None
    changes = workspace.corpora.changes(before, imported)
    return workspace.corpora.add_version(before, imported), changes


def _print(imported: CorpusImport, target: str, *, as_json: bool, changes: CorpusChanges | None = None) -> None:
    from hcat.core.capabilities.corpus.wording import changes_text, read_text
    from hcat.core.records.codec import JSON

    if as_json:
        settings: dict[str, JsonValue] = {**imported.settings, "source": imported.source, "target": target}
        about = document(inputs={}, settings=settings)
        about["inputs"] = {"corpus": imported.content_hash}
        about["passages"] = len(imported.passages)
        about["documents"] = [JSON.write_object(summary) for summary in imported.summaries]
        about["problems"] = [JSON.write_object(problem) for problem in imported.problems]
        print_document(about if changes is None else {**about, "changes": JSON.write_object(changes)})
        return
    print_table(
        f"{read_text(imported)} → {target}",
        ("document", "format", "pages", "words", "passages"),
        [
            (row.id, row.format, "" if row.pages is None else f"{row.pages:,}", f"{row.words:,}", f"{row.passages:,}")
            for row in imported.summaries
        ],
    )
    if changes is not None:
        typer.echo(changes_text(changes))


@app.command("list")
def list_corpora(project: ProjectOption, as_json: AsJson = False) -> None:
    """List the corpora of a project, archived ones too."""
    list_items("corpus", project, as_json=as_json)


@app.command("rename")
def rename_corpus(name: Name, new_name: NewName, project: ProjectOption) -> None:
    """Give a corpus another name."""
    rename_item("corpus", name, new_name, project)


@app.command("archive")
def archive_corpus(name: Name, project: ProjectOption) -> None:
    """Leave a corpus out of lists; nothing of it is lost."""
    archive_item("corpus", name, project)


@app.command("restore")
def restore_corpus(name: Name, project: ProjectOption) -> None:
    """Take an archived corpus back."""
    restore_item("corpus", name, project)


@app.command("delete")
def delete_corpus(
    name: Name, project: ProjectOption, confirm: Confirm = "", author: Author = "", reason: Reason = ""
) -> None:
    """Delete a corpus with all its versions."""
    delete_item("corpus", name, project, confirm=confirm, author=author, reason=reason)
