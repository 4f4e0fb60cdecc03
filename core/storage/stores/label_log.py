"""The label log: entries are only ever added, and the last entry of each annotator on each sample is what holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from hcat.core.errors import ConflictError
from hcat.core.labelling.label_details import NO_DETAILS, LabelDetails
from hcat.core.labelling.label_source import LABEL_SOURCES
from hcat.core.labelling.queue import Purpose
from hcat.core.labelling.records import LabelKind, LabelRecord
from hcat.core.storage.database import Database
from hcat.core.storage.stores.label_reading import LabelReader, as_record, each_record
from hcat.core.storage.stores.leases import close_lease, follow_label, reopen_lease
from hcat.core.storage.stores.projects import criterion_row, known_id
from hcat.core.storage.tables.labelling import LabelRow
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write
from hcat.core.types import LabelSource

Chain = tuple[str, LabelSource, str, int]
"""Sample, source, annotator and occurrence: their entries supersede one another."""
JUDGED: tuple[LabelKind, ...] = ("label", "cannot_judge")
ATTEMPTS = 5
FEW_SAMPLES = 100
"""Up to so many samples are asked for by name; beyond, the whole log of the criterion is read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry to add to the log. `at` is now where None.

    `lease` is the hold on the queue's item that this entry settles. A withdrawal gives the item back to its annotator,
    who holds it till `reopen_until`. `restores` is the id of the entry that this one says again. Without `supersede` it
    takes the place of no judgement: ConflictError where the annotator has judged the sample.
    """

    sample_id: str
    annotator: str
    source: LabelSource = "person"
    kind: LabelKind = "label"
    level: int | None = None
    rationale: str | None = None
    probability: float = 1.0
    queue: str = "none"
    seconds: float | None = None
    guideline_version: int = 1
    at: datetime | None = None
    occurrence: int = 0
    purpose: Purpose = "estimate"
    details: LabelDetails = NO_DETAILS
    lease: int | None = None
    reopen_until: datetime | None = None
    restores: int | None = None
    supersede: bool = True


@dataclass(frozen=True)
class LabelLog:
    """The labels, skips and withdrawals of one database."""

    database: Database
    reader: LabelReader = field(default_factory=LabelReader, repr=False, compare=False)

    def add(
        self, write: Write, project_id: int, run_id: int, criterion: str, entries: Iterable[Entry]
    ) -> list[LabelRecord]:
        """Add these entries, all or none. Each supersedes its annotator's present entry on the same sample, if any.

        Writers that come at the same time follow one another. Should one slip in between all the same, the database
        refuses the second, which then starts again and supersedes it. ConflictError where a lease is no longer held.
        """
        entries = list(entries)
        for _ in range(ATTEMPTS):
            with suppress(IntegrityError), write.transaction() as session:
                owner = criterion_row(session, project_id, criterion)
                present = _present(session, run_id, known_id(owner.id), {entry.sample_id for entry in entries})
                added = [_add(session, entry, run_id, known_id(owner.id), present) for entry in entries]
                return [as_record(row, owner.name) for row in added]
        raise ConflictError("somebody labelled the same sample at the same moment: look at it again")

    def history(
        self, project_id: int, *, criterion: str | None = None, run_id: int | None = None, sample_id: str | None = None
    ) -> list[LabelRecord]:
        """Every entry ever made, oldest first."""
        with self.database.read() as session:
            return self.reader.history(session, project_id, criterion=criterion, run_id=run_id, sample_id=sample_id)

    def each(self, project_id: int, criterion: str, run_id: int) -> Iterator[LabelRecord]:
        """The entries of one run and criterion, oldest first, some in memory at a time; nothing is kept of them."""
        with self.database.read() as session:
            yield from each_record(session, project_id, criterion, run_id)

    def current(
        self, project_id: int, *, criterion: str | None = None, run_id: int | None = None, annotator: str | None = None
    ) -> list[LabelRecord]:
        """The entries that hold: labels and skips, neither superseded nor withdrawn, oldest first."""
        with self.database.read() as session:
            return self.reader.current(session, project_id, criterion=criterion, run_id=run_id, annotator=annotator)


def _add(session: Session, entry: Entry, run_id: int, criterion_id: int, present: dict[Chain, LabelRow]) -> LabelRow:
    chain = (entry.sample_id, entry.source, entry.annotator, entry.occurrence)
    earlier = present.get(chain)
    if not entry.supersede and earlier is not None and earlier.kind in JUDGED:
        raise ConflictError("you labelled this sample a moment ago in another window, and that label stands")
    row = _row(entry, run_id, criterion_id, earlier)
    session.add(row)
    session.flush()
    if earlier is not None and entry.reopen_until is not None:
        reopen_lease(session, known_id(earlier.id), entry.annotator, entry.reopen_until)
    elif earlier is not None:
        follow_label(session, known_id(earlier.id), row)
    if entry.lease is not None:
        close_lease(session, entry.lease, row)
    present[chain] = row
    return row


def _present(session: Session, run_id: int, criterion_id: int, samples: set[str]) -> dict[Chain, LabelRow]:
    query = select(LabelRow).where(LabelRow.run_id == run_id, LabelRow.criterion_id == criterion_id)
    if len(samples) <= FEW_SAMPLES:
        query = query.where(col(LabelRow.sample_id).in_(samples))
    # A chain's last entry is its newest.
    return {
        (row.sample_id, LABEL_SOURCES[row.source], row.annotator, row.occurrence): row
        for row in session.exec(query.order_by(col(LabelRow.id)))
    }


def _row(entry: Entry, run_id: int, criterion_id: int, present: LabelRow | None) -> LabelRow:
    return LabelRow(
        run_id=run_id,
        criterion_id=criterion_id,
        sample_id=entry.sample_id,
        annotator=entry.annotator,
        source=entry.source,
        kind=entry.kind,
        level=entry.level,
        rationale=entry.rationale,
        probability=entry.probability,
        queue=entry.queue,
        seconds=entry.seconds,
        occurrence=entry.occurrence,
        purpose=entry.purpose,
        confidence=entry.details.confidence,
        flagged=entry.details.flagged,
        comment=entry.details.comment,
        spans=[asdict(span) for span in entry.details.spans] or None,
        shown=list(entry.details.shown) or None,
        blind=entry.details.blind,
        guideline_version=entry.guideline_version,
        at=entry.at or now(),
        supersedes=None if present is None else present.id,
        restores=entry.restores,
    )
