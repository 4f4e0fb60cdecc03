"""`hcat estimate` and `hcat compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import HcatError
from dashboard.commands.calibration import METHOD_HELP, ScoresFile
from dashboard.commands.label_files import (
    LevelNames,
    Passing,
    Positive,
    judged_criterion,
    level_settings,
    read_label_file,
    stated_criterion,
)
from dashboard.commands.output import AsJson, document, print_document, print_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.estimates.paired_difference import DifferenceEstimates
    from core.estimates.prediction_powered import PassRateEstimates
    from core.estimates.run_estimates import PreparedRun
    from core.estimates.slices import SliceEstimate
    from core.scoring.score_table import ScoreTable
    from core.types import Criterion, Estimate, JsonValue, Label, Sample

LabelsFile = Annotated[Path, typer.Argument(help="Labels (CSV): sample_id, criterion, label[, annotator, run, …].")]
CriterionName = Annotated[str, typer.Option("--criterion", help="The criterion that people judged.")]
MetricNames = Annotated[str, typer.Option("--metrics", help="One metric, or several, comma-separated.")]
MethodName = Annotated[str, typer.Option("--method", help=METHOD_HELP)]
RunFile = Annotated[
    Path | None, typer.Option("--run-file", help="The run file: tells test cases, and the dimensions of --by.")
]

LEVELS = ("estimate", "value", "95 % interval", "n")


def estimate(
    scores: ScoresFile,
    labels: LabelsFile,
    criterion: CriterionName,
    metrics: MetricNames,
    method: MethodName = "logistic",
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    run: Annotated[str | None, typer.Option(help="Take the labels of this run only.")] = None,
    run_file: RunFile = None,
    by: Annotated[str | None, typer.Option(help="Also at each level of this dimension; needs --run-file.")] = None,
    stratum: Annotated[
        str | None, typer.Option(help="The dimension by which samples were drawn in strata; needs --run-file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The pass rate of the whole run: naive, from labels only, and prediction-powered (PPI++)."""
    from core.estimates.prediction_powered import estimate_pass_rate
    from core.estimates.slices import estimate_slices
    from core.scoring.score_table import ScoreTable

    if run_file is None and (by or stratum):
        raise HcatError("--by and --stratum need --run-file, which holds the dimensions of each sample")
    table = ScoreTable.read(scores)
    stated = stated_criterion(criterion, levels, positive)
    judged = read_label_file(labels, criterion=criterion, positive=positive, run=run, levels=stated, scores=table)
    on, samples = judged_criterion(judged, criterion, passing=passing), samples_of(run_file)
    prepared = prepare(judged.labels, table, on, metrics, method, samples, stratum=stratum)
    found = estimate_pass_rate(prepared.run, note=prepared.note)
    slices_by = None if by is None else _levels(samples, table, by)
    parts = () if slices_by is None else estimate_slices(prepared.run, slices_by, note=prepared.note)
    if as_json:
        settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(_names(metrics)), "method": method}
        settings |= {name: value for name, value in (("by", by), ("stratum", stratum)) if value is not None}
        settings |= level_settings(levels, passing)
        inputs = {"scores": scores, "labels": labels} | ({} if run_file is None else {"run": run_file})
        slices: dict[str, JsonValue] = {} if by is None else {"slices": [part.document() for part in parts]}
        print_document({**document(inputs=inputs, settings=settings), **found.document(), **slices})
        return
    _print_whole(found, criterion)
    if by is not None:
        _print_slices(parts, by)


def compare(
    run_a: Annotated[str, typer.Argument(help="First run: its run file, or with --project its name.")],
    run_b: Annotated[str, typer.Argument(help="Second run; the difference is this one less the first.")],
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
    as_json: AsJson = False,
) -> None:
    """The difference in pass rate between two runs, paired by test case: naive, labels only and PPI++, with p."""
    settings: dict[str, JsonValue] = {"criterion": criterion, "metrics": list(_names(metrics)), "method": method}
    if project is not None:
        found, inputs = _compare_stored(project, run_a, run_b, criterion, metrics, method), dict[str, Path]()
        settings |= {"project": project, "run_a": run_a, "run_b": run_b}
    else:
        given = (scores_a, scores_b, labels_a, labels_b)
        if any(path is None for path in given):
            raise HcatError(
                "two runs are compared by --scores-a, --labels-a, --scores-b and --labels-b beside the run files, "
                "or by --project and the names of its runs"
            )
        files = [path for path in given if path is not None]
        judged = _judged_runs(files[:2], files[2:], criterion, positive, levels, passing)
        found = _compare_files((Path(run_a), Path(run_b)), judged, metrics, method)
        settings |= level_settings(levels, passing)
        names = ("run_a", "run_b", "scores_a", "scores_b", "labels_a", "labels_b")
        inputs = dict(zip(names, (Path(run_a), Path(run_b), *files), strict=True))
    if as_json:
        print_document({**document(inputs=inputs, settings=settings), **found.document()})
        return
    _print_difference(found, criterion)


