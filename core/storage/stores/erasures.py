"""Erased texts: who had which erased, the rows and files that change with them, and for how long texts are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sqlmodel import Session, col, select

from hcat.core.errors import ConflictError
from hcat.core.records.erasure import NO_NAMES, Erasure, Renamed
from hcat.core.records.project import RunInfo
from hcat.core.storage.database import Database
from hcat.core.storage.stores.item_rows import Artifact, files
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.text_keys import destroy_keys, drop_rings, key_rows
from hcat.core.storage.tables.judging import JudgeRunRow
from hcat.core.storage.tables.labelling import QueueRow
from hcat.core.storage.tables.projects import CalibrationRow, FindingRow, JobRow, RunRow, TopicsRow
from hcat.core.storage.tables.reports import ReportVersionRow
from hcat.core.storage.tables.row import Row
from hcat.core.storage.tables.texts import ErasedFileRow, ErasureRow
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.write import Write

ReplacedRow = ReportVersionRow | JudgeRunRow | TopicsRow | QueueRow | FindingRow
ReplacedIn = type[ReplacedRow]


@dataclass(frozen=True, slots=True)
class ErasedRun:
    """A run's file in which texts are erased; these keys of `samples` and `passages` go, by their numbers."""

    artifact: str
    samples: Sequence[int]
    passages: Sequence[int]


@dataclass(frozen=True, slots=True)
class ReplacedFile:
    """A file that quoted an erased text, in the row with this id, and the file that replaces it, with its key. `hash`
    is that of the frozen selection of a finding."""

    kind: str
    table: ReplacedIn
    row: int
    before: str
    after: str
    keys: KeyRing | None
    hash: str = ""


@dataclass(frozen=True, slots=True)
class ErasureChange:
    """All that one erasure changes in the database. `gone` are the passages that no other sample of the run has,
    `renamed` the topics whose names were words of erased texts."""

    run: RunInfo
    erased: ErasedRun
    erasures: Sequence[Erasure]
    replaced: Sequence[ReplacedFile] = ()
    gone: Sequence[str] = ()
    renamed: Renamed = NO_NAMES


@dataclass(frozen=True)
class ErasureTable:
    """The erasures of one database."""

    database: Database

    def erase(self, write: Write, change: ErasureChange) -> None:
        """Erase at once or not at all: keys, the run's file and other files, the entry on each sample; files that are
        replaced are noted for removal. ConflictError where the run or one of the files is another by now."""
        with write.transaction() as session:
            run = session.get_one(RunRow, change.run.id)
            if run.artifact != change.run.artifact:
                raise ConflictError(f"run {run.name!r} was changed meanwhile: look at it, then decide")
            if _has_jobs(session, run):
                raise ConflictError(f"a job works on run {run.name!r}: wait for it, or cancel it first")
            _replace_run_file(session, run, change.erased)
            for file in change.replaced:
                _replace_file(session, run.project_id, file)
            if change.renamed.names:
                _rename(session, run, change.renamed)
            session.add_all([_row(each, change.run) for each in change.erasures])

    def of(self, project_id: int) -> list[Erasure]:
        """The erasures in a project, oldest first."""
        query = select(ErasureRow).where(ErasureRow.project_id == project_id).order_by(col(ErasureRow.id))
        with self.database.read() as session:
            return [
                Erasure(row.run, row.run_hash, row.sample_id, row.author, row.reason, row.at)
                for row in session.exec(query)
            ]

    def samples(self, run: RunInfo) -> set[str]:
        """The samples of the run whose texts are erased."""
        query = select(ErasureRow.sample_id).where(ErasureRow.run_id == run.id, ErasureRow.run_hash == run.content_hash)
        with self.database.read() as session:
            return set(session.exec(query))

    def unfinished(self) -> list[tuple[int, int, Artifact]]:
        """Files that are still to be removed: the id of the row, its project, the file."""
        with self.database.read() as session:
            rows = session.exec(select(ErasedFileRow).order_by(col(ErasedFileRow.id)))
            return [(known_id(row.id), row.project_id, (row.kind, row.artifact)) for row in rows]

    def finished(self, write: Write, row: int) -> None:
        """Note that the file is removed."""
        with write.transaction() as session:
            found = session.get(ErasedFileRow, row)
            if found is not None:
                session.delete(found)

    def purge(self) -> None:
        """Let nothing of destroyed keys stay in the database's own files."""
        self.database.overwrite_deleted("text_keys")


def _replace_run_file(session: Session, run: RunRow, erased: ErasedRun) -> None:
    before = run.artifact
    destroy_keys(session, str(run.key_ring), "sample", erased.samples)
    destroy_keys(session, str(run.key_ring), "passage", erased.passages)
    run.artifact = erased.artifact
    session.add(run)
    session.flush()
    if ("samples", before) not in files(session, Row.metadata.tables["run"]):
        session.add(ErasedFileRow(project_id=run.project_id, kind="samples", artifact=before))


def _replace_file(session: Session, project_id: int, file: ReplacedFile) -> None:
    row = cast("ReplacedRow | None", session.get(file.table, file.row))
    if row is None or _file_of(row) != file.before:
        raise ConflictError("a file that quotes the text was changed meanwhile: try again")
    if isinstance(row, FindingRow):
        row.frozen, row.frozen_hash = {**(row.frozen or {}), "artifact": file.after}, file.hash
    else:
        row.artifact = file.after
    session.add(row)
    drop_rings(session, {file.before})
    session.add_all([] if file.keys is None else key_rows(project_id, file.keys))
    session.flush()
    if (file.kind, file.before) not in files(session, Row.metadata.tables[str(file.table.__tablename__)]):
        session.add(ErasedFileRow(project_id=project_id, kind=file.kind, artifact=file.before))


def _file_of(row: ReplacedRow) -> object:
    return (row.frozen or {}).get("artifact") if isinstance(row, FindingRow) else row.artifact


def _rename(session: Session, run: RunRow, renamed: Renamed) -> None:
    """Replace names of topics where people chose them: in findings on the run, and in the inputs of jobs and
    calibrations."""
    for finding in session.exec(select(FindingRow).where(FindingRow.run_id == run.id)):
        finding.title, finding.comment = renamed.text(finding.title), renamed.text(finding.comment)
        finding.slice, finding.evidence = renamed.fields(finding.slice), renamed.fields(finding.evidence)
        finding.frozen = None if finding.frozen is None else renamed.fields(finding.frozen)
        finding.history = [renamed.fields(change) for change in finding.history]
        session.add(finding)
    for calibration in session.exec(select(CalibrationRow).where(CalibrationRow.run_id == run.id)):
        calibration.document = renamed.fields(calibration.document)
        session.add(calibration)
    for job in session.exec(select(JobRow).where(JobRow.project_id == run.project_id)):
        job.arguments = renamed.fields(job.arguments)
        session.add(job)


def _has_jobs(session: Session, run: RunRow) -> bool:
    """Whether a job that reads the run is under way; one that builds a report may read each run of its project."""
    active = select(JobRow).where(JobRow.project_id == run.project_id, col(JobRow.status).in_(("queued", "running")))
    return any(
        job.kind == "report" or run.id in (job.arguments.get("run"), job.arguments.get("against"))
        for job in session.exec(active)
    )


def _row(erasure: Erasure, run: RunInfo) -> ErasureRow:
    return ErasureRow(
        project_id=run.project_id,
        run_id=run.id,
        run=erasure.run,
        run_hash=erasure.run_hash,
        sample_id=erasure.sample_id,
        author=erasure.author,
        reason=erasure.reason,
        at=erasure.at,
    )
