"""Sentences on the effects of an erasure, its limits, and the retention of texts."""

from __future__ import annotations

from hcat.core.display.numbers import counted
from hcat.core.records.erasure import Erasure, Retention, Traces

BEYOND = (
    "Backups, copies of the database and files that were exported before still hold the texts: delete them. After "
    "restoring a backup, erase again what `hcat erasures` listed before."
)
"""The limits of an erasure, and advice on the copies that it can't reach."""


def traces_text(traces: Traces) -> str:
    """The other places that hold the texts, in sentences."""
    parts = []
    if traces.reports:
        versions = ", ".join(map(str, traces.reports))
        parts.append(
            f"They go out of the stored report too (version {versions}), whose hash stays that of the original."
        )
    if traces.judgements:
        parts.append(f"Reasons of judges go out of {counted(traces.judgements, 'file')}.")
    if traces.topics:
        parts.append(
            f"Key terms and titles that no other text holds go out of {counted(traces.topics, 'topic list')}, and out "
            "of the findings, queues and reports that name these topics."
        )
    parts.append("Cached embeddings of them go, and all cached answers of language models.")
    if traces.runs:
        parts.append(
            f"Other runs hold the same question or text and stay: {'; '.join(traces.runs)}. Erase it there too."
        )
    if traces.test_sets:
        parts.append(f"Test sets ask the same and stay: {'; '.join(traces.test_sets)}. Delete them if they have to go.")
    if traces.notes:
        parts.append(
            f"{counted(traces.notes, 'note')} of annotators on these samples "
            f"{'stays' if traces.notes == 1 else 'stay'} in the label log."
        )
    return " ".join(parts)


def erased_text(erasure: Erasure) -> str:
    """One line on an erasure."""
    return f"run {erasure.run}, sample {erasure.sample_id}: {erasure.statement}"


def retention_text(retention: Retention | None) -> str:
    """The retention period of texts, and who set it."""
    if retention is None or retention.days is None:
        return "Texts are kept until somebody erases them."
    settled = f"settled by {retention.author} on {retention.at:%Y-%m-%d}"
    return f"Texts are kept for {counted(retention.days, 'day')} after the import of a run, {settled}."
