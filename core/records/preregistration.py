"""Plans that are fixed before the first label is seen, so that nobody can choose them by the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from hcat.core.errors import HcatError
from hcat.core.records.codec import JSON
from hcat.core.records.hashing import sha256_of_json
from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan for the labels on one criterion.

    `n` samples of each run are labelled; the pass rate has to reach `threshold`, a share from 0 to 1; calibrations have
    the error rate `alpha`; results are broken down by these `dimensions`, and by no others. `metrics` predict the
    labels; `rule` says in words what decides."""

    criterion: str
    n: int
    threshold: float
    alpha: float
    dimensions: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    rule: str = ""

    def __post_init__(self) -> None:
        if self.n < 1:
            raise HcatError("a plan needs a number of labels: say how many samples of a run are labelled, 1 or more")
        if not 0 < self.threshold <= 1:
            raise HcatError("the threshold of a plan is the pass rate to reach, a share above 0 and at most 1")
        if not 0 < self.alpha < 1:
            raise HcatError("α is an error rate between 0 and 1, such as 0.1")
        if not self.metrics and not self.rule.strip():
            raise HcatError("a plan needs metrics, or a rule in words that says what decides")
        for what, names in (("dimension", self.dimensions), ("metric", self.metrics)):
            if len(set(names)) < len(names) or not all(name.strip() for name in names):
                raise HcatError(f"name each {what} of a plan once, and none of them blank")


@dataclass(frozen=True, slots=True)
class RegisteredPlan:
    """A plan under its number, as stored in the project.

    By whom, when, after how many labels on its criterion, and with which version of the guideline. `supersedes` is the
    hash of the plan before it, "" for the first."""

    criterion: str
    version: int
    plan: Plan
    guideline_version: int
    author: str
    labels_before: int
    supersedes: str
    at: datetime
    hash: str

    @property
    def is_before_labels(self) -> bool:
        """Whether it was registered before the first label on its criterion."""
        return self.labels_before == 0


def plan_document(
    plan: Plan, *, version: int, guideline_version: int, author: str, labels_before: int, supersedes: str, at: datetime
) -> dict[str, JsonValue]:
    """The document that the hash of a registered plan covers."""
    return {
        "plan": JSON.write_object(plan),
        "version": version,
        "guideline_version": guideline_version,
        "author": author,
        "labels_before": labels_before,
        "supersedes": supersedes,
        "at": at.isoformat(),
    }


def read_plan(document: Mapping[str, JsonValue], *, criterion: str) -> RegisteredPlan:
    """The registered plan of a document, with its hash; `criterion` is the current name of its criterion."""
    return RegisteredPlan(
        criterion=criterion,
        version=int(str(document["version"])),
        plan=JSON.read(Plan, document["plan"], at="plan"),
        guideline_version=int(str(document["guideline_version"])),
        author=str(document["author"]),
        labels_before=int(str(document["labels_before"])),
        supersedes=str(document["supersedes"]),
        at=datetime.fromisoformat(str(document["at"])),
        hash=sha256_of_json(document),
    )


def plan_changes(first: Plan, later: Plan) -> tuple[str, ...]:
    """The names of the fields in which two plans differ."""
    return tuple(each.name for each in fields(Plan) if getattr(first, each.name) != getattr(later, each.name))
