"""`hcat estimate` and `hcat compare`."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.display.numbers import counted, p_value_text
from hcat.core.errors import HcatError
from hcat.core.opened import Inputs, opened
from hcat.dashboard.commands.calibration import METHOD_HELP
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive, level_settings
from hcat.dashboard.commands.labelled_runs import LABELLED, takes_inputs
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document, print_note, print_table
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.analysis.estimate import SystemDifference, SystemEstimates
    from hcat.core.estimates.prediction_powered import PassRateEstimates
    from hcat.core.estimates.slices import SliceEstimate
    from hcat.core.estimates.verdict_errors import VerdictErrors
    from hcat.core.types import Estimate, JsonValue

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

LEVELS = ("estimate", "value", "95% interval", "n")


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
    from hcat.core.analysis import estimate as of_run
    from hcat.core.estimates.prediction_powered import estimate_pass_rate
    from hcat.core.records.codec import JSON
    from hcat.core.wording.clusters import cluster_count, level_clusters_warning

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
    _print_whole(found, criterion)
    if shared is not None:
        typer.echo(cluster_count(shared))
    if errors:
        _print_errors(errors, criterion)
    if by is not None:
        _print_slices(parts, by)


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
    from hcat.core.analysis.estimate import compare_runs, compare_systems

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
    if len(runs) > 2:
        _tell_of_systems(*several, criterion, document(inputs=inputs, settings=settings) if as_json else None)
    elif as_json:
        print_document({**document(inputs=inputs, settings=settings), **found.document()})
    else:
        from hcat.core.views.difference import difference_view
        from hcat.dashboard.commands.printed_view import print_view

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


def _tell_of_systems(
    systems: Sequence[SystemEstimates],
    differences: Sequence[SystemDifference],
    criterion: str,
    about: dict[str, JsonValue] | None,
) -> None:
    """The runs side by side and their differences: as JSON beside what it is `about`, or as tables."""
    from hcat.core.display.numbers import format_estimate
    from hcat.core.records.codec import JSON

    if about is not None:
        print_document(
            {
                **about,
                "runs": [
                    {
                        "run": one.run,
                        "n": one.n,
                        **one.rates.document(),
                        "metrics": {name: JSON.write(summary) for name, summary in one.metrics.items()},
                    }
                    for one in systems
                ],
                "differences": [
                    {"a": one.first, "b": one.second, **one.found.document(), "p_holm": one.p_holm}
                    for one in differences
                ],
            }
        )
        return
    print_table(
        f"Runs side by side: pass rate on {criterion} (PPI++)",
        ("run", "samples", "labels", "pass rate", "95% interval"),
        [(one.run, f"{one.n:,}", f"{one.rates.n_labels:,}", *_cells(one.rates.ppi)[:2]) for one in systems],
    )
    names = dict.fromkeys(name for one in systems for name in one.metrics)
    print_table(
        "Mean of each metric",
        ("metric", *(one.run for one in systems)),
        [
            (name, *(format_estimate(one.metrics[name].mean) if name in one.metrics else "—" for one in systems))
            for name in names
        ],
    )
    print_table(
        "Differences in pass rate (PPI++), the later run less the earlier",
        ("runs", "difference", "95% interval", "p", "p (Holm)"),
        [
            (
                f"{one.second} − {one.first}",
                *_cells(one.found.ppi)[:2],
                p_value_text("p", one.found.p),
                p_value_text("p", one.p_holm),
            )
            for one in differences
        ],
    )
    typer.echo(
        f"p by Holm allows for all {counted(len(differences), 'pair')}: if no two runs differ, any p (Holm) is at most "
        "0.05 in 5% of cases. Intervals, and p alone, are of one difference. Means of metrics are no pass rates."
    )


def _print_whole(found: PassRateEstimates, criterion: str) -> None:
    from hcat.core.display.numbers import format_number
    from hcat.core.wording.pass_rate import ESTIMANDS

    rates = [("naive", found.naive), ("labels only", found.labels_only), ("PPI++", found.ppi)]
    if found.of_these is not None:
        here = found.of_these
        rates += [("labels only, these answers", here.labels_only), ("PPI++, these answers", here.ppi)]
    print_table(f"Pass rate on {criterion}", LEVELS, [(name, *_cells(e)) for name, e in rates])
    typer.echo(ESTIMANDS)
    typer.echo(
        f"Effective labels: {format_number(found.labels_only_effective_n)} without the metric, "
        f"{format_number(found.effective_n)} with it. {found.note}".rstrip()
    )


def _print_errors(errors: Sequence[VerdictErrors], criterion: str) -> None:
    from hcat.core.wording.machine_verdicts import ERRORS, error_cells

    rows = [error_cells(item) for item in errors]
    columns = ("metric", "machine passes", "sensitivity", "specificity", "corrected pass rate")
    print_table(f"Machine verdicts against the labels on {criterion}", columns, rows)
    typer.echo(ERRORS)


def _print_slices(parts: Sequence[SliceEstimate], by: str) -> None:
    from hcat.core.display.numbers import format_number
    from hcat.core.estimates.slices import INSUFFICIENT

    rows = []
    for part in sorted(parts, key=lambda part: (not part.enough, part.estimates.ppi.value)):
        found = part.estimates
        if part.enough:
            value, interval, n = _cells(found.ppi)
            only, worth = _cells(found.labels_only)[0], format_number(found.effective_n, decimals=0)
            rows.append((part.level, value, interval, n, only, worth))
        else:
            rows.append((part.level, INSUFFICIENT, "", str(found.n_labels), "", ""))
    print_table(f"By {by}", (by, "PPI++", "95% interval", "n", "labels only", "effective labels"), rows)


def _cells(estimate: Estimate) -> tuple[str, str, str]:
    from hcat.core.display.numbers import format_percent

    return (
        format_percent(estimate.value),
        f"{format_percent(estimate.low)} … {format_percent(estimate.high)}" if isfinite(estimate.low) else "none",
        str(estimate.n),
    )
