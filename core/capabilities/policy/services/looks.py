"""Number of looks of a project at its labels for a policy, and the share of δ for the next look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.policy.looks import Looks
from hcat.core.project.open_store import OpenStore
from hcat.core.project.preregistrations import registered_plans
from hcat.core.records.codec import JSON
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.policy import PolicyLook
from hcat.core.records.preregistration import Plan
from hcat.core.records.project import RunInfo
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from hcat.core.capabilities.policy.analysis.policy import Map, PolicySpec
    from hcat.core.opened.run import Opened


@dataclass(frozen=True)
class PolicyLooks:
    """The looks at policies of each run. They are only ever added."""

    store: OpenStore

    def at(self, run: RunInfo, opened: Opened, maps: Sequence[Map], spec: PolicySpec) -> Looks:
        """Level available to this look, which is recorded if it is the first with these maps, this promise and these
        labels.

        The first look at the labels of a plan by its metrics is the plan's, where the plan was registered before the
        labels. All others have the number of their try, which counts earlier tries on the run's labels.
        """
        self.store.access.check_reading("results", run.project_id)
        first = maps[0][1]
        labels = opened.labels(first)
        document: dict[str, JsonValue] = {
            "maps": JSON.write([{"on": on.name, "metrics": each.metrics, "method": each.method} for each, on in maps]),
            "promise": JSON.write(spec.promise),
            "by": spec.by,
            "cap": spec.cap,
        }
        metrics = tuple(dict.fromkeys(name for each, _ in maps for name in each.metrics))
        look = PolicyLook(sha256_of_json([document]), metrics, len(labels.sample_ids), labels.hash)
        looks = self._of(run, first.name)
        if (look.statement, look.labels_hash) not in {(each.statement, each.labels_hash) for each in looks}:
            with self.store.write(self.store.actor, "policy.look", run.project_id) as write:
                self.store.policy_looks.add(write, run.project_id, run.id, first.name, look, document)
            looks = self._of(run, first.name)
        return looks_paid_for(look, looks, self._plan(run, first.name))

    def _of(self, run: RunInfo, criterion: str) -> list[PolicyLook]:
        return self.store.policy_looks.of(run.project_id, run.id, criterion)

    def _plan(self, run: RunInfo, criterion: str) -> Plan | None:
        """The last plan on the criterion that no label preceded."""
        plans = [each for each in registered_plans(self.store, run.project_id) if each.criterion == criterion]
        return next((each.plan for each in reversed(plans) if each.is_before_labels), None)


def looks_paid_for(look: PolicyLook, looks: Sequence[PolicyLook], plan: Plan | None) -> Looks:
    """Level available to a look. `looks` are those so far, in their order, including this one."""
    planned = None if plan is None else next((each for each in looks if _is_planned(each, plan)), None)
    if planned is not None and (look.statement, look.labels_hash) == (planned.statement, planned.labels_hash):
        return Looks.planned()
    tried = list(dict.fromkeys(each.statement for each in looks if each is not planned))
    return Looks.counted(tried.index(look.statement) + 1, beside_plan=plan is not None)


def _is_planned(look: PolicyLook, plan: Plan) -> bool:
    return look.labels >= plan.n and (not plan.metrics or set(look.metrics) == set(plan.metrics))
