"""The policies of a project: switched on by somebody, version by version."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from hcat.core.errors import HcatError, NotFoundError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.documents import StatedDocument

if TYPE_CHECKING:
    from hcat.core.capabilities.policy.policy import Policy


@dataclass(frozen=True)
class Policies:
    """The policies that were switched on. The newest version on a criterion is in use."""

    store: OpenStore

    def switch_on(self, run: RunInfo, policy: Policy, *, author: str, reason: str = "") -> PolicyRecord:
        """Put the policy in use for its criterion; `run` is the one that its thresholds are from.

        HcatError without a reason where its promise is not shown, and for a policy of another run.
        """
        from hcat.core.capabilities.policy.policy import SwitchedOn

        name = checked_name(author, "author")
        if policy.inputs.get("run") not in (None, run.content_hash):
            raise HcatError(f"this policy was made on other samples than those of run {run.name!r}")
        if not policy.shown and not reason.strip():
            raise HcatError("the promise of this policy is not shown to hold: give a reason for using it all the same")
        used = replace(policy, switched_on=SwitchedOn(name, reason.strip(), datetime.now(UTC)))
        with self.store.write(name, "policy.switch_on", run.project_id) as write:
            return _record(
                self.store.documents.add(
                    write,
                    run.project_id,
                    "policy",
                    used.document(),
                    run_id=run.id,
                    criterion=policy.criterion,
                    hash=policy.hash,
                    author=name,
                    note=reason.strip(),
                )
            )

    def all(self, project: ProjectInfo) -> list[PolicyRecord]:
        """All versions of all policies of the project, newest first."""
        self.store.access.check_reading("results", project.id)
        return [_record(each) for each in self.store.documents.all(project.id, "policy")]

    def in_use(self, project: ProjectInfo, criterion: str) -> PolicyRecord:
        """The newest policy that decides on the criterion, or NotFoundError."""
        record = next((each for each in self.all(project) if criterion in each.criteria), None)
        if record is None:
            raise NotFoundError(f"no policy on {criterion} is in use in project {project.name!r}: switch one on")
        return record

    def read(self, record: PolicyRecord) -> Policy:
        """The policy of a stored document."""
        self.store.access.check_reading_of("results", record.run_id)
        from hcat.core.capabilities.policy.policy import Policy

        return Policy.from_document(dict(record.document))


def _record(stated: StatedDocument) -> PolicyRecord:
    return PolicyRecord(
        id=stated.id,
        run_id=cast("int", stated.run_id),
        criterion=stated.criterion,
        version=stated.version,
        hash=stated.hash,
        document=stated.document,
        author=stated.author,
        reason=stated.note,
        at=stated.at,
    )
