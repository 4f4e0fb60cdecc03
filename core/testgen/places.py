"""The places of a test set that is being made: one for each case, at a drawn passage, to be filled with candidates."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.testgen.allocation import Levels, shared_out, whole_numbers
from hcat.core.testgen.selection import Dropped
from hcat.core.testgen.selection.balance import surplus
from hcat.core.testgen.test_case import QueryType, TestCase

if TYPE_CHECKING:
    from hcat.core.testgen.design import DrawnStratum


@dataclass(slots=True)
class Place:
    """A place for a case, at a passage of a stratum."""

    levels: Levels
    passage: str
    case: TestCase | None = None


@dataclass(slots=True)
class Places:
    """The places of a test set under way. `needed` counts the cases of each type that are still wanted; `pool` holds by
    passage and type, the accepted candidates that no place has taken; `reserve` the passages that a stratum may draw
    next, `tried` how many places it tried. `extra` are the places that a stratum took over from `exhausted` ones, of
    which `expected_extra` is the expectation. Once `any_type`, types are asked that are no longer needed. No passage
    has more than `most_per_passage` places, if that is set. `nothing` says of passages why nothing is written of them.
    """

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
        """That of a case of this stratum; where all its passages were tried in vain for more, all that it can give is
        in the set."""
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
    """Fill open places with candidates of the types that are needed: the type with the least to choose from first, at
    the passages with the least to choose from."""
    open_places = work.open_places
    open_places = [open_places[int(number)] for number in rng.permutation(len(open_places))]
    supply = {name: sum(bool(work.pool[place.passage, name]) for place in open_places) for name in work.needed}
    for name in sorted(work.needed, key=lambda name: supply[name] / max(1, work.needed[name])):
        choice = sorted(open_places, key=lambda place: sum(bool(work.pool[place.passage, other]) for other in supply))
        for place in choice:
            if work.needed[name] > 0 and place.case is None:
                _take(work, place, name)


def substitute(work: Places) -> bool:
    """Fill open places with candidates of any type from their passage; whether any place was filled."""
    before = len(work.open_places)
    for place in work.open_places:
        for name in sorted(work.needed, key=lambda name: -work.needed[name]):
            if _take(work, place, name):
                break
    return len(work.open_places) < before


def replace_passages(work: Places) -> bool:
    """Give open places the next passage of their stratum, or else one of it that has candidates left; whether any got
    one."""
    replaced = False
    for place in work.open_places:
        passage = _next_passage(work, place)
        if passage is not None:
            place.passage = passage
            work.tried[place.levels] += 1
            replaced = True
    return replaced


def share_out(work: Places, targets: Mapping[Levels, float], rng: np.random.Generator) -> bool:
    """Give open places, for which their own stratum has no passage left, to other strata; whether any got one.

    Strata that share the most levels with the own one come first. Among them places are shared out in proportion to the
    `targets` of the design, as far as there are passages or candidates, and rounded at random as the design's own.
    """
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
    """How many of n places each stratum with room takes over."""
    able = [levels for levels in room if targets[levels] > 0]
    if not able or not n:
        return {}
    most = [room[levels] for levels in able]
    expected = shared_out(float(min(n, sum(most))), [targets[levels] for levels in able], [0] * len(able), most)
    for levels, amount in zip(able, expected.tolist(), strict=True):
        work.expected_extra[levels] += amount
    return dict(zip(able, whole_numbers(expected.tolist(), rng=rng).tolist(), strict=True))


def _room(work: Places, levels: Levels) -> int:
    """How many more places a stratum can be asked for: by its next passages, and by candidates of those it has."""
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
    """Fill a place with a candidate of a type, such that difficulties, and yes and no, come out even; among such with
    the one that shares the fewest words with its passages."""
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
