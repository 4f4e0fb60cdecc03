"""`hcat grammar build` and `hcat grammar fill`: a plan of semantic groups to be edited, and the groups made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import parse_yaml
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document, print_table, read_text

if TYPE_CHECKING:
    from hcat.core.capabilities.grammar.database import Database
    from hcat.core.capabilities.grammar.fill import GroupedQueries
    from hcat.core.capabilities.grammar.language import Rejected
    from hcat.core.capabilities.grammar.plan import GrammarPlan, TemplateProof
    from hcat.core.types import JsonValue

DatabasePlace = Annotated[
    str,
    typer.Argument(
        metavar="DB",
        help='SQLite file, a database URL, or "settings" for that of HCAT_GRAMMAR_DATABASE_URL; read, never written.',
    ),
]
Criteria = Annotated[str, typer.Option(help="Ways of wording, comma-separated.")]
OwnTemplates = Annotated[
    Path | None, typer.Option(help="Own text templates (JSON or YAML): criterion → list of patterns.")
]
Most = Annotated[int | None, typer.Option(min=1, help="Groups of each SQL template; drawn where there are more.")]
Documents = Annotated[
    Path | None, typer.Option(help="Also write a document for each named row into this folder, which must be new.")
]
Prose = Annotated[bool, typer.Option("--prose", help="With --documents: reports in paragraphs, and a profile of all.")]
Seed = Annotated[int | None, typer.Option(help="By default HCAT_SEED.")]


def build(
    database: DatabasePlace,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the plan (YAML), to be edited.")],
    criteria: Criteria = "short,long",
    templates: OwnTemplates = None,
    source: Annotated[
        str, typer.Option(help="rules; or endpoint: SQL and texts by the language model of the settings.")
    ] = "rules",
    number: Annotated[int, typer.Option(min=1, max=50, help="With endpoint: how many of each are asked for.")] = 4,
    description: Annotated[
        str, typer.Option(help="With endpoint: what the database holds, in words, for who writes the SQL.")
    ] = "",
    requirements: Annotated[
        str, typer.Option(help="With endpoint: what the questions should be about, and what must not be asked.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Make a plan of semantic groups from a schema: SQL templates, each with its proof, and text templates."""
    from hcat.core.capabilities.grammar.database import open_database
    from hcat.core.capabilities.grammar.plan import plan_by_rule, plan_yaml, prove_plan
    from hcat.core.records.atomic import write_whole

    if source not in ("rules", "endpoint"):
        raise HcatError(f"templates come from rules or endpoint, not from {source!r}")
    if source != "endpoint" and (description or requirements):
        raise HcatError("--description and --requirements are for a language model: give --source endpoint")
    patterns = chosen_patterns(criteria, templates)
    with open_database(database) as opened:
        rejected: tuple[Rejected, ...] = ()
        plan = plan_by_rule(opened, patterns)
        if source == "endpoint":
            plan, rejected = _by_endpoint(opened, patterns, number, description=description, requirements=requirements)
        proofs = prove_plan(opened, plan)
    write_whole(output, plan_yaml(plan).encode())
    if as_json:
        words = {"description": description, "requirements": requirements} if source == "endpoint" else {}
        about = document(inputs={}, settings={"criteria": list(patterns), "source": source, **words})
        found: list[JsonValue] = [
            {"id": p.template.id, "combinations": p.combinations, "problem": p.problem or None} for p in proofs
        ]
        said: list[JsonValue] = [{"text": each.text, "reason": each.reason} for each in rejected]
        print_document({**about, "sql_templates": found, "rejected": said})
        return
    _print_proofs(proofs, rejected)
    typer.echo(f"{output}: edit it, then run `hcat grammar fill {database} {output} -o tests.jsonl`")


