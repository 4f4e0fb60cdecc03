"""Tables of documents, problems and changes, the same before and after a corpus is stored."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.corpus.corpus_changes import CorpusChanges
from hcat.core.capabilities.corpus.wording import changes_text, document_change_text
from hcat.core.display.numbers import counted
from hcat.core.records.documents import DocumentProblem, DocumentSummary
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table, selectable_table

ROW_HEIGHT, TALLEST = 35, 330


def documents_table(documents: Sequence[DocumentSummary], *, key: str, choose: bool = False) -> str | None:
    """The documents with their counts; the id of the one that is chosen, where `choose`."""
    rows = pd.DataFrame(
        {
            "Document": [document.id for document in documents],
            "Format": [document.format for document in documents],
            "Pages": [f"{document.pages:,}" if document.pages is not None else "" for document in documents],
            "Words": [document.words for document in documents],
            "Passages": [document.passages for document in documents],
            "Hash": [document.content_hash[:12] for document in documents],
        }
    )
    if all(document.pages is None for document in documents):
        rows = rows.drop(columns="Pages")
    height = min(TALLEST, ROW_HEIGHT * (len(rows) + 1) + 3)
    alt = "The documents of the corpus"
    if not choose:
        data_table(rows, hide_index=True, height=height, key=key, alt=alt)
        return None
    event = selectable_table(rows, hide_index=True, height=height, key=key, alt=alt, selection_mode="single-row")
    chosen = event.selection.rows
    return documents[chosen[0]].id if chosen and chosen[0] < len(documents) else None


def problems_table(problems: Sequence[DocumentProblem], *, key: str, nothing_read: bool = False) -> None:
    """The files that were left out or are in doubt, each with its reason; nothing where there are none."""
    if not problems:
        return
    left_out = sum(problem.left_out for problem in problems)
    in_doubt = len(problems) - left_out
    parts = [
        *([f"{counted(left_out, 'file')} left out"] if left_out else []),
        *([f"{counted(in_doubt, 'file')} to look at"] if in_doubt else []),
    ]
    others = "" if nothing_read else " All others are read."
    st.warning(f"{' and '.join(parts)}.{others}", icon=":material/warning:")
    rows = pd.DataFrame(
        {
            "File": [problem.document for problem in problems],
            "Left out": ["yes" if problem.left_out else "no" for problem in problems],
            "Reason, and what to do": [problem.message for problem in problems],
        }
    )
    data_table(
        rows,
        hide_index=True,
        height=min(TALLEST, ROW_HEIGHT * (len(rows) + 1) + 3),
        key=key,
        alt="Files with problems",
    )


def changes_table(changes: CorpusChanges, *, key: str) -> None:
    """Show new, changed and removed documents: one sentence, and a row for each document that is not as before."""
    st.markdown(plain(changes_text(changes)))
    if not changes.changes:
        return
    rows = pd.DataFrame(
        [
            (
                change.document,
                document_change_text(change),
                change.passages.new,
                change.passages.changed,
                change.passages.gone,
                change.passages.same,
            )
            for change in changes.changes
        ],
        columns=["Document", "Change", "New passages", "Changed", "Gone", "As before"],
    )
    data_table(
        rows,
        hide_index=True,
        height=min(TALLEST, ROW_HEIGHT * (len(rows) + 1) + 3),
        key=key,
        alt="Documents that changed",
    )
