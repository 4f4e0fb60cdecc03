"""`hcat coverage`: which topics, documents and passages of a corpus a test set tests."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import parse_document
from hcat.core.types import JsonValue
from hcat.dashboard.capabilities.corpus.commands.corpus_files import corpus_at, passages_at
from hcat.dashboard.capabilities.topics.commands.topic_files import passage_topics
from hcat.dashboard.commands.output import AsJson, document, existing, print_document, read_text

if TYPE_CHECKING:
    from hcat.core.capabilities.coverage.coverage import Coverage
    from hcat.core.capabilities.coverage.run_coverage import RunCoverage
    from hcat.core.opened.run import RunColumns
    from hcat.core.records.passages import CorpusPassage

MOST_ROWS = 50
"""Passages without a test case on the terminal; the file that -o writes has all passages."""


def coverage(
    tests: Annotated[
        str,
        typer.Argument(
            help="Test cases (JSON Lines), as `hcat generate` writes them; with --project the name of a test set."
        ),
    ],
    passages: Annotated[
        str | None,
        typer.Argument(
            help="Passages (JSON Lines), or the documents they are cut from; with --project the name of a corpus, by "
            "default the one that the tests were made from."
        ),
    ] = None,
    topics: Annotated[Path | None, typer.Option(help="The passages' topics, from `hcat topics`.")] = None,
    declared: Annotated[
        Path | None, typer.Option(help="What was to be drawn: a file of `hcat design`, or of `hcat generate --json`.")
    ] = None,
    untestable: Annotated[
        Path | None, typer.Option(help="Passages that can't be tested: a CSV with the columns passage and reason.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write a table of all passages (CSV).")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="A project: what its page Coverage shows, of the newest versions or of these:")
    ] = None,
    version: Annotated[
        int | None, typer.Option(min=1, help="With --project: the version of the test set, by default the newest.")
    ] = None,
    corpus_version: Annotated[
        int | None, typer.Option(min=1, help="With --project: the version of the corpus, by default the newest.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Attest what a test set covers of a corpus, and how far it came out as it was declared."""
    from hcat.core.capabilities.coverage import wording
    from hcat.core.capabilities.coverage.view import WITHOUT_A_CASE, coverage_view, passages_view
    from hcat.core.importers.reading.spreadsheet import as_csv
    from hcat.core.records.atomic import write_whole
    from hcat.dashboard.commands.printed_view import print_view

    files = {"topics": topics, "declared": declared, "untestable": untestable}
    about: dict[str, JsonValue] = {}
    if project is None and (version is not None or corpus_version is not None):
        raise HcatError("--version and --corpus-version are for what a project stores: give --project")
    if project is None:
        found = _of_files(Path(tests), passages, files)
        files |= {"tests": Path(tests), "passages": Path(passages or "")}
    elif any(files.values()):
        raise HcatError("--topics, --declared and --untestable are for files: a project keeps them with its test sets")
    else:
        found, about = _of_project(project, (tests, version), (passages, corpus_version))
    if output is not None:
        write_whole(output, as_csv([wording.PASSAGE_COLUMNS, *wording.passage_rows(found)]))
    if as_json:
        inputs = {name: path for name, path in files.items() if path is not None and path.is_file()}
        print_document({**document(inputs=inputs, settings=about), **wording.coverage_document(found)})
        return
    print_view(coverage_view(found))
    if found.count("tested") < len(found.passages):
        print_view(passages_view(found, WITHOUT_A_CASE, most_rows=MOST_ROWS))


def _of_files(tests: Path, passages: str | None, files: Mapping[str, Path | None]) -> Coverage:
    from hcat.core.capabilities.coverage.coverage import coverage as attest
    from hcat.core.capabilities.coverage.coverage import declared_of
    from hcat.core.capabilities.test_sets.case_file import read_cases

    if passages is None:
        raise HcatError("name the passages that the tests were made from, or --project")
    topics, declared, untestable = (files[name] for name in ("topics", "declared", "untestable"))
    account = None if declared is None else _record(declared)
    cases, corpus = read_cases(existing(tests).read_bytes(), filename=tests.name), passages_at(Path(passages))
    named = {name for case in cases for name in case.passages}
    if named and not named & {passage.id for passage in corpus}:
        raise HcatError(
            f"no test case names a passage of {Path(passages).name}: give the corpus that the tests were made from"
        )
    if declared is not None:
        _check_design(declared, account or {}, Path(passages), corpus)
    return attest(
        cases,
        corpus,
        topics=None if topics is None else passage_topics(topics),
        untestable=_reasons_in(account) | ({} if untestable is None else _reasons(untestable)),
        declared=None if account is None else declared_of(account),
    )


