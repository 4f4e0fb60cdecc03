"""The risk register of a project, and the evidence of the project that can touch a risk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hcat.core.capabilities.calibration.service import Calibrations
from hcat.core.capabilities.findings.services.findings import Findings
from hcat.core.capabilities.judges.services.judges import Judges
from hcat.core.capabilities.policy.services.policies import Policies
from hcat.core.capabilities.risks.services import risk_evidence
from hcat.core.capabilities.test_sets.services.test_sets import TestSets
from hcat.core.display.numbers import counted
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.records.codec import JSON
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.risks import RiskEvidence, RiskRegister
from hcat.core.storage.stores.documents import StatedDocument


@dataclass(frozen=True)
class Risks:
    """The risk registers of each project, version by version."""

    store: OpenStore
    runs: Runs
    test_sets: TestSets
    calibrations: Calibrations
    policies: Policies
    findings: Findings
    scoring: Scoring
    judges: Judges
    _of_files: dict[str, tuple[RiskEvidence, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Evidence from stored files, which never change, by the run and the file."""

    def state(self, project: ProjectInfo, register: RiskRegister, *, author: str) -> RiskRegister:
        """Keep the register as the project's newest, signed; one that says the same stays."""
        name, current = checked_name(author, "author"), self.current(project)
        if (current.scope, current.risks) == (register.scope, register.risks):
            return current
        with self.store.write(name, "risks.state", project.id) as write:
            newest = replace(register, version=current.version + 1, author=name, at=None)
            document = JSON.write_object(newest)
            return _register(
                self.store.documents.add(write, project.id, "risks", document, author=name, version=newest.version)
            )

    def current(self, project: ProjectInfo) -> RiskRegister:
        """The newest register; an empty one of version 0 before the first."""
        return next(iter(self.all(project)), RiskRegister())

    def all(self, project: ProjectInfo) -> list[RiskRegister]:
        """All versions, newest first."""
        self.store.access.check_reading("results", project.id)
        return [_register(each) for each in self.store.documents.all(project.id, "risks")]

    def evidence(self, project: ProjectInfo) -> tuple[RiskEvidence, ...]:
        """Evidence in the project that can concern a risk, with its current results."""
        found = [RiskEvidence(f"Test set {each.name}", "test cases") for each in self.test_sets.all(project)]
        for run in self.runs.all(project):
            found.append(RiskEvidence(f"Run {run.name}", counted(run.n, "answer")))
            found += self._of_run(run)
            criteria: set[str] = set()
            for record in self.calibrations.all(run):
                if record.criterion not in criteria:
                    criteria.add(record.criterion)
                    verdict = self.calibrations.read(record).fit_for_use.value
                    found.append(
                        RiskEvidence(f"Calibration on {record.criterion}, run {run.name}", f"fit for use: {verdict}")
                    )
        seen: set[str] = set()
        for policy in self.policies.all(project):
            if not seen.issuperset(policy.criteria):
                seen.update(policy.criteria)
                shown = "shown" if self.policies.read(policy).shown else "not shown"
                found.append(
                    RiskEvidence(
                        f"Policy on {' and '.join(policy.criteria)}", f"version {policy.version}, promise {shown}"
                    )
                )
        found += [
            RiskEvidence(f"Finding {each.id}: {each.title}", f"{each.severity}, {each.status}")
            for each in self.findings.all(project)
        ]
        return tuple(found)

    def _of_run(self, run: RunInfo) -> tuple[RiskEvidence, ...]:
        """Attacks, groups of people, safety metrics and judges of a run; samples and scores are read once."""
        scoring = self.scoring.latest(run)
        samples, scores = f"{run.name} {run.artifact}", f"{run.name} {'' if scoring is None else scoring.artifact}"
        if samples not in self._of_files:
            self._of_files[samples] = risk_evidence.of_columns(run.name, self.runs.columns(run))
        if scores not in self._of_files:
            self._of_files[scores] = risk_evidence.of_scores(run.name, self.scoring.table(run))
        judges = risk_evidence.of_verdicts(run.name, self.judges.all(run))
        return (*self._of_files[samples], *self._of_files[scores], *judges)


def _register(stated: StatedDocument) -> RiskRegister:
    register = JSON.read(RiskRegister, dict(stated.document))
    return replace(register, version=stated.version, author=stated.author, at=stated.at)
