"""The places of a test set in progress: one for each case, at a drawn passage, to be filled with candidates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.test_sets.allocation import Levels, shared_out, whole_numbers
from hcat.core.capabilities.test_sets.selection import Dropped
from hcat.core.capabilities.test_sets.selection.balance import surplus
from hcat.core.records.test_case import QueryType, TestCase

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.design import DrawnStratum


@dataclass(slots=True)
class Place:
    """A place for a case, at a passage of a stratum."""

    levels: Levels
    passage: str
    case: TestCase | None = None


@dataclass(slots=True)
class Places:
    """The places of a test set in progress.

    `needed` is the number of cases of each type that are still wanted; `pool` contains the unused accepted candidates
    by passage and type. `reserve` lists the passages that a stratum may draw next, `tried` the number of places that it
    tried. `extra` is the number of places that a stratum took over from `exhausted` ones, with expectation
    `expected_extra`. After `any_type` is set, types that are no longer needed are requested too. `most_per_passage`, if
    set, limits the places of a passage. `nothing` gives the reason why a passage has no candidates."""

    needed: Counter[QueryType]
    places: list[Place]
    reserve: dict[Levels, list[str]]
    tried: Counter[Levels] = field(default_factory=Counter)
    extra: Counter[Levels] = field(default_factory=Counter)
    expected_extra: dict[Levels, float] = field(default_factory=lambda: defaultdict(float))
    exhausted: set[Levels] = field(default_factory=set)
    any_type: bool = False
    most_per_passage: int | None = None
    pool: dict[tuple[str, QueryType], list[TestCase]] = field(default_factory=lambda: defaultdict(list))
    moved: set[tuple[int, str]] = field(default_factory=set)
    asked: set[tuple[str, QueryType]] = field(default_factory=set)
    written: Counter[QueryType] = field(default_factory=Counter)
    accepted: list[TestCase] = field(default_factory=list)
    dropped: list[tuple[Levels, Dropped]] = field(default_factory=list)
    unwritten: Counter[str] = field(default_factory=Counter)
    nothing: dict[str, str] = field(default_factory=dict)

    @property
    def open_places(self) -> list[Place]:
        return [place for place in self.places if place.case is None]

    def probability(self, stratum: DrawnStratum) -> float:
        """The inclusion probability of a case of this stratum; 1 if the stratum is exhausted, as all its possible cases
        are in the set."""
        levels = stratum.levels
        if levels in self.exhausted:
            return 1.0
        return stratum.probability_after(
            self.tried[levels], extra=self.extra[levels], expected_extra=self.expected_extra[levels]
        )

    @property
    def chosen(self) -> list[TestCase]:
        return [place.case for place in self.places if place.case is not None]


def fill(work: Places, rng: np.random.Generator) -> None:
    """Fill open places with candidates of needed types. The type with the fewest candidates comes first, at the
    passages with the fewest candidates."""
    open_places = work.open_places
    open_places = [open_places[int(number)] for number in rng.permutation(len(open_places))]
    supply = {name: sum(bool(work.pool[place.passage, name]) for place in open_places) for name in work.needed}
    for name in sorted(work.needed, key=lambda name: supply[name] / max(1, work.needed[name])):
        choice = sorted(open_places, key=lambda place: sum(bool(work.pool[place.passage, other]) for other in supply))
        for place in choice:
            if work.needed[name] > 0 and place.case is None:
                _take(work, place, name)


def substitute(work: Places) -> bool:
    """Fill open places with candidates of any type from their passage; returns whether any place was filled."""
    before = len(work.open_places)
    for place in work.open_places:
        for name in sorted(work.needed, key=lambda name: -work.needed[name]):
            if _take(work, place, name):
                break
    return len(work.open_places) < before


def replace_passages(work: Places) -> bool:
    """Move open places to the next passage of their stratum, or to one that has candidates left; returns whether any
    moved."""
    replaced = False
    for place in work.open_places:
        passage = _next_passage(work, place)
        if passage is not None:
            place.passage = passage
            work.tried[place.levels] += 1
            replaced = True
    return replaced


def share_out(work: Places, targets: Mapping[Levels, float], rng: np.random.Generator) -> bool:
    """Move open places whose stratum has no passage left to other strata; returns whether any moved.

    Strata that share the most levels with the original one come first. Among them, places are allocated in proportion
    to the `targets` of the design, within the available passages and candidates, and rounded at random as in the
    design."""
    stuck = work.open_places
    work.exhausted |= {place.levels for place in stuck}
    room = {levels: _room(work, levels) for levels in sorted(targets) if levels not in work.exhausted}
    left = len(stuck)
    for depth in reversed(range(len(next(iter(targets))))):
        groups: dict[Levels, list[Place]] = defaultdict(list)
        for place in stuck:
            groups[place.levels[:depth]].append(place)
        for prefix, places in groups.items():
            near = {levels: n for levels, n in room.items() if levels[:depth] == prefix and n > 0}
            for levels, n in _shared(work, len(places), near, targets, rng).items():
                room[levels] -= n
                for place in [places.pop() for _ in range(n)]:
                    _hand_over(work, place, levels)
        stuck = [place for places in groups.values() for place in places]
    return len(stuck) < left


def _shared(
    work: Places, n: int, room: Mapping[Levels, int], targets: Mapping[Levels, float], rng: np.random.Generator
) -> dict[Levels, int]:
    """The number of the n places that each stratum with room takes over."""
    able = [levels for levels in room if targets[levels] > 0]
    if not able or not n:
        return {}
    most = [room[levels] for levels in able]
    expected = shared_out(float(min(n, sum(most))), [targets[levels] for levels in able], [0] * len(able), most)
    for levels, amount in zip(able, expected.tolist(), strict=True):
        work.expected_extra[levels] += amount
    return dict(zip(able, whole_numbers(expected.tolist(), rng=rng).tolist(), strict=True))


def _room(work: Places, levels: Levels) -> int:
    """The number of further places that a stratum has room for: its next passages, and unused candidates of its
    passages."""
    places = Counter(place.passage for place in work.places if place.levels == levels)
    spare = Counter(passage for (passage, _), left in work.pool.items() for _ in left if passage in places)
    most = work.most_per_passage
    room = sum(left if most is None else min(left, max(0, most - places[name])) for name, left in spare.items())
    return len(work.reserve.get(levels, ())) + room


def _hand_over(work: Places, place: Place, levels: Levels) -> None:
    place.levels = levels
    place.passage = _next_passage(work, place) or place.passage
    work.extra[levels] += 1
    work.tried[levels] += 1


def _next_passage(work: Places, place: Place) -> str | None:
    if work.reserve.get(place.levels):
        return work.reserve[place.levels].pop(0)
    spare = Counter(passage for (passage, _), left in work.pool.items() for _ in left if passage != place.passage)
    cases = Counter(other.passage for other in work.places if other.levels == place.levels)
    most = work.most_per_passage
    open_to = [name for name, n in cases.items() if spare[name] and (most is None or n < most)]
    # A candidate that fits no place, such as a further "yes", would else be tried for ever.
    untried = [passage for passage in open_to if (id(place), passage) not in work.moved]
    if not untried:
        return None
    passage = min(untried, key=lambda passage: (cases[passage], passage))
    work.moved.add((id(place), passage))
    return passage


def _take(work: Places, place: Place, name: QueryType) -> bool:
    """Fill a place with a candidate of a type, balancing difficulties and yes/no answers; returns whether there was
    one. Among equals, the candidate that shares the fewest words with its passages is chosen."""
    candidates = work.pool[place.passage, name]
    if name == "yes/no":
        answered = [case for case in work.chosen if case.type == name]
        candidates = [case for case in candidates if not surplus([case], existing=answered)]
    if not candidates:
        return False
    so_far = Counter(case.difficulty for case in work.chosen)
    place.case = min(candidates, key=lambda case: (so_far[case.difficulty], case.overlap or 0.0))
    work.pool[place.passage, name].remove(place.case)
    work.needed[name] -= 1
    return True
