"""`hcat grammar evaluate`: robustness over semantic groups, and which module wrong answers come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.core.records.codec import JSON
from hcat.core.records.file_limits import parse_document
from hcat.core.records.json_text import json_object
from hcat.dashboard.capabilities.grammar.commands.grammar_evaluators import (
    named_files,
    print_evaluators,
    read_calibration,
    read_thresholds,
)
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive, level_settings
from hcat.dashboard.commands.output import AsJson, document, print_document, print_table, read_text
from hcat.dashboard.commands.score_files import Directions, statements

if TYPE_CHECKING:
    from hcat.core.capabilities.grammar.answers import VerdictSource
    from hcat.core.capabilities.grammar.differences import GrammarDifference
    from hcat.core.capabilities.grammar.evaluation import GrammarEvaluation
    from hcat.core.opened.run import Opened
    from hcat.core.types import Sample

    Verdicts = dict[str, bool]


def evaluate(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Run files, as CRITERION=FILE or FILE: one for each way of wording the queries. With --project names "
            "of its runs, as CRITERION=RUN or RUN."
        ),
    ],
    project: Annotated[
        str | None,
        typer.Option(
            help="Take runs of this project instead of files, with its scores, and with its labels on --criterion."
        ),
    ] = None,
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
    from hcat.core.capabilities.grammar.answers import document_texts, grouped_answers
    from hcat.core.capabilities.grammar.differences import compare_groups
    from hcat.core.capabilities.grammar.evaluation import evaluate_groups
    from hcat.core.capabilities.grammar.evaluators import evaluator_table
    from hcat.core.capabilities.grammar.group_rows import by_criterion, group_rows
    from hcat.core.capabilities.grammar.wording import grammar_document, grammar_notes

    if verbatim and (labels is not None or (project is not None and criterion is not None)):
        raise HcatError("labels and --verbatim both say what is right: choose one")
    named = _named(runs)
    paths = {} if project is not None else {name: Path(path) for name, path in named.items()}
    of_scores = named_files(scores or [], named)
    sources = [
        Inputs(
            project=project,
            name=name if project is None else place,
            run=paths.get(name),
            scores=of_scores.get(name),
            labels=labels,
            criteria=() if criterion is None else (criterion,),
            positive=positive,
            levels=levels,
            passing=passing,
            stated=statements(directions, None),
            warns=False,
        )
        for name, place in named.items()
    ]
    with opened(*sources) as found:
        held = dict(zip(named, found, strict=True))
        whole = {name: one.columns.samples for name, one in held.items()}
        judged = {} if criterion is None else {name: _right(one) for name, one in held.items() if one.criteria}
        scored = {name: table for name, one in held.items() if (table := one.columns.given_scores) is not None}
    parts = {name: (name, some) for name, some in whole.items()}
    if apart:
        parts = {part: (name, some) for name in whole for part, some in by_criterion(name, whole[name]).items()}
    texts = document_texts(*whole.values()) | ({} if documents is None else _read_documents(documents))
    source, verdicts = _verdicts(whole, judged, verbatim=verbatim)
    answers = {}
    for part, (name, some) in parts.items():
        try:
            answers[part] = grouped_answers(some, verdicts[name], texts=texts, closed_domain=closed_domain)
        except HcatError as error:
            raise HcatError(f"{Path(named[name]).name}: {error}") from None
    evaluations = {name: evaluate_groups(grouped) for name, grouped in answers.items()}
    differences = compare_groups(answers)
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
            settings={
                **{"verdicts": source, "closed_domain": closed_domain, **level_settings(levels, passing)},
                **({} if project is None else {"project": project, "runs": dict(named), "criterion": criterion}),
            },
            notes=list(notes),
        )
        listed = {name: group_rows(parts[name][1], grouped) for name, grouped in answers.items()}
        print_document(
            {
                **about,
                **grammar_document(evaluations, differences, rows=listed),
                "evaluators": [JSON.write(each) for each in evaluators],
            }
        )
        return
    _print_evaluations(evaluations)
    _print_differences(differences)
    print_evaluators(evaluators)
    for note in notes:
        typer.echo(note)


def _named(runs: Sequence[str]) -> dict[str, str]:
    """The run files, or the names of runs, by the criterion before "=", or by the file's own name."""
    named: dict[str, str] = {}
    for text in runs:
        name, separator, place = text.partition("=")
        place = place if separator else text
        name = name.strip() if separator and name.strip() else Path(place).stem
        if name in named:
            raise HcatError(f"two runs are called {name!r}: name each as CRITERION=FILE")
        named[name] = place
    return named


def _verdicts(
    samples: Mapping[str, Sequence[Sample]], judged: Mapping[str, Verdicts], *, verbatim: bool
) -> tuple[VerdictSource, Mapping[str, Verdicts]]:
    """The source of the verdicts and the verdicts of each run: from labels if there are any, else verbatim or as
    recorded."""
    from hcat.core.capabilities.grammar.answers import recorded_verdicts, verbatim_verdicts

    if judged:
        return "labels", judged
    if verbatim:
        return "verbatim", {name: verbatim_verdicts(some) for name, some in samples.items()}
    return "recorded", {name: recorded_verdicts(some) for name, some in samples.items()}


def _right(run: Opened) -> Verdicts:
    """Whether each labelled sample of a run passes."""
    from hcat.core.capabilities.trials.trials import labels_checker

    [criterion] = run.criteria
    checker = labels_checker(run.label_source.labels(criterion.name), criterion)
    return {sample_id: outcome == 1 for sample_id, outcome in checker.outcomes.items()}


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
    from hcat.core.capabilities.grammar.wording import evaluation_rows

    print_table("Semantic groups by run", ("", *evaluations), evaluation_rows(evaluations))


def _print_differences(differences: Sequence[GrammarDifference]) -> None:
    from hcat.core.capabilities.grammar.wording import difference_sentences

    for difference in differences:
        for sentence in difference_sentences(difference):
            typer.echo(sentence)
