"""Step 1: the database, and the queries that it allows."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.grammar.database import SETTINGS
from hcat.core.capabilities.grammar.schema import Schema
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.dashboard.capabilities.grammar.loader import company_file, schema_of, uploaded_database
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

COMPANY, UPLOAD, SERVER = "A company that does not exist", "Upload a SQLite file", "The database of the settings"


def choose_database() -> str | None:
    """The place of the chosen database, with its schema on screen. None where none can be read."""
    st.subheader("1 · Database")
    kinds = [COMPANY, UPLOAD, *([SERVER] if workspace().settings.grammar_database_url else [])]
    kind = st.segmented_control(
        "Database", kinds, default=COMPANY, required=True, key="grammar-database", label_visibility="collapsed"
    )
    try:
        place = _place(kind)
        if place is None:
            return None
        schema = schema_of(place)
    except HcatError as error:
        st.error(sentence(error))
        return None
    _schema(schema)
    return place


def _place(kind: str) -> str | None:
    if kind == SERVER:
        st.caption("Its address comes from HCAT_GRAMMAR_DATABASE_URL. It is read, never written, and never stored.")
        return SETTINGS
    if kind == UPLOAD:
        sent = st.file_uploader("SQLite file; it is read, never written", key="grammar-upload")
        return None if sent is None else uploaded_database(sent)
    st.caption("Names and figures are drawn at random: what a system says right of them, it found in the documents.")
    left, right, _ = st.columns([1, 1, 2])
    employees = left.number_input("Employees", 12, 5000, 24, key="grammar-employees")
    seed = right.number_input("Seed", 0, 10_000, workspace().settings.seed, key="grammar-company-seed")
    return company_file(int(employees), int(seed))


def _schema(schema: Schema) -> None:
    named = sum(table.subject is not None for table in schema.tables)
    st.caption(f"{counted(len(schema.tables), 'table')}; the rows of {named} have a name by which people ask for them.")
    with st.expander("Schema: what can be asked"):
        rows = [
            (
                table.name,
                table.rows,
                table.subject or "(no name)",
                ", ".join(column.name for column in table.asked()),
                ", ".join(reference.table for reference in table.references),
            )
            for table in schema.tables
        ]
        names = ["Table", "Rows", "Named by", "Can be asked for", "Refers to"]
        frame = pd.DataFrame(rows, columns=names)
        data_table(frame, hide_index=True, key="grammar-schema", alt="Tables and what can be asked of them")
