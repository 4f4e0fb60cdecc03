"""The time that a report states: now, unless it is given, so that the same inputs give the same bytes."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from hcat.core.errors import HcatError

VARIABLE = "SOURCE_DATE_EPOCH"
"""Seconds since 1970, by the convention of reproducible builds."""


def build_time(stated: str | None = None) -> datetime:
    """`stated` as a date or time of ISO 8601 (UTC where it names no zone), else SOURCE_DATE_EPOCH, else now."""
    if stated is not None:
        try:
            at = datetime.fromisoformat(stated)
        except ValueError:
            raise HcatError(f"{stated!r} is no date: write it as 2026-05-31 or 2026-05-31T09:30+02:00") from None
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at
    seconds = os.environ.get(VARIABLE, "").strip()
    if not seconds:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        raise HcatError(f"{VARIABLE} is {seconds!r}: it takes whole seconds since 1970") from None
