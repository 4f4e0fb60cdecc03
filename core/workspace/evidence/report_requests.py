"""A report that is built by a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The usual report on all runs of a project, prepared by this author."""

    job_kind: ClassVar[str] = "report"

    author: str
