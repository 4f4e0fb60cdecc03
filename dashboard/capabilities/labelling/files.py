"""Labels from a file and to a file: upload → preview → import, and the export of all that hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.importers.labels.label_file import LabelPreview, read_labels
from hcat.core.importers.labels.level_words import SKIP, likely_level
from hcat.core.importers.problems import problems_csv
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.core.wording.importing import alike_sentence
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.sheets import chosen_sheet
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.runs import sample_ids
from hcat.dashboard.loaders.workspace import workspace

MOST_VALUES = 30
"""More labels than that are no names of levels: a wrong column, or texts."""


def label_files_panel(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    """The uploader for label files, and the download of the run's labels on the criterion."""
    with st.expander(
        "Labels from a file, or to a file", icon=":material/swap_vert:", on_change="rerun", key="label-files"
    ) as panel:
        if not panel.open:
            return
        _export(project, run, criterion)
        sent = st.file_uploader(
            "Label file: sample_id, criterion, label[, annotator, run, rationale, at, probability]",
            key=f"label-upload-{st.session_state.get('label-uploads', 0)}",
            help="CSV, JSON, Parquet or Excel. Level names, pass/fail, yes/no, 1/0, whole numbers, or other words, "
            "which are mapped to levels. Rows of other runs are skipped. Without `probability`, all samples count as "
            "equally likely to be drawn. `source`: person, rule, adjudication or llm.",
        )
        if sent is None or (uploaded := chosen_sheet(sent)) is None:
            return
        try:
            preview = read_labels(uploaded.getvalue(), criterion=criterion, run=run.name)
            values = _level_mapping(project, criterion, preview, key=uploaded.file_id)
            if values is None:
                return
            if values:
                preview = read_labels(uploaded.getvalue(), criterion=criterion, run=run.name, values=values)
        except HcatError as error:
            st.error(sentence(error))
            return
        _show(preview)
        preview = _of_this_run(run, preview)
        if preview.labels and st.button(
            f"Import {counted(len(preview.labels), 'label')}", type="primary", key="import-labels"
        ):
            _import(run, criterion, preview, values)


def _level_mapping(
    project: ProjectInfo, criterion: Criterion, preview: LabelPreview, *, key: str
) -> dict[str, str] | None:
    """The level that each unrecognised label means; None until each is chosen, {} if all are recognised or too many are
    not."""
    if not 0 < len(preview.unknown) <= MOST_VALUES:
        return {}
    st.markdown("**What do these labels stand for?** The project remembers it.")
    saved = workspace().mappings.find_levels(project, criterion)
    choices = [*criterion.levels, SKIP]
    chosen: dict[str, str] = {}
    for value in preview.unknown:
        likely = saved.get(value) or likely_level(criterion, value)
        level = st.selectbox(
            f"“{plain(value)}”: {counted(preview.values[value], 'row')}",
            choices,
            index=None if likely is None else choices.index(likely),
            placeholder="choose a level, or skip",
            key=f"level-{key}-{value}",
        )
        if level is not None:
            chosen[value] = level
    if len(chosen) < len(preview.unknown):
        st.caption("Choose a level, or skip, for each to see what is read.")
        return None
    return chosen


def _export(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    ws = workspace()
    hidden = st.checkbox(
        "Pseudonyms in place of names",
        value=True,
        key="pseudonyms",
        help="Each person has one pseudonym throughout the project. Only this project can resolve it, when such a "
        "file is imported again.",
    )
    labels = ws.labels.current(project, criterion.name, run)
    stem = re.sub(r"[^A-Za-z0-9]+", "-", f"labels-{run.name}-{criterion.name}").strip("-")
    with st.container(horizontal=True):
        st.download_button(
            f"Download the {counted(len(labels), 'current label')}",
            partial(ws.exports.label_file if hidden else ws.exports.named_label_file, project, criterion, run),
            f"{stem}.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            disabled=not labels,
            key="export-labels",
        )
        st.download_button(
            "Download the whole log",
            partial(ws.exports.label_log, project, criterion, run),
            f"{stem}-log.csv",
            "text/csv",
            icon=":material/history:",
            on_click="ignore",
            key="export-log",
            help="Every entry: labels, skips, withdrawals, with confidence, marks, flags and what was shown. Always "
            "under pseudonyms.",
        )


def _show(preview: LabelPreview) -> None:
    skipped = f" and {preview.skipped:,} whose label stands for no level" if preview.skipped else ""
    st.markdown(
        f"{counted(len(preview.labels), 'label')} of {counted(preview.rows, 'row')}; {preview.left_out:,} of other "
        f"runs or criteria{skipped} skipped."
    )
    for names in preview.alike:
        st.warning(plain(alike_sentence(names)))
    if not preview.problems:
        return
    st.warning(
        f"{counted(len(preview.problems), 'problem')}. Rows with problems are skipped; the rest will be imported."
    )
    rows = [(problem.row, problem.column, problem.expected, problem.found) for problem in preview.problems[:200]]
    frame = pd.DataFrame(rows, columns=["Row", "Column", "Expected", "Found"])
    data_table(frame, hide_index=True, height=180, key="label-problems", alt="Problems, row by row")
    st.download_button("Download the list of problems", problems_csv(preview.problems), "problems.csv", "text/csv")


def _of_this_run(run: RunInfo, preview: LabelPreview) -> LabelPreview:
    """Without the labels on samples that the run does not have, which are named."""
    known = sample_ids(run)
    unknown = list(dict.fromkeys(label.sample_id for label in preview.labels if label.sample_id not in known))
    if not unknown:
        return preview
    named = ", ".join(f"“{plain(name)}”" for name in unknown[:5]) + (", …" if len(unknown) > 5 else "")
    st.warning(
        f"Run “{plain(run.name)}” does not have {counted(len(unknown), 'sample')} of the file: {named}. Skipped."
    )
    return replace(preview, labels=tuple(label for label in preview.labels if label.sample_id in known))


def _import(run: RunInfo, criterion: Criterion, preview: LabelPreview, values: Mapping[str, str]) -> None:
    try:
        labels = workspace().exports.with_names(workspace().projects.of(run), preview.labels)
        stored = workspace().labels.add(run, criterion, labels)
        if values:
            workspace().mappings.save_levels(workspace().projects.of(run), criterion, values)
    except HcatError as error:
        st.error(f"Nothing was imported: {plain(error)}")
        return
    st.session_state["label-uploads"] = st.session_state.get("label-uploads", 0) + 1
    st.toast(f"{counted(len(stored), 'label')} imported.", icon=":material/check:")
    st.rerun()
