"""Machine verdicts against labels: how often they are right, and the pass rate that labels correct them to."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.report.evidence.records import Evidence
from hcat.core.view.telling import column
from hcat.core.view.tree import Table, Value
from hcat.core.wording.machine_verdicts import ERRORS


def verdict_tables(evidence: Evidence) -> list[Table]:
    """One table, a row for each run, criterion and metric; none without labels on machine verdicts."""
    columns = (
        column("Run"),
        column("Criterion"),
        column("Metric"),
        column("Answers", "count"),
        column("Machine passes", "percent"),
        column("Sensitivity", "share"),
        column("Specificity", "share"),
        column("Corrected pass rate", "share"),
    )
    rows: list[tuple[Value, ...]] = [
        (
            item.run,
            item.errors.criterion,
            evidence.title(item.errors.metric),
            item.errors.n,
            item.errors.says,
            item.errors.sensitivity,
            item.errors.specificity,
            item.errors.corrected,
        )
        for item in evidence.verdicts
    ]
    return [Table(say("Machine verdicts against labels"), columns, tuple(rows), (say(ERRORS),))] if rows else []