def _check_design(
    declared: Path, account: Mapping[str, JsonValue], path: Path, corpus: Sequence[CorpusPassage]
) -> None:
    """HcatError where a design is of another corpus: by the hash of its file, or by passages that this one lacks."""
    from hcat.core.records.hashing import sha256_of_files

    inputs = account.get("inputs")
    drawn_from = inputs.get("passages") if isinstance(inputs, dict) else None
    other_file = isinstance(drawn_from, str) and path.is_file() and drawn_from != sha256_of_files([path])
    if other_file or _passages_named(account) - {passage.id for passage in corpus}:
        raise HcatError(
            f"{declared.name} was drawn from other passages than {path.name}: give the design of this corpus, or its "
            "passages as they were then"
        )


def _passages_named(account: Mapping[str, JsonValue]) -> set[str]:
    """The passages that a design drew, left out, or got no case from."""
    units = account.get("passages")
    drawn = {str(unit.get("id")) for unit in units if isinstance(unit, dict)} if isinstance(units, list) else set()
    return drawn.union(*(said for name in ("left_out", "untestable") if isinstance(said := account.get(name), dict)))


def covered_by(columns: RunColumns, corpus: Path, topics: Path | None, declared: Path | None) -> RunCoverage:
    """Coverage of passages in a file, or of documents, by the test cases that a run asked. HcatError if they name none
    of these passages."""
    from hcat.core.capabilities.coverage.coverage import attest, declared_of
    from hcat.core.capabilities.coverage.run_coverage import CoveredCorpus, RunCoverage
    from hcat.core.records.test_case import cases_of

    imported, cases = corpus_at(corpus), cases_of(columns.samples)
    if not {name for case in cases for name in case.passages} & {passage.id for passage in imported.passages}:
        raise HcatError(
            f"no test case of this run names a passage of {corpus.name}: give the corpus that the tests were made from"
        )
    account = {} if declared is None else _record(declared)
    if declared is not None:
        declared_of(account)  # a file that declares nothing is a mistake here
        _check_design(declared, account, corpus, imported.passages)
    named = None if topics is None else passage_topics(existing(topics))
    answered = {sample.test_case or sample.id for sample in columns.samples if sample.answer is not None}
    return RunCoverage(
        columns.name,
        CoveredCorpus(corpus.name, None, None, len(imported.summaries), len(imported.passages), imported.content_hash),
        attest(cases, imported.passages, topics=named, account=account),
        unanswered=sum(case.id not in answered for case in cases),
    )


def _of_project(
    project: str, tests: tuple[str, int | None], corpus: tuple[str | None, int | None]
) -> tuple[Coverage, dict[str, JsonValue]]:
    """The coverage of a version of a test set over one of a corpus, each by name and number, with their records."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        test_set = workspace.test_sets.version(project, *tests)
        name, number = corpus
        if name is None:
            of_tests = workspace.coverage.corpus_of(test_set)
            if of_tests is None:
                raise HcatError(f"test set {tests[0]!r} was made from no corpus of the project: name one")
            name = of_tests.name
        chosen = workspace.corpora.version(project, name, number)
        about: dict[str, JsonValue] = {
            "project": project,
            "test_set": {"name": test_set.name, "version": test_set.version, "hash": test_set.content_hash},
            "corpus": {"name": chosen.name, "version": chosen.version, "hash": chosen.content_hash},
        }
        return workspace.coverage.of_test_set(test_set, chosen), about


def _reasons(path: Path) -> dict[str, str]:
    from hcat.core.importers.reading.spreadsheet import unescape_formula

    rows = csv.DictReader(io.StringIO(read_text(path).removeprefix("\ufeff")))
    if not {"passage", "reason"} <= set(rows.fieldnames or ()):
        raise FileFormatError(f"{path.name}: expected the columns passage and reason")
    return {
        unescape_formula(row["passage"]): unescape_formula(row["reason"] or "") or "said to be untestable"
        for row in rows
    }


def _reasons_in(account: dict[str, JsonValue] | None) -> dict[str, str]:
    """Which passages gave no case, as `hcat generate --json` says."""
    said = None if account is None else account.get("untestable")
    return {name: str(reason) for name, reason in said.items()} if isinstance(said, dict) else {}


def _record(path: Path) -> dict[str, JsonValue]:
    try:
        record = parse_document(read_text(path))
    except ValueError:
        raise HcatError(
            f"{path.name} is no JSON: give the file of `hcat design -o`, or of `hcat generate --json`"
        ) from None
    return record if isinstance(record, dict) else {}
