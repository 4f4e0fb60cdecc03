"""`hcat robustness`: variants beside their origins; from a project or from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.labelled_runs import LabelOptions, open_labelled_run
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    existing,
    names_in,
    print_document,
    progress_bar,
    read_text,
)
from hcat.dashboard.commands.runs import open_columns, warn_of_clusters
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from hcat.core.analysis.run_data import RunData
    from hcat.core.scoring.statements import Statement
    from hcat.core.testgen.variants.comparison import Robustness
    from hcat.core.types import Criterion, JsonValue


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
    from hcat.core.wording.testgen.robustness import robustness_document

    chosen = None if metrics is None else names_in(metrics)
    inputs: dict[str, Path] = {}
    if project is not None:
        compared = _compare_stored(project, run, origins, chosen, similarity=similarity)
    else:
        options = LabelOptions(criterion or "", positive, levels, passing)
        own = _Files(Path(run), scores, labels)
        others = None if origins is None else _Files(Path(origins), origin_scores, origin_labels)
        compared = _compare_files(
            own, others, options, calibration, chosen, statements(directions, ranges), similarity=similarity
        )
        paths = {"run": own.run, "scores": scores, "labels": labels, "calibration": calibration}
        paths |= {} if others is None else {"origins": others.run, "origin_scores": origin_scores}
        inputs = {name: path for name, path in paths.items() if path is not None}
    shown = None if not compared.outcomes else compared.outcome(outcome or compared.names[0])
    if as_json:
        asked: JsonValue = None if chosen is None else list(chosen)
        about = document(inputs=inputs, settings={"metrics": asked, "similarity": similarity})
        print_document({**about, **robustness_document(compared)})
        return
    _print(compared, None if shown is None else shown.outcome)


class _Files:
    """The files of one run."""

    def __init__(self, run: Path, scores: Path | None, labels: Path | None) -> None:
        self.run, self.scores, self.labels = existing(run), scores, labels

    def open(self, options: LabelOptions, stated: Mapping[str, Statement]) -> tuple[RunData, Criterion | None]:
        from hcat.core.analysis.files import run_from_files

        columns = open_columns(self.run, self.scores, stated)
        if self.labels is None:
            warn_of_clusters(columns)
            return run_from_files(columns), None
        if not options.criterion:
            raise HcatError("--labels needs --criterion: the criterion of the labels")
        if self.scores is None:
            raise HcatError("labels are read beside scores: give the score file of the run too")
        return open_labelled_run(columns, self.labels, options)


def _compare_stored(
    project: str, run: str, origins: str | None, metrics: Sequence[str] | None, *, similarity: bool
) -> Robustness:
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        return workspace.variants.compare(
            workspace.runs.get(project, run),
            None if origins is None else workspace.runs.get(project, origins),
            metrics=metrics,
            similarity=similarity,
            on_progress=show,
        )


def _compare_files(
    own: _Files,
    others: _Files | None,
    options: LabelOptions,
    calibration: Path | None,
    metrics: Sequence[str] | None,
    stated: Mapping[str, Statement],
    *,
    similarity: bool,
) -> Robustness:
    from hcat.core.analysis.robustness import compare_variants
    from hcat.core.calibration.calibration import Calibration

    run, criterion = own.open(options, stated)
    origins, other_criterion = (None, None) if others is None else others.open(options, stated)
    if others is not None and criterion != other_criterion:
        raise HcatError("passes are compared on labels of both runs: give --labels and --origin-labels")
    return compare_variants(
        run,
        origins,
        criteria=() if criterion is None else (criterion,),
        calibration=None if calibration is None else Calibration.from_json(read_text(calibration)),
        metrics=metrics,
        vectors=_vectors(run, origins) if similarity else None,
    )


def _vectors(run: RunData, origins: RunData | None) -> dict[str, NDArray[np.float32]]:
    from hcat.core.analysis.answers import answer_vectors
    from hcat.core.analysis.robustness import answers_in_pairs
    from hcat.core.models.encoder.encoder import load_encoder
    from hcat.core.settings import settings
    from hcat.dashboard.commands.runs import embedding_cache

    encoder = load_encoder(settings().embedder, device=settings().device)
    samples = answers_in_pairs(run.columns, None if origins is None else origins.columns)
    with progress_bar() as show:
        return answer_vectors(samples, encoder=encoder, store=embedding_cache(encoder), on_progress=show)


def _print(compared: Robustness, outcome: str | None) -> None:
    from hcat.core.views.robustness import robustness_view
    from hcat.dashboard.commands.printed_view import print_view

    print_view(robustness_view(compared, () if outcome is None else (compared.outcome(outcome),)))
    if compared.outcomes and len(compared.outcomes) > 1:
        typer.echo(f"Also compared (--outcome): {', '.join(compared.names)}.")
