"""A project's reports, from the evidence that is stored, and the opinions that people sign for them."""

from __future__ import annotations

import io
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from core.display.edition import Language, edition
from core.display.messages import say
from core.errors import FileFormatError, StorageError
from core.labelling.records import LabelRecord
from core.records.codec import JSON
from core.records.hashing import sha256_of_json
from core.records.layout import JsonObject
from core.records.parquet import read_table
from core.records.policy import PolicyRecord
from core.records.project import WITHDRAWN, Finding, ProjectInfo, RunInfo
from core.records.report import Opinion, ReportVersion
from core.records.sign_off import Basis
from core.report.evidence.finding_records import FindingChange, FindingEvidence, WithdrawnFinding
from core.report.evidence.plan_records import PlanEvidence
from core.report.evidence.records import Blindness, Evidence, ReportChange, WithoutLabel
from core.types import Criterion, JsonValue, Progress
from core.wording.findings import change_text
from core.wording.fresh_labels import fresh_sentence
from core.workspace.calibrations import Calibrations
from core.workspace.confirmations import Confirmations
from core.workspace.criteria import Criteria
from core.workspace.evidence.basis import ReportBasis
from core.workspace.evidence.preregistrations import Preregistrations
from core.workspace.findings import Findings
from core.workspace.judging.judges import Judges
from core.workspace.open_runs import OpenRuns
from core.workspace.open_store import OpenStore
from core.workspace.policy.applied import AppliedPolicies, since_switched_on
from core.workspace.policy.risks import Risks
from core.workspace.projects import checked_name
from core.workspace.runs import Runs
from core.workspace.testgen.coverage import TestCoverage

if TYPE_CHECKING:
    from core.analysis.reported_run import ReportedRun
    from core.evidence.source import ReportSource
    from core.report.evidence.policy_records import PolicyEvidence
    from core.report.template import ReportTemplate
    from core.report.tree import Report

KIND = "reports"
READ, GATHERED = 0.25, 0.9
"""The shares of building a report that are done when its runs are read, and when its evidence is gathered."""
OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class Opinions:
    """The opinions on each project."""

    store: OpenStore

    def state(self, project: ProjectInfo, opinion: Opinion) -> Opinion:
        """Keep the opinion as the project's newest, signed by its author now. One that says the same stays."""
        current = self.current(project)
        if current is not None and _said(current) == _said(opinion):
            return current
        name = checked_name(opinion.author, "author")
        with self.store.write(name, "opinion.state", project.id) as write:
            version = 1 if current is None or current.version is None else current.version + 1
            return self.store.report_table.add_opinion(write, project.id, opinion, version=version)

    def current(self, project: ProjectInfo) -> Opinion | None:
        """The newest opinion; None before the first."""
        return next(iter(self.all(project)), None)

    def all(self, project: ProjectInfo) -> list[Opinion]:
        """Every opinion that was stated, newest first."""
        self.store.access.check_reading("results", project.id)
        return self.store.report_table.opinions(project.id)


