"""The cases of a version in a table, and as a file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.records.test_case import TestCase, test_cases_jsonl
from hcat.core.records.test_set import TestSetInfo
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import stored_cases
from hcat.dashboard.components.tables import data_table

MOST_ROWS = 2_000


def cases_panel(test_set: TestSetInfo) -> None:
    """Every case with its answer, type, difficulty and topic; the download contains all that is known of each."""
    cases = stored_cases(test_set)
    data_table(
        pd.DataFrame([_row(case) for case in cases[:MOST_ROWS]]),
        hide_index=True,
        height=420,
        key=f"cases-{test_set.id}",
        alt="The test cases of this version",
    )
    if len(cases) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS:,} are shown; the file holds all.")
    st.download_button(
        "Download the test cases",
        test_cases_jsonl(cases),
        file_name=f"{test_set.name}-v{test_set.version}.jsonl",
        mime="application/jsonl",
        icon=":material/download:",
        key=f"download-{test_set.id}",
        help="JSON Lines, as `hcat collect` and `hcat perturb` read them. Its SHA-256 is that of the version.",
    )


def _row(case: TestCase) -> dict[str, object]:
    return {
        "Query": case.query,
        "Answer": case.reference or "(to decline)",
        "Type": case.type,
        "Difficulty": case.difficulty,
        "Topic": case.topic or "",
        "Wording": case.dimensions.get("wording", ""),
        "Variant": "" if case.variant is None else case.variant.family,
        "Probability": case.probability,
        "Id": case.id,
    }
