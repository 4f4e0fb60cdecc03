"""`hcat grammar`: semantic groups made from a database; `grammar_groups` says what the answers to them tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError, HcatError
from dashboard.commands.file_options import reads_files
from dashboard.commands.output import AsJson, document, names_in, print_document, print_table, read_text
from dashboard.commands.testgen.grammar_groups import evaluate

if TYPE_CHECKING:
    from core.testgen.grammar.fill import GroupedQueries

app = typer.Typer(
    name="grammar",
    help="Semantic groups: queries that mean the same and differ in wording (GRAMMAR).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def company(
    output: Annotated[Path, typer.Argument(help="The SQLite file to write.")],
    employees: Annotated[int, typer.Option(min=12, max=1_000_000, help="How many people work there.")] = 60,
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
) -> None:
    """Write a database of a company that does not exist: facts that no model can have seen (GRAMMAR, appendix G)."""
    import numpy as np

    from core.settings import settings
    from core.testgen.grammar.company import write_company

    write_company(output, employees=employees, rng=np.random.default_rng(settings().seed if seed is None else seed))
    typer.echo(f"{output}: a company of {employees} employees, with departments, clients and projects")


@app.command()
def generate(
    database: Annotated[str, typer.Argument(metavar="DB", help="SQLite file, or a database URL; read, never written.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the test cases (JSON Lines).")],
    criteria: Annotated[str, typer.Option(help="Ways of wording, comma-separated.")] = "short,long",
    templates: Annotated[
        Path | None, typer.Option(help="Own text templates (JSON): criterion → list of patterns.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=1, help="Groups of each SQL template; drawn where there are more.")
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(help="Also write a document for each named row into this folder, which must be new.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make semantic groups: queries by rule from the schema, the one answer from the database (GRAMMAR 2.1–2.3)."""
    import numpy as np

    from core.records.atomic import write_whole
    from core.settings import settings
    from core.testgen.grammar.database import open_database
    from core.testgen.grammar.documents import row_documents, with_documents
    from core.testgen.grammar.fill import fill_templates
    from core.wording.grammar import counts_document

    patterns = _patterns(criteria, templates)
    chosen_seed = settings().seed if seed is None else seed
    if documents is not None and documents.exists():
        raise HcatError(f"{documents} is there already: name a new folder for the documents")
    with open_database(database) as opened:
        queries = fill_templates(opened, patterns, rng=np.random.default_rng(chosen_seed), most=most)
        sql = {count.template.id: opened.sql(count.template) for count in queries.counts}
        pages = None if documents is None else row_documents(opened)
    if pages is not None and documents is not None:
        queries = with_documents(queries, pages)
        documents.mkdir(parents=True)
        for passage in pages.passages:
            write_whole(documents / f"{passage.id}.md", passage.text.encode())
    lines = [json.dumps(case.record(sql[case.template.id]), ensure_ascii=False) for case in queries.cases]
    write_whole(output, "".join(f"{line}\n" for line in lines).encode())
    if as_json:
        about = document(inputs={}, settings={"criteria": list(patterns), "most": most, "seed": chosen_seed})
        print_document({**about, **counts_document(queries, patterns, sql)})
        return
    _print_counts(queries, patterns)


def _patterns(criteria: str, templates: Path | None) -> dict[str, tuple[str, ...]]:
    """The text templates of these criteria: the project's own, and those that come with hcat."""
    from core.testgen.grammar.text_templates import TEXT_TEMPLATES

    own: dict[str, tuple[str, ...]] = {}
    if templates is not None:
        try:
            content = json.loads(read_text(templates))
            own = {str(name): tuple(str(pattern) for pattern in some) for name, some in content.items()}
        except (json.JSONDecodeError, AttributeError, TypeError):
            raise FileFormatError(f"{templates.name}: expected a JSON object: criterion → list of patterns") from None
    known = {**TEXT_TEMPLATES, **own}
    names = list(own) if own and criteria == "short,long" else names_in(criteria)
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise HcatError(f"no text templates for {', '.join(unknown) or 'nothing'}: there are {', '.join(known)}")
    return {name: known[name] for name in names}


def _print_counts(queries: GroupedQueries, patterns: Mapping[str, Sequence[str]]) -> None:
    from core.display.numbers import counted, format_count

    print_table(
        f"{format_count(len(queries.cases))} queries in {counted(queries.groups, 'semantic group')}",
        ("SQL template", "values", "groups", "queries", "no row", "empty answer", "several answers"),
        [
            (
                count.template.id,
                *(format_count(n) for n in (count.values, count.groups, count.texts, *count.dropped.values())),
            )
            for count in queries.counts
        ],
    )
    typer.echo(
        f"{counted(len(queries.counts), 'SQL template')}; text templates: "
        f"{', '.join(f'{name} {len(some)}' for name, some in patterns.items())}. A group is made only where the "
        "database has one answer."
    )


app.command()(reads_files(evaluate))
