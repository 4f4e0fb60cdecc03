"""Plans that people register before they label: what will be asked of the labels, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hcat.core.errors import NotFoundError, StorageError
from hcat.core.project.criteria import Criteria
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.preregistration import Plan, RegisteredPlan, plan_document, read_plan
from hcat.core.records.project import ProjectInfo
from hcat.core.storage.stores.documents import Before, Document, StatedDocument


@dataclass(frozen=True)
class Preregistrations:
    """The registered plans of each project. They are only ever added: a later one supersedes, and says so."""

    store: OpenStore
    criteria: Criteria

    def register(self, project: ProjectInfo, plan: Plan, *, author: str) -> RegisteredPlan:
        """Keep the plan under the next number of its criterion, with the number of labels that there are by now.

        One that says what the newest says is that one. NotFoundError for a criterion that the project lacks.
        """
        name, criterion = checked_name(author, "author"), self.criteria.get(project, plan.criterion)
        plan = replace(plan, rule=plan.rule.strip())
        earlier = self.of(project, criterion.name)
        if earlier and earlier[-1].plan == plan and earlier[-1].guideline_version == criterion.guideline_version:
            return earlier[-1]
        with self.store.write(name, "plan.register", project.id) as write:

            def document(before: Before) -> Document:
                return plan_document(
                    plan,
                    version=before.version,
                    guideline_version=criterion.guideline_version,
                    author=name,
                    labels_before=before.labels,
                    supersedes=before.hash,
                    at=write.at,
                )

            return _checked(
                self.store.documents.add(write, project.id, "plan", document, author=name, criterion=plan.criterion)
            )

    def all(self, project: ProjectInfo) -> list[RegisteredPlan]:
        """The plans on all criteria, oldest first. StorageError for one that is not what was registered."""
        self.store.access.check_reading("project", project.id)
        return registered_plans(self.store, project.id)

    def of(self, project: ProjectInfo, criterion: str) -> list[RegisteredPlan]:
        """The plans on one criterion, oldest first."""
        return [each for each in self.all(project) if each.criterion == criterion]

    def get(self, project: ProjectInfo, criterion: str, version: int | None = None) -> RegisteredPlan:
        """The plan of this number, by default the newest; NotFoundError where there is none."""
        plans = self.of(project, criterion)
        wanted = [each for each in plans if version in (None, each.version)]
        if not wanted:
            number = "" if version is None else f" {version}"
            raise NotFoundError(f"there is no plan{number} on criterion {criterion!r}: register one before labelling")
        return wanted[-1]


def registered_plans(store: OpenStore, project_id: int) -> list[RegisteredPlan]:
    """The same for who may use them without reading them."""
    return [_checked(each) for each in reversed(store.documents.all(project_id, "plan"))]


def _checked(stated: StatedDocument) -> RegisteredPlan:
    if sha256_of_json(stated.document) != stated.hash:
        raise StorageError(
            f"plan {stated.version} on {stated.criterion} is not what was registered: "
            "restore the database from a backup"
        )
    return read_plan(stated.document, criterion=stated.criterion)
