"""The opened store of a workspace: one database, one folder of files, and who keeps what in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Self

from hcat.core.errors import HcatError
from hcat.core.project.actions import Action
from hcat.core.project.roles.access import Access, Authorize, local_account
from hcat.core.records.people import Identity
from hcat.core.settings import Settings
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.backup import check_not_emptied
from hcat.core.storage.database import Database
from hcat.core.storage.stores.audit import AuditLog
from hcat.core.storage.stores.corpora import CorpusTable, corpus_table
from hcat.core.storage.stores.corpus_topics import CorpusTopicsTable
from hcat.core.storage.stores.documents import Documents
from hcat.core.storage.stores.erasures import ErasureTable
from hcat.core.storage.stores.findings import Findings
from hcat.core.storage.stores.housekeeping import HousekeepingStore
from hcat.core.storage.stores.jobs import JobTable
from hcat.core.storage.stores.judging import JudgingTable
from hcat.core.storage.stores.label_log import LabelLog
from hcat.core.storage.stores.label_reading import LabelReader
from hcat.core.storage.stores.leases import LeaseTable
from hcat.core.storage.stores.people import PeopleTable
from hcat.core.storage.stores.policies import PolicyLookTable
from hcat.core.storage.stores.projects import Repository
from hcat.core.storage.stores.queues import QueueTable
from hcat.core.storage.stores.reports import ReportTable
from hcat.core.storage.stores.results import Results
from hcat.core.storage.stores.signatures import SignatureTable
from hcat.core.storage.stores.standards import Standards
from hcat.core.storage.stores.test_sets import CaseDecisions, TestSetTable, test_set_table
from hcat.core.storage.stores.text_keys import TextKeys
from hcat.core.storage.stores.unblinding import Unblinding
from hcat.core.storage.texts.sealed_files import SealedFiles
from hcat.core.storage.write import Write

if TYPE_CHECKING:
    from hcat.core.executors.executor import Executor

Observer = Callable[[str, Action, datetime], None]
"""Called with who changed something, what it was, and when."""


@dataclass(frozen=True)
class OpenStore:
    """The settings, tables and files that the services of a workspace share. Safe to share between threads; open one a
    process.

    `actor` is recorded for changes that nobody signs for: "dashboard", "command line", a worker. `identity` is who
    acts, as far as roles go: whoever signed in, or the account of this machine that the process runs under.
    `on_workers` is called with the number of workers of a cluster that were started for long work.
    """

    settings: Settings
    artifacts: ArtifactStore
    database: Database
    repository: Repository
    corpus_table: CorpusTable
    corpus_topics_table: CorpusTopicsTable
    test_set_table: TestSetTable
    case_decisions: CaseDecisions
    documents: Documents
    log: LabelLog
    queue_table: QueueTable
    leases: LeaseTable
    standards: Standards
    unblinding: Unblinding
    results: Results
    finding_table: Findings
    report_table: ReportTable
    signatures: SignatureTable
    policy_looks: PolicyLookTable
    job_table: JobTable
    judging_table: JudgingTable
    housekeeping: HousekeepingStore
    text_keys: TextKeys
    sealed_files: SealedFiles
    erasures: ErasureTable
    audit_log: AuditLog
    people: PeopleTable
    clock: Callable[[], datetime]
    actor: str
    observer: Observer | None = None
    identity: Identity = field(default_factory=local_account)
    authorize: Authorize | None = None
    """The function that reads ask for roles, where not the database each time. Changes always ask the database."""
    on_workers: Callable[[int], None] | None = None

    @classmethod
    def open(
        cls, settings: Settings, *, clock: Callable[[], datetime], actor: str, observer: Observer | None = None
    ) -> Self:
        """The store that the settings name, made or brought to the newest schema where needed."""
        check_not_emptied(settings)
        database, reader = Database(settings.database_url), LabelReader()
        artifacts, keys = ArtifactStore(settings.artifacts), TextKeys(database)
        return cls(
            settings=settings,
            artifacts=artifacts,
            database=database,
            repository=Repository(database),
            corpus_table=corpus_table(database),
            corpus_topics_table=CorpusTopicsTable(database),
            test_set_table=test_set_table(database),
            case_decisions=CaseDecisions(database),
            documents=Documents(database),
            log=LabelLog(database, reader),
            queue_table=QueueTable(database),
            leases=LeaseTable(database, reader),
            standards=Standards(database),
            unblinding=Unblinding(database),
            results=Results(database),
            finding_table=Findings(database),
            report_table=ReportTable(database),
            signatures=SignatureTable(database),
            policy_looks=PolicyLookTable(database),
            job_table=JobTable(database),
            judging_table=JudgingTable(database),
            housekeeping=HousekeepingStore(database),
            text_keys=keys,
            sealed_files=SealedFiles(artifacts, keys),
            erasures=ErasureTable(database),
            audit_log=AuditLog(database),
            people=PeopleTable(database),
            clock=clock,
            actor=actor,
            observer=observer,
        )

    @property
    def access(self) -> Access:
        """The permissions of the identity that acts."""
        return Access(self.people, self.repository, self.identity, self.authorize or self.people.authorization)

    def executor(self) -> Executor | None:
        """The executor of long work by the settings: the workers of a cluster, or None for this process."""
        from hcat.core.executors.chosen import chosen_executor

        return chosen_executor(self.settings, on_workers=self.on_workers)

    @contextmanager
    def write(self, actor: str, action: Action, project_id: int | None) -> Iterator[Write]:
        """Every change of the database goes through here: stores change nothing without the write that this gives.

        `actor` is who does it: an annotator's or author's name, a worker, or `self.actor` where nobody signs for it.
        `project_id` is the project that is changed, None for what belongs to the installation. The observer is called
        once, if something was committed that changed a row. NotAllowedError where no role of the actor allows it.
        """
        if not actor.strip():
            raise HcatError("say who changes this: a write needs a name")
        role = replace(self, authorize=None).access.check_action(action, project_id, actor=actor, own=self.actor)
        write = self.database.write(actor=actor, action=action, at=self.clock(), role=role)
        try:
            yield write
        finally:
            if write.changed and self.observer is not None:
                self.observer(actor, action, write.at)

    def close(self) -> None:
        """Drop the database connections."""
        self.database.close()
