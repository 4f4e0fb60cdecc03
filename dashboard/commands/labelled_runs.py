"""A run with people's labels on one criterion, from files or from a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.label_files import labelled_criterion, read_label_file, stated_criterion
from hcat.dashboard.commands.runs import warn_of_clusters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hcat.core.analysis.run_data import RunColumns, RunData
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.records.project import RunInfo
    from hcat.core.types import Criterion, Label
    from hcat.core.workspace import Workspace


class LabelOptions(NamedTuple):
    """What the options of a command say of a label file: which of its labels, and what they mean."""

    criterion: str
    positive: str | None
    levels: str | None
    passing: str | None
    run: str | None = None


def open_labelled_run(
    columns: RunColumns, labels: Path, options: LabelOptions, *, stratum: str | None = None
) -> tuple[RunData, Criterion]:
    """The run with the labels of a file, and the criterion as declared there.

    What is in doubt of labels and clusters is said on stderr."""
    from hcat.core.analysis.files import run_from_files

    judged = read_label_file(
        labels,
        criterion=options.criterion,
        positive=options.positive,
        run=options.run,
        levels=stated_criterion(options.criterion, options.levels, options.positive),
        scores=columns.scores,
    )
    criterion = labelled_criterion(judged, options.criterion, passing=options.passing)
    warn_of_clusters(columns)
    return run_from_files(columns, judged.labels, stratum=stratum), criterion


OptionalScores = Annotated[
    Path | None, typer.Argument(metavar="SCORES", help="Scores from `hcat score` (Parquet), or your own.")
]
OptionalLabels = Annotated[
    Path | None,
    typer.Argument(metavar="LABELS", help="Labels (CSV): sample_id, criterion, label[, annotator, run, …]."),
]
ProjectRun = Annotated[
    str | None, typer.Option("--project", help="Instead of files: a project, whose run is named by --run.")
]
StoredRun = Annotated[str | None, typer.Option("--run", help="With --project: the run.")]


class Stored(NamedTuple):
    """A run of an open workspace, and the criterion that was asked for."""

    workspace: Workspace
    info: RunInfo
    run: RunData
    criterion: Criterion | None

    def in_force(self, criterion: str | None = None) -> Calibration:
        """The calibration that was saved last on the run, on this criterion where one is named; else NotFoundError."""
        from hcat.core.errors import NotFoundError

        for record in self.workspace.calibrations.all(self.info):
            if criterion in (None, record.criterion):
                return self.workspace.calibrations.read(record)
        of = "" if criterion is None else f" on {criterion!r}"
        raise NotFoundError(
            f"run {self.info.name!r} has no saved calibration{of} yet: `hcat calibration save` saves one"
        )

    def labels_on(self, criterion: Criterion) -> Sequence[Label]:
        """The labels on the criterion that hold now."""
        return self.run.label_source.labels(criterion.name)


@contextmanager
def stored_runs(
    project: str, runs: Sequence[str], criterion: str | None, files: Iterable[object] = ()
) -> Iterator[tuple[Stored, ...]]:
    """Runs of a project by name, open as long as they are needed. HcatError where `files` are given beside them."""
    from hcat.core.workspace import Workspace

    if any(file is not None for file in files):
        raise HcatError("--project takes scores and labels of the stored run: leave out the files, and what they need")
    with Workspace.open(actor="command line") as workspace:
        on = None if criterion is None else workspace.criteria.get(project, criterion)
        found = [workspace.runs.get(project, name) for name in runs]
        yield tuple(Stored(workspace, info, workspace.run_data.open(info), on) for info in found)


@contextmanager
def stored_run(project: str, run: str | None, criterion: str | None, files: Iterable[object] = ()) -> Iterator[Stored]:
    """The same of one run. HcatError where it is not named."""
    if run is None:
        raise HcatError("name the run of the project by --run")
    with stored_runs(project, [run], criterion, files) as (stored,):
        yield stored


@contextmanager
def labelled_run(
    columns: Callable[[Path], RunColumns],
    files: tuple[Path | None, Path | None],
    options: LabelOptions,
    project: str | None,
    *,
    others: Iterable[object] = (),
    stratum: str | None = None,
) -> Iterator[tuple[RunData, Criterion]]:
    """The run of a score file and a label file, or of a project; `others` are options that are for files alone."""
    if project is None:
        scores, labels = files
        if scores is None or labels is None:
            raise HcatError("give a score file and a label file, or --project and --run")
        yield open_labelled_run(columns(scores), labels, options, stratum=stratum)
        return
    given = (*files, options.positive, options.levels, options.passing, stratum, *others)
    with stored_run(project, options.run, options.criterion, given) as stored:
        assert stored.criterion is not None
        yield stored.run, stored.criterion
