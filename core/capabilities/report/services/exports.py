"""Exports of a project: labels under pseudonyms, which only the project can turn back into names, and samples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import BinaryIO

from hcat.core.importers.labels.label_file import label_rows, labels_csv
from hcat.core.importers.reading.spreadsheet import csv_text, write_text_csv
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.labelling.pseudonyms import names_behind, new_key, pseudonym
from hcat.core.labelling.records import LabelRecord
from hcat.core.opened.sample_filter import SampleFacts
from hcat.core.opened.sample_rows import SampleRows
from hcat.core.project.exporting.sample_export import Form, write_samples
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label

LOG_COLUMNS = (
    *("id", "supersedes", "superseded", "restores", "at", "sample_id", "criterion", "kind", "label", "annotator"),
    *("occurrence", "purpose", "queue", "probability", "guideline_version", "seconds", "rationale", "confidence"),
    *("flagged", "comment", "shown", "blind", "spans", "source"),
)


@dataclass(frozen=True)
class Exports:
    """Exports of a project, under pseudonyms."""

    store: OpenStore
    projects: Projects
    labels: Labels

    def label_file(self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo | None = None) -> str:
        """The labels that hold, under pseudonyms, as a CSV file that `read_labels` reads and no spreadsheet runs.

        `with_names` gives the labels of such a file their annotators back.
        """
        return csv_text(self._label_rows(project, criterion, run))

    def write_label_file(
        self, file: BinaryIO, project: ProjectInfo | str, criterion: Criterion, run: RunInfo | None = None
    ) -> None:
        """The same into an open file; the labels that hold are in memory, and of the file some rows at a time."""
        write_text_csv(self._label_rows(project, criterion, run), file)

    def named_label_file(self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo | None = None) -> str:
        """The labels in force as a CSV file with the names of people; the export is recorded with its author."""
        owner = self.projects.id_of(project)
        labels = self.labels.current(project, criterion.name, run)
        with self.store.write(self.store.actor, "export.names", owner) as write:
            self.store.people.note_export(write, owner, criterion.name, None if run is None else run.name)
        return labels_csv(labels, criterion)

    def label_log(self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo) -> str:
        """Every entry ever made on the run and criterion, with all that was recorded, under pseudonyms, as CSV."""
        return csv_text(self._log_rows(project, criterion, run))

    def write_label_log(self, file: BinaryIO, project: ProjectInfo | str, criterion: Criterion, run: RunInfo) -> None:
        """The same into an open file, some entries in memory at a time."""
        write_text_csv(self._log_rows(project, criterion, run), file)

    def write_samples(
        self,
        file: BinaryIO,
        sample_ids: Sequence[str],
        facts: SampleFacts,
        table: ScoreTable | None,
        *,
        criterion: str | None,
        form: Form = "csv",
    ) -> None:
        """Write these samples with texts, label, prediction, levels of dimensions and scores into an open file, a group
        of rows at a time. No spreadsheet runs anything of it. LimitError where a workbook can't hold them."""
        write_samples(SampleRows(sample_ids, facts, table, criterion), file, form)

    def with_pseudonyms(self, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
        """The labels with a pseudonym in the project for each person's name. Names of rules and models stay."""
        return list(self._labels_hidden(project, labels))

    def log_with_pseudonyms(self, project: ProjectInfo | str, records: Iterable[LabelRecord]) -> list[LabelRecord]:
        """The entries of a label log with pseudonyms for names."""
        return list(self._log_hidden(project, records))

    def with_names(self, project: ProjectInfo | str, labels: Iterable[Label]) -> list[Label]:
        """The inverse of `with_pseudonyms` for annotators who have labelled in the project. Other names stay."""
        self.store.access.check_reading("label file", self.projects.id_of(project))
        owner = self.projects.id_of(project)
        key = self.store.repository.known_pseudonym_key(owner)
        if key is None:  # no file of the project holds a pseudonym
            return list(labels)
        annotators = {record.annotator for record in self.store.log.history(owner) if record.source in BY_PEOPLE}
        authors = {label.annotator for label in self.labels.current(project) if label.source == "adjudication"}
        names = names_behind(key, annotators | authors)
        return [label._replace(annotator=_shown(names, label)) for label in labels]

    def _label_rows(
        self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo | None
    ) -> Iterator[Sequence[str]]:
        return label_rows(self._labels_hidden(project, self.labels.current(project, criterion.name, run)), criterion)

    def _log_rows(self, project: ProjectInfo | str, criterion: Criterion, run: RunInfo) -> Iterator[Sequence[str]]:
        records = self._log_hidden(project, self.labels.each_entry(project, criterion, run))
        return chain([LOG_COLUMNS], (_cells(record, criterion) for record in records))

    def _labels_hidden(self, project: ProjectInfo | str, labels: Iterable[Label]) -> Iterator[Label]:
        self.store.access.check_reading("label file", self.projects.id_of(project))
        key = self._key(project)
        return (label._replace(annotator=_hidden(key, label)) for label in labels)

    def _log_hidden(self, project: ProjectInfo | str, records: Iterable[LabelRecord]) -> Iterator[LabelRecord]:
        self.store.access.check_reading("label file", self.projects.id_of(project))
        key = self._key(project)
        return (replace(record, annotator=_hidden(key, record)) for record in records)

    def _key(self, project: ProjectInfo | str) -> str:
        """The project's key for pseudonyms, made where it has none yet."""
        if (known := self.store.repository.known_pseudonym_key(self.projects.id_of(project))) is not None:
            return known
        with self.store.write(self.store.actor, "project.make_key", self.projects.id_of(project)) as write:
            return self.store.repository.pseudonym_key(write, self.projects.id_of(project), new_key())


def _cells(record: LabelRecord, criterion: Criterion) -> list[str]:
    values = asdict(record) | asdict(record.details)
    values |= {
        "at": record.at.isoformat(),
        "label": None if record.level is None else criterion.levels[record.level],
        "shown": json.dumps(record.details.shown),
        "spans": json.dumps([asdict(span) for span in record.details.spans]),
    }
    return ["" if values[column] is None else str(values[column]) for column in LOG_COLUMNS]


def _shown(names: Mapping[str, str], label: Label) -> str:
    return names.get(label.annotator, label.annotator) if label.source in BY_PEOPLE else label.annotator


def _hidden(key: str, label: Label | LabelRecord) -> str:
    return pseudonym(key, label.annotator) if label.source in BY_PEOPLE else label.annotator
