"""`hcat estimate` and `hcat compare`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.capabilities.calibration.commands.calibration import METHOD_HELP
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive, level_settings
from hcat.dashboard.commands.labelled_runs import LABELLED, takes_inputs
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document, print_note
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.types import JsonValue

LabelsFile = Annotated[Path, typer.Argument(help="Labels (CSV): sample_id, criterion, label[, annotator, run, …].")]
CriterionName = Annotated[str, typer.Option("--criterion", help="The criterion of the labels.")]
MetricNames = Annotated[str, typer.Option("--metrics", help="One metric, or several, comma-separated.")]
MethodName = Annotated[str, typer.Option("--method", help=METHOD_HELP)]
RunFile = Annotated[
    Path | None,
    typer.Option(
        "--run-file", help="The run file: gives the dimensions for --by, and the clusters where the scores lack them."
    ),
]

Stratum = Annotated[
    str | None,
    typer.Option(help="The dimension whose levels were the strata of the label sample; needs --run-file."),
]


@reads_files
@takes_inputs({"run": RunFile, "stratum": Stratum} | LABELLED)
def estimate(
    source: Inputs,
    criterion: CriterionName,
    metrics: MetricNames,
    method: MethodName = "logistic",
    by: Annotated[str | None, typer.Option(help="Also report each level of this dimension; needs --run-file.")] = None,
    cluster_by: Annotated[
        str | None,
        typer.Option(help="Count the samples of each level of this dimension as one cluster; needs --run-file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The pass rate of the whole run: naive, from labels only, and prediction-powered (PPI++)."""
    from hcat.core.capabilities.estimates import estimate as of_run
    from hcat.core.capabilities.estimates.views.pass_rate import (
        explanation_of_rates,
        level_rates_view,
        pass_rate_view,
        verdict_errors_view,
    )
    from hcat.core.estimates.prediction_powered import estimate_pass_rate
    from hcat.core.labelling.consensus import labelled_by_rule
    from hcat.core.records.codec import JSON
    from hcat.core.wording.clusters import cluster_count, level_clusters_warning
    from hcat.dashboard.commands.printed_view import print_view

    if source.project is None and source.run is None and (by or source.stratum or cluster_by):
        raise HcatError("--by, --stratum and --cluster-by need --run-file, which has the dimensions of each sample")
    with opened(source, needs=["scores", "labels"]) as (asked,):
        columns, [on] = asked.columns, asked.criteria
        prepared = of_run.prepare(asked, on, metrics=names_in(metrics), method=method, cluster_by=cluster_by)
        found = estimate_pass_rate(prepared.run, note=prepared.note)
        parts = () if by is None else of_run.estimate_levels(columns, prepared, by)
        errors = of_run.errors_of_verdicts(asked, on, metrics=names_in(metrics))
        shared = of_run.clusters_of(columns, cluster_by)
        likely = of_run.likely_clusters(columns, prepared)
        tied = None if as_json else of_run.ties_of_pass_rate(asked, on, metrics=names_in(metrics), method=method)
    for each in likely:
        print_note(f"hcat: {level_clusters_warning(each)}")
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(names_in(metrics)), "method": method}
        settings |= {
            name: value
            for name, value in (
                *(("by", by), ("stratum", source.stratum), ("cluster_by", cluster_by), *source.place.items()),
            )
            if value is not None
        }
        settings |= level_settings(source.levels, source.passing)
        inputs = source.files("scores", "labels", "run")
        slices: dict[str, JsonValue] = {} if by is None else {"slices": [part.document() for part in parts]}
        verdicts: dict[str, JsonValue] = {"verdicts": [item.document() for item in errors]} if errors else {}
        clusters: dict[str, JsonValue] = {"clusters": None if shared is None else len(set(shared.values()))}
        whole = {**document(inputs=inputs, settings=settings), **clusters, **found.document()}
        likely_part: dict[str, JsonValue] = {"likely_clusters": JSON.write(likely)} if likely else {}
        print_document({**whole, **verdicts, **slices, **likely_part})
        return
    views = [
        pass_rate_view(
            found,
            run=asked.name,
            criterion=criterion,
            metrics=names_in(metrics),
            method=method,
            drawn=prepared.drawn,
            tied=tied,
            by_rule=labelled_by_rule(asked.labels(on), columns.scores.sample_ids),
        ),
        *([] if by is None else [level_rates_view(parts, dimension=by, criterion=criterion, run=asked.name)]),
        verdict_errors_view([(asked.name, item) for item in errors]),
        explanation_of_rates(),
    ]
    for view in views:
        print_view(view)
    if shared is not None:
        typer.echo(cluster_count(shared))


