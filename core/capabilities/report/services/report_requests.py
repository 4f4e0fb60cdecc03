"""A report that is built by a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hcat.core.capabilities.report.template import DEFAULT, ReportTemplate


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The report on these runs, by default on all, prepared by this author; `chapters` chooses among the template's."""

    job_kind: ClassVar[str] = "report"

    author: str
    runs: tuple[str, ...] | None = None
    chapters: tuple[str, ...] | None = None
    template: ReportTemplate = DEFAULT
    note: str = ""
