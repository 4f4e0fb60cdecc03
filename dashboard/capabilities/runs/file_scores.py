"""Scores by others: the columns of a file that become metrics of a run, and the form for facts not known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_file import ScoreColumn, ScoreFile
from hcat.core.scoring.statements import Statement
from hcat.core.types import Direction
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.sheets import chosen_sheet
from hcat.dashboard.loaders.uploads import uploaded_scores
from hcat.dashboard.loaders.workspace import workspace

BETTER: Mapping[Direction, str] = {"higher": "Higher is better", "lower": "Lower is better", "none": "Neither"}
ADDED = "scores-added"


@dataclass(frozen=True, slots=True)
class ChosenScores:
    """The columns that become metrics, and the statements on each. `ready` once the better direction of all is
    stated."""

    columns: tuple[str, ...] = ()
    statements: Mapping[str, Statement] | None = None
    ready: bool = True


def upload_scores_panel(run: RunInfo) -> None:
    """An uploader for scores of the run's samples, the form for facts not known of them, and the button."""
    with st.expander("Scores you already have", icon=":material/upload_file:"):
        if message := st.session_state.pop(ADDED, ""):
            st.success(message)
        sent = st.file_uploader(
            f"Scores of run “{plain(run.name)}”: sample_id and columns of numbers, or an export with scores",
            key=f"scores-{run.id}-{st.session_state.get('score-uploads', 0)}",
            help="CSV, Excel, Parquet, JSON or JSON Lines. True and false count as 1 and 0.",
        )
        if sent is None or (uploaded := chosen_sheet(sent)) is None:
            return
        try:
            file = uploaded_scores(uploaded)
        except HcatError as error:
            st.error(sentence(error))
            return
        if not file.columns:
            st.error("None of the file's columns holds scores.")
            return
        chosen = choose_scores(file, key=uploaded.file_id)
        label = f"Add {counted(len(chosen.columns), 'metric')} to the run"
        if st.button(label, type="primary", key="add-scores", disabled=not (chosen.columns and chosen.ready)):
            _add(run, file, chosen)


def choose_scores(file: ScoreFile, *, key: str, documented: bool = False) -> ChosenScores:
    """Which columns to take, and name, direction and range of each; filled in where the tool's documentation says.

    All are proposed, or those alone that are `documented`: in a run file other numbers need not be scores.
    """
    by_name = {column.name: column for column in file.columns}
    taken = st.multiselect(
        "Columns to use as metrics",
        list(by_name),
        default=[name for name, column in by_name.items() if column.direction is not None or not documented],
        key=f"score-columns-{key}",
        help="hcat does not compute these scores; it records their source and the file's hash.",
    )
    for reason in dict.fromkeys(file.left_out.values()):
        names = ", ".join(plain(name) for name in file.left_out if file.left_out[name] == reason)
        st.caption(f"Not used ({reason}): {names}.")
    statements = {name: _statement(by_name[name], file.names[name], key=f"{key}-{name}") for name in taken}
    unknown = [name for name, statement in statements.items() if statement.direction is None]
    if unknown:
        st.caption(f"Say which way is better for {', '.join(map(plain, unknown))}.")
    return ChosenScores(tuple(taken), statements, ready=not unknown)


def add_scores(run: RunInfo, file: ScoreFile, chosen: ChosenScores) -> None:
    """Store the chosen columns. HcatError if a name is in use, or no row is of the run."""
    if not chosen.columns:
        return
    with st.spinner("Adding the scores …"):
        workspace().scoring.add_from_file(run, file, columns=chosen.columns, statements=chosen.statements)


def _add(run: RunInfo, file: ScoreFile, chosen: ChosenScores) -> None:
    try:
        add_scores(run, file, chosen)
    except HcatError as error:
        st.error(f"Nothing was added: {plain(error)}")
        return
    st.session_state["score-uploads"] = st.session_state.get("score-uploads", 0) + 1
    st.session_state[ADDED] = f"{counted(len(chosen.columns), 'metric')} added to the run."
    st.rerun()


def _statement(column: ScoreColumn, name: str, *, key: str) -> Statement:
    """One row of the form."""
    options = list(BETTER)
    places = st.columns([3, 2, 1, 1], vertical_alignment="bottom")
    stated = places[0].text_input("Name of the metric", name, key=f"score-name-{key}", max_chars=80)
    direction = places[1].selectbox(
        "Better",
        options,
        index=None if column.direction is None else options.index(column.direction),
        placeholder="Which way?",
        format_func=BETTER.__getitem__,
        key=f"score-better-{key}",
    )
    low = places[2].number_input("Lowest", value=column.low, placeholder="any", key=f"score-low-{key}")
    high = places[3].number_input("Highest", value=column.high, placeholder="any", key=f"score-high-{key}")
    return Statement(direction, (low, high), stated.strip() or name)
