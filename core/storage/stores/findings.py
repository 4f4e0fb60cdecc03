"""Findings: weaknesses that somebody confirmed, with their owner and status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from sqlmodel import Session, col, select

from hcat.core.errors import NotFoundError
from hcat.core.records.project import REASON, WITHDRAWN, Finding, FindingChange
from hcat.core.storage.database import Database
from hcat.core.storage.stores.projects import known_id
from hcat.core.storage.stores.results import json_document, stored
from hcat.core.storage.tables.projects import FindingRow
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue

Document = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Findings:
    """The findings of one database."""

    database: Database

    def add(
        self,
        write: Write,
        project_id: int,
        run_id: int,
        title: str,
        *,
        slice: Document,  # noqa: A002
        evidence: Document,
        severity: str,
        comment: str,
        author: str,
        owner: str,
        due: date | None,
        frozen: Document,
        frozen_hash: str,
    ) -> Finding:
        """A confirmed weakness. Its status is "open"."""
        row = FindingRow(
            project_id=project_id,
            run_id=run_id,
            title=title,
            slice=stored(slice),
            evidence=stored(evidence),
            severity=severity,
            status="open",
            comment=comment,
            author=author,
            owner=owner,
            due=due,
            frozen=stored(frozen),
            frozen_hash=frozen_hash,
        )
        with write.transaction() as session:
            session.add(row)
            session.flush()
            return _finding(row)

    def change(
        self,
        write: Write,
        finding_id: int,
        *,
        title: str,
        severity: str,
        status: str,
        comment: str,
        owner: str,
        due: date | None,
    ) -> Finding:
        """The changed finding, whose history records who changed what; its frozen evidence never changes."""
        with write.transaction() as session:
            row = _required(session, finding_id)
            changed = {
                "title": title,
                "status": status,
                "severity": severity,
                "owner": owner,
                "due": due,
                "comment": comment,
            }
            row.history = [*row.history, *_changes(row, changed, write)]
            row.title, row.severity, row.status = title, severity, status
            row.comment, row.owner, row.due = comment, owner, due
            return _saved(session, row)

    def withdraw(self, write: Write, finding_id: int, *, reason: str) -> Finding:
        """Withdraw a finding, with the reason in its history; the row and its frozen evidence stay."""
        with write.transaction() as session:
            row = _required(session, finding_id)
            because = _line(write, REASON, before="", after=reason)
            row.history = [*row.history, *_changes(row, {"status": WITHDRAWN}, write), because]
            row.status = WITHDRAWN
            return _saved(session, row)

    def of(self, project_id: int) -> list[Finding]:
        """The project's findings, oldest first."""
        query = select(FindingRow).where(FindingRow.project_id == project_id).order_by(col(FindingRow.id))
        with self.database.read() as session:
            return [_finding(row) for row in session.exec(query)]


def _required(session: Session, finding_id: int) -> FindingRow:
    row = session.get(FindingRow, finding_id)
    if row is None:
        raise NotFoundError(f"there is no finding with id {finding_id}")
    return row


def _saved(session: Session, row: FindingRow) -> Finding:
    session.add(row)
    session.flush()
    return _finding(row)


def _finding(row: FindingRow) -> Finding:
    return Finding(
        id=known_id(row.id),
        project_id=row.project_id,
        run_id=row.run_id,
        title=row.title,
        slice=json_document(row.slice),
        evidence=json_document(row.evidence),
        severity=row.severity,
        status=row.status,
        comment=row.comment,
        author=row.author,
        owner=row.owner,
        due=row.due,
        frozen=None if row.frozen is None else json_document(row.frozen),
        frozen_hash=row.frozen_hash,
        created_at=row.created_at,
        history=tuple(
            FindingChange(
                datetime.fromisoformat(str(line["at"])),
                *(str(line[name]) for name in ("author", "part", "before", "after")),
            )
            for line in row.history
        ),
    )


def _changes(row: FindingRow, changed: Mapping[str, object], write: Write) -> list[dict[str, object]]:
    """A line for each part that is another now."""
    lines: list[dict[str, object]] = []
    for part, after in changed.items():
        before = getattr(row, part)
        if before != after:
            lines.append(_line(write, part, before=_text(before), after=_text(after)))
    return lines


def _line(write: Write, part: str, *, before: str, after: str) -> dict[str, object]:
    return {"at": write.at.isoformat(), "author": write.actor, "part": part, "before": before, "after": after}


def _text(value: object) -> str:
    return "" if value is None else str(value)
