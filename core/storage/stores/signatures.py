"""Signatures on reports: each new one follows those that it refers to, and none is ever changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from hcat.core.errors import ConflictError
from hcat.core.records.report import ReportVersion
from hcat.core.records.sign_off import Signature, Step
from hcat.core.storage.database import Database
from hcat.core.storage.tables.sign_offs import SignatureRow
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class SignatureTable:
    """The signatures of one database."""

    database: Database

    def add(self, write: Write, version: ReportVersion, signature: Signature, *, position: int) -> None:
        """The signature at this place, from 0; ConflictError where somebody else has signed meanwhile."""
        row = SignatureRow(
            project_id=version.project_id,
            report_version_id=version.id,
            position=position,
            step=signature.step,
            author=signature.author,
            comment=signature.comment,
            condition=signature.condition,
            report_hash=signature.report_hash,
            basis=dict(signature.basis),
            at=signature.at,
        )
        try:
            with write.transaction() as session:
                session.add(row)
                session.flush()
        except IntegrityError as error:
            raise ConflictError("somebody else has signed this report meanwhile: look at it, then decide") from error

    def of(self, project_id: int) -> dict[int, tuple[Signature, ...]]:
        """The signatures on the project's reports by the id of the version, oldest first."""
        query = select(SignatureRow).where(SignatureRow.project_id == project_id).order_by(col(SignatureRow.position))
        signatures: dict[int, tuple[Signature, ...]] = {}
        with self.database.read() as session:
            for row in session.exec(query):
                signatures[row.report_version_id] = (*signatures.get(row.report_version_id, ()), _signature(row))
        return signatures


def _signature(row: SignatureRow) -> Signature:
    step = cast("Step", row.step)
    return Signature(step, row.author, row.comment, row.condition, row.report_hash, row.basis, row.at)
