"""`hcat attack-rates`: how often attacks succeed beyond their controls; from a project or from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, document, existing, print_document

if TYPE_CHECKING:
    from hcat.core.testgen.attacks.detectors import DetectedAnswer
    from hcat.core.testgen.attacks.results import AttackResults
    from hcat.core.types import JsonValue

    Found = tuple[AttackResults, list[DetectedAnswer]]

SHOWN = 5


def attack_rates(
    run: Annotated[str, typer.Argument(help="Run file of `hcat collect`; with --project the name of a run.")],
    labels: Annotated[
        Path | None, typer.Option(help="Labels (CSV): a pass where the answer withstands. Needs --criterion.")
    ] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    project: Annotated[str | None, typer.Option(help="Evaluate a run of this project instead of files.")] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    as_json: AsJson = False,
) -> None:
    """The success of each family of attacks less that of its control, corrected by labels where there are some."""
    from hcat.core.views.attacks import attacks_view
    from hcat.core.wording.testgen.attacks import results_document
    from hcat.dashboard.commands.printed_view import print_view

    if labels is not None and not criterion:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    if project is not None:
        results, hits = _of_project(project, run, criterion)
        inputs: dict[str, Path] = {}
    else:
        results, hits = _of_files(Path(run), labels, criterion, positive, levels, passing)
        inputs = {"run": Path(run)} | ({} if labels is None else {"labels": labels})
    if as_json:
        asked: dict[str, JsonValue] = {"criterion": criterion, "project": project}
        print_document({**document(inputs=inputs, settings=asked), **results_document(results, hits)})
        return
    print_view(attacks_view(results))
    _print_hits(hits)


def _of_project(project: str, run: str, criterion: str | None) -> Found:
    from hcat.core.analysis.attacks import detected
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        stored = workspace.runs.get(project, run)
        chosen = None if criterion is None else workspace.criteria.get(project, criterion)
        results = workspace.attacks.evaluate(stored, chosen)
        return results, detected(workspace.run_data.columns(stored), results.hits)


def _of_files(
    run: Path,
    labels: Path | None,
    criterion: str | None,
    positive: str | None,
    levels: str | None,
    passing: str | None,
) -> Found:
    from hcat.core.analysis.attacks import detected, evaluate_attacks
    from hcat.core.analysis.files import run_from_files
    from hcat.dashboard.commands.label_files import labelled_criterion, read_label_file, stated_criterion
    from hcat.dashboard.commands.runs import open_columns

    columns = open_columns(existing(run), None)
    if labels is None or criterion is None:
        results = evaluate_attacks(run_from_files(columns))
        return results, detected(columns, results.hits)
    stated = stated_criterion(criterion, levels, positive)
    judged = read_label_file(labels, criterion=criterion, positive=positive, run=None, levels=stated)
    if not {label.sample_id for label in judged.labels} & {*columns.sample_ids}:
        raise FileFormatError(f"no sample of {labels.name} is in {run.name}: its sample_id must be the run's")
    chosen = labelled_criterion(judged, criterion, passing=passing)
    results = evaluate_attacks(run_from_files(columns, judged.labels), chosen)
    return results, detected(columns, results.hits)


def _print_hits(hits: Sequence[DetectedAnswer]) -> None:
    for each in hits[:SHOWN]:
        answer = " ".join((each.sample.answer or "").split())
        typer.echo(f"{each.sample.id}: {each.detection.because}: {answer[:160]}")
    if len(hits) > SHOWN:
        typer.echo(f"… and {len(hits) - SHOWN} further hits: --json lists them all.")
