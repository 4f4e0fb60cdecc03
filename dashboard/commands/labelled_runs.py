"""A run from files with people's labels on one criterion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dashboard.commands.label_files import labelled_criterion, read_label_file, stated_criterion
from dashboard.commands.runs import warn_of_clusters

if TYPE_CHECKING:
    from core.analysis.run_data import RunColumns, RunData
    from core.types import Criterion


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
    from core.analysis.files import run_from_files

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
