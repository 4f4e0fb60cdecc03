"""A project's verbs. Dashboard, jobs and `--project` commands go through them; nothing else touches storage.

Each verb stands in the file of its group and joins storage to the pure modules; no statistic is computed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from core.settings import Settings, settings
from core.storage.artifacts import ArtifactStore
from core.storage.database import Database
from core.storage.stores.findings import Findings
from core.storage.stores.jobs import JobTable
from core.storage.stores.label_log import LabelLog
from core.storage.stores.label_reading import LabelReader
from core.storage.stores.leases import LeaseTable
from core.storage.stores.projects import Repository
from core.storage.stores.queues import QueueTable
from core.storage.stores.results import Results
from core.storage.stores.standards import Standards
from core.storage.stores.unblinding import Unblinding
from core.storage.tables.row import now
from core.workspace import agreement, analysis, calibrating, demo, estimates, pseudonyms, reporting, sampling
from core.workspace import findings as finding_verbs
from core.workspace import jobs as job_verbs
from core.workspace import labels as label_verbs
from core.workspace import mappings as mapping_verbs
from core.workspace import projects as project_verbs
from core.workspace import queue_plans as plan_verbs
from core.workspace import queues as queue_verbs
from core.workspace import runs as run_verbs
from core.workspace import scoring as score_verbs
from core.workspace import standards as standard_verbs
from core.workspace import topics as topic_verbs


@dataclass(frozen=True)
class Workspace:
    """One database and one folder of files. Safe to share between threads; open one a process.

    As a context manager it closes at the end.
    """

    settings: Settings
    artifacts: ArtifactStore
    database: Database
    repository: Repository
    log: LabelLog
    queue_table: QueueTable
    leases: LeaseTable
    standards: Standards
    unblinding: Unblinding
    results: Results
    finding_table: Findings
    job_table: JobTable
    clock: Callable[[], datetime] = now

    @classmethod
    def open(cls, given: Settings | None = None, *, clock: Callable[[], datetime] = now) -> Workspace:
        """The workspace that the settings name, made or brought to the newest schema where needed."""
        given = given or settings()
        database, reader = Database(given.database_url), LabelReader()
        return cls(
            settings=given,
            artifacts=ArtifactStore(given.artifacts),
            database=database,
            repository=Repository(database),
            log=LabelLog(database, reader),
            queue_table=QueueTable(database),
            leases=LeaseTable(database, reader),
            standards=Standards(database),
            unblinding=Unblinding(database),
            results=Results(database),
            finding_table=Findings(database),
            job_table=JobTable(database),
            clock=clock,
        )

    def close(self) -> None:
        """Drop the database connections."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    projects = project_verbs.projects
    project = project_verbs.project
    project_of = project_verbs.project_of
    create_project = project_verbs.create_project
    criteria = project_verbs.criteria
    criterion = project_verbs.criterion
    add_criterion = project_verbs.add_criterion
    edit_guideline = project_verbs.edit_guideline
    guidelines = project_verbs.guidelines

    import_run = run_verbs.import_run
    runs = run_verbs.runs
    run = run_verbs.run
    samples = run_verbs.samples
    sample = run_verbs.sample

    remember_mapping = mapping_verbs.remember_mapping
    remembered_mapping = mapping_verbs.remembered_mapping

    import_labels = label_verbs.import_labels
    record_label = label_verbs.record_label
    skip_sample = label_verbs.skip_sample
    cannot_judge = label_verbs.cannot_judge
    undo_label = label_verbs.undo_label
    label_history = label_verbs.label_history
    labels = label_verbs.labels
    as_first_sampled = sampling.as_first_sampled
    export_labels = pseudonyms.export_labels
    export_label_log = pseudonyms.export_label_log
    with_pseudonyms = pseudonyms.with_pseudonyms
    log_with_pseudonyms = pseudonyms.log_with_pseudonyms
    with_names = pseudonyms.with_names

    examples = standard_verbs.examples
    add_example = standard_verbs.add_example
    remove_example = standard_verbs.remove_example
    gold_items = standard_verbs.gold_items
    add_gold = standard_verbs.add_gold
    gold_answers = standard_verbs.gold_answers
    repeat_pairs = standard_verbs.repeat_pairs
    disagreements = standard_verbs.disagreements
    adjudicate = standard_verbs.adjudicate
    adjudications = standard_verbs.adjudications
    reveal = standard_verbs.reveal

    annotator_labels = agreement.annotator_labels
    annotator_ratings = agreement.annotator_ratings
    annotator_consistency = agreement.annotator_consistency
    annotator_accuracy = agreement.annotator_accuracy
    policies = agreement.policies
    open_items = agreement.open_items
    unblind = agreement.unblind
    unblinded = agreement.unblinded

    plan_queue = plan_verbs.plan_queue
    queues = plan_verbs.queues
    queue_items = plan_verbs.queue_items
    next_in_queue = queue_verbs.next_in_queue
    hold_item = queue_verbs.hold_item
    release_item = queue_verbs.release_item
    queue_progress = queue_verbs.queue_progress
    team_progress = queue_verbs.team_progress

    score_run = score_verbs.score_run
    scoring = score_verbs.scoring
    scores = score_verbs.scores
    explain = score_verbs.explain

    find_topics = topic_verbs.find_topics
    topics_info = topic_verbs.topics_info
    topics = topic_verbs.topics

    calibrate = calibrating.calibrate
    scored_run = calibrating.scored_run
    evaluate_labels = calibrating.evaluate_labels
    compare_methods = calibrating.compare_methods
    exchangeability = calibrating.exchangeability
    group_levels = calibrating.group_levels
    save_calibration = analysis.save_calibration
    calibrations = analysis.calibrations
    read_calibration = analysis.read_calibration
    dimensions = analysis.dimensions
    find_weaknesses = analysis.find_weaknesses

    freeze_selection = finding_verbs.freeze_selection
    confirm_finding = finding_verbs.confirm_finding
    change_finding = finding_verbs.change_finding
    findings = finding_verbs.findings
    frozen_selection = finding_verbs.frozen_selection

    prepare_estimates = estimates.prepare_estimates
    estimate_pass_rate = estimates.estimate_pass_rate
    learning_curve = estimates.learning_curve
    compare_runs = estimates.compare_runs
    answer_kinds = estimates.answer_kinds

    start_scoring = job_verbs.start_scoring
    start_topics = job_verbs.start_topics
    start_demo = job_verbs.start_demo
    job = job_verbs.job
    cancel = job_verbs.cancel
    resume = job_verbs.resume
    jobs = job_verbs.jobs

    build_report = reporting.build_report
    labels_by_kind = reporting.labels_by_kind

    load_demo = demo.load_demo
