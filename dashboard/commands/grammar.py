"""`hcat grammar`: semantic groups made from a database, and what the answers to them tell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError, HcatError
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import AsJson, document, names_in, print_document, print_table, read_text
from dashboard.commands.runs import read_samples

if TYPE_CHECKING:
    from core.testgen.grammar.answers import VerdictSource
    from core.testgen.grammar.evaluation import GrammarDifference, GrammarEvaluation
    from core.testgen.grammar.fill import GroupedQueries
    from core.types import Estimate, Sample

    Verdicts = dict[str, bool]

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


@app.command()
def evaluate(
    runs: Annotated[
        list[str], typer.Argument(help="Run files, as CRITERION=FILE or FILE: one for each way of wording the queries.")
    ],
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV) that say what is right; needs --criterion.")] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Right is what holds the reference word by word, without labels.")
    ] = False,
    closed_domain: Annotated[
        bool,
        typer.Option("--closed-domain", help="An answer without its documents counts as wrong, whatever it says."),
    ] = False,
    documents: Annotated[
        Path | None,
        typer.Option(help="Texts of documents by id (JSON object, or JSON Lines with id and text), if runs lack them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Gap, robust and non-robust groups, R and accuracy, and the module behind wrong answers (GRAMMAR 2.4)."""
    from core.testgen.grammar.answers import document_texts, grouped_answers
    from core.testgen.grammar.evaluation import compare_groups, evaluate_groups
    from core.wording.grammar import grammar_document, grammar_notes

    paths = _named(runs)
    samples = {name: read_samples(path) for name, path in paths.items()}
    texts = document_texts(*samples.values()) | ({} if documents is None else _read_documents(documents))
    source, verdicts = _verdicts(
        samples,
        labels=labels,
        criterion=criterion,
        positive=positive,
        levels=levels,
        passing=passing,
        verbatim=verbatim,
    )
    answers = {}
    for name, path in paths.items():
        try:
            answers[name] = grouped_answers(samples[name], verdicts[name], texts=texts, closed_domain=closed_domain)
        except HcatError as error:
            raise HcatError(f"{path.name}: {error}") from None
    evaluations = {name: evaluate_groups(grouped) for name, grouped in answers.items()}
    differences = compare_groups(answers)
    notes = grammar_notes(evaluations, verdicts=source)
    if as_json:
        inputs = {**paths, **{name: path for name, path in (("labels", labels), ("documents", documents)) if path}}
        about = document(
            inputs=inputs,
            settings={"verdicts": source, "closed_domain": closed_domain, **level_settings(levels, passing)},
            notes=list(notes),
        )
        print_document({**about, **grammar_document(evaluations, differences)})
        return
    _print_evaluations(evaluations)
    _print_differences(differences)
    for note in notes:
        typer.echo(note)


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


def _named(runs: Sequence[str]) -> dict[str, Path]:
    """The run files by name: the criterion before "=", or the file's own name."""
    named: dict[str, Path] = {}
    for text in runs:
        name, separator, path = text.partition("=")
        file = Path(path if separator else text)
        name = name.strip() if separator and name.strip() else file.stem
        if name in named:
            raise HcatError(f"two runs are called {name!r}: name each as CRITERION=FILE")
        named[name] = file
    return named


def _verdicts(
    samples: Mapping[str, Sequence[Sample]],
    *,
    labels: Path | None,
    criterion: str | None,
    positive: str | None,
    levels: str | None,
    passing: str | None,
    verbatim: bool,
) -> tuple[VerdictSource, Mapping[str, Verdicts]]:
    """What is right in each run, and who says so."""
    from core.estimates.trials import labels_checker
    from core.testgen.grammar.answers import recorded_verdicts, verbatim_verdicts

    if labels is not None and verbatim:
        raise HcatError("--labels and --verbatim both say what is right: choose one")
    if verbatim:
        return "verbatim", {name: verbatim_verdicts(some) for name, some in samples.items()}
    if labels is None:
        return "recorded", {name: recorded_verdicts(some) for name, some in samples.items()}
    if criterion is None:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    stated = stated_criterion(criterion, levels, positive)
    by_run = {}
    for name in samples:
        judged = read_label_file(labels, criterion=criterion, positive=positive, run=name, levels=stated)
        checker = labels_checker(judged.labels, labelled_criterion(judged, criterion, passing=passing))
        by_run[name] = {sample_id: outcome == 1 for sample_id, outcome in checker.outcomes.items()}
    return "labels", by_run


def _read_documents(path: Path) -> dict[str, str]:
    text = read_text(path)
    try:
        try:
            content = json.loads(text)
        except json.JSONDecodeError:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
            content = {str(row["id"]): row["text"] for row in rows}
    except (json.JSONDecodeError, KeyError, TypeError):
        raise FileFormatError(f"{path.name}: expected texts by id: a JSON object, or lines with id and text") from None
    if not isinstance(content, dict):
        raise FileFormatError(f"{path.name}: expected texts by id: a JSON object, or lines with id and text")
    return {str(name): value for name, value in content.items() if isinstance(value, str)}


def _print_evaluations(evaluations: Mapping[str, GrammarEvaluation]) -> None:
    from core.display.numbers import format_count

    print_table(
        "Semantic groups by run",
        ("", *evaluations),
        [
            ("groups", *(format_count(found.groups.total) for found in evaluations.values())),
            ("  gap: nothing right", *(format_count(found.groups.gap) for found in evaluations.values())),
            ("  robust: all right", *(format_count(found.groups.robust) for found in evaluations.values())),
            ("  non-robust: some right", *(format_count(found.groups.non_robust) for found in evaluations.values())),
            ("accuracy", *(_shown(found.accuracy) for found in evaluations.values())),
            ("R", *(_shown(found.robustness) for found in evaluations.values())),
            ("groups that are no gap", *(_shown(found.knowledge) for found in evaluations.values())),
            ("documents found", *(_shown(found.retrieval_accuracy) for found in evaluations.values())),
            ("documents found, no gap groups", *(_shown(found.retrieval_robustness) for found in evaluations.values())),
            ("right without the document", *(_shown(found.right_without_document) for found in evaluations.values())),
            (
                "wrong in non-robust groups: language model / retrieval / undecided",
                *(_modules(found) for found in evaluations.values()),
            ),
        ],
    )


def _print_differences(differences: Sequence[GrammarDifference]) -> None:
    from core.wording.grammar import difference_sentence

    for difference in differences:
        typer.echo(difference_sentence(difference, difference.robustness, what="R"))
        typer.echo(difference_sentence(difference, difference.accuracy, what="Accuracy"))


def _modules(found: GrammarEvaluation) -> str:
    counts = found.attribution
    return f"{counts.language_model} / {counts.retrieval} / {counts.undecided}"


def _shown(estimate: Estimate) -> str:
    from core.display.numbers import format_estimate

    return format_estimate(estimate) if estimate.n else "not known"
