"""Rows that are deleted with a project, run, criterion, queue or corpus, and rows that depend on it, by the tables'
references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Select, Table, and_, func, literal, or_, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from hcat.core.records.housekeeping import Contents, Item, ItemKind
from hcat.core.records.judging import VERDICT_FILES
from hcat.core.storage.stores.queues import queue_record
from hcat.core.storage.tables.corpora import CorpusRow
from hcat.core.storage.tables.documents import DocumentRow
from hcat.core.storage.tables.labelling import LabelRow, QueueRow
from hcat.core.storage.tables.projects import CalibrationRow, CriterionRow, FindingRow, JobRow, ProjectRow, RunRow
from hcat.core.storage.tables.reports import ReportVersionRow
from hcat.core.storage.tables.row import Row
from hcat.core.storage.tables.test_sets import TestSetRow

ItemRow = ProjectRow | RunRow | CriterionRow | QueueRow | CorpusRow | TestSetRow
Artifact = tuple[str, str]
"""The kind of a file, which is its folder, and its hash."""
Ids = Select[tuple[int]]
"""The ids of rows, as a query."""

TABLES: Mapping[ItemKind, type[ItemRow]] = {
    "project": ProjectRow,
    "run": RunRow,
    "criterion": CriterionRow,
    "queue": QueueRow,
    "corpus": CorpusRow,
    "test set": TestSetRow,
}
COUNTED = {
    "run": "runs",
    "corpus": "corpora",
    "corpus_version": "corpus versions",
    "corpus_topics": "topics of corpora",
    "test_set": "test sets",
    "test_set_version": "test set versions",
    "case_decision": "case decisions",
    "document/fairness": "margins of fairness",
    "criterion": "criteria",
    "label": "entries of the label log",
    "label_queue": "queues",
    "scoring": "score tables",
    "topics": "topics",
    "gold": "gold items",
    "adjudication": "decisions on disagreements",
    "criterion_example": "examples",
    "calibration": "saved calibrations",
    "document/policy": "policies",
    "policy_look": "looks at what labels show of a policy",
    "document/risks": "versions of the risk register",
    "finding": "findings",
    "document/opinion": "opinions",
    "report_version": "reports",
    "signature": "signatures",
    "document/plan": "registered plans",
    "document/rubric": "versions of rubrics",
    "judge_run": "judgements by language models",
    "membership": "memberships",
    "erasure": "entries on erased texts",
}
"""Names of the rows of a table where they are counted, of documents by kind; rows of other tables are not counted."""
FILES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "run": (("samples", "artifact"),),
    "scoring": (("scores", "artifact"),),
    "topics": (("topics", "artifact"),),
    "label_queue": (("queues", "artifact"),),
    "finding": (("findings", "frozen"),),
    "report_version": (("reports", "artifact"),),
    "corpus_topics": (("topics", "artifact"),),
    "corpus_version": (("passages", "artifact"), ("documents", "documents_artifact")),
    "test_set_version": (("cases", "artifact"),),
    "judge_run": (("work", "artifact"),),
}
"""The kinds of files that the rows of a table refer to, each with the column that has its name. Of judge runs the
column `work` gives the kind (`VERDICT_FILES`)."""


def rows_with(item: Item) -> dict[Table, Ids]:
    """The rows of each table that go with the item, as queries; a table comes after those that it refers to."""
    own = _table(item)
    rows: dict[Table, Ids] = {own: select(own.c.id).where(own.c.id == item.id)}
    for table in Row.metadata.sorted_tables:
        references = [
            reference.parent.in_(rows[reference.column.table])
            for reference in table.foreign_keys
            if reference.column.table in rows and reference.column.table is not table and table is not own
        ]
        if references:
            rows[table] = select(table.c.id).where(or_(*references))
    return rows


def contents(session: Session, item: Item) -> Contents:
    """Counts of the rows that are deleted with the item and of those that depend on it, and of its jobs under way."""
    rows = rows_with(item)
    by_name = {table.name: ids for table, ids in rows.items() if table is not _table(item)}
    gone = {"samples": _samples(session, rows[_run_table()])} if _run_table() in rows else {}
    for part, words in COUNTED.items():
        name, _, kind = part.partition("/")
        if name in by_name:
            ids = by_name[name].where(col(DocumentRow.kind) == kind) if kind else by_name[name]
            gone[words] = _count(session, ids)
    active = sum(job.status in ("queued", "running") for job in jobs_of(session, item))
    return Contents({name: n for name, n in gone.items() if n}, _keepers(session, item), active)


def _keepers(session: Session, item: Item) -> dict[str, int]:
    """Counts of the rows that depend on the item and are not deleted with it; a project has none."""
    counts: dict[str, int] = {}
    if item.kind == "run":
        counts["reports"] = _reports_naming(session, item, "run_names")
        counts["findings"] = _count_where(session, FindingRow, col(FindingRow.run_id) == item.id)
        counts["saved calibrations"] = _count_where(session, CalibrationRow, col(CalibrationRow.run_id) == item.id)
    elif item.kind == "criterion":
        counts["reports"] = _reports_naming(session, item, "criterion_names")
        counts["findings"] = _findings_of_criterion(session, item)
        of_criterion = col(CalibrationRow.criterion_id) == item.id
        counts["saved calibrations"] = _count_where(session, CalibrationRow, of_criterion)
        of_plan = and_(col(DocumentRow.criterion_id) == item.id, col(DocumentRow.kind) == "plan")
        counts["registered plans"] = _count_where(session, DocumentRow, of_plan)
    elif item.kind == "queue":
        counts["entries of the label log"] = _labels_of_queue(session, item.id)
    return {name: n for name, n in counts.items() if n}


def _reports_naming(session: Session, item: Item, names: str) -> int:
    """Versions of the project's report that are on the item: their contents list the names."""
    rows = session.exec(select_rows(ReportVersionRow).where(ReportVersionRow.project_id == item.project_id))
    listed = [row.contents.get(names) for row in rows]
    return sum(isinstance(some, list) and item.name in some for some in listed)


