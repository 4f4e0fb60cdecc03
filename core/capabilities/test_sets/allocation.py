"""Allocation of test cases to the strata of a corpus: targets by kind of design, then integers that respect them.

Strata are the crossings of levels, such as (topic, document). Targets are allocated over the first dimension, and
within each of its levels over the next. No stratum gets more than its capacity or less than its minimum; any excess
goes to the others in the same proportions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from hcat.core.arrays import Floats, Ints
from hcat.core.errors import HcatError

DesignKind = Literal["proportional", "equal", "weighted"]
KINDS: tuple[DesignKind, ...] = get_args(DesignKind)
Levels = tuple[str, ...]
"""The level of each dimension, in order: the name of a stratum."""

_DECIMALS = 9
_ROUNDING = 1e-12


def targets(
    capacities: Mapping[Levels, int],
    n: int,
    *,
    kind: DesignKind,
    weights: Mapping[str, float] | None = None,
    least: int | None = None,
) -> dict[Levels, float]:
    """The target number of cases of each stratum, as real numbers that sum to n.

    `capacities` are the numbers of cases that strata can give. Over the levels of the first dimension, *proportional*
    allocates by capacity, *equal* equally, and *weighted* in proportion to `weights` (1 for levels not named). Within a
    level, *equal* allocates equally and the others by capacity. `least` is the minimum per stratum (its capacity, if
    that is less). Without it, each level of the first dimension gets at least one case if n suffices. Raises HcatError
    if no allocation satisfies these limits."""
    weight_of = dict(weights or {})
    _check(capacities, n, kind, weight_of, least)
    first = sorted({levels[0] for levels in capacities})
    room = {level: sum(size for levels, size in capacities.items() if levels[0] == level) for level in first}
    if least is None:
        lowest = dict.fromkeys(first, 1 if n >= len(first) else 0)
        least = 0
    else:
        lowest = {
            level: sum(min(least, size) for levels, size in capacities.items() if levels[0] == level) for level in first
        }
    share: dict[DesignKind, list[float]] = {
        "proportional": [float(room[level]) for level in first],
        "equal": [1.0] * len(first),
        "weighted": [weight_of.get(level, 1.0) for level in first],
    }
    by_first = shared_out(float(n), share[kind], list(lowest.values()), list(room.values()))
    result: dict[Levels, float] = {}
    for level, amount in zip(first, by_first.tolist(), strict=True):
        inside = {levels: size for levels, size in capacities.items() if levels[0] == level}
        result |= _within(inside, amount, depth=1, equal=kind == "equal", least=least)
    return result


def whole_numbers(wanted: Sequence[float], *, rng: np.random.Generator) -> Ints:
    """Integers (k,) with the same sum as the targets (k,), each its target rounded down or up at random.

    The expectation of each integer is its target, and partial sums of consecutive strata are rounded likewise. A
    systematic draw along the cumulated targets gives each stratum with a positive target a known positive probability;
    nearest rounding would give none to small strata. Source: Madow 1949; Cox 1987, controlled rounding."""
    cumulated = np.round(np.cumsum(np.asarray(wanted, dtype=np.float64)), _DECIMALS)
    cumulated[-1] = round(float(cumulated[-1]))
    # A start next to 0 or 1 would let the rounding of sums decide.
    start = min(max(float(rng.random()), 1e-6), 1 - 1e-6)
    numbers: Ints = np.diff(np.floor(cumulated + start), prepend=0.0).astype(np.intp)
    return numbers


def _within(
    capacities: Mapping[Levels, int], amount: float, *, depth: int, equal: bool, least: int
) -> dict[Levels, float]:
    """Allocate the amount over the strata of one level: by the dimension at this depth, then by the next."""
    if len(capacities) == 1:
        return dict.fromkeys(capacities, amount)
    names = sorted({levels[depth] for levels in capacities})
    groups = [{levels: size for levels, size in capacities.items() if levels[depth] == name} for name in names]
    room = [sum(group.values()) for group in groups]
    lowest = [sum(min(least, size) for size in group.values()) for group in groups]
    portions = shared_out(amount, [1.0 if equal else float(size) for size in room], lowest, room)
    result: dict[Levels, float] = {}
    for group, portion in zip(groups, portions.tolist(), strict=True):
        result |= _within(group, portion, depth=depth + 1, equal=equal, least=least)
    return result


def shared_out(amount: float, shares: Sequence[float], lowest: Sequence[int], room: Sequence[int]) -> Floats:
    """c · shares clipped to [lowest, room], with c such that they sum to the amount; `room` if its sum is not
    greater."""
    s, low, high = (np.array(values, dtype=np.float64) for values in (shares, lowest, room))
    if amount >= high.sum():
        return high
    # Between two breakpoints the sum increases linearly, so the last breakpoint below the amount gives c exactly.
    bends = np.unique(np.concatenate([[0.0], low / s, high / s]))
    first, last = 0, len(bends) - 1
    while last - first > 1:
        middle = (first + last) // 2
        if np.clip(bends[middle] * s, low, high).sum() <= amount:
            first = middle
        else:
            last = middle
    at = np.clip(bends[first] * s, low, high)
    reached = bends[first] * s
    rising = (reached >= low * (1 - _ROUNDING)) & (reached < high * (1 - _ROUNDING))
    slope = float(s[rising].sum())
    c = bends[first] + (0.0 if slope == 0 else (amount - float(at.sum())) / slope)
    return np.asarray(np.clip(c * s, low, high), dtype=np.float64)


def _check(
    capacities: Mapping[Levels, int],
    n: int,
    kind: DesignKind,
    weights: Mapping[str, float],
    least: int | None,
) -> None:
    if not capacities:
        raise HcatError("there is no passage to draw from")
    if kind not in KINDS:
        raise HcatError(f"no kind of design {kind!r}: choose one of {', '.join(KINDS)}")
    if n < 1:
        raise HcatError(f"a test set has at least one case, not {n}")
    if weights and kind != "weighted":
        raise HcatError(f"weights are for the design “weighted”, not for “{kind}”")
    if kind == "weighted" and not weights:
        raise HcatError("the design “weighted” takes the weights of at least one level")
    first = {levels[0] for levels in capacities}
    unknown = next((level for level in weights if level not in first), None)
    if unknown is not None:
        raise HcatError(f"there is a weight for {unknown!r}, which is none of: {', '.join(sorted(first)[:10])}")
    bad = next((level for level, weight in weights.items() if not 0 < weight < float("inf")), None)
    if bad is not None:
        raise HcatError(f"the weight of {bad!r} must be a positive number; leave its passages out to test none of them")
    if n > (room := sum(capacities.values())):
        raise HcatError(f"the passages can give {room} cases, not {n}: ask for fewer, or for more cases a passage")
    needed = 0 if least is None else sum(min(least, size) for size in capacities.values())
    if least is not None and least < 0:
        raise HcatError(f"the minimum of a stratum can't be {least}")
    if needed > n:
        raise HcatError(
            f"{n} cases can't give each of {len(capacities)} strata {least}: ask for at least {needed}, "
            "or for a smaller minimum"
        )
