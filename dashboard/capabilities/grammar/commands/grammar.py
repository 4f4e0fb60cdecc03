"""`hcat grammar`: semantic groups made from a database; `grammar_groups` analyses the answers to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hcat.dashboard.capabilities.grammar.commands.grammar_groups import evaluate
from hcat.dashboard.capabilities.grammar.commands.grammar_plans import (
    Criteria,
    DatabasePlace,
    Documents,
    Most,
    OwnTemplates,
    Prose,
    Seed,
    build,
    check_new_folder,
    chosen_patterns,
    fill,
    print_counts,
    write_groups,
)
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.output import AsJson, document, print_document

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
    seed: Seed = None,
) -> None:
    """Write a database of a company that does not exist: facts that no model can have seen (GRAMMAR, appendix G)."""
    import numpy as np

    from hcat.core.capabilities.grammar.company import write_company
    from hcat.core.settings import settings

    write_company(output, employees=employees, rng=np.random.default_rng(settings().seed if seed is None else seed))
    typer.echo(f"{output}: a company of {employees} employees, with departments, clients and projects")


@app.command()
def generate(
    database: DatabasePlace,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the test cases (JSON Lines).")],
    criteria: Criteria = "short,long",
    templates: OwnTemplates = None,
    most: Most = None,
    documents: Documents = None,
    prose: Prose = False,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Make semantic groups: queries by rule from the schema, the one answer from the database (GRAMMAR 2.1–2.3)."""
    import numpy as np

    from hcat.core.capabilities.grammar.database import open_database
    from hcat.core.capabilities.grammar.fill import fill_templates
    from hcat.core.capabilities.grammar.wording import counts_document
    from hcat.core.settings import settings

    patterns = chosen_patterns(criteria, templates)
    chosen_seed = settings().seed if seed is None else seed
    check_new_folder(documents)
    with open_database(database) as opened:
        queries = fill_templates(opened, patterns, rng=np.random.default_rng(chosen_seed), most=most)
        write_groups(opened, queries, output, documents=documents, prose=prose)
        sql = {count.template.id: opened.sql(count.template) for count in queries.counts}
    if as_json:
        about = document(inputs={}, settings={"criteria": list(patterns), "most": most, "seed": chosen_seed})
        print_document({**about, **counts_document(queries, patterns, sql)})
        return
    print_counts(queries, patterns)


app.command()(build)
app.command()(fill)
app.command()(reads_files(evaluate))
