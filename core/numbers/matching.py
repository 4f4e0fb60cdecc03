"""Looks a number up among many: the one that supports it, and the nearest one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from hcat.core.numbers.comparison import (
    HUNDRED,
    SAME_END,
    UNTOLD_SCALES,
    Comparison,
    compare,
    is_bare_year,
    last_digit,
    strength,
)
from hcat.core.numbers.number import ONE, Number

Match = tuple[Number, Comparison]
"""A number, and its comparison with the statement."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A number to look up, and the ranges of magnitude of numbers that support it."""

    number: Number
    ranges: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, stated: Number) -> Wanted:
        if stated.kind == "identifier":
            return cls(stated, ())
        reach = float(max(last_digit(stated), stated.quantum))
        ranges = []
        measure = (ONE,) if stated.measure is None else (ONE, stated.measure.factor)
        for own in (*stated.readings, *measure):
            for factor in (ONE, HUNDRED) if stated.kind != "percent" else (ONE,):
                value, width = float(abs(_magnitude(stated) * own * factor)), reach * float(own * factor)
                slack = width * 1.01 + value * 1e-9
                ranges.append((value - slack, value + slack))
        return cls(stated, tuple(ranges))


class NumberIndex:
    """Numbers to look others up in. Candidates are found by magnitude; only near ones are compared in full."""

    def __init__(self, numbers: Iterable[Number]) -> None:
        self.numbers = tuple(numbers)
        self._by_end: dict[str, list[Number]] = {}
        for number in self.numbers:
            if number.kind in ("number", "identifier") and not number.dates and len(number.code) >= SAME_END:
                self._by_end.setdefault(number.code[-SAME_END:], []).append(number)
        self.dates = [number for number in self.numbers if number.dates and not is_bare_year(number)]
        magnitudes = sorted(
            (magnitude, position)
            for position, number in enumerate(self.numbers)
            if number.kind != "identifier" and (not number.dates or is_bare_year(number))
            for magnitude in _magnitudes(number)
        )
        self._magnitudes = [magnitude for magnitude, _ in magnitudes]
        self._positions = [position for _, position in magnitudes]

    def support(self, stated: Number) -> Match | None:
        """The number of the stated size, on the plainest reading; None if there is none."""
        return support(Wanted.of(stated), [self])

    def nearest(self, stated: Number) -> Match | None:
        """The number of its kind that is nearest to the statement; None if there is none."""
        return nearest(stated, [self])

    def same_end(self, stated: Number) -> list[Number]:
        """The numbers that may be the same identifier: one of the two is one, and both end alike."""
        alike = self._by_end.get(stated.code[-SAME_END:], [])
        return [number for number in alike if "identifier" in (stated.kind, number.kind)]

    def near(self, wanted: Wanted) -> list[Number]:
        """The amounts and years that may support it, in their order."""
        positions: set[int] = set()
        for lowest, highest in wanted.ranges:
            first, last = bisect_left(self._magnitudes, lowest), bisect_right(self._magnitudes, highest)
            positions.update(self._positions[first:last])
        return [self.numbers[position] for position in sorted(positions)]


def _magnitude(number: Number) -> Decimal:
    return Decimal(number.dates[0].year or 0) if number.dates else number.value


def _magnitudes(number: Number) -> set[float]:
    """Every magnitude that some reading of a candidate may have."""
    factors = {ONE} if number.dates else {ONE, HUNDRED, *number.readings}
    if number.measure is not None:
        factors.add(number.measure.factor)
    if number.scale is None and not number.dates:
        factors |= {*UNTOLD_SCALES}
    return {float(abs(_magnitude(number) * factor)) for factor in factors}


def support(wanted: Wanted, sources: Sequence[NumberIndex]) -> Match | None:
    """The number in any source of the stated size: by its strength, then on the plainest reading, then the first."""
    dates = [number for source in sources for number in source.dates] if wanted.number.dates else []
    near = [number for source in sources for number in source.near(wanted)]
    alike = [number for source in sources for number in source.same_end(wanted.number)]
    matches = (match for match in _compared(wanted.number, [*dates, *near, *alike]) if match[1].agrees)
    return min(
        matches,
        key=lambda match: (
            strength(wanted.number, *match),
            len(match[1].doubts),
            len(match[1].notes),
            match[1].distance,
        ),
        default=None,
    )


def nearest(stated: Number, sources: Sequence[NumberIndex]) -> Match | None:
    """The number of its kind, in any of the sources, that is nearest to the statement; None if there is none."""
    numbers = (number for source in sources for number in source.numbers)
    return min(_compared(stated, numbers), key=lambda match: match[1].distance, default=None)


def _compared(stated: Number, candidates: Iterable[Number]) -> Iterator[Match]:
    for candidate in candidates:
        comparison = compare(stated, candidate)
        if comparison is not None:
            yield candidate, comparison
