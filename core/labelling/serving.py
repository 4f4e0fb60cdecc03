"""Which item an annotator gets next. Pure: the claims come in as plain values, and storage makes the choice hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from core.labelling.queue import Purpose, QueueItem, QueueProgress, QueueRules, TeamProgress, queue_generator

REPEAT_AFTER = 10
"""A hidden repeat is never one of the annotator's last so many items: it would be recognised."""


class Claim(NamedTuple):
    """Somebody's hold on an item of a queue. Open until it has a label entry; `judged` is False for a skip.

    An open claim that is `expired` may go to somebody else. (A tuple, since thousands are read for each item.)
    """

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


class Held(Protocol):
    """An entry of the label log that holds, as far as serving needs it. `judged` is False for a skip."""

    @property
    def sample_id(self) -> str: ...
    @property
    def annotator(self) -> str: ...
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
    """What to claim: a fresh item in a slot of its own, or the expired claim `takes_over` of somebody else."""

    sample_id: str
    purpose: Purpose
    occurrence: int
    slot: int | None = None
    takes_over: int | None = None


@dataclass(frozen=True)
class Situation:
    """Everything that decides what an annotator gets: the queue's plan, its claims, and what holds in the label log.

    `key` names the queue and seeds its draws. `held` are entries of people on the run and criterion, whatever queue
    they came from: an item that was labelled elsewhere needs fewer labels here.
    """

    key: str
    purpose: Purpose
    rules: QueueRules
    items: Sequence[QueueItem]
    gold: Collection[str]
    claims: Sequence[Claim]
    held: Sequence[Held]

    def offer(self, annotator: str) -> Offer | None:
        """What the annotator gets next, or None when they are through.

        A hidden repeat or a gold item at the rate of the rules, else the first item in the annotator's order that they
        have not done and that still needs a label. Whether it is time for a repeat hangs on how many items they had,
        by a draw that is always the same.
        """
        fresh = next(self.open_offers(annotator), None)
        if fresh is None:
            return None
        mine = [claim for claim in self.claims if claim.annotator == annotator and not claim.is_open]
        rng = queue_generator(self.key, annotator, "mixed in", len(mine))
        chance, rules = rng.random(), self.rules
        if chance < rules.repeats and (again := _repeatable(mine)):
            sample_id = again[int(rng.integers(len(again)))]
            return Offer(sample_id, "repeat", self._occurrence(sample_id, annotator))
        if rules.repeats <= chance < rules.repeats + rules.gold and (golden := self._unseen_gold(annotator)):
            return Offer(golden[int(rng.integers(len(golden)))], "gold", 0)
        return fresh

    def open_offers(self, annotator: str) -> Iterator[Offer]:
        """All that is open to the annotator, in their order. Claims of others that ran out are open too."""
        settled = self.settled_by(annotator)
        for item in self.order_of(annotator):
            if item.sample_id not in settled:
                offer = self._slot(item.sample_id, annotator)
                if offer is not None:
                    yield offer

    def order_of(self, annotator: str) -> Sequence[QueueItem]:
        """The queue's order, or a random one of the annotator's own: either leaves the weights as they are."""
        if self.rules.order == "queue":
            return self.items
        rng = queue_generator(self.key, annotator, "order")
        return [self.items[place] for place in rng.permutation(len(self.items))]

    def settled_by(self, annotator: str) -> set[str]:
        """The samples that the annotator has done or skipped. Gold items count where other opinions are asked for."""
        counted = ("estimate",) if self.purpose == "estimate" else ("estimate", "repeat", "gold", "disagreement")
        return {x.sample_id for x in self.held if x.annotator == annotator and x.purpose in counted}

    def progress(self, annotator: str) -> QueueProgress:
        """How far the annotator is. What was mixed in counts as any other item, so that nothing tells it apart."""
        ids = {item.sample_id for item in self.items}
        mine = [x for x in self.held if x.annotator == annotator]
        mixed_in = sum(c.annotator == annotator and not c.is_open and c.purpose in _MIXED_IN for c in self.claims)
        own = [x for x in mine if x.sample_id in ids and x.purpose == self.purpose]
        judged = {x.sample_id for x in own if x.judged}
        skipped = {x.sample_id for x in own} - judged
        still = sum(1 for _ in self.open_offers(annotator))
        share = self.rules.repeats + self.rules.gold
        fresh = len(judged) + len(skipped) + still
        planned = max(round(fresh / (1 - share)), fresh + mixed_in)
        return QueueProgress(done=len(judged) + mixed_in, skipped=len(skipped), planned=planned)

    def team_progress(self) -> TeamProgress:
        """How far all are, what was mixed in left out."""
        ids = {item.sample_id for item in self.items}
        entries = [x for x in self.held if x.sample_id in ids and x.purpose == self.purpose]
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
            held=sum(claim.is_open and not claim.expired for claim in self.claims),
        )

    def _slot(self, sample_id: str, annotator: str) -> Offer | None:
        occurrence = self._occurrence(sample_id, annotator)
        if self.rules.overlap is None:
            return Offer(sample_id, self.purpose, occurrence)
        taken = self._taken.get(sample_id, [])
        needed = self.rules.overlap - self._labelled_elsewhere(sample_id, {claim.annotator for claim in taken})
        for claim in taken:
            if claim.is_open and (claim.annotator == annotator or claim.expired):
                return Offer(sample_id, self.purpose, occurrence, claim.slot, claim.id)
        if len(taken) >= needed:
            return None
        free = min(set(range(self.rules.overlap)) - {claim.slot for claim in taken})
        return Offer(sample_id, self.purpose, occurrence, free)

    def _labelled_elsewhere(self, sample_id: str, here: set[str]) -> int:
        if self.purpose != "estimate":  # further opinions are wanted on top of the ones there are
            return 0
        return len(self._judges.get(sample_id, set()) - here)

    def _occurrence(self, sample_id: str, annotator: str) -> int:
        return 1 + self._last_occurrence.get((sample_id, annotator), -1)

    def _unseen_gold(self, annotator: str) -> list[str]:
        seen = {x.sample_id for x in self.held if x.annotator == annotator}
        return sorted(set(self.gold) - seen - {item.sample_id for item in self.items})

    @cached_property
    def _taken(self) -> dict[str, list[Claim]]:
        found: dict[str, list[Claim]] = {}
        for claim in self.claims:
            if claim.slot is not None:
                found.setdefault(claim.sample_id, []).append(claim)
        return found

    @cached_property
    def _judges(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for entry in self.held:
            if entry.judged and entry.purpose == "estimate":
                found.setdefault(entry.sample_id, set()).add(entry.annotator)
        return found

    @cached_property
    def _last_occurrence(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for entry in self.held:
            key = (entry.sample_id, entry.annotator)
            found[key] = max(entry.occurrence, found.get(key, 0))
        return found


_MIXED_IN = ("repeat", "gold")


def _repeatable(mine: Sequence[Claim]) -> list[str]:
    """The annotator's judged items, not of late and not repeated yet."""
    repeated = {claim.sample_id for claim in mine if claim.purpose == "repeat"}
    by_time = sorted(mine, key=lambda claim: claim.label_id or 0)
    earlier = [claim for claim in by_time[:-REPEAT_AFTER] if claim.purpose == "estimate" and claim.judged]
    return [claim.sample_id for claim in earlier if claim.sample_id not in repeated]
