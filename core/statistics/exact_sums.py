"""Exact sums of values by class, which depend neither on the order of rows nor on how they are divided into parts.

Values are whole multiples of a tiny step: their sums are sums of integers. The sums of parts of a run add up, bit for
bit, to those of one pass over all rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Bools, Codes, Floats

Whole = NDArray[np.int64]

_BITS = 36
"""The bits in each of the two parts of a number: sums of up to 2²⁶ rows fit in 63 bits."""
_SPLIT = 2.0**27 + 1
_EQUAL = 2.0**-70
"""Squared deviations per value below this, in units of the largest value, are rounding: all values are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Numbers (N,) of at most 2^exponent in absolute value, rounded to (high · 2³⁶ + low) · 2^(exponent − 72)."""

    exponent: int
    high: Whole
    low: Whole

    def sums(self, codes: Codes, size: int) -> Sums:
        """The sums by class; `codes` (N,) number the classes from 0."""
        return Sums(self.exponent, _sums(self.high, codes, size), _sums(self.low, codes, size))

    def spread(self, over: Bools) -> Fixed:
        """The same numbers at the true rows of a mask (N,); 0 elsewhere."""
        high, low = np.zeros(len(over), dtype=np.int64), np.zeros(len(over), dtype=np.int64)
        high[over], low[over] = self.high, self.low
        return replace(self, high=high, low=low)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Exact sums (k,) of fixed-point numbers, by class."""

    exponent: int
    high: Whole
    low: Whole

    def at(self, places: Codes) -> Sums:
        """The sums of these classes alone."""
        return replace(self, high=self.high[places], low=self.low[places])

    def whole(self) -> list[int]:
        """The sums as integers, in units of the step, of any size."""
        return [(high << _BITS) + low for high, low in zip(self.high.tolist(), self.low.tolist(), strict=True)]


def _sums(values: Whole, codes: Codes, size: int) -> Whole:
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, codes, values)
    return sums


def fixed(values: Floats, *, exponent: int, rest: Floats | None = None) -> Fixed:
    """The fixed-point form of numbers of at most 2^exponent, plus a `rest` that is too small for floats to
    represent."""
    scaled = np.ldexp(values, _BITS - exponent)
    high = np.rint(scaled)
    low = np.ldexp(scaled - high, _BITS)
    if rest is not None:
        low = low + np.ldexp(rest, 2 * _BITS - exponent)
    return Fixed(exponent, high.astype(np.int64), np.rint(low).astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class ExactValues:
    """Values (n,) less `centre`, their rounded mean, and the squares of these, in a form for exact sums.

    `present` (n,) is 1 for each value, and 0 for a row without a value, which adds nothing."""

    centre: float
    present: Whole
    values: Fixed
    squares: Fixed

    @property
    def rows(self) -> int:
        return len(self.present)

    def moments(self, codes: Codes, size: int) -> ExactMoments:
        """n and the sums by class; `codes` (n,) number the classes from 0."""
        n = np.bincount(codes, weights=self.present, minlength=size).astype(np.int64)
        return ExactMoments(self.centre, n, self.values.sums(codes, size), self.squares.sums(codes, size))

    def spread(self, over: Bools) -> ExactValues:
        """The same values at the true rows of a mask (N,); the other rows have none."""
        present = np.zeros(len(over), dtype=np.int64)
        present[over] = self.present
        return ExactValues(self.centre, present, self.values.spread(over), self.squares.spread(over))


@dataclass(frozen=True, slots=True, eq=False)
class ExactMoments:
    """n and the exact sums (k,) of values less `centre`, and of their squares."""

    centre: float
    n: Whole
    values: Sums
    squares: Sums

    def at(self, places: Codes) -> ExactMoments:
        """The moments of these classes alone."""
        return replace(self, n=self.n[places], values=self.values.at(places), squares=self.squares.at(places))

    def means(self) -> Floats:
        """The mean of each class, NaN for a class without values: the exact sum divided once, plus the centre."""
        step = self.values.exponent - 2 * _BITS
        pairs = zip(self.values.whole(), self.n.tolist(), strict=True)
        return np.array(
            [self.centre + _ratio(total, n, step) if n else math.nan for total, n in pairs], dtype=np.float64
        )

    def squares_about_means(self) -> Floats:
        """Σ (value − mean)² of each class, from integers, so that no cancellation occurs."""
        step = 2 * self.values.exponent - 4 * _BITS
        least = math.ldexp(_EQUAL, 2 * self.values.exponent)
        found = []
        for n, total, squares in zip(self.n.tolist(), self.values.whole(), self.squares.whole(), strict=True):
            about = _ratio(n * (squares << 2 * _BITS) - total * total, n, step) if n else 0.0
            found.append(about if about > least * n else 0.0)
        return np.array(found, dtype=np.float64)


def _ratio(over: int, under: int, exponent: int) -> float:
    """over / under · 2^exponent, rounded once."""
    return over / (under << -exponent) if exponent < 0 else (over << exponent) / under


def exact_values(values: Floats) -> ExactValues:
    """Finite values (n,) in a form for exact sums: each with its 53 significant bits, down to 2⁻⁷² of the largest."""
    whole = fixed(values, exponent=_exponent(values))
    total = whole.sums(np.zeros(len(values), dtype=np.intp), 1).whole()[0]
    centre = _ratio(total, len(values), whole.exponent - 2 * _BITS) if len(values) else 0.0
    if len(values) and values.min() == values.max():
        centre = float(values[0])
    apart = values - centre
    exponent = _exponent(apart)
    square = apart * apart
    # The rounding error of the square, by Dekker's product: any number of equal values then has exactly no spread.
    head = apart * _SPLIT
    head = head - (head - apart)
    tail = apart - head
    lost = ((head * head - square) + 2 * head * tail) + tail * tail
    whole, squares = fixed(apart, exponent=exponent), fixed(square, exponent=2 * exponent, rest=lost)
    return ExactValues(centre, np.ones(len(values), dtype=np.int64), whole, squares)


def _exponent(values: Floats) -> int:
    """The least e with |values| ≤ 2^e."""
    largest = float(np.abs(values).max(initial=0.0))
    return math.frexp(largest)[1] if largest > 0 else 0
