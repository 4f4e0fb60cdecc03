"""The opened store of a workspace: one database, one folder of files, and who keeps what in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from core.settings import Settings
from core.storage.artifacts import ArtifactStore
from core.storage.database import Database
from core.storage.stores.findings import Findings
from core.storage.stores.jobs import JobTable
from core.storage.stores.label_log import LabelLog
from core.storage.stores.label_reading import LabelReader
from core.storage.stores.leases import LeaseTable
from core.storage.stores.projects import Repository
from core.storage.stores.queues import QueueTable
from core.storage.stores.results import Results
from core.storage.stores.standards import Standards
from core.storage.stores.unblinding import Unblinding


@dataclass(frozen=True)
class OpenStore:
    """What the services of a workspace share. Safe to share between threads; open one a process."""

    settings: Settings
    artifacts: ArtifactStore
    database: Database
    repository: Repository
    log: LabelLog
    queue_table: QueueTable
    leases: LeaseTable
    standards: Standards
    unblinding: Unblinding
    results: Results
    finding_table: Findings
    job_table: JobTable
    clock: Callable[[], datetime]

    @classmethod
    def open(cls, settings: Settings, *, clock: Callable[[], datetime]) -> Self:
        """The store that the settings name, made or brought to the newest schema where needed."""
        database, reader = Database(settings.database_url), LabelReader()
        return cls(
            settings=settings,
            artifacts=ArtifactStore(settings.artifacts),
            database=database,
            repository=Repository(database),
            log=LabelLog(database, reader),
            queue_table=QueueTable(database),
            leases=LeaseTable(database, reader),
            standards=Standards(database),
            unblinding=Unblinding(database),
            results=Results(database),
            finding_table=Findings(database),
            job_table=JobTable(database),
            clock=clock,
        )

    def close(self) -> None:
        """Drop the database connections."""
        self.database.close()
