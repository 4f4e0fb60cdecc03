"""A number as stated in a text: its value, unit, scale and precision, or the date that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Kind = Literal["number", "percent", "ratio", "ordinal", "date", "time", "identifier"]
Direction = Literal["up", "down"]
Hedge = Literal["about", "over", "under"]
ONE = Decimal(1)
_TRUNK = re.compile(r"(?<=\d)\s?\(0\)")
"""The digit that is dialled only domestically: +49 (0)30."""
_ABROAD = re.compile(r"00[1-9]\d?[ ./-]")


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """The stated parts of a date, a fiscal period or a time of day; None for a part that is not stated."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    half: int | None = None
    hour: int | None = None
    minute: int | None = None

    def __str__(self) -> str:
        if self.hour is not None:
            return f"{self.hour:02d}:{self.minute or 0:02d}"
        period = f"Q{self.quarter} " if self.quarter else f"H{self.half} " if self.half else ""
        days = [f"{value:02d}" for value in (self.month, self.day) if value is not None]
        return period + "-".join([*([str(self.year)] if self.year else []), *days])


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit of measurement; values of one dimension are converted by `factor`."""

    name: str
    dimension: str
    factor: Decimal


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The meaning that the words around a number add.

    `direction` is up for a rise, gain or inflow, down for a fall, loss, outflow or a minus. `outflow` says that the
    words name a payment or deduction, which statements show in parentheses or not. `period` is that of a rate ("a
    month"). `in_prose` separates a sentence from the cell of a table, `unscaled` marks numbers that a table's scale
    excludes, and `operand` a number of a formula, where signs are those of the operators and scales cancel."""

    direction: Direction | None = None
    outflow: bool = False
    period: str | None = None
    in_prose: bool = False
    unscaled: bool = False
    operand: bool = False


PLAIN = Surroundings()


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text: `source[start:end] == text`.

    `value` is absolute: scale words are multiplied in, percentages are in per cent (basis points too, at a hundredth),
    a ratio a:b is a/b. `quantum` is the place of the last stated digit, on the same scale: for 0.001 billion it is
    1,000,000. `scale` is the factor of a stated scale word; without one, `implied` is what a heading ("in millions") or
    the other end of a range suggests, and both readings are considered possible. `in_percent` says that a heading or
    row before it mentions percentages. `points` are percentage points, `derived` says that the text does not state the
    number but two percentages that differ by it. `dates` are the readings of a date, period or time. An identifier has
    no value: it is compared by its `code`."""

    text: str
    start: int
    end: int
    kind: Kind
    value: Decimal = Decimal(0)
    quantum: Decimal = ONE
    unit: str | None = None
    scale: Decimal | None = None
    implied: Decimal | None = None
    in_percent: bool = False
    hedge: Hedge | None = None
    dates: tuple[CalendarDate, ...] = ()
    measure: Measure | None = None
    points: bool = False
    derived: bool = False
    surroundings: Surroundings = PLAIN

    @property
    def readings(self) -> tuple[Decimal, ...]:
        """The factors by which the value may have to be multiplied."""
        return (ONE,) if self.implied is None or self.scale is not None else (self.implied, ONE)

    @property
    def code(self) -> str:
        """The digits and letters of an identifier in the form for comparison, for any grouping."""
        written = _TRUNK.sub("", self.text)
        return "".join(filter(str.isalnum, written.removeprefix("00") if _ABROAD.match(written) else written)).upper()

    @property
    def digits(self) -> int:
        """The number of stated significant digits."""
        return len(str(abs(int(self.value / self.quantum)))) if self.value else 1

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that is equal for two statements of the same thing in any form."""
        if self.kind == "identifier":
            return (self.kind, self.code)
        kind = "percent" if self.kind == "percent" else "ordinal" if self.kind == "ordinal" else "number"
        return self.dates or (
            *(kind, abs(self.value), self.quantum, self.unit, self.implied, self.measure, self.points),
            self.surroundings.period,
        )

    @property
    def is_count(self) -> bool:
        """Whether it counts things: a whole number below 100 without a unit, or one in words."""
        bare = self.kind == "number" and self.unit is None and self.scale is None
        return bare and self.quantum == ONE and (abs(self.value) < 100 or not any(map(str.isdigit, self.text)))

    @property
    def stated(self) -> str:
        """The value in plain words, for explanations."""
        if self.dates:
            return str(self.dates[0])
        if self.kind == "identifier":
            return self.code
        sign = {"percent": "%", "ratio": "x"}.get(self.kind, "")
        plain = f"{round(self.value, 6).normalize():,f}{sign}"
        measured = plain if self.measure is None else f"{plain} {self.measure.name}"
        return measured if self.unit is None else f"{self.unit} {plain}"
