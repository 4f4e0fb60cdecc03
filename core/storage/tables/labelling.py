"""The tables of labelling: queues, who holds which item, the label log, and what is known of right labels."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Index, Text, UniqueConstraint, false, text
from sqlmodel import Field

from hcat.core.storage.tables.row import NullableJson, Row, UtcDateTime, now


class CriterionExampleRow(Row, table=True):
    """A text with the level that it shows. One that was removed stays, since annotators have read it."""

    __tablename__ = "criterion_example"

    id: int | None = Field(default=None, primary_key=True)
    criterion_id: int = Field(foreign_key="criterion.id", index=True)
    text: str = Field(sa_type=Text)
    level: int
    comment: str = Field(default="", sa_type=Text)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    removed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class LabelRow(Row, table=True):
    """One entry of the label log: a label, a skip, "can't judge", or the withdrawal of any. Entries are never changed.

    All entries of one (run, criterion, sample, source, annotator, occurrence) make a chain: one first entry, each one
    superseded at most once. The last of the chain is what holds. One that `restores` an earlier one says the same
    again, since what came between was undone. Occurrence 0 is the annotator's first look at the sample, 1 and up are
    hidden repeats. Only labels with purpose "estimate" represent the run.
    """

    __tablename__ = "label"
    __table_args__ = (
        Index(
            "uq_label_first",
            "run_id",
            "criterion_id",
            "sample_id",
            "source",
            "annotator",
            "occurrence",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
        Index("ix_label_run_id_criterion_id", "run_id", "criterion_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    sample_id: str
    annotator: str
    kind: str
    level: int | None = None
    rationale: str | None = Field(default=None, sa_type=Text)
    probability: float = 1.0
    queue: str
    seconds: float | None = None
    confidence: int | None = None
    flagged: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    comment: str | None = Field(default=None, sa_type=Text)
    spans: list[dict[str, object]] | None = Field(default=None, sa_type=NullableJson)
    shown: list[str] | None = Field(default=None, sa_type=NullableJson)
    blind: bool | None = None
    occurrence: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    purpose: str = Field(default="estimate", sa_column_kwargs={"server_default": "estimate"})
    guideline_version: int
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    supersedes: int | None = Field(default=None, foreign_key="label.id", unique=True)
    restores: int | None = None
    source: str = Field(default="person", sa_column_kwargs={"server_default": "person"})


class QueueRow(Row, table=True):
    """A plan of which samples to label, in which order, drawn with which probability. It is never redrawn.

    `overlap` annotators label each item, or everybody where NULL. A later round of the same kind is another plan.
    """

    __tablename__ = "label_queue"
    __table_args__ = (UniqueConstraint("run_id", "criterion_id", "kind", "dimension", "round"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    kind: str
    dimension: str = ""
    round: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    planned: int
    overlap: int | None = None
    settings: dict[str, object] = Field(default_factory=dict, sa_type=JSON, sa_column_kwargs={"server_default": "{}"})
    artifact: str
    archived_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class LeaseRow(Row, table=True):
    """An annotator holds, or has done, an item of a queue.

    Open until `label_id` is set; from `expires_at` on somebody else may take an open one over. An item has as many
    slots as annotators may label it, and one claim a slot. Claims outside the overlap (repeats, gold items, skipped
    ones, queues for everybody) have no slot. An annotator holds one open claim a queue.
    """

    __tablename__ = "claim"
    __table_args__ = (
        UniqueConstraint("queue_id", "sample_id", "slot"),
        UniqueConstraint("queue_id", "sample_id", "annotator", "occurrence"),
        Index(
            "uq_claim_open",
            "queue_id",
            "annotator",
            unique=True,
            sqlite_where=text("label_id IS NULL"),
            postgresql_where=text("label_id IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    queue_id: int = Field(foreign_key="label_queue.id")
    sample_id: str
    annotator: str
    occurrence: int = 0
    purpose: str = "estimate"
    slot: int | None = None
    claimed_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    label_id: int | None = Field(default=None, foreign_key="label.id")


class GoldRow(Row, table=True):
    """A sample whose right label is known, to be mixed into queues."""

    __tablename__ = "gold"
    __table_args__ = (UniqueConstraint("run_id", "criterion_id", "sample_id"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    sample_id: str
    level: int
    rationale: str = Field(default="", sa_type=Text)
    author: str = ""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class AdjudicationRow(Row, table=True):
    """Decisions where annotators disagree. The labels stay, and a decision is only ever superseded."""

    __tablename__ = "adjudication"
    __table_args__ = (
        Index(
            "uq_adjudication_first",
            "run_id",
            "criterion_id",
            "sample_id",
            unique=True,
            sqlite_where=text("supersedes IS NULL"),
            postgresql_where=text("supersedes IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    sample_id: str
    level: int
    rationale: str = Field(default="", sa_type=Text)
    author: str
    label_ids: list[int] = Field(sa_type=JSON)
    guideline_version: int
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    supersedes: int | None = Field(default=None, foreign_key="adjudication.id", unique=True)


class UnblindingRow(Row, table=True):
    """An annotator has seen scores or labels of others of a sample: what they say of it from then on is not blind."""

    __tablename__ = "unblinding"
    __table_args__ = (UniqueConstraint("run_id", "criterion_id", "annotator", "sample_id"),)

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    criterion_id: int = Field(foreign_key="criterion.id")
    sample_id: str
    annotator: str
    at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
