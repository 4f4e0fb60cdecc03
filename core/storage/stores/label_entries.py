"""Entries of the label log: those by which an undo is made, and what of an entry is a label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, cast

from hcat.core.labelling.records import LabelRecord
from hcat.core.storage.stores.label_log import Entry
from hcat.core.types import Criterion, Label

Asked = tuple[int, str | None, int | None, Literal["people", "rule"] | None]
"""A project, criterion, run and kind of labeller; None for all."""
MOST_KEPT = 32


def withdrawal(last: LabelRecord, criterion: Criterion, reopen_until: datetime) -> Entry:
    """The entry by which nothing holds any more in the place of a judgement."""
    return Entry(
        sample_id=last.sample_id,
        annotator=last.annotator,
        kind="withdrawn",
        probability=last.probability,
        queue=last.queue,
        guideline_version=criterion.guideline_version,
        occurrence=last.occurrence,
        purpose=last.purpose,
        reopen_until=reopen_until,
    )


def restored(earlier: LabelRecord) -> Entry:
    """The entry by which an earlier one holds again."""
    return Entry(
        sample_id=earlier.sample_id,
        annotator=earlier.annotator,
        kind=earlier.kind,
        level=earlier.level,
        rationale=earlier.rationale,
        probability=earlier.probability,
        queue=earlier.queue,
        seconds=earlier.seconds,
        guideline_version=earlier.guideline_version,
        occurrence=earlier.occurrence,
        purpose=earlier.purpose,
        details=earlier.details,
        restores=earlier.restores or earlier.id,
    )


def as_label(record: LabelRecord, run: str, probability: float) -> Label:
    """The entry as a label of the run, with the probability that its sample had of being drawn."""
    level = cast("int", record.level)  # a skip, which has none, is no label of the run
    return Label(
        record.sample_id,
        record.criterion,
        level,
        record.annotator,
        run,
        record.rationale,
        record.at,
        probability,
        record.guideline_version,
        record.source,
    )


@dataclass
class MadeLabels:
    """The labels that were made of entries last, by what was asked for: of the same entries they are the same."""

    _kept: dict[Asked, _Made] = field(default_factory=dict)

    def labels(
        self, asked: Asked, records: list[LabelRecord], drawn: list[float], names: Mapping[int, str]
    ) -> list[Label]:
        """The entries as labels, with the probabilities that their samples had of being drawn; `names` of runs."""
        runs = {record.run_id: names[record.run_id] for record in records}
        kept = self._kept.get(asked)
        if kept is None or kept.of != (records, drawn, runs):
            labels = [as_label(each, runs[each.run_id], p) for each, p in zip(records, drawn, strict=True)]
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            kept = self._kept[asked] = _Made((records, drawn, runs), labels)
        return list(kept.labels)


@dataclass(frozen=True, slots=True)
class _Made:
    of: tuple[list[LabelRecord], list[float], dict[int, str]]
    labels: list[Label]


def in_utc(at: datetime | None) -> datetime | None:
    """The time in UTC where it has no zone."""
    return at.replace(tzinfo=UTC) if at is not None and at.tzinfo is None else at
