"""The sampling design of a test set: passages drawn from strata, each with a known probability (HCAT 2, step 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hcat.core.capabilities.test_sets.allocation import DesignKind, Levels, targets, whole_numbers
from hcat.core.errors import HcatError
from hcat.core.records.codec import Codec
from hcat.core.records.layout import JsonObject


@dataclass(frozen=True, slots=True)
class DrawnUnit:
    """A drawn passage, for `cases` test cases. `probability` is the inclusion probability of each of them, among all
    cases that the passages could give."""

    id: str
    stratum: Levels
    cases: int
    probability: float


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """A stratum of `size` passages with its target, and the number of cases `drawn` from it."""

    levels: Levels
    size: int
    target: float
    drawn: int
    probability: float

    def probability_after(self, tried: int, *, extra: int = 0, expected_extra: float = 0.0) -> float:
        """The inclusion probability of a case after `tried` cases were tried, because some drawn passages gave none and
        were replaced. A passage that can be tested is then in the set if it was tried.

        `extra` cases were drawn from this stratum in place of other strata that could not give theirs; `expected_extra`
        is the expectation of their number."""
        asked = self.drawn + extra
        if asked == 0:
            return self.probability
        share = self.probability * (1 + expected_extra / self.target) if expected_extra else self.probability
        return min(share * tried / asked, 1.0)


@dataclass(frozen=True, slots=True)
class SamplingDesign:
    """n cases drawn by one kind of design over `dimensions`, at most `per_passage` from a passage.

    `most_per_passage` is that limit if it was set explicitly; it then also applies to replacements. `reserve` lists, by
    stratum, the other passages in the order in which they would be drawn next. `left_out` gives the reason for each
    passage that is in no stratum."""

    kind: DesignKind
    n: int
    per_passage: int
    strata: tuple[DrawnStratum, ...]
    units: tuple[DrawnUnit, ...]
    reserve: Mapping[Levels, tuple[str, ...]]
    dimensions: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    most_per_passage: int | None = None

    @property
    def is_unequal(self) -> bool:
        """Whether cases were drawn with unequal probabilities, so that estimates of the corpus must weight them."""
        drawn = [unit.probability for unit in self.units]
        return max(drawn) > min(drawn) * (1 + 1e-9)

    def document(self) -> JsonObject:
        """The strata, the drawn passages and those left out, as JSON."""
        return {
            "strata": [_CODEC.write_object(stratum) for stratum in self.strata],
            "passages": [_CODEC.write_object(unit) for unit in self.units],
            "left_out": {**self.left_out},
        }


_CODEC = Codec()


def draw(
    strata: Mapping[str, Levels],
    n: int,
    *,
    kind: DesignKind = "proportional",
    weights: Mapping[str, float] | None = None,
    least: int | None = None,
    per_passage: int | None = None,
    rng: np.random.Generator,
    dimensions: tuple[str, ...] = (),
    left_out: Mapping[str, str] | None = None,
) -> SamplingDesign:
    """Draw passages for n test cases. `strata` gives the levels of each passage by id, `left_out` the reason why other
    passages have none; see `targets` for kinds, `weights` and `least`.

    Each passage has `per_passage` places for a case (by default the smallest number that suffices for n). Places are
    drawn without replacement: a passage gives a second case only after each of its stratum gave one. A stratum with
    target t and N passages gets t rounded up or down at random, so that each place is drawn with probability t / (N ·
    per_passage) exactly. Numbers of cases differ from their targets by less than one, also over the levels of the first
    dimension."""
    if not strata:
        raise HcatError("there is no passage to draw from")
    places = max(1, math.ceil(n / len(strata))) if per_passage is None else per_passage
    if places < 1:
        raise HcatError(f"a passage gives at least one case, not {places}")
    members = _members(strata)
    wanted = targets(
        {levels: places * len(ids) for levels, ids in members.items()}, n, kind=kind, weights=weights, least=least
    )
    order = sorted(members)
    counts = whole_numbers([wanted[levels] for levels in order], rng=rng).tolist()
    drawn_strata: list[DrawnStratum] = []
    units: list[DrawnUnit] = []
    reserve: dict[Levels, tuple[str, ...]] = {}
    for levels, count in zip(order, counts, strict=True):
        ids = members[levels]
        probability = min(wanted[levels] / (len(ids) * places), 1.0)
        shuffled = [ids[place] for place in rng.permutation(len(ids)).tolist()]
        rounds, rest = divmod(count, len(ids))
        drawn = shuffled if rounds else shuffled[:rest]
        units += [DrawnUnit(name, levels, rounds + (k < rest), probability) for k, name in enumerate(drawn)]
        reserve[levels] = tuple(shuffled[len(drawn) :])
        drawn_strata.append(DrawnStratum(levels, len(ids), wanted[levels], count, probability))
    return SamplingDesign(
        kind=kind,
        n=n,
        per_passage=places,
        strata=tuple(drawn_strata),
        units=tuple(units),
        reserve=reserve,
        dimensions=dimensions,
        left_out=left_out or {},
        most_per_passage=per_passage,
    )


def _members(strata: Mapping[str, Levels]) -> dict[Levels, list[str]]:
    depth = len(next(iter(strata.values())))
    members: dict[Levels, list[str]] = {}
    for name, levels in strata.items():
        if len(levels) != depth or not levels:
            raise HcatError(f"passage {name!r} must have a level of each of the {depth} dimensions")
        members.setdefault(levels, []).append(name)
    return members
