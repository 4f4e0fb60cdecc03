"""Upload → columns → preview → import. Nothing is stored before the user has seen what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.importers import FORMATS, Preview, bad_rows_jsonl, problems_csv
from hcat.core.importers.scores.read_scores import scores_in
from hcat.core.importers.streamed import StreamedRun
from hcat.core.jobs import forecast as forecasting
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.samples.likely_trials import likely_trials
from hcat.core.scoring.score_file import ScoreFile
from hcat.core.wording.clusters import likely_trials_warning
from hcat.core.wording.importing import account_rows, forecast_sentence, lines_sentence, notes_on_file, notes_on_texts
from hcat.dashboard.capabilities.metrics.loader import registered_metrics
from hcat.dashboard.capabilities.runs.engine_choice import choose_engine, engine_note
from hcat.dashboard.capabilities.runs.file_scores import ChosenScores, add_scores, choose_scores
from hcat.dashboard.capabilities.runs.import_mapping import mapping_panel
from hcat.dashboard.capabilities.runs.metric_choice import choose_metrics
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.sheets import chosen_sheet
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.large_uploads import first_columns, forecast_of, is_read_by_row, rows_of_upload
from hcat.dashboard.loaders.uploads import Upload, uploaded_columns, uploaded_run
from hcat.dashboard.loaders.workspace import workspace

SHOWN_PROBLEMS = 200


def import_panel(project: ProjectInfo) -> None:
    """The uploader, the content that it found, and the button that imports the good rows."""
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
        by_row = is_read_by_row(uploaded)
        columns = first_columns(uploaded) if by_row else uploaded_columns(uploaded)
        chosen = mapping_panel(project, columns, key=uploaded.file_id)
        if not chosen.ready:
            return
        reads = _read_by_row if by_row else _read_whole
        read = reads(uploaded, chosen.mapping or {}, _leaves_out_thoughts(uploaded))
    except HcatError as error:
        st.error(sentence(error))
        return
    _show(read, key=uploaded.file_id)
    if read.n:
        file = scores_in(read.preview, filename=uploaded.name, sha256=sha256_of_bytes([uploaded.getvalue()]))
        scores = _scores_of_import(read, file, key=uploaded.file_id)
        _import_form(project, read, uploaded.name, chosen.mapping, file, scores)


@dataclass(frozen=True, slots=True)
class _Read:
    """The content read from a file: `n` good rows, and the number of problems. If it is read row by row, the preview
    covers its first rows, and `by_row` has all of them."""

    preview: Preview
    n: int
    n_problems: int
    by_row: StreamedRun | None = None

    @property
    def bad(self) -> int:
        """The number of rows left out."""
        return self.preview.rows - self.n


def _leaves_out_thoughts(uploaded: Upload) -> bool:
    """Whether the switch below the preview is on, which is there where answers hold a model's thoughts."""
    return bool(st.session_state.get(f"without-thoughts-{uploaded.file_id}", False))


def _read_whole(uploaded: Upload, mapping: Mapping[str, str], without_thoughts: bool) -> _Read:
    preview = uploaded_run(uploaded, mapping, without_thoughts=without_thoughts)
    return _Read(preview, len(preview.samples), len(preview.problems))


def _read_by_row(uploaded: Upload, mapping: Mapping[str, str], without_thoughts: bool) -> _Read:
    _check_room(uploaded, mapping)
    rows = rows_of_upload(uploaded, mapping, without_thoughts=without_thoughts)
    return _Read(rows.preview, rows.n, rows.n_problems, rows)


def _check_room(uploaded: Upload, mapping: Mapping[str, str]) -> None:
    """Show the resources for the import; LimitError if this machine has too little room."""
    forecast = forecast_of(uploaded, mapping)
    st.caption(plain(forecast_sentence(forecast.totals)))
    forecasting.check_room(forecast, forecasting.room_for(forecast))


def _scores_of_import(read: _Read, file: ScoreFile, *, key: str) -> ChosenScores:
    """Which of the file's own numbers become metrics: those that the tool documents, before the user says more."""
    if not file.columns:
        return ChosenScores()
    if read.by_row is not None:
        st.info("The file has numbers of its own. Import it, then add them under “Scores you already have”.")
        return ChosenScores()
    with st.container(border=True):
        st.markdown("**The file has numbers of its own.** Scores among them can become metrics of the run.")
        return choose_scores(file, key=key, documented=True)


def _show(read: _Read, *, key: str) -> None:
    preview = read.preview
    left, middle, right = st.columns(3)
    left.metric("Format", preview.format.title)
    middle.metric("Usable samples", f"{read.n:,}")
    right.metric("Rows skipped", f"{read.bad:,}")
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
    found = likely_trials(preview.samples) if read.by_row is None else None
    if found is not None:
        st.warning(plain(likely_trials_warning(found)))
    for note in notes_on_file(preview) if read.by_row is None else notes_on_texts(preview):
        st.info(plain(note), icon=":material/info:")
    if any(kind.startswith("thoughts") for kind, _ in preview.account.remarks):
        st.toggle("Leave a model's thoughts out of answers", key=f"without-thoughts-{key}")
    if preview.problems:
        _show_problems(read)
    _show_account(read)


def _show_account(read: _Read) -> None:
    """Show the use of each column and each line, open if a column is left unused though it is named like a field."""
    account = read.preview.account
    with st.expander("What became of each column", expanded=any(each.like for each in account.columns)):
        rows = pd.DataFrame(account_rows(account), columns=["Column", "Used as", "Remark"])
        data_table(rows, hide_index=True, key="account", alt="What each column of the file is used for")
        if sentence := lines_sentence(account, read.preview.rows):
            st.caption(plain(sentence))


def _show_problems(read: _Read) -> None:
    preview = read.preview
    st.warning(
        f"{counted(read.n_problems, 'problem')} in {counted(read.bad, 'row')}. Rows with problems are "
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
    read: _Read,
    filename: str,
    mapping: Mapping[str, str] | None,
    file: ScoreFile,
    scores: ChosenScores,
) -> None:
    with st.container(horizontal=True):
        metrics = choose_metrics(tuple(registered_metrics()), key="import")
        engine = choose_engine(read.n, key="import")
    engine_note(engine, read.n)
    with st.form("import", border=False):
        name = st.text_input("Name of the run", PurePath(filename).stem[:200], key="run-name")
        score = st.checkbox("Score after import", value=True, help="With the metrics chosen above: all, or some.")
        label = f"Import {counted(read.n, 'sample')}" + (f", skip {counted(read.bad, 'row')}" if read.bad else "")
        if not st.form_submit_button(label, type="primary", disabled=not (scores.ready and engine)):
            return
    try:
        run = _stored(project, name, read, filename)
        add_scores(run, file, scores)
        if mapping is not None:
            workspace().mappings.save(project, read.preview.columns, mapping)
        if score and metrics:
            workspace().jobs.start_scoring(run, metrics, engine=engine)
    except HcatError as error:
        st.error(f"Nothing was imported: {plain(error)}")
        return
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1
    st.session_state["next-run"] = run.name
    st.rerun()


def _stored(project: ProjectInfo, name: str, read: _Read, filename: str) -> RunInfo:
    known = read.preview.format.name
    if read.by_row is None:
        return workspace().runs.add(project, name, read.preview.samples, source=filename, format=known)
    rows = read.by_row
    return workspace().runs.add_each(project, name, rows.samples(), several=rows.several, source=filename, format=known)
