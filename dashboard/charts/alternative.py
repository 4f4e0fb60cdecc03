"""A chart in words, with its values: for those who hear a page instead of seeing it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from hcat.core.display.numbers import counted, format_number

MOST_VALUES = 24
"""For a series with more values, their spread is stated instead of each."""
MOST_CELLS = 100
DRAWN = ("scatter", "scattergl", "bar", "waterfall")


def described(figure: go.Figure, title: str) -> str:
    """The title, then each series of the figure with its values."""
    return " ".join([f"{title}.", *(text for trace in figure.data if (text := _series(trace)))])


def _series(trace: go.Trace) -> str:
    if trace.type == "heatmap":
        return _cells(trace)
    if trace.type == "histogram":
        return _spread(_name(trace), trace.x)
    if trace.type not in DRAWN or trace.x is None or trace.y is None:
        return ""
    lying = all(isinstance(name, str) for name in trace.y)
    labels, values = (trace.y, trace.x) if lying else (trace.x, trace.y)
    if len(values) <= MOST_VALUES:
        return _listed(_name(trace), labels, _estimates(trace) or values)
    if trace.type != "bar" and trace.mode == "markers":
        return f"{_name(trace)}{counted(len(values), 'point')}."
    return _spread(_name(trace), values)


def _estimates(trace: go.Trace) -> Sequence[str]:
    """The values with interval and n, if these are in the chart's hover text."""
    texts = trace.text
    whole = isinstance(texts, list | tuple) and bool(texts) and all(", n = " in str(text) for text in texts)
    return [_plain(text) for text in texts] if whole else []


def _cells(trace: go.Trace) -> str:
    """Every cell that has a value, row by row; of a large table, how the values spread."""
    table = pd.DataFrame([list(row) for row in trace.z], index=trace.y, columns=trace.x)
    values = table.apply(pd.to_numeric, errors="coerce").stack().dropna()
    if len(values) > MOST_CELLS:
        return _spread("", values)
    return _listed("", [f"{_plain(row)}, {_plain(column)}" for row, column in values.index], values)


def _listed(name: str, labels: Iterable[object], values: Iterable[object]) -> str:
    pairs = [(_plain(label), _value(value)) for label, value in zip(labels, values, strict=False)]
    said = "; ".join(value if name == f"{label}: " else f"{label}: {value}" for label, value in pairs if value)
    return f"{name}{said}." if said else ""


def _spread(name: str, values: Iterable[object]) -> str:
    """The number of values, their range and their median."""
    known = _numbers(values)
    if known.size == 0:
        return ""
    low, middle, high = (format_number(float(value), decimals=3) for value in np.quantile(known, [0, 0.5, 1]))
    return f"{name}{counted(known.size, 'value')}, from {low} to {high}, median {middle}."


def _numbers(values: Iterable[object]) -> NDArray[np.float64]:
    known = pd.to_numeric(pd.Series(list(values), dtype="object"), errors="coerce")
    return np.asarray(known[np.isfinite(known)], dtype=np.float64)


def _value(value: object) -> str:
    """A number as pages write it, a text as it is, nothing for none."""
    if isinstance(value, str):
        return value
    known = _numbers([value])
    return format_number(float(known[0]), decimals=3) if known.size else ""


def _name(trace: go.Trace) -> str:
    return f"{_plain(trace.name)}: " if trace.name else ""


def _plain(value: object) -> str:
    """A name without Plotly's markup."""
    return f"{value:g}" if isinstance(value, float) else re.sub(r"<[^>]+>", " ", str(value)).strip()
