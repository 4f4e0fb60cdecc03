"""Compares a stated number with another: by value within its stated precision, by unit, scale, sign, calendar.

Numbers agree by these rules:
- a value that the statement rounds: "$8.7 billion" is found in 8,738 million, but 8.738 billion is not found in 8.7;
- under a heading "(in millions)" 8,738 is 8,738 million, except in sentences, per share or for a count;
- a currency must agree if both state one;
- 12% is 0.12 and 12 if a heading or row mentions per cent; basis points are hundredths of a per cent; half is 50%;
- durations, lengths and the like are converted: 2 weeks are 14 days; a month has no fixed number of days;
- whole numbers below 100 without a unit are counts, and must agree exactly; so must ranks ("third", "3rd");
- an identifier agrees in all digits and letters, for any grouping;
- a date agrees in all that the statement names: "March 2023" is found in "5 March 2023", not the reverse; a fiscal year
  is found by its year.

The same figure with another sign or direction, scale, unit or period is doubtful: `doubts` name the readings under
which it would fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from hcat.core.numbers.number import ONE, CalendarDate, Number

HUNDRED = Decimal(100)
HALF = Decimal("0.5")
SAME_END = 6
"""The last digits and letters by which identifiers are looked up."""
UNTOLD_SCALES = tuple(Decimal(1).scaleb(power) for power in (3, 6, 9))
ENOUGH_DIGITS = 3
"""The significant digits that must agree if no heading states the scale of the candidate."""

_EXACT = ("duration", "calendar duration", "working days")
"""Kinds that are counted rather than measured."""

_SCALE_NAMES = {Decimal(10**3): "thousands", Decimal(10**6): "millions", Decimal(10**9): "billions"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """The reason why the same figure may not be the same number, and the reading under which it would be."""

    kind: Literal["direction", "unit", "scale"]
    reading: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a candidate has the stated size, and its distance: 0 within rounding.

    `notes` name the reading under which it agrees, `doubts` why it may not be the number in the source."""

    agrees: bool
    distance: float
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def compare(stated: Number, candidate: Number) -> Comparison | None:
    """The closest comparison of the two; None if they can't be compared (a date and an amount)."""
    if "identifier" in (stated.kind, candidate.kind):
        return _compare_identifiers(stated, candidate)
    if stated.dates or candidate.dates:
        return _compare_dates(stated, candidate)
    if stated.unit and candidate.unit and stated.unit != candidate.unit:
        return None
    if "ordinal" in (stated.kind, candidate.kind) and not _both_whole(stated, candidate):
        return None
    return min(
        _readings(stated, candidate),
        key=lambda comparison: (
            not comparison.agrees,
            len(comparison.doubts),
            comparison.distance,
            len(comparison.notes),
        ),
        default=None,
    )


def _both_whole(stated: Number, candidate: Number) -> bool:
    return all(
        number.kind == "ordinal" or (number.is_count and number.measure is None) for number in (stated, candidate)
    )


def _readings(stated: Number, candidate: Number) -> Iterator[Comparison]:
    percents = (stated.kind == "percent") + (candidate.kind == "percent")
    if percents == 1:
        yield from _percent_readings(stated, candidate)
        return
    doubts = (*_doubts_of_kind(stated, candidate), *_doubts_of_direction(stated, candidate))
    if percents == 2:
        yield _closeness(stated, candidate, ONE, ONE, doubts=doubts)
        return
    if stated.measure and candidate.measure and stated.measure.dimension == candidate.measure.dimension:
        yield _closeness(stated, candidate, stated.measure.factor, candidate.measure.factor, doubts=doubts)
        if stated.measure != candidate.measure:
            unit = Doubt("unit", f"the source says {candidate.measure.name}, not {stated.measure.name}")
            yield _closeness(stated, candidate, ONE, ONE, doubts=(unit, *doubts))
        return
    for own in (ONE,) if stated.is_count else stated.readings:
        for other in candidate.readings:
            notes = ("scale from a heading",) if other != ONE or own != ONE else ()
            scale = _doubts_of_scale(stated, candidate, own, other)
            yield _closeness(stated, candidate, own, other, notes, (*scale, *doubts))
    if _may_be_scaled(stated, candidate):
        for factor in UNTOLD_SCALES:
            untold = Doubt("scale", f"fits if the table is in {_SCALE_NAMES[factor]}")
            yield _closeness(stated, candidate, ONE, factor, doubts=(untold, *doubts))


