"""A report with all that it was built from: what an evidence pack is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.template import DEFAULT, ReportTemplate
from hcat.core.types import JsonValue
from hcat.core.view.tree import Report


@dataclass(frozen=True, eq=False)
class ReportSource:
    """`chapters` and `template` are those that the report was built with, `seed` is the one of its intervals.
    `label_log` are the entries of the label log, oldest first, as JSON objects with an "annotator"."""

    report: Report
    evidence: Evidence
    runs: tuple[ReportedRun, ...]
    chapters: tuple[str, ...] | None = None
    template: ReportTemplate = DEFAULT
    seed: int = 7
    label_log: tuple[Mapping[str, JsonValue], ...] = ()
