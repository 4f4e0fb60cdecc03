"""Basis of a report as hashes: samples, labels, scores, calibrations and policies of its runs, and plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.capabilities.calibration.service import Calibrations
from hcat.core.capabilities.policy.services.applied import AppliedPolicies
from hcat.core.labelling.consensus import labels_hash
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.preregistrations import Preregistrations
from hcat.core.project.runs import Runs
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.sign_off import Basis


@dataclass(frozen=True)
class ReportBasis:
    """Hashes of the current content of a project."""

    store: OpenStore
    runs: Runs
    labels: Labels
    calibrations: Calibrations
    applied_policies: AppliedPolicies
    preregistrations: Preregistrations

    def now(self, project: ProjectInfo, runs: Sequence[str]) -> Basis:
        """Basis that a report on these runs would have if built now."""
        chosen = [self.runs.get(project, name) for name in runs]
        basis: dict[str, str] = {}
        for run in chosen:
            basis |= self._of_run(project, run)
        ids = {run.id for run in chosen}
        policies = [record for record in self.applied_policies.in_use(project) if record.run_id in ids]
        basis |= {f"policy on {record.criterion}": record.hash for record in policies}
        return basis | {f"plan on {plan.criterion}": plan.hash for plan in self.preregistrations.all(project)}

    def _of_run(self, project: ProjectInfo, run: RunInfo) -> Basis:
        basis = {f"run {run.name}": run.content_hash}
        labels = self.labels.current(project, run=run)
        for criterion in sorted({label.criterion for label in labels}):
            on_criterion = [label for label in labels if label.criterion == criterion]
            basis[f"labels of {run.name} on {criterion}"] = labels_hash(on_criterion)
        scores = self.store.results.latest_scoring(run.id)
        if scores is not None:
            basis[f"scores of {run.name}"] = scores.artifact
        for record in reversed(self.calibrations.all(run)):
            basis[f"calibration of {run.name} on {record.criterion}"] = sha256_of_json(record.document)
        return basis
