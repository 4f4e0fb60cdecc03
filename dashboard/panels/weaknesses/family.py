"""The slices in view, with q-values over everything that was looked at in this session."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import HcatError
from core.records.project import RunInfo
from core.weakness.family import family_table
from core.weakness.table import WeaknessTable
from dashboard.loaders import weaknesses


def slices_in_view(run: RunInfo, metric: str, by: Sequence[str]) -> WeaknessTable:
    """The slices of a metric and dimensions and their pairs; other metrics and dimensions of this run that were looked
    at before count among the tests."""
    seen: dict[tuple[str, tuple[str, ...]], None] = st.session_state.setdefault(f"looked-at-{run.artifact}", {})
    seen[metric, tuple(by)] = None
    tables = [weaknesses(run, metric, by, pairs=True)]
    for name, dimensions in seen:
        if (name, dimensions) == (metric, tuple(by)):
            continue
        try:
            tables.append(weaknesses(run, name, dimensions, pairs=True))
        except HcatError:  # a dimension or metric that the run no longer has
            continue
    return family_table(tables, metric=metric, by=by)