@dataclass(frozen=True)
class Reports:
    """The validation report of each project."""

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
    basis: ReportBasis

    def build(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        chapters: Sequence[str] | None = None,
        template: ReportTemplate | None = None,
        note: str = "",
        on_progress: OnProgress | None = None,
    ) -> Report:
        """The validation report of a project, from what is stored now, under its number and kept.

        `runs` and `chapters` choose, `template` says how it looks, `note` what changed. Where nothing has changed since
        the newest version, that one is given again. What it rests on is hashed before it is read: a label that comes in
        between makes the version superseded, never signed as if it were in it.
        """
        return self._built(project, author, runs, chapters, template, note, on_progress).report

    def with_source(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        chapters: Sequence[str] | None = None,
        template: ReportTemplate | None = None,
        note: str = "",
        on_progress: OnProgress | None = None,
    ) -> ReportSource:
        """The same, with all that the report was built from, for an evidence pack."""
        self.store.access.check_reading("label file", project.id)
        built = self._built(project, author, runs, chapters, template, note, on_progress)
        return replace(built, label_log=tuple(self._label_log(project, [each.run.name for each in built.runs])))

    def _built(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        chapters: Sequence[str] | None,
        template: ReportTemplate | None,
        note: str,
        on_progress: OnProgress | None = None,
    ) -> ReportSource:
        from core.report.template import DEFAULT

        look = template or DEFAULT
        with edition(look.language):
            return self._build(project, author, runs, chapters, look, note, on_progress)

    def _build(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        chapters: Sequence[str] | None,
        look: ReportTemplate,
        note: str,
        on_progress: OnProgress | None,
    ) -> ReportSource:
        from core.evidence.source import ReportSource
        from core.report.build import build_report

        names = [run.name for run in self.runs.all(project)] if runs is None else list(dict.fromkeys(runs))
        basis = self.basis.now(project, names)
        evidence, reported = self._gathered(project, author, runs, on_progress)
        content = _content_hash(build_report(evidence, chapters=chapters, template=look), basis)
        versions = self.versions(project)
        kept = versions.pop() if versions and versions[-1].content == content else None
        if kept is None:
            contents: dict[str, JsonValue] = {**_contents(evidence), "basis": dict(basis), "language": look.language}
            number = versions[-1].version + 1 if versions else 1
            newest = _change(number, evidence.created_at, author, note, contents)
        else:
            evidence = replace(evidence, created_at=self.read(kept).created_at)
            newest = _change(kept.version, evidence.created_at, kept.author, kept.note, kept.contents)
        changes = tuple(_change(x.version, x.at, x.author, x.note, x.contents, hash=x.hash) for x in versions)
        evidence = replace(evidence, changes=(*changes, newest), previous=self._previous(versions, look.language))
        if kept is None:
            report = build_report(evidence, chapters=chapters, template=look)
            self._keep(project, report, newest, content=content, contents=contents)
        else:
            report = self.read(kept)
        chosen = None if chapters is None else tuple(chapters)
        return ReportSource(report, evidence, reported, chosen, look, self.store.settings.seed)

    def _label_log(self, project: ProjectInfo, runs: Sequence[str]) -> Iterator[JsonObject]:
        """The entries of the label log on these runs, oldest first, each with the name of its run."""
        names = {self.runs.get(project, name).id: name for name in runs}
        for record in self.store.log.history(project.id):
            if record.run_id in names:
                entry = JSON.write_object(record)
                yield {"run": names[record.run_id], **{name: x for name, x in entry.items() if name != "run_id"}}

    def versions(self, project: ProjectInfo) -> list[ReportVersion]:
        """The reports that were built of the project, oldest first."""
        self.store.access.check_reading("results", project.id)
        return self.store.report_table.versions(project.id)

    def read(self, version: ReportVersion) -> Report:
        """A report as it was built."""
        self.store.access.check_reading("results", version.project_id)
        from core.report.renderers.json_tree import read_report

        return read_report(report_text(self.store.sealed_files.get(KIND, version.artifact)))

    def _previous(self, versions: Sequence[ReportVersion], language: Language) -> Report | None:
        """The last report in this language; None where there is none, or its file is lost."""
        alike = [version for version in versions if version.contents.get("language", "en") == language]
        try:
            return self.read(alike[-1]) if alike else None
        except (StorageError, FileFormatError):
            return None

    def _keep(
        self,
        project: ProjectInfo,
        report: Report,
        change: ReportChange,
        *,
        content: str,
        contents: Mapping[str, JsonValue],
    ) -> None:
        from core.report.renderers.json_tree import render_json, report_hash

        artifact, keys = self.store.sealed_files.put(KIND, render_json(report))
        with self.store.write(change.author or self.store.actor, "report.build", project.id) as write:
            self.store.report_table.add_version(
                write,
                project.id,
                version=change.version,
                hash=report_hash(report),
                content=content,
                artifact=artifact,
                author=change.author,
                note=change.note,
                contents=contents,
                keys=keys,
            )

    def evidence(
        self,
        project: ProjectInfo,
        *,
        author: str = "",
        runs: Sequence[str] | None = None,
        language: Language = "en",
        on_progress: OnProgress | None = None,
    ) -> Evidence:
        """All that the report rests on: each run, opened once, with its saved calibrations; criteria and findings.

        `runs` names those that it is on, by default all; findings of others are left out with them. `language` is that
        of the edition that it is for: sentences about samples and metrics are in it.
        """
        self.store.access.check_reading("results", project.id)
        with edition(language):
            return self._gathered(project, author, runs, on_progress)[0]

    def _gathered(
        self,
        project: ProjectInfo,
        author: str,
        runs: Sequence[str] | None,
        on_progress: OnProgress | None,
    ) -> tuple[Evidence, tuple[ReportedRun, ...]]:
        """The evidence, and the opened runs that it follows from."""
        from core.analysis.evidence import gather_evidence
        from core.analysis.gathering import within
        from core.evidence.layout import verifier_text

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
            commands=(report_command(project.name, runs),),
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
            gathered, register=register, risk_evidence=there, policies=policies, plans=plans, verifier=verifier_text()
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
        from core.analysis.policies.evidence import policy_evidence

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
        from core.analysis.reported_run import ReportedRun

        saved = {record.id: self.calibrations.read(record) for record in self.calibrations.all(run)}
        by_criterion = {calibration.criterion: calibration for calibration in reversed(saved.values())}
        newest = next(iter(saved.values()), None)
        entries = {
            criterion.name: self.store.log.current(project.id, criterion=criterion.name, run_id=run.id)
            for criterion in criteria
        }
        without = {name: _without_label(records) for name, records in entries.items()}
        blind = {name: _blindness(records) for name, records in entries.items()}
        opened = self.run_data.open(run)
        vectors = None
        if any(sample.variant is not None for sample in opened.columns.samples):
            from core.analysis.answers import answer_vectors

            encoder, store = self.run_data.scoring.encoder_and_store()
            vectors = answer_vectors(opened.columns.samples, encoder=encoder, store=store)
        covered = self.coverage.of_run(run, opened.columns.samples)
        return ReportedRun(opened, criteria, tuple(by_criterion.values()), newest=newest, without_label=without,
                           blindness=blind,
                           answer_vectors=vectors, coverage=covered, imported_at=run.created_at,
                           settled=tuple(self.store.fairness_table.all(run.project_id)),
                           judges=self.judges.newest(project, run))  # fmt: skip

    def _finding(
        self, finding: Finding, reported: Mapping[int, ReportedRun], criteria: tuple[Criterion, ...]
    ) -> FindingEvidence:
        """The finding with what was frozen, or why that can't be read."""
        from core.analysis.evidence import metric_notes
        from core.analysis.finding_evidence import finding_evidence
        from core.analysis.reported_slices import fitness_text

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
            history=[FindingChange(change.at, change.author, change_text(change)) for change in finding.history],
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
    """How many labels of people in force were given blind; decisions between labels are not counted."""
    told = Counter(record.details.blind for record in records if record.kind == "label" and record.source == "person")
    return Blindness(told[True], told[False], told[None])