def _findings_of_criterion(session: Session, item: Item) -> int:
    """Findings on people's pass rate by this criterion: their metric names it."""
    rows = session.exec(select_rows(FindingRow).where(FindingRow.project_id == item.project_id))
    metrics = [str(row.frozen.get("metric", "")) for row in rows if row.frozen is not None]
    return sum(metric == f"pass_rate:{item.name}" for metric in metrics)


def _labels_of_queue(session: Session, queue_id: int) -> int:
    row = session.get_one(QueueRow, queue_id)
    name = queue_record(session, row).name
    drawn_by = and_(
        col(LabelRow.run_id) == row.run_id,
        col(LabelRow.criterion_id) == row.criterion_id,
        col(LabelRow.queue) == name,
    )
    return _count_where(session, LabelRow, drawn_by)


def jobs_of(session: Session, item: Item) -> Sequence[JobRow]:
    """The jobs that work on the item: of a project all of its own, of a run those that name it."""
    if item.kind not in ("project", "run"):
        return []
    jobs = session.exec(select_rows(JobRow).where(JobRow.project_id == item.project_id)).all()
    return jobs if item.kind == "project" else [job for job in jobs if job.arguments.get("run") == item.id]


def files(session: Session, table: Table, ids: Ids | None = None) -> set[Artifact]:
    """The files that rows of the table refer to, or those of these ids."""
    artifacts: set[Artifact] = set()
    for kind, column in FILES.get(table.name, ()):
        query = select(table.c[column], table.c.work if kind == "work" else literal(kind))
        for value, told in session.execute(query if ids is None else query.where(table.c.id.in_(ids))):
            name = value.get("artifact") if isinstance(value, dict) else value
            if name:
                artifacts.add((VERDICT_FILES.get(told, told), str(name)))
    return artifacts


def _samples(session: Session, ids: Ids) -> int:
    query = select(func.coalesce(func.sum(col(RunRow.n)), 0)).where(col(RunRow.id).in_(ids))
    return int(session.execute(query).scalar_one())


def _count(session: Session, ids: Ids) -> int:
    return int(session.execute(select(func.count()).select_from(ids.subquery())).scalar_one())


def _count_where(session: Session, rows: type[Row], condition: ColumnElement[bool]) -> int:
    return int(session.execute(select(func.count()).select_from(rows).where(condition)).scalar_one())


def _table(item: Item) -> Table:
    return Row.metadata.tables[str(TABLES[item.kind].__tablename__)]


def _run_table() -> Table:
    return Row.metadata.tables["run"]
