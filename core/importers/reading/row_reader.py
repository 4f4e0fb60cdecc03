"""Reads one row column by column; all its problems are collected, so that a user sees them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace
from typing import TypeVar

from hcat.core.importers.limits import Limits
from hcat.core.importers.problems import Problem, Remark
from hcat.core.importers.reading.cells import CellError, check_cell, number_in_text, without_vectors
from hcat.core.importers.reading.literals import read_literal
from hcat.core.importers.reading.table import Row
from hcat.core.types import JsonValue

T = TypeVar("T")
D = TypeVar("D")


class RowReader:
    """Reads cells as the types that a sample needs. `textual` rows come from CSV, where numbers and lists are text.

    A column may be given by several names with "|" between them: the first with a value counts. A cell that can't be
    stored (too long, binary, not finite) is a problem if a field needs it; any other is left out. `remarks` are the
    changes of cells, as a kind and its subject."""

    def __init__(self, row: Row, *, limits: Limits, textual: bool) -> None:
        self.problems: list[Problem] = []
        self.remarks: list[Remark] = []
        self._row = row
        self._limits = limits
        self._textual = textual
        self._spoiled: dict[str, CellError] = {}
        for column, cell in row.cells.items():
            if self._fault(column, cell) is not None:
                self._mend(column, cell)

    def __contains__(self, column: str) -> bool:
        return column in self._row.cells

    @property
    def columns(self) -> tuple[str, ...]:
        """The row's columns, in their order."""
        return tuple(self._row.cells)

    def named(self, columns: str) -> str:
        """The first name of a column that has a value, else the first that is in the row, else the first."""
        if "|" not in columns:
            return columns
        names = columns.split("|")
        there = [name for name in names if name in self._row.cells] or names
        return next((name for name in there if self._row.cells.get(name) is not None), there[0])

    def with_cells(self, **cells: JsonValue) -> RowReader:
        """The same row, reporting to the same problems, with these in place of its own cells."""
        other = copy(self)
        other._row = replace(self._row, cells={**self._row.cells, **{k: v for k, v in cells.items() if k in self}})
        return other

    def cell(self, column: str) -> JsonValue:
        """The cell unchanged; None if it is empty, missing or invalid."""
        return self._cell(self.named(column))

    def value(self, column: str, parse: Callable[[JsonValue], T], default: D) -> T | D:
        """The result of `parse` for the cell; `default` if the cell is empty, or is a problem."""
        column = self.named(column)
        return self._parsed(column, self._cell(column), parse, default)

    def required(self, column: str, parse: Callable[[JsonValue], T], default: D) -> T | D:
        """The same as `value`, but an empty cell is a problem too."""
        column = self.named(column)
        if column in self._spoiled:
            self._cell(column)
            return default
        try:
            return parse(self._row.cells.get(column))
        except CellError as error:
            self.problem(column + error.path, error.expected, error.found)
            return default

    def number(self, column: str, parse: Callable[[JsonValue], T], default: D) -> T | D:
        """The same as `value`, for numbers, which are text in CSV."""
        column = self.named(column)
        cell = self._cell(column)
        return self._parsed(column, number_in_text(cell) if self._textual else cell, parse, default)

    def structure(self, column: str, parse: Callable[[JsonValue], T], default: D, *, required: bool = False) -> T | D:
        """The same as `value` or `required`, for lists and objects, which CSV has as JSON or as Python or numpy show
        them."""
        column = self.named(column)
        cell = self._cell(column)
        if cell is None and required:
            return self.required(column, parse, default)
        if self._textual and isinstance(cell, str):
            try:
                cell = read_literal(cell)
            except ValueError:
                pass  # `parse` says better than this what was expected.
            else:
                if self._fault(column, cell, textual=False) is not None:
                    cell = without_vectors(cell, most=self._limits.max_items)
                fault = self._fault(column, cell, textual=False)
                if fault is not None:
                    self.problem(column, fault.expected, fault.found)
                    return default
        return self._parsed(column, cell, parse, default)

    def further(self, column: str, parse: Callable[[JsonValue], T], default: D) -> T | D:
        """The same as `structure`, for optional parts of a sample: a cell that can't be read is remarked on and left
        out."""
        column = self.named(column)
        before = len(self.problems)
        read = default if column in self._spoiled else self.structure(column, parse, default)
        if column in self._spoiled or len(self.problems) > before:
            del self.problems[before:]
            self.remark("unreadable", column)
        return read

    def extras(self, columns: Iterable[str]) -> dict[str, JsonValue]:
        """The cells of columns that the format does not know, without the empty ones."""
        wanted = columns if isinstance(columns, frozenset) else frozenset(columns)
        for name in self._spoiled:
            if name in wanted:
                self.remark("unreadable", name)
        return {
            name: cell
            for name, cell in self._row.cells.items()
            if name in wanted and cell is not None and name not in self._spoiled
        }

    def remark(self, kind: str, about: str) -> None:
        """Record a change of a cell, once."""
        if (kind, about) not in self.remarks:
            self.remarks.append((kind, about))

    def problem(self, column: str | None, expected: str, found: str) -> None:
        """Report, once, a problem that the parser of a single cell can't see."""
        problem = Problem(self._row.number, column, expected, found)
        if problem not in self.problems:
            self.problems.append(problem)

    def _cell(self, column: str) -> JsonValue:
        fault = self._spoiled.get(column)
        if fault is not None:
            self.problem(column, fault.expected, fault.found)
            return None
        return self._row.cells.get(column)

    def _parsed(self, column: str, cell: JsonValue, parse: Callable[[JsonValue], T], default: D) -> T | D:
        if cell is None:
            return default
        try:
            return parse(cell)
        except CellError as error:
            self.problem(column + error.path, error.expected, error.found)
            return default

    def _mend(self, column: str, cell: JsonValue) -> None:
        """Remove from the cell what no field of a sample uses; record the remaining fault."""
        mended = without_vectors(cell, most=self._limits.max_items)
        fault = self._fault(column, mended)
        if fault is None:
            self._row = replace(self._row, cells={**self._row.cells, column: mended})
        else:
            self._spoiled[column] = fault

    def _fault(self, column: str, cell: JsonValue, *, textual: bool | None = None) -> CellError | None:
        """The reason why the cell can't be stored; None if it can."""
        try:
            check_cell(column, self._limits)
            check_cell(cell, self._limits, textual=self._textual if textual is None else textual)
        except CellError as error:
            return error
        return None
