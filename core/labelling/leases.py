"""The next item for an annotator. Pure: leases are plain values, and storage makes the choice binding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import NamedTuple, Protocol

from hcat.core.labelling.queue import Purpose, QueueItem, QueueProgress, QueueRules, TeamProgress, queue_generator
from hcat.core.types import LabelSource

REPEAT_AFTER = 10
"""The number of an annotator's last items among which a hidden repeat never is: it would be recognised."""


class Lease(NamedTuple):
    """The reservation of an item of a queue. Open until it has a label entry; `judged` is False for a skip.

    An open lease that is `expired` may go to somebody else. (A tuple, since thousands are read for each item.)"""

    id: int
    sample_id: str
    annotator: str
    occurrence: int
    purpose: Purpose
    slot: int | None
    expired: bool = False
    label_id: int | None = None
    judged: bool = False

    @property
    def is_open(self) -> bool:
        return self.label_id is None


class ActiveEntry(Protocol):
    """A current entry of the label log, as far as the next item depends on it. `judged` is False for a skip."""

    @property
    def sample_id(self) -> str: ...
    @property
    def annotator(self) -> str: ...
    @property
    def source(self) -> LabelSource: ...
    @property
    def occurrence(self) -> int: ...
    @property
    def purpose(self) -> Purpose: ...
    @property
    def kind(self) -> str: ...
    @property
    def judged(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """The item to lease: a new item in a slot of its own, or the expired lease `takes_over` of somebody else."""

    sample_id: str
    purpose: Purpose
    occurrence: int
    slot: int | None = None
    takes_over: int | None = None


class _Remaining(NamedTuple):
    """The number of items that an annotator will still get: new ones, repeats of their own, and gold items."""

    fresh: int
    repeats: int
    gold: int

    @property
    def total(self) -> int:
        return self.fresh + self.repeats + self.gold


@dataclass(frozen=True)
class QueueState:
    """Everything that determines an annotator's items: the queue's plan, its leases, and the current label log.

    `key` names the queue and seeds its draws. `entries` are those of people on the run and criterion, from any queue:
    an item that was labelled elsewhere needs fewer labels here. `left_out` is offered to nobody."""

    key: str
    purpose: Purpose
    rules: QueueRules
    items: Sequence[QueueItem]
    gold: Collection[str]
    leases: Sequence[Lease]
    entries: Sequence[ActiveEntry]
    left_out: Set[str] = frozenset()

    def offer(self, annotator: str) -> Offer | None:
        """The next item for the annotator; None when they are finished.

        One of all that remain, each with equal probability: a hidden repeat, a gold item, or else the first item in the
        annotator's order that they have not done and that still needs a label. So what is mixed in is spread over the
        queue, and what is due when the last new item is done comes after it. The draw depends on how many items they
        had, and is always the same."""
        offers = self.open_offers(annotator)
        if not (self.rules.repeats or self.rules.gold):
            return next(offers, None)
        fresh = list(offers)
        left, closed = self._to_come(annotator, len(fresh)), self._closed(annotator)
        rng = queue_generator(self.key, annotator, "mixed in", len(closed))
        drawn = rng.random() * left.total
        golden = self._unseen_gold(annotator)
        again = [sample_id for sample_id in _repeatable(closed) if sample_id not in self.left_out]
        if drawn < left.repeats and again:
            sample_id = again[int(rng.integers(len(again)))]
            return Offer(sample_id, "repeat", self._occurrence(sample_id, annotator))
        if left.gold and (left.repeats <= drawn < left.repeats + left.gold or not fresh):
            return Offer(golden[int(rng.integers(len(golden)))], "gold", 0)
        return fresh[0] if fresh else None

    def open_offers(self, annotator: str) -> Iterator[Offer]:
        """All items open to the annotator, in their order. Expired leases of others are open too."""
        settled = self.settled_by(annotator)
        for item in self.order_of(annotator):
            if item.sample_id not in settled and item.sample_id not in self.left_out:
                offer = self._slot(item.sample_id, annotator)
                if offer is not None:
                    yield offer

    def order_of(self, annotator: str) -> Sequence[QueueItem]:
        """The queue's order, or a random one of the annotator's own: neither changes the weights."""
        if self.rules.order == "queue":
            return self.items
        rng = queue_generator(self.key, annotator, "order")
        return [self.items[place] for place in rng.permutation(len(self.items))]

    def settled_by(self, annotator: str) -> set[str]:
        """The samples that the annotator has done or skipped. Gold items count if other opinions are requested."""
        counted = (
            ("estimate",) if self.purpose == "estimate" else ("estimate", "repeat", "gold", "disagreement", "picked")
        )
        return {x.sample_id for x in self.entries if x.annotator == annotator and x.purpose in counted}

    def progress(self, annotator: str) -> QueueProgress:
        """The annotator's progress. Repeats and gold items count like any other item, so as not to be recognised."""
        ids = {item.sample_id for item in self.items}
        own = [x for x in self.entries if x.annotator == annotator and x.sample_id in ids and x.purpose == self.purpose]
        judged = {x.sample_id for x in own if x.judged}
        skipped = {x.sample_id for x in own} - judged
        mixed_in = [lease.judged for lease in self._closed(annotator) if lease.purpose in _MIXED_IN]
        done, passed = len(judged) + sum(mixed_in), len(skipped) + mixed_in.count(False)
        left = self._to_come(annotator, sum(1 for _ in self.open_offers(annotator)))
        return QueueProgress(done=done, skipped=passed, planned=done + passed + left.total)

    def team_progress(self) -> TeamProgress:
        """The progress of all annotators, without repeats and gold items."""
        ids = {item.sample_id for item in self.items}
        entries = [x for x in self.entries if x.sample_id in ids and x.purpose == self.purpose]
        needed = self.rules.overlap or 1
        judged: dict[str, set[str]] = {}
        counts: dict[str, int] = {}
        for entry in entries:
            if entry.judged:
                judged.setdefault(entry.sample_id, set()).add(entry.annotator)
                counts[entry.annotator] = counts.get(entry.annotator, 0) + 1
        return TeamProgress(
            planned=len(ids),
            complete=sum(len(annotators) >= needed for annotators in judged.values()),
            labels=counts,
            cannot_judge=len({x.sample_id for x in entries if x.kind == "cannot_judge"}),
            skipped=len({x.sample_id for x in entries if not x.judged} - set(judged)),
            held=sum(lease.is_open and not lease.expired for lease in self.leases),
        )

    def _to_come(self, annotator: str, fresh: int) -> _Remaining:
        """The items that the annotator will get if the `fresh` ones open to them remain so.

        Repeats are limited to those that can be `REPEAT_AFTER` items after the first look, and gold items to the
        existing ones."""
        closed = self._closed(annotator)
        had = Counter(lease.purpose for lease in closed)
        base = had[self.purpose] + fresh
        unseen = len(self._unseen_gold(annotator)) if self.rules.gold else 0
        gold = min(self.rules.gold_among(base) - had["gold"], unseen)
        gold = max(gold, self._holds(annotator, "gold"))
        due = self.rules.repeats_among(base + had["gold"] + gold) - had["repeat"]
        ahead = [self.purpose == "estimate"] * fresh + [False] * gold
        repeats = max(_most_repeats([*_may_come_back(closed), *ahead], due), self._holds(annotator, "repeat"))
        return _Remaining(fresh, repeats, gold)

    def _closed(self, annotator: str) -> list[Lease]:
        """The annotator's closed leases in this queue, by the time of their last entry."""
        mine = [lease for lease in self.leases if lease.annotator == annotator and not lease.is_open]
        return sorted(mine, key=lambda lease: lease.label_id or 0)

    def _holds(self, annotator: str, purpose: Purpose) -> int:
        return sum(x.is_open and x.annotator == annotator and x.purpose == purpose for x in self.leases)

    def _slot(self, sample_id: str, annotator: str) -> Offer | None:
        occurrence = self._occurrence(sample_id, annotator)
        if self.rules.overlap is None:
            return Offer(sample_id, self.purpose, occurrence)
        taken = self._taken.get(sample_id, [])
        needed = self.rules.overlap - self._labelled_elsewhere(sample_id, {lease.annotator for lease in taken})
        for lease in taken:
            if lease.is_open and (lease.annotator == annotator or lease.expired):
                return Offer(sample_id, self.purpose, occurrence, lease.slot, lease.id)
        if len(taken) >= needed:
            return None
        free = min(set(range(self.rules.overlap)) - {lease.slot for lease in taken})
        return Offer(sample_id, self.purpose, occurrence, free)

    def _labelled_elsewhere(self, sample_id: str, here: set[str]) -> int:
        if self.purpose != "estimate":  # further opinions are wanted on top of the ones there are
            return 0
        return len(self._judges.get(sample_id, set()) - here)

    def _occurrence(self, sample_id: str, annotator: str) -> int:
        return 1 + self._last_occurrence.get((sample_id, annotator), -1)

    def _unseen_gold(self, annotator: str) -> list[str]:
        seen = {x.sample_id for x in self.entries if x.annotator == annotator}
        return sorted(set(self.gold) - seen - {item.sample_id for item in self.items})

    @cached_property
    def _taken(self) -> dict[str, list[Lease]]:
        leases: dict[str, list[Lease]] = {}
        for lease in self.leases:
            if lease.slot is not None:
                leases.setdefault(lease.sample_id, []).append(lease)
        return leases

    @cached_property
    def _judges(self) -> dict[str, set[str]]:
        annotators: dict[str, set[str]] = {}
        for entry in self.entries:
            if entry.judged and entry.purpose == "estimate":
                annotators.setdefault(entry.sample_id, set()).add(entry.annotator)
        return annotators

    @cached_property
    def _last_occurrence(self) -> dict[tuple[str, str], int]:
        last: dict[tuple[str, str], int] = {}
        for entry in self.entries:
            key = (entry.sample_id, entry.annotator)
            last[key] = max(entry.occurrence, last.get(key, 0))
        return last


_MIXED_IN = ("repeat", "gold")


def expected_repeats(rules: QueueRules, *, fresh: int, gold: int) -> int:
    """The number of hidden repeats for an annotator who judges so many new items of a queue for estimates.

    `gold` is the number of gold items that the queue can mix in."""
    golden = min(rules.gold_among(fresh), gold)
    return _most_repeats([True] * fresh + [False] * golden, rules.repeats_among(fresh + golden))


def _may_come_back(closed: Sequence[Lease]) -> list[bool]:
    """Whether each lease is of an item that the annotator judged and that was not repeated yet."""
    repeated = {lease.sample_id for lease in closed if lease.purpose == "repeat"}
    return [x.purpose == "estimate" and x.judged and x.sample_id not in repeated for x in closed]


def _repeatable(closed: Sequence[Lease]) -> list[str]:
    """The samples that may be repeated now: not the latest ones."""
    earlier = list(zip(closed, _may_come_back(closed), strict=True))[:-REPEAT_AFTER]
    return [lease.sample_id for lease, may_come_back in earlier if may_come_back]


def _most_repeats(may_come_back: Sequence[bool], due: int) -> int:
    """The number of due repeats that can follow these items, each far enough from the first look.

    Each repeat is an item too, and moves the first looks one further back."""
    n, counts = len(may_come_back), [0, *accumulate(may_come_back)]
    reached = (min(max(n + earlier - REPEAT_AFTER, 0), n) for earlier in range(due))
    return sum(takewhile(bool, (counts[place] > earlier for earlier, place in enumerate(reached))))
