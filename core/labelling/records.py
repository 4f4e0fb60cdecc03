"""The stored data about labels of a project, as plain values. Ids are the database's own and mean nothing elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hcat.core.labelling.label_details import NO_DETAILS, LabelDetails
from hcat.core.labelling.queue import OF_SELECTION, Purpose, QueueKind, QueueRules
from hcat.core.types import LabelSource

LabelKind = Literal["label", "skip", "cannot_judge", "withdrawn"]


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """One entry of the label log. `superseded` is true when a later entry replaced it.

    `restores` is the entry that is current again by it, since the one after that was undone. `occurrence` 0 is the
    annotator's first look at the sample, 1 and up are later ones. Only labels with the purpose "estimate" represent the
    run; repeats, gold items and opinions on disagreements are measured separately."""

    id: int
    run_id: int
    sample_id: str
    criterion: str
    annotator: str
    kind: LabelKind
    level: int | None
    rationale: str | None
    probability: float
    queue: str
    seconds: float | None
    guideline_version: int
    at: datetime
    supersedes: int | None
    superseded: bool
    occurrence: int = 0
    purpose: Purpose = "estimate"
    details: LabelDetails = NO_DETAILS
    restores: int | None = None
    source: LabelSource = "person"

    @property
    def judged(self) -> bool:
        """Whether the annotator gave an opinion on the sample, even that it can't be judged."""
        return self.kind != "skip"


@dataclass(frozen=True, slots=True)
class QueueInfo:
    """A stored plan of what to label; its items are in the file `artifact`. `planned` counts what was drawn.

    `dimension` is that of a stratified queue; for a selection it is the selection's name."""

    id: int
    run_id: int
    criterion: str
    kind: QueueKind
    dimension: str | None
    round: int
    planned: int
    rules: QueueRules
    artifact: str
    created_at: datetime
    archived_at: datetime | None = None

    @property
    def name(self) -> str:
        """The name of this queue in its labels, unique for a run and criterion."""
        by = ":" if self.kind in OF_SELECTION else " by"
        name = self.kind if self.dimension is None else f"{self.kind}{by} {self.dimension}"
        return name if self.round == 1 else f"{name}, round {self.round}"


@dataclass(frozen=True, slots=True)
class CriterionExample:
    """A text with the level that it illustrates, and why. `removed_at` is None while it is shown to annotators."""

    id: int
    text: str
    level: int
    comment: str
    created_at: datetime
    removed_at: datetime | None


@dataclass(frozen=True, slots=True)
class GoldItem:
    """A sample whose right level is known, and how."""

    sample_id: str
    level: int
    rationale: str
    author: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A decision on a sample that overrides the labels `label_ids`, which all remain."""

    id: int
    run_id: int
    criterion: str
    sample_id: str
    level: int
    rationale: str
    author: str
    label_ids: tuple[int, ...]
    guideline_version: int
    at: datetime
    supersedes: int | None
