"""Does a stated number agree with one of others? By value within its stated precision, by unit, by scale, by calendar.

What counts as the same:
- a value that the statement rounds: "$8.7 billion" is found in 8,738 million, but 8.738 billion is not found in 8.7;
- under a heading "(in millions)" 8,738 is 8,738 million; where no heading tells the scale, three digits must agree;
- signs are not compared, since words ("a loss of", "paid") carry them; a difference is noted;
- a currency must agree where both state one;
- 12% is 0.12 and 12 where a heading or row speaks of per cent; basis points are hundredths of a per cent;
- whole numbers below 100 without a unit are counts, and must agree exactly;
- a date agrees in all that the statement names: "March 2023" is found in "5 March 2023", not the other way round; a
  fiscal year is found by its year.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.numbers.number import ONE, CalendarDate, Number

HUNDRED = Decimal(100)
HALF = Decimal("0.5")
UNTOLD_SCALES = tuple(Decimal(1).scaleb(power) for power in (3, 6, 9))
ENOUGH_DIGITS = 3
"""Significant digits that must agree where no heading states the scale of the candidate."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a candidate agrees with a statement, and its distance: 0 within rounding. `notes` name the reading."""

    agrees: bool
    distance: float
    notes: tuple[str, ...] = ()


Match = tuple[Number, Comparison]
"""A number, and how the statement compares with it."""


def compare(stated: Number, candidate: Number) -> Comparison | None:
    """The closest comparison of the two; None where they can't be compared (a date and an amount)."""
    if stated.dates or candidate.dates:
        return _compare_dates(stated, candidate)
    if stated.unit and candidate.unit and stated.unit != candidate.unit:
        return None
    readings = list(_readings(stated, candidate))
    return min(
        readings,
        key=lambda comparison: (not comparison.agrees, comparison.distance, len(comparison.notes)),
        default=None,
    )


def _readings(stated: Number, candidate: Number) -> Iterator[Comparison]:
    percents = (stated.kind == "percent") + (candidate.kind == "percent")
    if percents == 1:
        yield from _percent_readings(stated, candidate)
        return
    if percents == 2:
        yield _closeness(stated, candidate, ONE, ONE)
        return
    for own in (ONE,) if stated.is_count else stated.readings:
        for other in candidate.readings:
            notes = ("scale from a heading",) if other != ONE or own != ONE else ()
            yield _closeness(stated, candidate, own, other, notes)
    if _may_be_scaled(stated, candidate):
        for factor in UNTOLD_SCALES:
            yield _closeness(stated, candidate, ONE, factor, ("scale not told by the source",))


def _may_be_scaled(stated: Number, candidate: Number) -> bool:
    """Whether a table without its heading may hold the number: 3,497,254 where 3,497,254,000 is stated."""
    thousands = stated.scale is not None or (stated.value != 0 and stated.value % 1000 == 0)
    untold = candidate.kind == "number" and candidate.scale is None and candidate.implied is None
    return thousands and untold and candidate.digits >= ENOUGH_DIGITS


def _percent_readings(stated: Number, candidate: Number) -> Iterator[Comparison]:
    """A percentage against a number without a unit: a fraction, or a figure under a heading of percentages."""
    percent, plain = (stated, candidate) if stated.kind == "percent" else (candidate, stated)
    if plain.unit is not None or plain.scale is not None or plain.kind == "ratio":
        return
    if abs(plain.value) < 1 and plain.quantum < ONE:
        factors = (ONE, HUNDRED) if percent is stated else (HUNDRED, ONE)
        yield _closeness(stated, candidate, *factors, ("a fraction for a percentage",))
    if plain.in_percent or (percent is candidate and plain.quantum < ONE):
        yield _closeness(stated, candidate, ONE, ONE, ("the per cent sign stands elsewhere",))


def _closeness(
    stated: Number, candidate: Number, own: Decimal, other: Decimal, notes: tuple[str, ...] = ()
) -> Comparison:
    value, target = stated.value * own, candidate.value * other
    difference = abs(abs(value) - abs(target))
    agrees = difference <= _tolerance(stated, abs(value), abs(target), own)
    if agrees and value and target and (value < 0) != (target < 0):
        notes = (*notes, "opposite sign")
    if agrees and difference:
        notes = (*notes, "rounded")
    largest = max(abs(value), abs(target))
    return Comparison(agrees, float(difference / largest) if largest else 0.0, notes)


