"""`hcat grammar evaluate`: robustness over semantic groups, and which module wrong answers come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import FileFormatError, HcatError
from core.records.codec import JSON
from core.records.file_limits import parse_document
from core.records.json_text import json_object
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    labelled_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import AsJson, document, print_document, print_table, read_text
from dashboard.commands.runs import read_samples
from dashboard.commands.score_files import Directions
from dashboard.commands.testgen.grammar_evaluators import (
    print_evaluators,
    read_calibration,
    read_scores,
    read_thresholds,
)

if TYPE_CHECKING:
    from core.testgen.grammar.answers import VerdictSource
    from core.testgen.grammar.differences import GrammarDifference
    from core.testgen.grammar.evaluation import GrammarEvaluation
    from core.types import Sample

    Verdicts = dict[str, bool]


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
    apart: Annotated[
        bool,
        typer.Option(
            "--by-criterion", help="Take each run apart by the criterion of its texts, and compare the parts."
        ),
    ] = False,
    scores: Annotated[
        list[str] | None,
        typer.Option(help="Scores of a run, as CRITERION=FILE: how reliable each metric is (once for each run)."),
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="With --scores: a calibration (JSON), one evaluator more, at its own threshold.")
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(help="METRIC=VALUE, once a metric: right from there on; by default chosen on held-out folds."),
    ] = None,
    directions: Directions = None,
    as_json: AsJson = False,
) -> None:
    """Gap, robust and non-robust groups, R and accuracy, and the module behind wrong answers (GRAMMAR 2.4)."""
    from core.testgen.grammar.answers import document_texts, grouped_answers
    from core.testgen.grammar.differences import compare_groups
    from core.testgen.grammar.evaluation import evaluate_groups
    from core.testgen.grammar.evaluators import evaluator_table
    from core.testgen.grammar.group_rows import by_criterion
    from core.wording.grammar import grammar_document, grammar_notes

    paths = _named(runs)
    whole = {name: read_samples(path) for name, path in paths.items()}
    parts = {name: (name, some) for name, some in whole.items()}
    if apart:
        parts = {part: (name, some) for name in whole for part, some in by_criterion(name, whole[name]).items()}
    texts = document_texts(*whole.values()) | ({} if documents is None else _read_documents(documents))
    source, verdicts = _verdicts(
        whole,
        labels=labels,
        criterion=criterion,
        positive=positive,
        levels=levels,
        passing=passing,
        verbatim=verbatim,
    )
    answers = {}
    for part, (name, some) in parts.items():
        try:
            answers[part] = grouped_answers(some, verdicts[name], texts=texts, closed_domain=closed_domain)
        except HcatError as error:
            raise HcatError(f"{paths[name].name}: {error}") from None
    evaluations = {name: evaluate_groups(grouped) for name, grouped in answers.items()}
    differences = compare_groups(answers)
    scored = read_scores(scores or [], whole, directions)
    evaluators = evaluator_table(
        answers,
        {part: scored[name] for part, (name, _) in parts.items() if name in scored},
        calibration=read_calibration(calibration),
        thresholds=read_thresholds(threshold or []),
    )
    notes = grammar_notes(evaluations, verdicts=source)
    if as_json:
        inputs = {**paths, **{name: path for name, path in (("labels", labels), ("documents", documents)) if path}}
        about = document(
            inputs=inputs,
            settings={"verdicts": source, "closed_domain": closed_domain, **level_settings(levels, passing)},
            notes=list(notes),
        )
        found = grammar_document(evaluations, differences)
        print_document({**about, **found, "evaluators": [JSON.write(each) for each in evaluators]})
        return
    _print_evaluations(evaluations)
    _print_differences(differences)
    print_evaluators(evaluators)
    for note in notes:
        typer.echo(note)


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
            content = parse_document(text)
        except ValueError:
            rows = [json_object(line) for line in text.splitlines() if line.strip()]
            content = {str(row["id"]): row["text"] for row in rows}
    except (ValueError, KeyError, TypeError):
        raise FileFormatError(f"{path.name}: expected texts by id: a JSON object, or lines with id and text") from None
    if not isinstance(content, dict):
        raise FileFormatError(f"{path.name}: expected texts by id: a JSON object, or lines with id and text")
    return {str(name): value for name, value in content.items() if isinstance(value, str)}


def _print_evaluations(evaluations: Mapping[str, GrammarEvaluation]) -> None:
    from core.wording.grammar import evaluation_rows

    print_table("Semantic groups by run", ("", *evaluations), evaluation_rows(evaluations))


def _print_differences(differences: Sequence[GrammarDifference]) -> None:
    from core.wording.grammar import difference_sentences

    for difference in differences:
        for sentence in difference_sentences(difference):
            typer.echo(sentence)
