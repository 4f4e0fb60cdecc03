"""The content of uploaded files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import streamlit as st

from hcat.core.importers import FileColumns, Preview, read_columns, read_run
from hcat.core.importers.reading.excel import is_workbook, sheet_csv, sheet_names
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.scoring.score_file import ScoreFile


class Upload(Protocol):
    """A file that was uploaded, or one sheet of it."""

    @property
    def file_id(self) -> str: ...

    @property
    def name(self) -> str: ...

    def getvalue(self) -> bytes:
        """Its content."""
        ...


def uploaded_sheets(uploaded: Upload) -> tuple[str, ...]:
    """The sheets of an uploaded workbook; none of another file. Raises HcatError where it can't be read."""
    return _uploaded_sheets(uploaded.file_id, uploaded) if is_workbook(uploaded.getvalue()) else ()


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the workbook …")
def _uploaded_sheets(file_id: str, _uploaded: Upload) -> tuple[str, ...]:
    return sheet_names(_uploaded.getvalue())


def uploaded_sheet(uploaded: Upload, sheet: str) -> bytes:
    """One sheet of an uploaded workbook, as CSV. Raises HcatError where it can't be read."""
    return _uploaded_sheet(uploaded.file_id, sheet, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the sheet …")
def _uploaded_sheet(file_id: str, sheet: str, _uploaded: Upload) -> bytes:
    return sheet_csv(_uploaded.getvalue(), sheet=sheet).encode()


def uploaded_columns(uploaded: Upload) -> FileColumns:
    """The columns of an uploaded file. Raises HcatError where it can't be read."""
    return _uploaded_columns(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the file …")
def _uploaded_columns(file_id: str, _uploaded: Upload) -> FileColumns:
    return read_columns(_uploaded.getvalue(), filename=_uploaded.name)


def uploaded_run(uploaded: Upload, mapping: Mapping[str, str], *, without_thoughts: bool = False) -> Preview:
    """The samples of an uploaded run file, and the errors in it. Raises HcatError if it can't be read."""
    return _uploaded_run(uploaded.file_id, tuple(sorted(mapping.items())), without_thoughts, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the file …")
def _uploaded_run(
    file_id: str, mapping: tuple[tuple[str, str], ...], without_thoughts: bool, _uploaded: Upload
) -> Preview:
    content, columns = _uploaded.getvalue(), dict(mapping)
    return read_run(content, filename=_uploaded.name, mapping=columns, leave_out_thoughts=without_thoughts)


def uploaded_scores(uploaded: Upload) -> ScoreFile:
    """The scores in an uploaded file. Raises HcatError where it can't be read."""
    return _uploaded_scores(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the file …")
def _uploaded_scores(file_id: str, _uploaded: Upload) -> ScoreFile:
    return read_scores(_uploaded.getvalue(), filename=_uploaded.name)
