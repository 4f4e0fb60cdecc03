"""Changes in the numbers from one report to the next: tables and facts, row by row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hcat.core.types import Estimate
from hcat.core.view.tree import Heading, KeyValues, Kind, Quantity, Section, Table, Value

RESULTS: frozenset[Kind] = frozenset(
    {"number", "count", "percent", "p-value", "difference", "estimate", "share", "verdict"}
)
"""The texts of a row before the first value of such a kind name the row."""

Cells = dict[tuple[str, ...], Quantity]
"""Values of one section by location: its table or heading, the row, the column. Hashes are left out."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value of a section before and now; None where it was not there, or is not any more."""

    section: str
    where: str
    before: Quantity | None
    now: Quantity | None


def differences(before: Sequence[Section], now: Sequence[Section]) -> tuple[Difference, ...]:
    """Every result that is not the same in both, in the order of the new report; of sections that both have."""
    earlier = {section.id: section for section in before}
    return tuple(
        difference
        for section in now
        if section.id in earlier
        for difference in _of_section(section, _cells(earlier[section.id]), _cells(section))
    )


def _of_section(section: Section, before: Cells, now: Cells) -> Iterator[Difference]:
    for place in dict.fromkeys((*now, *before)):
        old, new = before.get(place), now.get(place)
        if _value(old) != _value(new):
            yield Difference(section.id, ": ".join(filter(None, place)), old, new)


def _value(quantity: Quantity | None) -> str | tuple[str, ...] | None:
    """To compare by, every digit: a whole number equals the same as a float. NaN is no value, as in the JSON."""
    value = None if quantity is None else quantity.value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    numbers = (value.value, value.low, value.high, value.n) if isinstance(value, Estimate) else (value,)
    return tuple(repr(float(number)) for number in numbers)


def _cells(section: Section) -> Cells:
    """Every result of the section by its place; of two in one place, the first."""
    cells: Cells = {}
    heading = ""
    for block in section.blocks:
        if isinstance(block, Heading):
            heading = block.text
        elif isinstance(block, KeyValues):
            found: Cells = {(heading, name): quantity for name, quantity in block.items if quantity.kind != "code"}
            cells = {**found, **cells}
        elif isinstance(block, Table):
            cells = {**_of_table(block), **cells}
    return cells


def _of_table(table: Table) -> Mapping[tuple[str, ...], Quantity]:
    n_keys = _n_keys(table)
    return {
        (table.title, ", ".join(map(_text, row[:n_keys])), column.title): quantity
        for row in reversed(table.rows)
        for value, column in zip(row[n_keys:], table.columns[n_keys:], strict=True)
        if (quantity := value if isinstance(value, Quantity) else Quantity(value, column.kind)).kind != "code"
    }


def _n_keys(table: Table) -> int:
    """Number of leading columns that name a row: all texts up to the first result, and at least one."""
    kinds = [column.kind for column in table.columns]
    return max(1, next((place for place, kind in enumerate(kinds) if kind in RESULTS), len(kinds)))


def _text(value: Value) -> str:
    return str(value.value if isinstance(value, Quantity) else "–" if value is None else value)