def fill(
    database: DatabasePlace,
    plan: Annotated[Path, typer.Argument(help="The plan (YAML), as `hcat grammar build` writes it.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the test cases (JSON Lines).")],
    most: Most = None,
    answers: Annotated[
        int, typer.Option(min=1, max=20, help="Right answers that a query may have; each of them is right.")
    ] = 1,
    documents: Documents = None,
    prose: Prose = False,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Fill the templates of a plan with the database's values, and write the semantic groups as test cases."""
    import numpy as np

    from hcat.core.capabilities.grammar.database import open_database
    from hcat.core.capabilities.grammar.fill import fill_templates
    from hcat.core.capabilities.grammar.plan import read_plan
    from hcat.core.capabilities.grammar.wording import counts_document
    from hcat.core.settings import settings

    chosen = read_plan(read_text(plan), name=plan.name)
    chosen_seed = settings().seed if seed is None else seed
    check_new_folder(documents)
    with open_database(database) as opened:
        queries = fill_templates(
            opened,
            chosen.criteria,
            rng=np.random.default_rng(chosen_seed),
            most=most,
            templates=chosen.templates,
            most_answers=answers,
        )
        write_groups(opened, queries, output, documents=documents, prose=prose)
    sql = {template.id: template.sql for template in chosen.templates}
    if as_json:
        about = document(inputs={"plan": plan}, settings={"most": most, "answers": answers, "seed": chosen_seed})
        print_document({**about, **counts_document(queries, chosen.criteria, sql)})
        return
    print_counts(queries, chosen.criteria)


def check_new_folder(documents: Path | None) -> None:
    """Before anything is made, and nobody's documents are mixed with others."""
    if documents is not None and documents.exists():
        raise HcatError(f"{documents} is there already: name a new folder for the documents")


def write_groups(
    database: Database, queries: GroupedQueries, output: Path, *, documents: Path | None, prose: bool
) -> None:
    """The test cases as a file, and where a folder is named the documents that state their answers."""
    from hcat.core.capabilities.grammar.documents import row_documents, with_documents, with_statements
    from hcat.core.records.atomic import write_whole

    if documents is not None:
        pages = with_statements(row_documents(database, prose=prose), queries)
        queries = with_documents(queries, pages)
        documents.mkdir(parents=True)
        for passage in pages.passages:
            write_whole(documents / f"{passage.id}.md", passage.text.encode())
    sql = {count.template.id: database.sql(count.template) for count in queries.counts}
    lines = [json.dumps(case.record(sql[case.template.id]), ensure_ascii=False) for case in queries.cases]
    write_whole(output, "".join(f"{line}\n" for line in lines).encode())


def chosen_patterns(criteria: str, templates: Path | None) -> dict[str, tuple[str, ...]]:
    """The text templates of these criteria: the project's own, and those that come with hcat."""
    from hcat.core.capabilities.grammar.text_templates import TEXT_TEMPLATES

    own: dict[str, tuple[str, ...]] = {}
    if templates is not None:
        own = _own_patterns(templates)
    known = {**TEXT_TEMPLATES, **own}
    names = list(own) if own and criteria == "short,long" else names_in(criteria)
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise HcatError(f"no text templates for {', '.join(unknown) or 'nothing'}: there are {', '.join(known)}")
    return {name: known[name] for name in names}


def _own_patterns(file: Path) -> dict[str, tuple[str, ...]]:
    """Of a JSON or YAML file."""
    content = parse_yaml(read_text(file), name=file.name)  # which reads JSON too
    if not isinstance(content, dict) or not all(isinstance(patterns, list) for patterns in content.values()):
        raise FileFormatError(f"{file.name}: expected an object: criterion → list of patterns")
    return {str(name): tuple(str(pattern) for pattern in patterns) for name, patterns in content.items()}


def _by_endpoint(
    database: Database,
    patterns: Mapping[str, tuple[str, ...]],
    number: int,
    *,
    description: str,
    requirements: str,
) -> tuple[GrammarPlan, tuple[Rejected, ...]]:
    from hcat.core.capabilities.grammar.language import worded_by_model, written_by_model
    from hcat.core.capabilities.grammar.plan import GrammarPlan
    from hcat.core.models.llm.loading import LANGUAGE, load_language
    from hcat.core.settings import settings

    model = load_language(settings())
    if model is None:
        raise HcatError(LANGUAGE.missing)
    templates, without = written_by_model(
        database, model, number=number, description=description, requirements=requirements
    )
    plan, unused = worded_by_model(GrammarPlan(templates, patterns), model, criteria=list(patterns), number=number)
    return plan, (*without, *unused)


def _print_proofs(proofs: Sequence[TemplateProof], rejected: Sequence[Rejected]) -> None:
    from hcat.core.display.numbers import counted, format_count

    print_table(
        counted(len(proofs), "SQL template"),
        ("SQL template", "values", "problem"),
        [(proof.template.id, format_count(proof.combinations), proof.problem) for proof in proofs],
    )
    for each in rejected:
        typer.echo(f"left out ({each.reason}): {each.text}" if each.text else f"no answer: {each.reason}")


def print_counts(queries: GroupedQueries, patterns: Mapping[str, Sequence[str]]) -> None:
    """The table of counts (GRAMMAR, tables 4 and 5)."""
    from hcat.core.capabilities.grammar.wording import COUNT_COLUMNS, count_cells
    from hcat.core.display.numbers import counted, format_count

    print_table(
        f"{format_count(len(queries.cases))} queries in {counted(queries.groups, 'semantic group')}",
        COUNT_COLUMNS,
        [
            tuple(cell if isinstance(cell, str) else format_count(cell) for cell in count_cells(count))
            for count in queries.counts
        ],
    )
    typer.echo(
        f"{counted(len(queries.counts), 'SQL template')}; text templates: "
        f"{', '.join(f'{name} {len(some)}' for name, some in patterns.items())}. A group is made only where the "
        "database answers."
    )
