"""Evidence of a project's validation report, read from the store."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hcat.core.capabilities.calibration.service import Calibrations
from hcat.core.capabilities.coverage.service import TestCoverage
from hcat.core.capabilities.estimates.wording.fresh_labels import fresh_sentence
from hcat.core.capabilities.fairness.service import settled_fairness
from hcat.core.capabilities.findings.services.confirmations import Confirmations
from hcat.core.capabilities.findings.services.findings import Findings
from hcat.core.capabilities.findings.view import FindingEvidence
from hcat.core.capabilities.judges.services.judges import Judges
from hcat.core.capabilities.policy.services.applied import AppliedPolicies, since_switched_on
from hcat.core.capabilities.report.commands import FilesOfRun, reproducing_commands
from hcat.core.capabilities.report.evidence.finding_records import WithdrawnFinding
from hcat.core.capabilities.report.evidence.plan_records import PlanEvidence
from hcat.core.capabilities.report.evidence.records import Blindness, Evidence, WithoutLabel
from hcat.core.capabilities.report.services.opinions import Opinions
from hcat.core.capabilities.risks.services.risks import Risks
from hcat.core.display.messages import say
from hcat.core.errors import StorageError
from hcat.core.labelling.records import LabelRecord
from hcat.core.project.criteria import Criteria
from hcat.core.project.open_runs import OpenRuns
from hcat.core.project.open_store import OpenStore
from hcat.core.project.preregistrations import Preregistrations
from hcat.core.project.runs import Runs
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import WITHDRAWN, Finding, ProjectInfo, RunInfo
from hcat.core.types import Criterion, OnProgress, Progress

if TYPE_CHECKING:
    from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
    from hcat.core.capabilities.report.evidence.policy_records import PolicyEvidence

READ, GATHERED = 0.25, 0.9
"""The shares of building a report that are done when its runs are read, and when its evidence is gathered."""


@dataclass(frozen=True)
class ReportEvidence:
    """All evidence of each project's report. It checks no rights: the callers do."""

    store: OpenStore
    criteria: Criteria
    runs: Runs
    run_data: OpenRuns
    calibrations: Calibrations
    findings: Findings
    confirmations: Confirmations
    opinions: Opinions
    coverage: TestCoverage
    risks: Risks
    judges: Judges
    applied_policies: AppliedPolicies
    preregistrations: Preregistrations

    def gathered(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        on_progress: OnProgress | None,
    ) -> tuple[Evidence, tuple[ReportedRun, ...]]:
        """The evidence, and the opened runs that it follows from."""
        from hcat.core.capabilities.evidence.layout import verifier_text
        from hcat.core.capabilities.report.analysis.evidence import gather_evidence
        from hcat.core.capabilities.report.analysis.gathering import within

        criteria = tuple(self.criteria.all(project))
        stored = self.runs.all(project)
        chosen = stored if runs is None else [self.runs.get(project, name) for name in dict.fromkeys(runs)]
        reported = {}
        for number, run in enumerate(chosen):
            if on_progress is not None:
                on_progress(Progress("read runs", number, len(chosen), READ * number / len(chosen)))
            reported[run.id] = self._reported(project, run, criteria)
        left_out = {run.id: run.name for run in stored if run.id not in reported}
        known = {None, *reported}
        confirmed = [finding for finding in self.findings.all(project) if finding.run_id in known]
        findings = [finding for finding in confirmed if finding.status != WITHDRAWN]
        gathered = gather_evidence(
            list(reported.values()),
            project=project.name,
            description=project.description,
            author=author,
            criteria=criteria,
            findings=[self._finding(finding, reported, criteria) for finding in findings],
            withdrawn=[withdrawn for finding in confirmed if (withdrawn := _withdrawn(finding)) is not None],
            settings={"seed": self.store.settings.seed, "embedder": self.store.settings.embedder},
            hashes=_hashes(reported.values()),
            seed=self.store.settings.seed,
            runs_left_out=left_out.values(),
            opinion=self.opinions.current(project),
            on_progress=within(on_progress, READ, GATHERED),
        )
        if on_progress is not None:
            on_progress(Progress("write the report", 0, 1, GATHERED))
        register = self.risks.current(project)
        there = self.risks.evidence(project) if register.version else ()
        policies = tuple(self._policy(project, each, reported, criteria) for each in self._policies(project, reported))
        plans = self._plans(project)
        evidence = replace(
            gathered,
            commands=report_commands(gathered, runs),
            register=register,
            risk_evidence=there,
            policies=policies,
            plans=plans,
            verifier=verifier_text(),
        )
        return evidence, tuple(reported.values())

    def _plans(self, project: ProjectInfo) -> tuple[PlanEvidence, ...]:
        """The registered plans. A label that was imported later counts before the plan where its own date does."""
        plans = self.preregistrations.all(project)
        given = [x for x in self.store.log.history(project.id) if x.kind == "label"] if plans else []
        dated = [sum(x.criterion == plan.criterion and x.at < plan.at for x in given) for plan in plans]
        return tuple(
            PlanEvidence(plan, max(plan.labels_before, earlier)) for plan, earlier in zip(plans, dated, strict=True)
        )

    def _policies(self, project: ProjectInfo, reported: Mapping[int, ReportedRun]) -> list[PolicyRecord]:
        """The policies in use whose thresholds, or one of whose windows, are from a run that the report is on."""
        return [
            record
            for record in self.applied_policies.in_use(project)
            if record.run_id in reported
            or any(run.id in reported for run in self.applied_policies.windows(project, record))
        ]

    def _policy(
        self,
        project: ProjectInfo,
        record: PolicyRecord,
        reported: Mapping[int, ReportedRun],
        criteria: tuple[Criterion, ...],
    ) -> PolicyEvidence:
        from hcat.core.capabilities.policy.analysis.evidence import policy_evidence

        later = since_switched_on(record, self.applied_policies.windows(project, record))
        return policy_evidence(
            self.applied_policies.policies.read(record),
            [each.run for each in reported.values()],
            version=record.version,
            windows=[reported[run.id].run for run in later if run.id in reported],
            criteria=criteria,
        )

    def _reported(self, project: ProjectInfo, run: RunInfo, criteria: tuple[Criterion, ...]) -> ReportedRun:
        """The run with the newest calibration of each criterion."""
        from hcat.core.capabilities.report.analysis.reported_run import ReportedRun

        saved = {record.id: self.calibrations.read(record) for record in self.calibrations.all(run)}
        by_criterion = {calibration.criterion: calibration for calibration in reversed(saved.values())}
        newest = next(iter(saved.values()), None)
        entries = {
            criterion.name: self.store.log.current(project.id, criterion=criterion.name, run_id=run.id)
            for criterion in criteria
        }
        without = {name: _without_label(records) for name, records in entries.items()}
        blind = {name: _blindness(records) for name, records in entries.items()}
        opened = self.run_data.open(run).on(*criteria)
        if newest is not None and opened.columns.given_scores is not None:
            opened = opened.by(newest)
        vectors = None
        if opened.columns.sample_columns.levels("variant_family").is_given:
            from hcat.core.capabilities.robustness.analysis.robustness import vectors_of_pairs

            encoder, store = self.run_data.scoring.encoder_and_store()
            vectors = vectors_of_pairs(opened, encoder=encoder, store=store)
        covered = self.coverage.of_run(run, opened.columns.samples)
        return ReportedRun(opened, criteria, tuple(by_criterion.values()), newest=newest, without_label=without,
                           blindness=blind,
                           answer_vectors=vectors, coverage=covered, imported_at=run.created_at,
                           settled=tuple(settled_fairness(self.store, run.project_id)),
                           judges=self.judges.newest(project, run))  # fmt: skip

    def _finding(
        self, finding: Finding, reported: Mapping[int, ReportedRun], criteria: tuple[Criterion, ...]
    ) -> FindingEvidence:
        """The finding with its frozen selection, or with the reason why that can't be read."""
        from hcat.core.capabilities.report.analysis.evidence import metric_notes
        from hcat.core.capabilities.report.analysis.finding_evidence import finding_evidence
        from hcat.core.capabilities.weaknesses.reported_slices import fitness_text

        of_run = None if finding.run_id is None else reported[finding.run_id]
        run = None if of_run is None else of_run.run
        titles = {name: note.title for name, note in metric_notes(criteria=criteria).items()}
        metric = str((finding.frozen or {}).get("metric", ""))
        fitness = "" if of_run is None else fitness_text(of_run, metric)
        try:
            frozen, unreadable = self.findings.selection(finding), ""
        except StorageError as error:
            frozen, unreadable = None, str(error)
        fresh = " ".join(fresh_sentence(judgement) for judgement in self.confirmations.judgements(finding))
        return finding_evidence(
            finding,
            frozen,
            run,
            criteria,
            titles=titles,
            fitness=fitness,
            confirmation=fresh,
            unreadable=unreadable,
        )


