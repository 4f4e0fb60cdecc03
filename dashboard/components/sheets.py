"""Which sheet of an uploaded workbook is read."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from hcat.core.errors import HcatError
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.loaders.uploads import Upload, uploaded_sheet, uploaded_sheets


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of an uploaded workbook, which everything reads like a file of its own."""

    file_id: str
    name: str
    content: bytes

    def getvalue(self) -> bytes:
        """The sheet as CSV."""
        return self.content


def chosen_sheet(uploaded: Upload) -> Upload | None:
    """The uploaded file; of a workbook the sheet that the user chose, first the first. None where it can't be read."""
    try:
        sheets = uploaded_sheets(uploaded)
        if not sheets:
            return uploaded
        sheet = sheets[0]
        if len(sheets) > 1:
            sheet = st.selectbox("Sheet of the workbook", sheets, key=f"sheet-{uploaded.file_id}")
        return Sheet(f"{uploaded.file_id}/{sheet}", uploaded.name, uploaded_sheet(uploaded, sheet))
    except HcatError as error:
        st.error(sentence(error))
        return None