def _tolerance(stated: Number, value: Decimal, target: Decimal, own: Decimal) -> Decimal:
    """Half a unit of the last digit stated; with "about", of the last digit that is not 0; one-sided with "over"."""
    if stated.hedge is None:
        return Decimal(0) if stated.is_count else HALF * stated.quantum * own
    rough = _last_digit(stated) * own
    if stated.hedge == "about":
        return HALF * rough
    right_side = target >= value if stated.hedge == "over" else target <= value
    return rough if right_side else HALF * stated.quantum * own


def _last_digit(number: Number) -> Decimal:
    """The place of the last digit that is not 0: 100 in 8,700."""
    units = int(abs(number.value) / number.quantum)
    place = number.quantum
    while units and units % 10 == 0:
        units, place = units // 10, place * 10
    return place


def _compare_dates(stated: Number, candidate: Number) -> Comparison | None:
    if stated.dates and candidate.dates:
        pairs = [(date, candidate_date) for date in stated.dates for candidate_date in candidate.dates]
        return min((_closeness_of_dates(*pair) for pair in pairs), key=lambda closeness: closeness.distance)
    dated, plain = (stated, candidate) if stated.dates else (candidate, stated)
    if plain.kind != "number" or plain.unit is not None or not _is_bare_year(dated):
        return None
    year = Decimal(dated.dates[0].year or 0)  # a table's 2022, or a count of 2022
    equal = abs(plain.value) == year
    return Comparison(equal, 0.0 if equal else 1.0, ("a year, or a count",) if equal else ())


def _is_bare_year(number: Number) -> bool:
    return number.text.isdigit() and len(number.dates) == 1


def _closeness_of_dates(stated: CalendarDate, candidate: CalendarDate) -> Comparison:
    named = [name for name in CalendarDate.__dataclass_fields__ if getattr(stated, name) is not None]
    wrong = [name for name in named if getattr(stated, name) != getattr(candidate, name)]
    return Comparison(not wrong, len(wrong) / len(named))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A number to look up, and the ranges of magnitude in which numbers that support it lie."""

    number: Number
    ranges: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, stated: Number) -> Wanted:
        reach = float(max(_last_digit(stated), stated.quantum))
        ranges = []
        for own in stated.readings:
            for factor in (ONE, HUNDRED) if stated.kind != "percent" else (ONE,):
                value, width = float(abs(_magnitude(stated) * own * factor)), reach * float(own * factor)
                slack = width * 1.01 + value * 1e-9
                ranges.append((value - slack, value + slack))
        return cls(stated, tuple(ranges))


class NumberIndex:
    """Numbers to look others up in. Candidates are found by magnitude; only those near are compared in full."""

    def __init__(self, numbers: Iterable[Number]) -> None:
        self.numbers = tuple(numbers)
        self.dates = [number for number in self.numbers if number.dates and not _is_bare_year(number)]
        magnitudes = sorted(
            (magnitude, position)
            for position, number in enumerate(self.numbers)
            if not number.dates or _is_bare_year(number)
            for magnitude in _magnitudes(number)
        )
        self._magnitudes = [magnitude for magnitude, _ in magnitudes]
        self._positions = [position for _, position in magnitudes]

    def support(self, stated: Number) -> Match | None:
        """The number that supports the statement on the simplest reading, or None."""
        return support(Wanted.of(stated), [self])

    def nearest(self, stated: Number) -> Match | None:
        """The number of its kind that comes nearest to the statement, or None."""
        return nearest(stated, [self])

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
    if number.scale is None and not number.dates:
        factors |= {*UNTOLD_SCALES}
    return {float(abs(_magnitude(number) * factor)) for factor in factors}


def support(wanted: Wanted, sources: Sequence[NumberIndex]) -> Match | None:
    """The number in any source that supports the statement on the simplest reading, the first of equals, or None."""
    dates = [number for source in sources for number in source.dates] if wanted.number.dates else []
    near = [number for source in sources for number in source.near(wanted)]
    matches = (match for match in _compared(wanted.number, [*dates, *near]) if match[1].agrees)
    return min(matches, key=lambda match: (len(match[1].notes), match[1].distance), default=None)


def nearest(stated: Number, sources: Sequence[NumberIndex]) -> Match | None:
    """The number of its kind, in any of the sources, that comes nearest to the statement, or None."""
    numbers = (number for source in sources for number in source.numbers)
    return min(_compared(stated, numbers), key=lambda match: match[1].distance, default=None)


def _compared(stated: Number, candidates: Iterable[Number]) -> Iterator[Match]:
    for candidate in candidates:
        comparison = compare(stated, candidate)
        if comparison is not None:
            yield candidate, comparison
