"""A project's verbs. Dashboard, jobs and `--project` commands go through them; nothing else touches storage.

Each verb stands in the file of its group and joins storage to the pure modules; no statistic is computed here.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import Settings, settings
from core.storage.artifacts import ArtifactStore
from core.storage.database import Database
from core.storage.job_table import JobTable
from core.storage.label_log import LabelLog
from core.storage.repository import Repository
from core.storage.results import Results
from core.workspace import analysis, demo, queues, reporting
from core.workspace import jobs as job_verbs
from core.workspace import labels as label_verbs
from core.workspace import mappings as mapping_verbs
from core.workspace import projects as project_verbs
from core.workspace import runs as run_verbs
from core.workspace import scoring as score_verbs
from core.workspace import topics as topic_verbs


@dataclass(frozen=True)
class Workspace:
    """One database and one folder of files. Safe to share between threads; open one a process."""

    settings: Settings
    artifacts: ArtifactStore
    database: Database
    repository: Repository
    log: LabelLog
    results: Results
    job_table: JobTable

    @classmethod
    def open(cls, given: Settings | None = None) -> Workspace:
        """The workspace that the settings name, made or brought to the newest schema where needed."""
        given = given or settings()
        database = Database(given.database_url)
        return cls(
            settings=given,
            artifacts=ArtifactStore(given.artifacts),
            database=database,
            repository=Repository(database),
            log=LabelLog(database),
            results=Results(database),
            job_table=JobTable(database),
        )

    def close(self) -> None:
        """Drop the database connections."""
        self.database.close()

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
    undo_label = label_verbs.undo_label
    label_history = label_verbs.label_history
    labels = label_verbs.labels

    plan_queue = queues.plan_queue
    queue_items = queues.queue_items
    next_in_queue = queues.next_in_queue
    queue_progress = queues.queue_progress

    score_run = score_verbs.score_run
    scoring = score_verbs.scoring
    scores = score_verbs.scores
    explain = score_verbs.explain

    find_topics = topic_verbs.find_topics
    topics_info = topic_verbs.topics_info
    topics = topic_verbs.topics

    calibrate = analysis.calibrate
    estimate_pass_rate = analysis.estimate_pass_rate
    save_calibration = analysis.save_calibration
    calibrations = analysis.calibrations
    read_calibration = analysis.read_calibration
    dimensions = analysis.dimensions
    find_weaknesses = analysis.find_weaknesses
    confirm_finding = analysis.confirm_finding
    change_finding = analysis.change_finding
    findings = analysis.findings

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