def _withdrawn(finding: Finding) -> WithdrawnFinding | None:
    withdrawal = finding.withdrawal
    if withdrawal is None:
        return None
    confirmed = (finding.title, finding.author, finding.created_at)
    return WithdrawnFinding(*confirmed, withdrawal.author, withdrawal.at, withdrawal.after)


def report_command(project: str, runs: Sequence[str] | None) -> str:
    """What makes the same report; names are quoted, since a reader may paste it into a shell."""
    chosen = [] if runs is None else ["--runs", ",".join(runs)]
    return shlex.join(["hcat", "report", "--project", project, *chosen, "-o", "report.html", "--format", "html"])


def report_text(stored: bytes) -> str:
    """The JSON document of a stored report; before files were sealed it was a Parquet table of one cell."""
    if not stored.startswith(_PARQUET):
        return stored.decode("utf-8")
    return str(read_table(io.BytesIO(stored))["document"][0].as_py())


_PARQUET = b"PAR1"


def _content_hash(report: Report, basis: Basis) -> str:
    """The hash of what the report says but for the time at which it was built, and of what it rests on."""
    from core.report.renderers.json_tree import report_hash

    facts = {name: text for name, text in report.facts.items() if name != "Prepared"}
    said = report_hash(replace(report, created_at=datetime.min, facts=facts))
    return sha256_of_json([said, dict(basis)])


def _contents(evidence: Evidence) -> dict[str, JsonValue]:
    return {
        "runs": len(evidence.runs),
        "labels": sum(labels.labels for labels in evidence.labels),
        "findings": len(evidence.findings),
        "opinion": "" if evidence.opinion is None else evidence.opinion.rating,
        "run_names": [run.name for run in evidence.runs],
        "criterion_names": [criterion.name for criterion in evidence.criteria],
    }


def _change(
    version: int,
    at: datetime,
    author: str,
    note: str,
    contents: Mapping[str, JsonValue],
    *,
    hash: str = "",  # noqa: A002
) -> ReportChange:
    runs, labels, findings = (int(str(contents.get(name, 0))) for name in ("runs", "labels", "findings"))
    opinion = str(contents.get("opinion", ""))
    language = str(contents.get("language", "en"))
    return ReportChange(version, at, author.strip(), note.strip(), opinion, runs, labels, findings, hash, language)


def _hashes(runs: Iterable[ReportedRun]) -> dict[str, str]:
    from core.evidence.layout import verifier_hash
    from core.labelling.consensus import labels_hash

    hashes = verifier_hash()
    for reported in runs:
        hashes[say("run {run.name}", run=reported.run)] = reported.run.columns.content_hash
        labels = [label for criterion in reported.criteria for label in reported.run.labels(criterion).labels]
        hashes[say("labels of {run.name}", run=reported.run)] = labels_hash(labels)
    return hashes


def _said(opinion: Opinion) -> tuple[object, ...]:
    return opinion.rating, opinion.author, opinion.reasons, opinion.conditions, opinion.limitations
