"""`hcat robustness`: variants compared with their origins; from a project or from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.capabilities.runs.commands.runs import encoder_and_store
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    existing,
    names_in,
    print_document,
    progress_bar,
)
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from hcat.core.capabilities.robustness.variants.comparison import Robustness
    from hcat.core.types import JsonValue


@reads_files
def robustness(
    run: Annotated[str, typer.Argument(help="Run file with variants (and origins); with --project the name of a run.")],
    scores: Annotated[Path | None, typer.Argument(help="Scores of the run (Parquet).")] = None,
    project: Annotated[str | None, typer.Option(help="Compare within this project instead of files.")] = None,
    origins: Annotated[
        str | None, typer.Option(help="The run that answers the origins, by name or file, where the first does not.")
    ] = None,
    origin_scores: Annotated[Path | None, typer.Option(help="Scores of the origins' run file.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV) of the run; needs --criterion.")] = None,
    origin_labels: Annotated[Path | None, typer.Option(help="Labels of the origins' run file.")] = None,
    criterion: Annotated[str | None, typer.Option(help="The criterion of the labels.")] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="Calibration (JSON): also compare the probability of a pass.")
    ] = None,
    metrics: Annotated[str | None, typer.Option(help="Metrics, comma-separated; by default all.")] = None,
    outcome: Annotated[
        str | None,
        typer.Option(help="What the table shows: pass_rate:CRITERION, pass_probability or a metric. JSON has all."),
    ] = None,
    similarity: Annotated[
        bool, typer.Option(help="Also compare answers by meaning; uses the sentence encoder.")
    ] = True,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """Compare variants with their origins, paired: scores, passes, expectations met, dose and response (HCAT 6.1)."""
    from hcat.core.capabilities.robustness.analysis.robustness import compare_variants, vectors_of_pairs
    from hcat.core.capabilities.robustness.wording.robustness import robustness_document

    chosen = None if metrics is None else names_in(metrics)
    sources = [
        Inputs(
            project=project,
            name=None if project is None else name,
            run=existing(Path(name)) if project is None else None,
            scores=of_scores,
            labels=of_labels,
            calibrations=() if calibration is None else (calibration,),
            criteria=() if criterion is None else (criterion,),
            positive=positive,
            levels=levels,
            passing=passing,
            stated=statements(directions, ranges),
        )
        for name, of_scores, of_labels in ((run, scores, labels), (origins, origin_scores, origin_labels))
        if name is not None
    ]
    with opened(*sources) as runs, progress_bar() as show:
        if project is None and any(each.criteria != runs[0].criteria for each in runs):
            raise HcatError("passes are compared on labels of both runs: give --labels and --origin-labels")
        vectors = None
        if similarity:
            encoder, store = encoder_and_store()
            vectors = vectors_of_pairs(*runs, encoder=encoder, store=store, on_progress=show)
        compared = compare_variants(*runs, metrics=chosen, vectors=vectors)
    paths = {"run": sources[0].run, "scores": scores, "labels": labels, "calibration": calibration}
    paths |= {} if origins is None else {"origins": sources[1].run, "origin_scores": origin_scores}
    inputs = {name: path for name, path in paths.items() if path is not None}
    shown = None if not compared.outcomes else compared.outcome(outcome or compared.names[0])
    if as_json:
        asked: JsonValue = None if chosen is None else list(chosen)
        about = document(inputs=inputs, settings={"metrics": asked, "similarity": similarity})
        print_document({**about, **robustness_document(compared)})
        return
    _print(compared, None if shown is None else shown.outcome)


def _print(compared: Robustness, outcome: str | None) -> None:
    from hcat.core.capabilities.robustness.view import robustness_view
    from hcat.dashboard.commands.printed_view import print_view

    print_view(robustness_view(compared, () if outcome is None else (compared.outcome(outcome),)))
    if compared.outcomes and len(compared.outcomes) > 1:
        typer.echo(f"Also compared (--outcome): {', '.join(compared.names)}.")
