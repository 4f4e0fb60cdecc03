"""The rows of the audit log: who changed what, when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import pandas as pd
import streamlit as st

from hcat.core.capabilities.audit.service import AuditFilter
from hcat.core.records.audit import AuditEntry
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

SHOWN = 500
"""The newest rows that the table shows; the file has all."""
COLUMNS = ("Row", "Time (UTC)", "Who", "Role", "Action", "Project", "Rows changed", "Hash")


def changes_panel() -> None:
    """The filters, the newest rows that they leave, and all of them as a file."""
    st.subheader("Changes")
    chosen = _filters()
    n = workspace().audit.count(chosen)
    if not n:
        st.info("No change is like that. Choose fewer filters.")
        return
    entries = workspace().audit.entries(chosen, newest=SHOWN)[::-1]
    st.caption(f"The newest {len(entries):,} of {n:,} rows." if n > len(entries) else f"{n:,} rows, the newest first.")
    frame = pd.DataFrame([_cells(entry) for entry in entries], columns=list(COLUMNS))
    data_table(frame, alt="Changes in the audit log", hide_index=True, key="audit-changes")
    st.download_button(
        f"Download all {n:,} rows as CSV",
        partial(workspace().audit.as_csv, chosen),
        file_name="audit log.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key="audit-csv",
    )


def _filters() -> AuditFilter:
    names = workspace().audit.names()
    who, action, project, days = st.columns(4)
    chosen = AuditFilter(
        actor=who.selectbox("Who", [None, *names["actor"]], format_func=_or_all, key="audit-actor"),
        action=action.selectbox("Action", [None, *names["action"]], format_func=_or_all, key="audit-action"),
        project=project.selectbox(
            "Project", [None, *filter(None, names["project"])], format_func=_or_all, key="audit-project"
        ),
    )
    given = days.date_input("Days (UTC)", value=[], key="audit-days", help="From and to, both included.")
    picked: tuple[date, ...] = given if isinstance(given, tuple) else (given,)
    if not picked:
        return chosen
    return replace(chosen, since=_begin(picked[0]), until=_begin(picked[-1]) + timedelta(days=1))


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _or_all(name: str | None) -> str:
    return "all" if name is None else name


def _cells(entry: AuditEntry) -> tuple[object, ...]:
    when = f"{entry.at:%Y-%m-%d %H:%M:%S}"
    return entry.sequence, when, entry.actor, entry.role, entry.action, entry.project, entry.subject, entry.hash