def _doubts_of_kind(stated: Number, candidate: Number) -> Iterator[Doubt]:
    """Doubts by kind: percentage points or per cent, ranks or counts, units of measurement, periods of rates."""
    percents = stated.kind == candidate.kind == "percent"
    if percents and stated.points != candidate.points and not _in_basis_points(stated, candidate):
        yield Doubt("unit", f"the source speaks of {'percentage points' if candidate.points else 'per cent'}")
    if (stated.kind == "ordinal") != (candidate.kind == "ordinal"):
        yield Doubt("unit", f"the source has a {'rank' if candidate.kind == 'ordinal' else 'count'}")
    names = [_measured(number) for number in (stated, candidate)]
    if None not in names and names[0] != names[1] and not _convertible(stated, candidate):
        yield Doubt("unit", f"the source says {names[1]}, not {names[0]}")
    periods = stated.surroundings.period, candidate.surroundings.period
    if None not in periods and periods[0] != periods[1]:
        yield Doubt("unit", f"the source says per {periods[1]}, not per {periods[0]}")


def _in_basis_points(*numbers: Number) -> bool:
    return any(number.kind == "percent" and "b" in number.text.lower() for number in numbers)


def _measured(number: Number) -> str | None:
    return number.measure.name if number.measure is not None else number.unit


def _convertible(stated: Number, candidate: Number) -> bool:
    return bool(stated.measure and candidate.measure and stated.measure.dimension == candidate.measure.dimension)


def _doubts_of_direction(stated: Number, candidate: Number) -> Iterator[Doubt]:
    """Doubts by direction: two that contradict each other, or a minus and a number without a word for it."""
    ours, theirs = stated.surroundings, candidate.surroundings
    if ours.operand or theirs.operand:
        return
    if ours.direction and theirs.direction:
        if ours.direction != theirs.direction:
            yield Doubt("direction", "same size, opposite sign or direction")
    elif (stated.value < 0 or candidate.value < 0) and not (ours.outflow or theirs.outflow):
        yield Doubt("direction", "same size, opposite sign")


def _doubts_of_scale(stated: Number, candidate: Number, own: Decimal, other: Decimal) -> Iterator[Doubt]:
    """Doubts by a table's scale, which one reading leaves out, or applies to a sentence next to the table."""
    implied = None if candidate.scale is not None else candidate.implied
    if implied is None or own != ONE:
        return
    around = candidate.surroundings
    apart = around.unscaled or stated.surroundings.unscaled or stated.surroundings.operand
    if other == ONE:
        definite = stated.unit is not None or stated.scale is not None
        if definite and not around.in_prose and not apart:
            yield Doubt("scale", f"fits if the table is not in {_SCALE_NAMES.get(implied, 'the scale of its heading')}")
    elif around.in_prose and candidate.unit is None:
        yield Doubt(
            "scale",
            f"fits if the sentence is in {_SCALE_NAMES.get(implied, 'the scale of a heading')}, as the table is",
        )


def _may_be_scaled(stated: Number, candidate: Number) -> bool:
    """Whether a table without its heading may contain the number: 3,497,254 for a stated 3,497,254,000."""
    thousands = stated.scale is not None or (stated.value != 0 and stated.value % 1000 == 0)
    untold = candidate.kind == "number" and candidate.scale is None and candidate.implied is None
    return thousands and untold and candidate.digits >= ENOUGH_DIGITS


def _percent_readings(stated: Number, candidate: Number) -> Iterator[Comparison]:
    """A percentage compared with a number without a unit: a fraction, or a figure under a heading of percentages."""
    doubts = tuple(_doubts_of_direction(stated, candidate))
    percent, plain = (stated, candidate) if stated.kind == "percent" else (candidate, stated)
    if plain.unit is not None or plain.scale is not None or plain.measure is not None:
        return
    if (abs(plain.value) < 1 or plain.kind == "ratio") and plain.quantum < ONE:
        factors = (ONE, HUNDRED) if percent is stated else (HUNDRED, ONE)
        yield _closeness(stated, candidate, *factors, ("a fraction for a percentage",), doubts)
    if (plain.kind != "ratio" and plain.in_percent) or (percent is candidate and plain.quantum < ONE):
        yield _closeness(stated, candidate, ONE, ONE, ("the per cent sign stands elsewhere",), doubts)


