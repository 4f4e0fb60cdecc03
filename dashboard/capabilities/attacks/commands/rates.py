"""`hcat attack-rates`: how often attacks succeed beyond their controls; from a project or from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, document, existing, print_document

if TYPE_CHECKING:
    from hcat.core.attack_detectors import DetectedAnswer
    from hcat.core.opened.run import Opened
    from hcat.core.types import JsonValue

SHOWN = 5


@reads_files
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
    from hcat.core.capabilities.attacks.analysis import detected, evaluate_attacks
    from hcat.core.capabilities.attacks.view import attacks_view
    from hcat.core.capabilities.attacks.wording import results_document
    from hcat.dashboard.commands.printed_view import print_view

    if labels is not None and not criterion:
        raise HcatError("--labels needs --criterion: the criterion of the labels")
    file, name = (existing(Path(run)), None) if project is None else (None, run)
    source = Inputs(
        project=project,
        name=name,
        run=file,
        labels=labels,
        criteria=() if criterion is None else (criterion,),
        positive=positive,
        levels=levels,
        passing=passing,
        warns=False,
    )
    with opened(source) as (attacked,):
        if labels is not None and _labelled(attacked).isdisjoint(attacked.columns.sample_ids):
            raise FileFormatError(f"no sample of {labels.name} is in {run}: its sample_id must be the run's")
        results = evaluate_attacks(attacked, None if criterion is None else next(iter(attacked.criteria), None))
        hits = detected(attacked.columns, results.hits)
    inputs = {name: path for name, path in (("run", file), ("labels", labels)) if path is not None}
    if as_json:
        asked: dict[str, JsonValue] = {"criterion": criterion, "project": project}
        print_document({**document(inputs=inputs, settings=asked), **results_document(results, hits)})
        return
    print_view(attacks_view(results))
    _print_hits(hits)


def _labelled(run: Opened) -> set[str]:
    return {label.sample_id for on in run.criteria for label in run.label_source.labels(on.name)}


def _print_hits(hits: Sequence[DetectedAnswer]) -> None:
    for each in hits[:SHOWN]:
        answer = " ".join((each.sample.answer or "").split())
        typer.echo(f"{each.sample.id}: {each.detection.because}: {answer[:160]}")
    if len(hits) > SHOWN:
        typer.echo(f"… and {len(hits) - SHOWN} further hits: --json lists them all.")