def prepare(
    labels: Sequence[Label],
    table: ScoreTable,
    criterion: Criterion,
    metrics: str,
    method: str,
    samples: Sequence[Sample] | None,
    *,
    stratum: str | None,
) -> PreparedRun:
    from core.estimates.run_estimates import prepare_run

    cases = None if samples is None else _cases(samples)
    return prepare_run(
        labels,
        table,
        criterion=criterion,
        metrics=_names(metrics),
        method=method,
        clusters=cases if cases is not None and len(set(cases.values())) < len(cases) else None,
        strata=None if stratum is None else dict(zip(table.sample_ids, _levels(samples, table, stratum), strict=True)),
    )


def _judged_runs(
    scores: Sequence[Path],
    labels: Sequence[Path],
    criterion: str,
    positive: str | None,
    levels: str | None,
    passing: str | None,
) -> list[tuple[Sequence[Label], ScoreTable, Criterion]]:
    """The labels, scores and criterion of each run."""
    from core.scoring.score_table import ScoreTable

    stated = stated_criterion(criterion, levels, positive)
    found: list[tuple[Sequence[Label], ScoreTable, Criterion]] = []
    for path, table in zip(labels, [ScoreTable.read(path) for path in scores], strict=True):
        read = read_label_file(path, criterion=criterion, positive=positive, run=None, levels=stated, scores=table)
        found.append((read.labels, table, judged_criterion(read, criterion, passing=passing)))
    return found


def _compare_files(
    runs: tuple[Path, Path],
    judged: Sequence[tuple[Sequence[Label], ScoreTable, Criterion]],
    metrics: str,
    method: str,
) -> DifferenceEstimates:
    from core.estimates.run_estimates import compare_runs
    from dashboard.commands.runs import read_samples

    cases = [_cases(read_samples(path)) for path in runs]
    (labels_a, scores_a, criterion), (labels_b, scores_b, _) = judged
    return compare_runs(
        (labels_a, scores_a),
        (labels_b, scores_b),
        criterion=criterion,
        metrics=_names(metrics),
        method=method,
        clusters=(cases[0], cases[1]),
    )


def _compare_stored(
    project: str, run_a: str, run_b: str, criterion: str, metrics: str, method: str
) -> DifferenceEstimates:
    from core.workspace import Workspace

    with Workspace.open() as workspace:
        return workspace.compare_runs(
            workspace.run(project, run_a),
            workspace.run(project, run_b),
            workspace.criterion(project, criterion),
            metrics=_names(metrics),
            method=method,
        )


def samples_of(run_file: Path | None) -> tuple[Sample, ...] | None:
    from dashboard.commands.runs import read_samples

    return None if run_file is None else read_samples(run_file)


def _cases(samples: Sequence[Sample]) -> Mapping[str, str]:
    return {sample.id: sample.test_case or sample.id for sample in samples}


def _levels(samples: Sequence[Sample] | None, table: ScoreTable, dimension: str) -> list[str]:
    """The level of each scored sample, in the order of the scores."""
    from core.weakness.slices import dimension_frame, require_dimensions

    frame = dimension_frame(samples or ())
    require_dimensions(frame, [dimension])
    missing = next((sample_id for sample_id in table.sample_ids if sample_id not in frame.index), None)
    if missing is not None:
        raise HcatError(f"the run file has no sample {missing!r}, which the scores have: give the run that was scored")
    return [str(level) for level in frame[dimension].reindex(list(table.sample_ids))]


def _print_whole(found: PassRateEstimates, criterion: str) -> None:
    from core.display.numbers import format_number

    three = (("naive", found.naive), ("labels only", found.labels_only), ("PPI++", found.ppi))
    print_table(f"Pass rate on {criterion}", LEVELS, [(name, *_cells(e)) for name, e in three])
    typer.echo(
        f"Effective labels: {format_number(found.labels_only_effective_n)} without the metric, "
        f"{format_number(found.effective_n)} with it. {found.note}".rstrip()
    )


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
    print_table(f"By {by}", (by, "PPI++", "95 % interval", "n", "labels only", "effective labels"), rows)


def _print_difference(found: DifferenceEstimates, criterion: str) -> None:
    from core.display.numbers import format_number, format_p_value

    rows = [
        ("first run, PPI++", *_cells(found.first.ppi)),
        ("second run, PPI++", *_cells(found.second.ppi)),
        ("difference, naive", *_cells(found.naive)),
        ("difference, labels only", *_cells(found.labels_only)),
        ("difference, PPI++", *_cells(found.ppi)),
    ]
    print_table(f"Pass rate on {criterion}, second run less first", LEVELS, rows)
    typer.echo(
        f"p = {format_p_value(found.p)} against no difference; {found.pairs} test cases labelled in both runs, "
        f"correlation {format_number(found.correlation)}. {found.note}".rstrip()
    )


def _cells(estimate: Estimate) -> tuple[str, str, str]:
    from core.display.numbers import format_percent

    return (
        format_percent(estimate.value),
        f"{format_percent(estimate.low)} … {format_percent(estimate.high)}",
        str(estimate.n),
    )


def _names(metrics: str) -> list[str]:
    return [name.strip() for name in metrics.split(",") if name.strip()]
