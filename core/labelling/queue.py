"""Label queues: a sample of a run drawn for labelling, in an order that can be stopped at any point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_text

DEFAULT_SIZE = 100


MAX_OVERLAP = 50
LEASE_SECONDS = 600

QueueKind = Literal["random", "stratified", "boundary", "informative", "slice", "confirming", "disagreement"]
OF_SELECTION: tuple[QueueKind, ...] = ("slice", "confirming")
"""Kinds that draw from chosen samples and from the rest of the run."""
IN_SLICE, IN_REST = "slice", "rest"
"""The two strata of these kinds."""
Purpose = Literal["estimate", "repeat", "gold", "disagreement", "picked"]
"""The purpose of a label. Only "estimate" is used in calibrations and estimates; the others are measured separately.

"picked" is of a sample that somebody chose to label: its sampling probability is unknown."""
PURPOSES: Mapping[str, Purpose] = {purpose: purpose for purpose in get_args(Purpose)}
"""Purposes by their name in a database."""
Order = Literal["queue", "annotator"]


@dataclass(frozen=True, slots=True)
class QueueRules:
    """The rules of a queue.

    `overlap` annotators label each item; None: everybody labels all. `order` is the queue's, or each annotator's own
    random one. `repeats` and `gold` are the shares, in [0, 0.5], of an annotator's items that are earlier items of
    their own, and samples with a known right level. An item is reserved for `lease_seconds` since the last renewal."""

    overlap: int | None = None
    order: Order = "queue"
    repeats: float = 0.0
    gold: float = 0.0
    lease_seconds: int = LEASE_SECONDS

    def __post_init__(self) -> None:
        if self.overlap is not None and not 1 <= self.overlap <= MAX_OVERLAP:
            raise HcatError(f"an item can be labelled by 1 to {MAX_OVERLAP} annotators, or by everybody")
        if not (0 <= self.repeats <= 0.5 and 0 <= self.gold <= 0.5 and self.repeats + self.gold <= 0.5):
            raise HcatError("hidden repeats and gold items together can be at most half of a queue")
        if self.lease_seconds < 1:
            raise HcatError("an item must be reserved for at least one second")

    def gold_among(self, fresh: int) -> int:
        """The number of gold items for so many new ones, if there are as many."""
        return round(fresh * self.gold / (1 - self.repeats - self.gold))

    def repeats_among(self, others: int) -> int:
        """The number of hidden repeats for so many new and gold items."""
        return round(others * self.repeats / (1 - self.repeats))


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A drawn sample. `probability` is the one with which it was drawn into `queue`, in (0, 1].

    `lease` is the annotator's reservation, if there is one; `purpose` and `occurrence` belong to it."""

    sample_id: str
    probability: float
    stratum: str | None = None
    queue: str = "random"
    purpose: Purpose = "estimate"
    occurrence: int = 0
    lease: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """An annotator's progress: done (labelled, or found impossible to judge), skipped, and planned in total.

    `planned` counts what is done and what is still open to the annotator, hidden repeats and gold items included."""

    done: int
    skipped: int
    planned: int

    @property
    def open(self) -> int:
        return self.planned - self.done - self.skipped


@dataclass(frozen=True, slots=True)
class TeamProgress:
    """A queue's progress: `complete` of `planned` items have all the labels they need.

    `labels` counts the labels of each annotator; `cannot_judge`, `skipped` and `held` count items of anybody."""

    planned: int
    complete: int
    labels: Mapping[str, int]
    cannot_judge: int
    skipped: int
    held: int


def queue_generator(*parts: str | int) -> np.random.Generator:
    """A generator that is the same for the same run, criterion, kind of queue and seed, on every machine."""
    digest = sha256_of_text("\x1f".join(str(value) for value in parts))
    return np.random.default_rng(int(digest, 16))


def draw_random(sample_ids: Sequence[str], *, planned: int, rng: np.random.Generator) -> tuple[QueueItem, ...]:
    """`planned` of n samples, uniformly without replacement: each is drawn with probability planned / n."""
    size = _size(planned, len(sample_ids))
    return tuple(
        QueueItem(sample_ids[place], size / len(sample_ids)) for place in rng.permutation(len(sample_ids))[:size]
    )


def draw_stratified(strata: Mapping[str, str], *, planned: int, rng: np.random.Generator) -> tuple[QueueItem, ...]:
    """Samples drawn with equal allocation: n_h of the N_h samples of stratum h, each with probability n_h / N_h.

    `strata` maps each sample id to its stratum. The k-th sample of a stratum is at (k + u) / n_h of the queue, with u
    uniform for the stratum, so that every stratum is done to the same share wherever somebody stops: the weights 1 /
    probability then remain right up to one common factor. HcatError when there are more strata than samples to draw,
    since some stratum would never be seen."""
    members = _members(strata)
    sizes = allocate_equally({stratum: len(ids) for stratum, ids in members.items()}, planned=planned)
    return _draw(members, sizes, rng)


def draw_allocated(
    strata: Mapping[str, str], sizes: Mapping[str, int], *, rng: np.random.Generator
) -> tuple[QueueItem, ...]:
    """The same with `sizes` of the strata as given, at most as many as each has; a stratum of size 0 is left out."""
    members = {stratum: ids for stratum, ids in _members(strata).items() if sizes[stratum]}
    return _draw(members, sizes, rng)


def _members(strata: Mapping[str, str]) -> dict[str, list[str]]:
    members: dict[str, list[str]] = {}
    for sample_id, stratum in strata.items():
        members.setdefault(stratum, []).append(sample_id)
    return members


def _draw(
    members: Mapping[str, Sequence[str]], sizes: Mapping[str, int], rng: np.random.Generator
) -> tuple[QueueItem, ...]:
    placed: list[tuple[float, str, QueueItem]] = []
    for stratum in sorted(members):
        ids, size = members[stratum], min(sizes[stratum], len(members[stratum]))
        start = rng.random()
        for k, place in enumerate(rng.permutation(len(ids))[:size]):
            placed.append(((k + start) / size, stratum, QueueItem(ids[place], size / len(ids), stratum)))
    return tuple(item for _, _, item in sorted(placed, key=lambda entry: entry[:2]))


def allocate_equally(sizes: Mapping[str, int], *, planned: int) -> dict[str, int]:
    """The number to draw of each stratum: the same for each, all of those that have fewer, at least one.

    A remainder goes to the largest strata."""
    planned = _size(planned, sum(sizes.values()))
    if planned < len(sizes):
        raise HcatError(
            f"{planned} labels can't cover {len(sizes)} strata: plan at least {len(sizes)}, or use fewer strata"
        )
    allocated = dict.fromkeys(sizes, 0)
    by_size = sorted(sizes, key=lambda stratum: (-sizes[stratum], stratum))
    while planned:
        unfilled = [stratum for stratum in by_size if allocated[stratum] < sizes[stratum]]
        share = max(planned // len(unfilled), 1)
        for stratum in unfilled[:planned]:
            extra = min(share, sizes[stratum] - allocated[stratum])
            allocated[stratum] += extra
            planned -= extra
    return allocated


def _size(planned: int, n: int) -> int:
    if n == 0 or planned < 1:
        raise HcatError("a label queue needs at least one sample to draw from, and at least one to draw")
    return min(planned, n)
