"""What a report says of a finding, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from hcat.core.figures.slice_scores import Outcome
from hcat.core.records.project import FindingChange
from hcat.core.types import Estimate
from hcat.core.view.tree import SampleExcerpt


@dataclass(frozen=True, slots=True)
class SlicePassRate:
    """The pass rate by labels in a finding's samples and in the rest of the run, as the labels are now. `by_people`:
    not a rule alone labelled the finding's samples."""

    criterion: str
    inside: Estimate
    rest: Estimate
    by_people: bool = True


@dataclass(frozen=True, slots=True)
class WithdrawnFinding:
    """A finding that somebody confirmed, and somebody withdrew: it counts no more."""

    title: str
    confirmed_by: str
    confirmed_at: datetime
    withdrawn_by: str
    withdrawn_at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class FindingEvidence:
    """A weakness that somebody confirmed, with what was frozen then: of a slice mean, q and verdict, the difference
    from the rest, the shrunken mean with the interval that allows for its having been picked, and how many slices were
    tested with it; `scores` of its samples. As of now: what people say of these samples (`pass_rates`, `samples`, of
    which `n_samples` in all), how far the metric agrees with people (`fitness`), and whether fresh labels confirm it.
    `unreadable` says why what was frozen can't be shown.
    """

    title: str
    slice: str
    severity: str
    status: str
    comment: str
    author: str
    at: datetime
    owner: str = ""
    due: date | None = None
    frozen_hash: str | None = None
    mean: Estimate | None = None
    q: float | None = None
    verdict: str = ""
    shrunken: Estimate | None = None
    tested: int | None = None
    run: str = ""
    metric: str = ""
    difference: Estimate | None = None
    scores: tuple[tuple[float, Outcome], ...] = ()
    n_samples: int = 0
    pass_rates: tuple[SlicePassRate, ...] = ()
    fitness: str = ""
    confirmation: str = ""
    samples: tuple[SampleExcerpt, ...] = ()
    history: tuple[FindingChange, ...] = ()
    unreadable: str = ""
