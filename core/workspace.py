"""A project's services. Dashboard, jobs and `--project` commands go through them; nothing else touches storage.

Each service has a file of its own and joins storage to the pure modules; no statistic is computed here. A service is
given the services that it needs and knows no others: `Workspace` alone knows them all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from hcat.core.capabilities.agreement.services.annotators import Annotators
from hcat.core.capabilities.agreement.services.disagreements import Disagreements
from hcat.core.capabilities.agreement.services.gold import Gold
from hcat.core.capabilities.attacks.service import Attacks
from hcat.core.capabilities.audit.service import AuditTrail
from hcat.core.capabilities.calibration.service import Calibrations
from hcat.core.capabilities.collect.service import Collections
from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.capabilities.coverage.service import TestCoverage
from hcat.core.capabilities.demo.service import Demo
from hcat.core.capabilities.erasure.services.erasures import Erasures
from hcat.core.capabilities.erasure.services.retentions import Retentions
from hcat.core.capabilities.fairness.service import SettledMargins
from hcat.core.capabilities.findings.services.confirmations import Confirmations
from hcat.core.capabilities.findings.services.findings import Findings
from hcat.core.capabilities.judges.services.judges import Judges
from hcat.core.capabilities.judges.services.pair_judgements import PairJudgements
from hcat.core.capabilities.judges.services.rubric_gains import RubricGains
from hcat.core.capabilities.judges.services.rubrics import Rubrics
from hcat.core.capabilities.labelling.services.queue_drawing import QueueDrawing
from hcat.core.capabilities.labelling.services.queues import Queues
from hcat.core.capabilities.policy.services.applied import AppliedPolicies
from hcat.core.capabilities.policy.services.looks import PolicyLooks
from hcat.core.capabilities.policy.services.policies import Policies
from hcat.core.capabilities.policy.services.regenerations import Regenerations
from hcat.core.capabilities.report.services.basis import ReportBasis
from hcat.core.capabilities.report.services.exports import Exports
from hcat.core.capabilities.report.services.opinions import Opinions
from hcat.core.capabilities.report.services.report_evidence import ReportEvidence
from hcat.core.capabilities.report.services.reports import Reports
from hcat.core.capabilities.risks.services.risks import Risks
from hcat.core.capabilities.sign_off.services.sign_offs import SignOffs
from hcat.core.capabilities.test_sets.services.generation import Generation
from hcat.core.capabilities.test_sets.services.readings import Readings
from hcat.core.capabilities.test_sets.services.test_sets import TestSets
from hcat.core.capabilities.topics.corpus_service import CorpusTopics
from hcat.core.executors.chosen import with_engine
from hcat.core.project.actions import Action
from hcat.core.project.criteria import Criteria
from hcat.core.project.housekeeping import Housekeeping
from hcat.core.project.jobs import Jobs
from hcat.core.project.labels import Labels
from hcat.core.project.mappings import ColumnMappings
from hcat.core.project.open_runs import OpenRuns
from hcat.core.project.open_store import Observer, OpenStore
from hcat.core.project.preregistrations import Preregistrations
from hcat.core.project.projects import Projects
from hcat.core.project.queue_plans import QueuePlans
from hcat.core.project.roles.access import Access, Authorize
from hcat.core.project.runs import Runs
from hcat.core.project.sampling import SamplingDesign
from hcat.core.project.scoring import Scoring
from hcat.core.project.slices import Slices
from hcat.core.project.team.people import People
from hcat.core.project.topics import Topics
from hcat.core.records.job import Engine
from hcat.core.records.people import Identity
from hcat.core.settings import Settings, settings
from hcat.core.storage.tables.row import now
from hcat.core.storage.write import Write


@dataclass(frozen=True)
class Workspace:
    """The services on one store. Safe to share between threads; open one a process.

    As a context manager it closes at the end.
    """

    store: OpenStore
    projects: Projects
    criteria: Criteria
    runs: Runs
    mappings: ColumnMappings
    corpora: Corpora
    corpus_topics: CorpusTopics
    test_sets: TestSets
    coverage: TestCoverage
    generation: Generation
    scoring: Scoring
    topics: Topics
    slices: Slices
    labels: Labels
    run_data: OpenRuns
    gold: Gold
    disagreements: Disagreements
    annotators: Annotators
    queues: Queues
    exports: Exports
    calibrations: Calibrations
    attacks: Attacks
    fairness: SettledMargins
    findings: Findings
    confirmations: Confirmations
    policies: Policies
    applied_policies: AppliedPolicies
    regenerations: Regenerations
    risks: Risks
    opinions: Opinions
    preregistrations: Preregistrations
    reports: Reports
    sign_offs: SignOffs
    rubrics: Rubrics
    judges: Judges
    rubric_gains: RubricGains
    pair_judgements: PairJudgements
    collections: Collections
    jobs: Jobs
    readings: Readings
    housekeeping: Housekeeping
    erasures: Erasures
    retentions: Retentions
    audit: AuditTrail
    people: People
    demo: Demo

    @classmethod
    def open(
        cls,
        chosen: Settings | None = None,
        *,
        clock: Callable[[], datetime] = now,
        actor: str = "python",
        observer: Observer | None = None,
    ) -> Self:
        """The workspace that the settings name, made or brought to the newest schema where needed.

        `actor` is who changes what nobody signs for; `observer` is called at each change.
        """
        return cls.on(OpenStore.open(chosen or settings(), clock=clock, actor=actor, observer=observer))

    @classmethod
    def on(cls, store: OpenStore) -> Self:
        """The services on a store that is open, each with those that it needs."""
        projects = Projects(store)
        criteria, runs, mappings = Criteria(store, projects), Runs(store, projects), ColumnMappings(store, projects)
        corpora, test_sets = Corpora(store, projects), TestSets(store, projects)
        scoring = Scoring(store, runs)
        corpus_topics = CorpusTopics(store, corpora, scoring)
        coverage = TestCoverage(projects, corpora, corpus_topics, test_sets)
        topics, rubrics = Topics(store, runs, scoring), Rubrics(store)
        slices = Slices(runs, topics)
        plans = QueuePlans(store)
        labels = Labels(store, projects, runs, plans, SamplingDesign(store, runs, plans))
        gold = Gold(store, runs, labels)
        annotators = Annotators(store, projects, runs, labels, gold)
        calibrations = Calibrations(store)
        run_data = OpenRuns(projects, runs, labels, scoring, topics, plans, annotators, criteria, calibrations)
        findings, opinions = Findings(store, projects, runs), Opinions(store)
        queues = Queues(store, runs, plans, QueueDrawing(store, runs, slices, scoring, calibrations))
        jobs = Jobs(store, projects)
        confirmations = Confirmations(store, criteria, runs, run_data, labels, queues, findings)
        policies = Policies(store)
        applied = AppliedPolicies(policies, run_data, PolicyLooks(store))
        judges = Judges(store, runs, scoring, rubrics, labels, criteria)
        preregistrations = Preregistrations(store, criteria)
        basis = ReportBasis(store, runs, labels, calibrations, applied, preregistrations)
        risks = Risks(store, runs, test_sets, calibrations, policies, findings, scoring, judges)
        evidence = ReportEvidence(
            *(store, criteria, runs, run_data, calibrations, findings, confirmations, opinions, coverage, risks),
            *(judges, applied, preregistrations),
        )
        reports = Reports(store, runs, basis, evidence)
        erasures = Erasures(store, projects, runs)
        return cls(
            store=store,
            projects=projects,
            criteria=criteria,
            runs=runs,
            mappings=mappings,
            corpora=corpora,
            corpus_topics=corpus_topics,
            test_sets=test_sets,
            coverage=coverage,
            generation=Generation(store, corpora, corpus_topics, test_sets),
            scoring=scoring,
            topics=topics,
            slices=slices,
            labels=labels,
            run_data=run_data,
            gold=gold,
            disagreements=Disagreements(store, runs, labels, gold, scoring),
            annotators=annotators,
            queues=queues,
            exports=Exports(store, projects, labels),
            calibrations=calibrations,
            rubrics=rubrics,
            judges=judges,
            rubric_gains=RubricGains(store, runs, rubrics, labels, criteria),
            pair_judgements=PairJudgements(store, runs, rubrics, labels, criteria),
            attacks=Attacks(corpora, test_sets),
            fairness=SettledMargins(store),
            findings=findings,
            confirmations=confirmations,
            policies=policies,
            applied_policies=applied,
            regenerations=Regenerations(store, run_data, policies),
            risks=risks,
            opinions=opinions,
            preregistrations=preregistrations,
            reports=reports,
            sign_offs=SignOffs(store, projects, runs, labels, opinions, reports),
            collections=Collections(store, runs),
            jobs=jobs,
            readings=Readings(store, jobs),
            housekeeping=Housekeeping(store, projects),
            erasures=erasures,
            retentions=Retentions(store, projects, erasures),
            audit=AuditTrail(store),
            people=People(store, projects),
            demo=Demo(store, projects, criteria, runs, labels, scoring, topics, corpora),
        )

    @property
    def settings(self) -> Settings:
        """The settings with which the workspace was opened."""
        return self.store.settings

    @property
    def access(self) -> Access:
        """The permissions of the identity that acts."""
        return self.store.access

    def acting_as(self, actor: str) -> Self:
        """The same workspace for somebody else, who changes what nobody signs for."""
        return self.on(replace(self.store, actor=actor))

    def acting_for(self, identity: Identity, *, actor: str) -> Self:
        """The same workspace for an identity: its roles bind, and `actor` is its name where nobody signs."""
        return self.on(replace(self.store, identity=identity, actor=actor))

    def authorized_by(self, authorize: Authorize) -> Self:
        """The same workspace, in which verbs that only read ask this for roles; those that change ask the database."""
        return self.on(replace(self.store, authorize=authorize))

    def worked_by(
        self,
        engine: Engine | None = None,
        *,
        address: str | None = None,
        workers: int | None = None,
        on_workers: Callable[[int], None] | None = None,
    ) -> Self:
        """The same workspace with long work done by this engine; what is not said here the settings say.

        `on_workers` is called with the number of workers of a cluster that were started. HcatError where it
        conflicts.
        """
        chosen = with_engine(self.settings, engine=engine, address=address, workers=workers)
        return self.on(replace(self.store, settings=chosen, on_workers=on_workers))

    def write(self, actor: str, action: Action, project_id: int | None = None) -> AbstractContextManager[Write]:
        """The one way to change the database; see `OpenStore.write`."""
        return self.store.write(actor, action, project_id)

    def close(self) -> None:
        """Drop the database connections."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
