"""The commands by which somebody else computes the numbers of a report again, from files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hcat.core.calibration.calibration import TWO_LEVELS
from hcat.core.calibration.conformal.stage_2 import NOT_CONDITIONAL
from hcat.core.capabilities.report.evidence.records import (
    CalibrationEvidence,
    Evidence,
    PassRateEvidence,
    RunEvidence,
    WeaknessEvidence,
)
from hcat.core.types import Criterion


@dataclass(frozen=True, slots=True)
class FilesOfRun:
    """Names of the files of one run: its samples, its scores, and its labels by criterion. `ending` distinguishes the
    files computed from one run from those of another."""

    run: str
    scores: str
    labels: Mapping[str, str] = field(default_factory=dict)
    ending: str = ""


def reproducing_commands(evidence: Evidence, files: Mapping[str, FilesOfRun]) -> tuple[str, ...]:
    """One command for each table of numbers that files give: scores, calibrations, pass rates, slices, differences.

    `files` are by the name of the run; numbers of a run, or on labels, that no file is named for have no command.
    """
    criteria = {criterion.name: criterion for criterion in evidence.criteria}
    return tuple(dict.fromkeys(shlex.join(["hcat", *words]) for words in _commands(evidence, files, criteria)))


def _commands(
    evidence: Evidence, files: Mapping[str, FilesOfRun], criteria: Mapping[str, Criterion]
) -> Iterator[list[str]]:
    for run in evidence.runs:
        if run.name in files:
            yield from _score(run, files[run.name])
    for calibrated in evidence.calibrations:
        labelled = _labelled(files, calibrated.run, calibrated.calibration.criterion)
        if labelled is not None:
            yield from _calibrate(calibrated, *labelled, criteria)
    for rate in evidence.pass_rates:
        labelled = _labelled(files, rate.run, rate.criterion)
        if labelled is not None:
            yield from _estimate(rate, *labelled, criteria)
    for item in evidence.weaknesses:
        if item.run in files:
            yield _weakness(item, files[item.run], evidence)
    for compared in evidence.comparisons:
        first, second = (_labelled(files, name, compared.criterion) for name in (compared.first, compared.second))
        if first is not None and second is not None:
            (a, labels_a), (b, labels_b) = first, second
            on = ["--criterion", compared.criterion, "--metrics", ",".join(compared.metrics)]
            paths = ["--scores-a", a.scores, "--scores-b", b.scores, "--labels-a", labels_a, "--labels-b", labels_b]
            yield ["compare", a.run, b.run, *paths, *on, *_levels(criteria[compared.criterion])]


def _labelled(files: Mapping[str, FilesOfRun], run: str, criterion: str) -> tuple[FilesOfRun, str] | None:
    of_run = files.get(run)
    return (of_run, of_run.labels[criterion]) if of_run is not None and criterion in of_run.labels else None


def _score(run: RunEvidence, files: FilesOfRun) -> Iterator[list[str]]:
    own = [] if run.provenance is None else [m for m in run.provenance.metrics if m not in run.provenance.from_files]
    if own:
        yield ["score", files.run, "-o", f"again{files.ending}.parquet", "--metrics", ",".join(own)]


def _calibrate(
    item: CalibrationEvidence, files: FilesOfRun, labels: str, criteria: Mapping[str, Criterion]
) -> Iterator[list[str]]:
    made = item.calibration
    output = calibration_name(made.criterion, files)
    on = ["--criterion", made.criterion, "--metrics", ",".join(made.metrics), "--method", made.method]
    within = [] if made.conditional == NOT_CONDITIONAL else ["--conditional", made.conditional]
    yield [
        *("calibrate", files.scores, labels, *on, "--alpha", f"{made.alpha:g}", *within),
        *("--samples", files.run, *_levels(criteria[made.criterion]), "-o", output),
    ]
    if item.decisions:
        yield ["predict", files.scores, output, "-o", f"decisions{files.ending}.parquet"]


def calibration_name(criterion: str, files: FilesOfRun) -> str:
    """File name of the calibration on a criterion, as computed by a command."""
    return f"calibration-{criterion}{files.ending}.json"


def _estimate(
    rate: PassRateEvidence, files: FilesOfRun, labels: str, criteria: Mapping[str, Criterion]
) -> Iterator[list[str]]:
    on = ["--criterion", rate.criterion, "--metrics", ",".join(rate.metrics), "--method", rate.method]
    for by in rate.slices or (None,):
        part = [] if by is None else ["--by", by]
        yield [
            *("estimate", files.scores, labels, *on, "--run-file", files.run, *part),
            *_levels(criteria[rate.criterion]),
        ]


def _weakness(item: WeaknessEvidence, files: FilesOfRun, evidence: Evidence) -> list[str]:
    settings = item.table.settings
    words = [
        "weakness",
        files.run,
        files.scores,
        "--by",
        ",".join(settings.by),
        "--metrics",
        ",".join(settings.overall),
    ]
    made = next((x.calibration for x in evidence.calibrations if x.run == item.run), None)
    criterion = next(iter(files.labels), "") if made is None else made.criterion
    if criterion in files.labels:
        words += [] if made is None else ["--calibration", calibration_name(criterion, files)]
        words += ["--labels", files.labels[criterion], "--criterion", criterion]
    return [*words, *(["--pairs"] if settings.pairs else []), "-o", f"weakness{files.ending}.parquet"]


def _levels(criterion: Criterion) -> Sequence[str]:
    if criterion.levels == TWO_LEVELS:
        return ()
    return "--levels", ",".join(criterion.levels), "--passing", criterion.levels[criterion.passing]
