"""Upload → columns → preview → import. Nothing is stored before the user has seen what was read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

import pandas as pd
import streamlit as st

from core.display.numbers import counted
from core.errors import HcatError
from core.importers import FORMATS, Preview, bad_rows_jsonl, problems_csv
from core.importers.scores.read_scores import scores_in
from core.records.hashing import sha256_of_bytes
from core.records.project import ProjectInfo
from core.records.samples.likely_trials import likely_trials
from core.scoring.score_file import ScoreFile
from core.wording.clusters import likely_trials_warning
from core.wording.importing import notes_on_file
from dashboard.components.markdown import plain, sentence
from dashboard.components.sheets import chosen_sheet
from dashboard.components.tables import data_table
from dashboard.loaders.metrics import registered_metrics
from dashboard.loaders.uploads import uploaded_columns, uploaded_run
from dashboard.loaders.workspace import workspace
from dashboard.panels.runs.file_scores import ChosenScores, add_scores, choose_scores
from dashboard.panels.runs.import_mapping import mapping_panel
from dashboard.panels.runs.metric_choice import choose_metrics

SHOWN_PROBLEMS = 200


def import_panel(project: ProjectInfo) -> None:
    """The uploader, what it found, and the button that imports the good rows."""
    st.subheader("Import a run")
    formats = ", ".join(known_format.title for known_format in FORMATS)
    sent = st.file_uploader(
        "Run file: one sample per row, with query, contexts and answer",
        key=f"upload-{st.session_state.get('uploads', 0)}",
        help=f"JSON Lines, JSON, CSV, Parquet or Excel. Recognised by content: {formats}.",
    )
    if sent is None or (uploaded := chosen_sheet(sent)) is None:
        return
    try:
        columns = uploaded_columns(uploaded)
        chosen = mapping_panel(project, columns, key=uploaded.file_id)
        if not chosen.ready:
            return
        preview = uploaded_run(uploaded, chosen.mapping or {})
    except HcatError as error:
        st.error(sentence(error))
        return
    _show(preview)
    if preview.samples:
        file = scores_in(preview, filename=uploaded.name, sha256=sha256_of_bytes([uploaded.getvalue()]))
        scores = _scores_of_import(file, key=uploaded.file_id)
        _import_form(project, preview, uploaded.name, chosen.mapping, file, scores)


def _scores_of_import(file: ScoreFile, *, key: str) -> ChosenScores:
    """Which of the file's own numbers become metrics: those that the tool documents, before the user says more."""
    if not file.columns:
        return ChosenScores()
    with st.container(border=True):
        st.markdown("**The file has numbers of its own.** Scores among them can become metrics of the run.")
        return choose_scores(file, key=key, documented=True)


def _show(preview: Preview) -> None:
    left, middle, right = st.columns(3)
    left.metric("Format", preview.format.title)
    middle.metric("Usable samples", f"{len(preview.samples):,}")
    right.metric("Rows skipped", f"{preview.bad:,}")
    rows = pd.DataFrame(
        {
            "Query": [sample.query for sample in preview.samples[:50]],
            "Answer": [
                sample.answer if sample.answer is not None else "(no answer)" for sample in preview.samples[:50]
            ],
            "Contexts": [len(sample.contexts) for sample in preview.samples[:50]],
            "Reference": ["yes" if sample.reference else "no" for sample in preview.samples[:50]],
            "Dimensions": [", ".join(sample.dimensions) for sample in preview.samples[:50]],
        }
    )
    data_table(rows, hide_index=True, height=220, key="preview", alt="The first samples of the file")
    found = likely_trials(preview.samples)
    if found is not None:
        st.warning(plain(likely_trials_warning(found)))
    for note in notes_on_file(preview):
        st.info(plain(note), icon=":material/info:")
    if preview.problems:
        _show_problems(preview)


def _show_problems(preview: Preview) -> None:
    st.warning(
        f"{counted(len(preview.problems), 'problem')} in {counted(preview.bad, 'row')}. Rows with problems are "
        "skipped; the rest will be imported."
    )
    shown = preview.problems[:SHOWN_PROBLEMS]
    rows = pd.DataFrame(
        [(p.row, p.column, p.expected, p.found) for p in shown], columns=["Row", "Column", "Expected", "Found"]
    )
    data_table(rows, hide_index=True, height=180, key="problems", alt="Problems, row by row")
    with st.container(horizontal=True):
        st.download_button("Download the list of problems", problems_csv(preview.problems), "problems.csv", "text/csv")
        st.download_button(
            "Download the bad rows", bad_rows_jsonl(preview.bad_rows), "bad_rows.jsonl", "application/jsonl"
        )


def _import_form(
    project: ProjectInfo,
    preview: Preview,
    filename: str,
    mapping: Mapping[str, str] | None,
    file: ScoreFile,
    scores: ChosenScores,
) -> None:
    metrics = choose_metrics(tuple(registered_metrics()), key="import")
    with st.form("import", border=False):
        name = st.text_input("Name of the run", PurePath(filename).stem[:200], key="run-name")
        score = st.checkbox("Score after import", value=True, help="With the metrics chosen above: all, or some.")
        label = f"Import {counted(len(preview.samples), 'sample')}" + (
            f", skip {counted(preview.bad, 'row')}" if preview.bad else ""
        )
        if not st.form_submit_button(label, type="primary", disabled=not scores.ready):
            return
    try:
        run = workspace().runs.add(project, name, preview.samples, source=filename, format=preview.format.name)
        add_scores(run, file, scores)
        if mapping is not None:
            workspace().mappings.save(project, preview.columns, mapping)
        if score and metrics:
            workspace().jobs.start_scoring(run, metrics)
    except HcatError as error:
        st.error(f"Nothing was imported: {plain(error)}")
        return
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1
    st.session_state["next-run"] = run.name
    st.rerun()
