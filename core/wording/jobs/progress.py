"""Texts on the progress of work under way."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.types import Progress

STAGES: Mapping[str, str] = {
    "documents": "Reading documents",
    "load": "Loading the models",
    "match": "Comparing words",
    "encode": "Reading sentences",
    "verify": "Checking claims",
    "ask": "Asking the language model",
    "score": "Computing scores",
    "generate": "Generating test cases",
    "select": "Selecting test cases",
    "find questions": "Finding questions to attack from",
    "collect": "Asking the system",
    "read runs": "Reading the runs",
    "write the report": "Writing the report",
}
LEAST_SHARE, LEAST_SECONDS = 0.03, 5.0
"""Least progress for an estimate of the remaining time."""


def stage_text(stage: str) -> str:
    """A stage by its plain name; one that has none as it is."""
    return STAGES.get(stage, stage[:1].upper() + stage[1:])


def clock_text(seconds: float) -> str:
    """Such as 0:07, 12:30 or 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def remaining_seconds(share: float | None, elapsed: float) -> float | None:
    """Remaining time at the pace until now; None where that can't be estimated yet."""
    if share is None or share < LEAST_SHARE or elapsed < LEAST_SECONDS:
        return None
    return elapsed * (1.0 - share) / share


def progress_text(progress: Progress, *, elapsed: float) -> str:
    """The stage with its count, the whole share, and the time until now and from now."""
    count = f", {progress.done:,} of {progress.total:,}" if progress.total else ""
    whole = "" if progress.share is None else f" · {progress.share:.0%} in all"
    remaining = remaining_seconds(progress.share, elapsed)
    rest = "" if remaining is None else f", about {clock_text(remaining)} left"
    return f"{stage_text(progress.stage)}{count}{whole} · {clock_text(elapsed)}{rest}"