@reads_files
def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Two runs or more: run files, or with --project names. A difference is that of a later run less an "
            "earlier one."
        ),
    ],
    criterion: CriterionName,
    metrics: MetricNames,
    scores: Annotated[
        list[Path] | None, typer.Option(help="Scores (Parquet), once for each run file, in their order.")
    ] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="Labels (CSV), once for each run file, in their order.")
    ] = None,
    scores_a: Annotated[Path | None, typer.Option(help="Of two runs: scores of the first run (Parquet).")] = None,
    scores_b: Annotated[Path | None, typer.Option(help="Of two runs: scores of the second run (Parquet).")] = None,
    labels_a: Annotated[Path | None, typer.Option(help="Of two runs: labels of the first run (CSV).")] = None,
    labels_b: Annotated[Path | None, typer.Option(help="Of two runs: labels of the second run (CSV).")] = None,
    method: MethodName = "logistic",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    project: Annotated[str | None, typer.Option(help="Compare runs of this project instead of files.")] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """The difference in pass rate between two runs, paired by cluster: naive, labels only and PPI++, with p. Of more
    runs a table of all: pass rate, mean of each metric, and each difference with p by Holm over all pairs."""
    from hcat.core.capabilities.estimates.estimate import compare_runs, compare_systems
    from hcat.core.capabilities.estimates.views.difference import difference_view, systems_view
    from hcat.core.estimates.systems import DOCUMENT
    from hcat.dashboard.commands.printed_view import print_view

    if len(runs) < 2:
        raise HcatError("name two runs or more to compare")
    settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(names_in(metrics)), "method": method}
    named = ("run_a", "run_b") if len(runs) == 2 else tuple(f"run {k}" for k in range(1, len(runs) + 1))
    inputs: dict[str, Path] = {}
    titles = runs
    asked = Inputs(
        project=project,
        criteria=(criterion,),
        positive=positive,
        levels=levels,
        passing=passing,
        stated=statements(directions, ranges),
    )
    if project is not None:
        sources = [replace(asked, name=name) for name in runs]
        settings |= {"project": project, **dict(zip(named, runs, strict=True))}
    else:
        given = _files_of(runs, scores or [scores_a, scores_b], labels or [labels_a, labels_b])
        sources = [replace(asked, run=run, scores=table, labels=judged) for run, table, judged in given]
        stems = [run.stem for run, *_ in given]
        titles = stems if len(set(stems)) == len(stems) else runs
        settings |= level_settings(levels, passing)
        for name, of_each in zip(named, given, strict=True):
            parts = (name, name.replace("run", "scores"), name.replace("run", "labels"))
            inputs |= dict(zip(parts, of_each, strict=True))
    with opened(*sources) as found_runs:
        compared, [on] = list(zip(titles, found_runs, strict=True)), found_runs[0].criteria
        if len(runs) == 2:
            (_, first), (_, second) = compared
            found = compare_runs(first, second, on, metrics=names_in(metrics), method=method)
        else:
            several = compare_systems(compared, on, metrics=names_in(metrics), method=method)
    if as_json:
        answer: dict[str, JsonValue] = (
            found.document()
            if len(runs) == 2
            else {"runs": DOCUMENT.write(several[0]), "differences": DOCUMENT.write(several[1])}
        )
        print_document({**document(inputs=inputs, settings=settings), **answer})
    elif len(runs) > 2:
        print_view(systems_view(*several, criterion=criterion))
    else:
        (one, _), (other, _) = compared
        print_view(difference_view(found, first=one, second=other, criterion=criterion, metrics=names_in(metrics)))


def _files_of(
    runs: Sequence[str], scores: Sequence[Path | None], labels: Sequence[Path | None]
) -> list[tuple[Path, Path, Path]]:
    """Each run file with its scores and its labels."""
    found = [
        (Path(run), table, judged)
        for run, table, judged in zip(runs, scores, labels, strict=False)
        if table is not None and judged is not None
    ]
    if not len(runs) == len(scores) == len(labels) == len(found):
        raise HcatError(
            "to compare runs, give --scores and --labels once for each run file, in their order (of two runs also "
            "--scores-a, --labels-a, --scores-b and --labels-b), or --project with the names of its runs"
        )
    return found
