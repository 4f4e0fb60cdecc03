"""The audit log of a workspace: read, checked, and attested by signed checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import chain
from typing import BinaryIO

from hcat.core.importers.reading.spreadsheet import write_csv
from hcat.core.project.open_store import OpenStore
from hcat.core.records.audit import AuditEntry, ChainFault, first_fault
from hcat.core.records.checkpoint import checkpoint_of, fault_against, opened, sealed
from hcat.core.records.signing import PublicKey, SigningKey
from hcat.core.storage.stores.audit import ALL_ROWS, AuditFilter

__all__ = ["AuditFilter", "AuditState", "AuditTrail"]

COLUMNS = (
    "sequence",
    "at",
    "actor",
    "role",
    "action",
    "project",
    "subject",
    "before",
    "after",
    "digests",
    "previous",
    "hash",
)


@dataclass(frozen=True, slots=True)
class AuditState:
    """The number of rows of the log, its newest hash, and its first fault, if any. `unguarded` names the missing
    triggers, without which the database lets logs be changed."""

    n: int
    hash: str
    fault: ChainFault | None
    unguarded: Sequence[str] = ()

    @property
    def complaint(self) -> str:
        """The fault in words; empty where there is none."""
        if self.fault is not None:
            return self.fault.reason
        return f"the database lets its logs be changed: {', '.join(self.unguarded)} gone" if self.unguarded else ""


@dataclass(frozen=True)
class AuditTrail:
    """Every change of the workspace, oldest first. Nothing here changes it: each write adds its own row.

    It names people and what they did in all projects: with roles in use, administrators of the installation read it.
    """

    store: OpenStore

    def entries(self, chosen: AuditFilter = ALL_ROWS, *, newest: int | None = None) -> list[AuditEntry]:
        """The rows that the filter selects; with `newest`, only that many of the latest."""
        self.store.access.check_installation()
        return self.store.audit_log.entries(chosen, newest=newest)

    def count(self, chosen: AuditFilter = ALL_ROWS) -> int:
        """The number of rows that the filter selects."""
        self.store.access.check_installation()
        return self.store.audit_log.count(chosen)

    def names(self) -> dict[str, list[str]]:
        """Every actor, action and project that the log names."""
        self.store.access.check_installation()
        return self.store.audit_log.names()

    def as_csv(self, chosen: AuditFilter = ALL_ROWS) -> bytes:
        """The rows that the filter leaves, as a CSV file that no spreadsheet runs."""
        file = BytesIO()
        self.write_csv(file, chosen)
        return file.getvalue()

    def write_csv(self, file: BinaryIO, chosen: AuditFilter = ALL_ROWS) -> None:
        """The same into an open file, some rows in memory at a time."""
        self.store.access.check_installation()
        rows = (asdict(entry) | {"at": entry.at.isoformat()} for entry in self.store.audit_log.each(chosen))
        write_csv(chain([COLUMNS], ([row[column] for column in COLUMNS] for row in rows)), file)

    def state(self) -> AuditState:
        """The state of the log by its hash chain; quick, also for long logs. It detects neither a cut end nor changes
        of other tables' rows."""
        entries = self.entries()
        return self._state(entries, first_fault(entries))

    def verify(self, checkpoint: bytes | None = None, *, key: PublicKey | None = None, name: str = "") -> AuditState:
        """The state of the log, also checked against a checkpoint and against the rows of the tables that it is about.

        FileFormatError where the checkpoint's file, called `name`, was changed or is signed by another key than `key`.
        """
        stated = None if checkpoint is None or key is None else opened(checkpoint, key, name=name)
        entries = self.entries()
        fault = first_fault(entries)
        if fault is None and stated is not None:
            fault = fault_against(stated, entries)
        if fault is None:
            fault = self.store.audit_log.changed_past_the_log()
        return self._state(entries, fault)

    def _state(self, entries: Sequence[AuditEntry], fault: ChainFault | None) -> AuditState:
        unguarded = self.store.audit_log.missing_guards()
        return AuditState(len(entries), entries[-1].hash if entries else "", fault, unguarded)

    def checkpoint(self, key: SigningKey) -> bytes:
        """A signed statement of the log's present end, to be stored where no administrator of the store can write."""
        return sealed(checkpoint_of(self.entries(newest=1), self.store.clock()), key)
