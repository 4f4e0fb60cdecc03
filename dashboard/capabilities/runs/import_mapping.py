"""Which column of a file is which field of a sample: suggested by the columns' names, corrected by the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from hcat.core.importers import FileColumns
from hcat.core.importers.formats.native import FIELDS
from hcat.core.importers.mapping import DIMENSION, KEPT, LEFT_OUT, REQUIRED
from hcat.core.records.project import ColumnMapping, ProjectInfo
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

SHOWN_CHARACTERS = 120
MEANINGS: dict[str, tuple[str, str]] = {
    "query": ("Query", "What was asked."),
    "answer": ("Answer", "What the system answered; empty where it failed to."),
    "contexts": ("Contexts", "What was retrieved: a list in rank order, of texts or of objects; or one text."),
    "reference": ("Reference answer", "The right answer."),
    "relevant_ids": ("Relevant ids", "Ids of the relevant passages: a list, or an object with a grade for each."),
    "id": ("Sample id", "A name that no other row has. Without one it is derived from the texts."),
    "test_case": ("Test case", "The same for all trials of one test case, which depend on one another."),
    "trial": ("Trial", "A whole number: which repetition of the test case."),
    "group": ("Group", "The same for queries that mean the same, whose answers depend on one another."),
    "expected": ("Human expectation", "A number from 0 to 1."),
    "reference_contexts": ("Reference contexts", "A list of the texts that contain the right answer."),
    "variant": ("Variant", "An object: how the test case was changed, and from which one."),
    "dimensions": ("Dimensions, together", "One object with all dimensions, such as {…: …}."),
    "metadata": ("Metadata, together", "One object with any further information."),
}
"""Each field of a run file: its title, and the requirement on its cells."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The user's mapping of the columns. `mapping` is None if the file is read in its own format."""

    mapping: dict[str, str] | None
    ready: bool = True


def mapping_panel(project: ProjectInfo, file: FileColumns, *, key: str) -> Chosen:
    """The mapping screen, where the columns are not recognised or the user wants to say it otherwise."""
    saved = workspace().mappings.find(project, file.columns)
    if file.format is None and saved is None:
        st.warning(
            "The file's columns match no known format. Choose the column of each field; other columns become metadata."
        )
    elif file.format is not None and not st.toggle("Edit column mapping", value=saved is not None, key=f"change-{key}"):
        return Chosen(None)
    with st.container(border=True):
        if saved is not None:
            st.caption(f":material/history: Filled in from the mapping used in this project on {saved.at:%d %B %Y}.")
        _first_rows(file)
        fields = _pick_fields(file, saved, key=key)
        return _complete(file, fields, saved, key=key)


def _first_rows(file: FileColumns) -> None:
    rows = [{name: _short(row.get(name)) for name in file.columns} for row in file.first_rows]
    st.markdown("**The file's first rows**, unchanged")
    frame = pd.DataFrame(rows, columns=list(file.columns))
    data_table(frame, hide_index=True, key="first-rows", alt="The file's first rows")


def _pick_fields(file: FileColumns, saved: ColumnMapping | None, *, key: str) -> dict[str, str]:
    """Field → column, from one select box a field."""
    proposed = file.suggestion if saved is None else {name: column for column, name in saved.mapping.items()}
    picked: dict[str, str] = {}
    fields = [*MEANINGS, *(name for name in FIELDS if name not in MEANINGS)]
    for start in range(0, len(fields), 4):
        for place, field in zip(st.columns(4), fields[start : start + 4], strict=False):
            title, meaning = MEANINGS.get(field, (field, ""))
            column = place.selectbox(
                f"{title} (needed)" if field in REQUIRED else title,
                file.columns,
                index=file.columns.index(proposed[field]) if proposed.get(field) in file.columns else None,
                placeholder="no column",
                key=f"map-{key}-{field}",
                help=meaning,
            )
            if column is not None:
                picked[field] = column
    return picked


def _complete(file: FileColumns, fields: Mapping[str, str], saved: ColumnMapping | None, *, key: str) -> Chosen:
    """The whole mapping, with the use of the other columns; not ready if a field is missing or given twice."""
    others = [name for name in file.columns if name not in fields.values()]
    sliced: list[str] = []
    if others:
        sliced = st.multiselect(
            "Columns to use as dimensions",
            others,
            default=_dimensions(file, others, saved),
            key=f"dimensions-{key}-{'/'.join(others)}",
            placeholder="no further column",
            help="Each becomes a dimension. The other columns are kept as metadata.",
        )
    doubled = [column for column in file.columns if list(fields.values()).count(column) > 1]
    if doubled:
        st.error(f"A column can be one field only. Chosen for several: {', '.join(map(plain, doubled))}.")
        return Chosen(None, ready=False)
    missing = [MEANINGS[field][0].lower() for field in REQUIRED if field not in fields]
    if missing:
        st.caption(f"Choose the column of {' and of '.join(missing)} to see what is read.")
        return Chosen(None, ready=False)
    lost = [name for name in others if name in FIELDS and name not in sliced]
    if lost:
        st.caption(f"Skipped, because a field of this name has another column or none: {', '.join(map(plain, lost))}.")
    uses = {name: DIMENSION if name in sliced else LEFT_OUT if name in lost else KEPT for name in others}
    return Chosen({**{column: field for field, column in fields.items()}, **uses})


def _dimensions(file: FileColumns, others: list[str], saved: ColumnMapping | None) -> list[str]:
    """Columns used as dimensions the last time, else the columns whose cells are few short words."""
    if saved is not None:
        return [name for name in others if saved.mapping.get(name) == DIMENSION]
    return [name for name in others if name not in FIELDS and name in file.dimensions]


def _short(value: object) -> str:
    text = "" if value is None else value if isinstance(value, str) else str(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
