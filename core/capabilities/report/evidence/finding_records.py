"""Records of withdrawn findings for a report, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class WithdrawnFinding:
    """A finding that somebody confirmed, and somebody withdrew: it counts no more."""

    title: str
    confirmed_by: str
    confirmed_at: datetime
    withdrawn_by: str
    withdrawn_at: datetime
    reason: str
