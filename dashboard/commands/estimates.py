"""`hcat estimate` and `hcat compare`."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.display.numbers import counted, p_value_text
from core.errors import HcatError
from dashboard.commands.calibration import METHOD_HELP
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    level_settings,
)
from dashboard.commands.labelled_runs import (
    LabelOptions,
    OptionalLabels,
    OptionalScores,
    ProjectRun,
    labelled_run,
    open_labelled_run,
    stored_runs,
)
from dashboard.commands.output import AsJson, document, names_in, print_document, print_note, print_table
from dashboard.commands.runs import open_columns
from dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.analysis.run_data import RunData
    from core.estimates.paired_difference import DifferenceEstimates
    from core.estimates.prediction_powered import PassRateEstimates
    from core.estimates.slices import SliceEstimate
    from core.estimates.verdict_errors import VerdictErrors
    from core.types import Criterion, Estimate, JsonValue

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

LEVELS = ("estimate", "value", "95% interval", "n")


def estimate(
    criterion: CriterionName,
    metrics: MetricNames,
    scores: OptionalScores = None,
    labels: OptionalLabels = None,
    method: MethodName = "logistic",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    run: Annotated[str | None, typer.Option(help="Use only the labels of this run; with --project, the run.")] = None,
    project: ProjectRun = None,
    run_file: RunFile = None,
    by: Annotated[str | None, typer.Option(help="Also report each level of this dimension; needs --run-file.")] = None,
    stratum: Annotated[
        str | None,
        typer.Option(help="The dimension whose levels were the strata of the label sample; needs --run-file."),
    ] = None,
    cluster_by: Annotated[
        str | None,
        typer.Option(help="Count the samples of each level of this dimension as one cluster; needs --run-file."),
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """The pass rate of the whole run: naive, from labels only, and prediction-powered (PPI++)."""
    from core.analysis import estimate as of_run
    from core.estimates.prediction_powered import estimate_pass_rate
    from core.records.codec import JSON
    from core.wording.clusters import cluster_count, level_clusters_warning

    if project is None and run_file is None and (by or stratum or cluster_by):
        raise HcatError("--by, --stratum and --cluster-by need --run-file, which has the dimensions of each sample")
    options, known = LabelOptions(criterion, positive, levels, passing, run), statements(directions, ranges)
    with labelled_run(
        lambda path: open_columns(run_file, path, known),
        (scores, labels),
        options,
        project,
        others=(run_file,),
        stratum=stratum,
    ) as (opened, on):
        columns = opened.columns
        prepared = of_run.prepare(opened, on, metrics=names_in(metrics), method=method, cluster_by=cluster_by)
        found = estimate_pass_rate(prepared.run, note=prepared.note)
        parts = () if by is None else of_run.estimate_levels(columns, prepared, by)
        errors = of_run.errors_of_verdicts(opened, on, metrics=names_in(metrics))
        shared = of_run.clusters_of(columns, cluster_by)
        likely = of_run.likely_clusters(columns, prepared)
    for each in likely:
        print_note(f"hcat: {level_clusters_warning(each)}")
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(names_in(metrics)), "method": method}
        settings |= {
            name: value
            for name, value in (
                *(("by", by), ("stratum", stratum), ("cluster_by", cluster_by)),
                *(("project", project), ("run", run if project else None)),
            )
            if value is not None
        }
        settings |= level_settings(levels, passing)
        files = {"scores": scores, "labels": labels, "run": run_file}
        inputs = {name: path for name, path in files.items() if path is not None}
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
    run_a: Annotated[str, typer.Argument(help="First run: its run file, or with --project its name.")],
    run_b: Annotated[str, typer.Argument(help="Second run; the difference is this run minus the first.")],
    criterion: CriterionName,
    metrics: MetricNames,
    scores_a: Annotated[Path | None, typer.Option(help="Scores of the first run (Parquet).")] = None,
    scores_b: Annotated[Path | None, typer.Option(help="Scores of the second run (Parquet).")] = None,
    labels_a: Annotated[Path | None, typer.Option(help="Labels of the first run (CSV).")] = None,
    labels_b: Annotated[Path | None, typer.Option(help="Labels of the second run (CSV).")] = None,
    method: MethodName = "logistic",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    project: Annotated[str | None, typer.Option(help="Compare two runs of this project instead of files.")] = None,
    directions: Directions = None,
    ranges: Ranges = None,
    as_json: AsJson = False,
) -> None:
    """The difference in pass rate between two runs, paired by cluster: naive, labels only and PPI++, with p."""
    settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(names_in(metrics)), "method": method}
    if project is not None:
        found, inputs = _compare_stored(project, run_a, run_b, criterion, metrics, method), dict[str, Path]()
        settings |= {"project": project, "run_a": run_a, "run_b": run_b}
    else:
        given = (scores_a, scores_b, labels_a, labels_b)
        if any(path is None for path in given):
            raise HcatError(
                "to compare two runs, give --scores-a, --labels-a, --scores-b and --labels-b with the run files, "
                "or --project with the names of its runs"
            )
        files = [path for path in given if path is not None]
        options, known = LabelOptions(criterion, positive, levels, passing), statements(directions, ranges)
        opened = [
            open_labelled_run(open_columns(run, score_file, known), labels, options)
            for run, score_file, labels in zip((Path(run_a), Path(run_b)), files[:2], files[2:], strict=True)
        ]
        found = _compare(opened, metrics, method)
        settings |= level_settings(levels, passing)
        names = ("run_a", "run_b", "scores_a", "scores_b", "labels_a", "labels_b")
        inputs = dict(zip(names, (Path(run_a), Path(run_b), *files), strict=True))
    if as_json:
        print_document({**document(inputs=inputs, settings=settings), **found.document()})
        return
    _print_difference(found, criterion)


def _compare(opened: Sequence[tuple[RunData, Criterion]], metrics: str, method: str) -> DifferenceEstimates:
    from core.analysis.estimate import compare_runs

    (first, criterion), (second, _) = opened
    return compare_runs(first, second, criterion, metrics=names_in(metrics), method=method)


def _compare_stored(
    project: str, run_a: str, run_b: str, criterion: str, metrics: str, method: str
) -> DifferenceEstimates:
    with stored_runs(project, [run_a, run_b], criterion) as (first, second):
        assert first.criterion is not None
        return _compare(((first.run, first.criterion), (second.run, first.criterion)), metrics, method)


def _print_whole(found: PassRateEstimates, criterion: str) -> None:
    from core.display.numbers import format_number
    from core.wording.pass_rate import ESTIMANDS

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
    from core.wording.machine_verdicts import ERRORS, error_cells

    rows = [error_cells(item) for item in errors]
    columns = ("metric", "machine passes", "sensitivity", "specificity", "corrected pass rate")
    print_table(f"Machine verdicts against the labels on {criterion}", columns, rows)
    typer.echo(ERRORS)


def _print_slices(parts: Sequence[SliceEstimate], by: str) -> None:
    from core.display.numbers import format_number
    from core.estimates.slices import INSUFFICIENT

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


def _print_difference(found: DifferenceEstimates, criterion: str) -> None:
    from core.display.numbers import format_number
    from core.wording.paired import until_different

    rows = [
        ("first run, PPI++", *_cells(found.first.ppi)),
        ("second run, PPI++", *_cells(found.second.ppi)),
        ("difference, naive", *_cells(found.naive)),
        ("difference, labels only", *_cells(found.labels_only)),
        ("difference, PPI++", *_cells(found.ppi)),
    ]
    print_table(f"Pass rate on {criterion}, second run minus first", LEVELS, rows)
    typer.echo(
        f"{p_value_text('p', found.p)} against no difference; {counted(found.pairs, 'cluster')} labelled in both runs, "
        f"correlation {format_number(found.correlation)}. {found.note}".rstrip()
    )
    if ahead := until_different(found):
        typer.echo(ahead)


def _cells(estimate: Estimate) -> tuple[str, str, str]:
    from core.display.numbers import format_percent

    return (
        format_percent(estimate.value),
        f"{format_percent(estimate.low)} … {format_percent(estimate.high)}" if isfinite(estimate.low) else "none",
        str(estimate.n),
    )
