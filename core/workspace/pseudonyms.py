"""Labels out of a project and back into it under pseudonyms, which only the project can turn back into names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from core.importers.labels.label_file import labels_csv
from core.importers.reading.spreadsheet import escape_formula
from core.labelling.label_source import BY_PEOPLE
from core.labelling.pseudonyms import names_behind, new_key, pseudonym
from core.storage.records import LabelRecord, ProjectInfo, RunInfo
from core.types import Criterion, Label
from core.workspace.labels import label_history, labels
from core.workspace.projects import project_id

if TYPE_CHECKING:
    from core.workspace import Workspace


LOG_COLUMNS = (
    *("id", "supersedes", "superseded", "restores", "at", "sample_id", "criterion", "kind", "label", "annotator"),
    *("occurrence", "purpose", "queue", "probability", "guideline_version", "seconds", "rationale", "confidence"),
    *("flagged", "comment", "shown", "blind", "spans", "source"),
)


def export_labels(
    workspace: Workspace, project: ProjectInfo | str, criterion: Criterion, run: RunInfo | None = None
) -> str:
    """The labels that hold, under pseudonyms, as a CSV file that `read_labels` reads and no spreadsheet runs.

    `with_names` gives the labels of such a file their annotators back.
    """
    return labels_csv(with_pseudonyms(workspace, project, labels(workspace, project, criterion.name, run)), criterion)


def export_label_log(workspace: Workspace, project: ProjectInfo | str, criterion: Criterion, run: RunInfo) -> str:
    """Every entry ever made on the run and criterion, with all that was recorded, under pseudonyms, as CSV."""
    records = label_history(workspace, project, criterion=criterion.name, run=run)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(LOG_COLUMNS)
    for record in log_with_pseudonyms(workspace, project, records):
        writer.writerow([escape_formula(cell) for cell in _cells(record, criterion)])
    return out.getvalue()


def with_pseudonyms(workspace: Workspace, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
    """The labels with each person's name replaced by their pseudonym in the project. Names of rules and models stay."""
    key = _key(workspace, project)
    return [label._replace(annotator=_hidden(key, label)) for label in labels]


def log_with_pseudonyms(
    workspace: Workspace, project: ProjectInfo | str, records: Iterable[LabelRecord]
) -> list[LabelRecord]:
    """The entries of a label log with pseudonyms for names."""
    key = _key(workspace, project)
    return [replace(record, annotator=_hidden(key, record)) for record in records]


def with_names(workspace: Workspace, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
    """The inverse of `with_pseudonyms` for annotators who have labelled in the project. Other names stay."""
    owner = project_id(workspace, project)
    known = {record.annotator for record in workspace.log.history(owner) if record.source in BY_PEOPLE}
    authors = {label.annotator for label in workspace.labels(project) if label.source == "adjudication"}
    names = names_behind(_key(workspace, project), known | authors)
    return [label._replace(annotator=_shown(names, label)) for label in labels]


def _cells(record: LabelRecord, criterion: Criterion) -> list[str]:
    values = asdict(record) | asdict(record.details)
    values |= {
        "at": record.at.isoformat(),
        "label": None if record.level is None else criterion.levels[record.level],
        "shown": json.dumps(record.details.shown),
        "spans": json.dumps([asdict(span) for span in record.details.spans]),
    }
    return ["" if values[column] is None else str(values[column]) for column in LOG_COLUMNS]


def _key(workspace: Workspace, project: ProjectInfo | str) -> str:
    return workspace.repository.pseudonym_key(project_id(workspace, project), new_key())


def _shown(names: Mapping[str, str], label: Label) -> str:
    return names.get(label.annotator, label.annotator) if label.source in BY_PEOPLE else label.annotator


def _hidden(key: str, label: Label | LabelRecord) -> str:
    return pseudonym(key, label.annotator) if label.source in BY_PEOPLE else label.annotator