def strength(stated: Number, candidate: Number, comparison: Comparison) -> int:
    """Rank of a match: confirmed, contradicted, silent, doubtful.

    A number that contradicts the statement, or has another unit, outranks one that is silent on it."""
    if not comparison.doubts:
        return 2 if _is_silent(stated, candidate) else 0
    return 3 if any(doubt.kind == "scale" for doubt in comparison.doubts) else 1


def _is_silent(stated: Number, candidate: Number) -> bool:
    undirected = stated.surroundings.direction is not None and candidate.surroundings.direction is None
    unmeasured = stated.measure is not None and candidate.measure is None
    return undirected or unmeasured or (stated.points and candidate.kind != "percent")


def _closeness(
    stated: Number,
    candidate: Number,
    own: Decimal,
    other: Decimal,
    notes: tuple[str, ...] = (),
    doubts: tuple[Doubt, ...] = (),
) -> Comparison:
    value, target = abs(stated.value * own), abs(candidate.value * other)
    difference = abs(value - target)
    agrees = difference <= _tolerance(stated, value, target, own)
    if agrees and difference:
        notes = (*notes, "rounded")
    if candidate.derived:
        notes = (*notes, "difference of two percentages")
    largest = max(value, target)
    return Comparison(agrees, float(difference / largest) if largest else 0.0, notes, doubts if agrees else ())


def _tolerance(stated: Number, value: Decimal, target: Decimal, own: Decimal) -> Decimal:
    """Half a unit of the last digit stated; with "about", of the last digit that is not 0; one-sided with "over"."""
    if stated.hedge is None:
        return Decimal(0) if _is_exact(stated) else HALF * stated.quantum * own
    rough = last_digit(stated) * own
    if stated.hedge == "about":
        return HALF * rough
    right_side = target >= value if stated.hedge == "over" else target <= value
    return rough if right_side else HALF * stated.quantum * own


def _is_exact(stated: Number) -> bool:
    return stated.kind == "ordinal" or (
        stated.is_count and (stated.measure is None or stated.measure.dimension in _EXACT)
    )


def last_digit(number: Number) -> Decimal:
    """The place of the last digit that is not 0: 100 in 8,700."""
    units = int(abs(number.value) / number.quantum)
    place = number.quantum
    while units and units % 10 == 0:
        units, place = units // 10, place * 10
    return place


def _compare_identifiers(stated: Number, candidate: Number) -> Comparison | None:
    """Comparison by digits and letters; a domestic phone number (0…) equals the international one (+49 …) after the
    0."""
    ours, theirs = stated.code, candidate.code
    if candidate.dates or stated.dates:
        return None
    equal = ours == theirs or _is_dialled_abroad(ours, theirs) or _is_dialled_abroad(theirs, ours)
    if not equal and stated.kind != candidate.kind:
        return None
    return Comparison(equal, 0.0 if equal else 1.0)


def _is_dialled_abroad(at_home: str, abroad: str) -> bool:
    same = at_home[:1] == "0" and len(at_home) > SAME_END and abroad.endswith(at_home[1:])
    return same and 1 <= len(abroad) - len(at_home) + 1 <= 3


def _compare_dates(stated: Number, candidate: Number) -> Comparison | None:
    if stated.dates and candidate.dates:
        pairs = [(date, candidate_date) for date in stated.dates for candidate_date in candidate.dates]
        return min((_closeness_of_dates(*pair) for pair in pairs), key=lambda closeness: closeness.distance)
    dated, plain = (stated, candidate) if stated.dates else (candidate, stated)
    if plain.kind != "number" or plain.unit is not None or not is_bare_year(dated):
        return None
    year = Decimal(dated.dates[0].year or 0)  # a table's 2022, or a count of 2022
    equal = abs(plain.value) == year
    return Comparison(equal, 0.0 if equal else 1.0, ("a year, or a count",) if equal else ())


def is_bare_year(number: Number) -> bool:
    return len(number.text) == 4 and number.text.isdigit() and len(number.dates) == 1


def _closeness_of_dates(stated: CalendarDate, candidate: CalendarDate) -> Comparison:
    named = [name for name in CalendarDate.__dataclass_fields__ if getattr(stated, name) is not None]
    wrong = [name for name in named if getattr(stated, name) != getattr(candidate, name)]
    return Comparison(not wrong, len(wrong) / len(named))