def _without_label(records: Iterable[LabelRecord]) -> WithoutLabel:
    """The samples that annotators looked at and nobody labelled, of the entries in force."""
    kinds: dict[str, set[str]] = {"label": set(), "cannot_judge": set(), "skip": set()}
    for record in records:
        kinds.setdefault(record.kind, set()).add(record.sample_id)
    not_judged = kinds["cannot_judge"] - kinds["label"]
    return WithoutLabel(skipped=len(kinds["skip"] - kinds["label"] - not_judged), not_judged=len(not_judged))


def _blindness(records: Iterable[LabelRecord]) -> Blindness:
    """Numbers of people's labels in force that were given blind, not blind, or without a record of it. Decisions
    between labels are not counted."""
    told = Counter(record.details.blind for record in records if record.kind == "label" and record.source == "person")
    return Blindness(told[True], told[False], told[None])


def _withdrawn(finding: Finding) -> WithdrawnFinding | None:
    withdrawal = finding.withdrawal
    if withdrawal is None:
        return None
    confirmed = (finding.title, finding.author, finding.created_at)
    return WithdrawnFinding(*confirmed, withdrawal.author, withdrawal.at, withdrawal.after)


def report_commands(evidence: Evidence, runs: Sequence[str] | None) -> tuple[str, ...]:
    """Commands that build the same report with its pack, extract the labels, and compute each number from these files.
    Names are quoted, since a reader may paste them into a shell."""
    chosen = [] if runs is None else ["--runs", ",".join(runs)]
    pack = "evidence.zip"
    words = [["hcat", "report", "--project", evidence.project, *chosen, "-o", "report.html", "--pack", pack]]
    words.append(["unzip", pack])
    files = {}
    for number, run in enumerate(evidence.runs, start=1):
        judged = dict.fromkeys(labels.criterion for labels in evidence.labels if labels.run == run.name)
        labels = {criterion: f"labels-{criterion}-{number}.csv" for criterion in judged}
        files[run.name] = FilesOfRun(
            f"runs/{number}/samples.jsonl", f"runs/{number}/scores.parquet", labels, f"-{number}"
        )
        words += [
            [
                "hcat",
                "labels",
                "export",
                "--project",
                evidence.project,
                "--run",
                run.name,
                "--criterion",
                name,
                "-o",
                path,
            ]
            for name, path in labels.items()
        ]
    return (*map(shlex.join, words), *reproducing_commands(evidence, files))


def _hashes(runs: Iterable[ReportedRun]) -> dict[str, str]:
    from hcat.core.capabilities.evidence.layout import verifier_hash
    from hcat.core.labelling.consensus import labels_hash

    hashes = verifier_hash()
    for reported in runs:
        hashes[say("run {run.name}", run=reported.run)] = reported.run.columns.content_hash
        labels = [label for criterion in reported.criteria for label in reported.run.labels(criterion).labels]
        hashes[say("labels of {run.name}", run=reported.run)] = labels_hash(labels)
    return hashes
