"""Analysis of answers to semantic groups: gaps, robustness, the module behind wrong answers, and the evaluators."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.grammar.answers import (
    GroupedAnswers,
    VerdictSource,
    document_texts,
    grouped_answers,
    recorded_verdicts,
    verbatim_verdicts,
)
from hcat.core.capabilities.grammar.differences import compare_groups
from hcat.core.capabilities.grammar.evaluation import evaluate_groups
from hcat.core.capabilities.grammar.evaluators import evaluator_table
from hcat.core.capabilities.grammar.group_rows import by_criterion
from hcat.core.capabilities.grammar.wording import difference_sentences, evaluation_rows, grammar_notes
from hcat.core.capabilities.judges.wording.evaluators import EVALUATOR_COLUMNS, EVALUATOR_NOTES, evaluator_cells
from hcat.core.capabilities.trials.trials import labels_checker
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Sample
from hcat.dashboard.capabilities.grammar.group_table import group_table
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.pickers import pick_criterion
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.runs import columns, samples, scores
from hcat.dashboard.loaders.workspace import workspace

SOURCES: dict[str, VerdictSource] = {
    "The answer holds the right one word by word": "verbatim",
    "Labels": "labels",
    "Verdicts in the run file": "recorded",
}


def verdict_panel(project: ProjectInfo) -> None:
    """The runs with semantic groups, the source of their verdicts, and the results."""
    runs = {run.name: run for run in workspace().runs.all(project) if _is_grouped(run)}
    if not runs:
        st.info(
            "No run of this project has semantic groups yet. Make some, ask a system on the page Collect, come back."
        )
        link_to("collect", "Ask a system")
        return
    chosen = st.multiselect("Runs", list(runs), default=[*runs][-1:], key="grammar-runs")
    source = SOURCES[
        st.segmented_control(
            "What is right", list(SOURCES), default=next(iter(SOURCES)), required=True, key="grammar-source"
        )
    ]
    closed = st.checkbox(
        "Closed domain: an answer without its documents counts as wrong, whatever it says", key="grammar-closed"
    )
    apart = st.checkbox(
        "Apart by criterion: each way of wording on its own, compared with the others", value=True, key="grammar-apart"
    )
    if not chosen:
        st.info("Choose a run.")
        return
    try:
        parts, answers = _answers(project, [runs[name] for name in chosen], source, closed=closed, apart=apart)
    except HcatError as error:
        st.error(sentence(error))
        return
    _results(answers, source)
    _evaluators([runs[name] for name in chosen], answers)
    group_table(runs, parts, answers)


Parts = dict[str, tuple[RunInfo, tuple[Sample, ...]]]
"""Samples by run, or by run and criterion."""


def _answers(
    project: ProjectInfo, runs: list[RunInfo], source: VerdictSource, *, closed: bool, apart: bool
) -> tuple[Parts, dict[str, GroupedAnswers]]:
    criterion = pick_criterion(project, key="grammar-criterion") if source == "labels" else None
    parts: Parts = {}
    for run in runs:
        whole = tuple(samples(run).values())
        for name, some in (by_criterion(run.name, whole) if apart else {run.name: whole}).items():
            parts[name] = (run, some)
    texts = document_texts(*(some for _, some in parts.values()))
    answers = {}
    for name, (run, some) in parts.items():
        if criterion is not None:
            outcomes = labels_checker(workspace().labels.current(project, criterion.name, run), criterion).outcomes
            verdicts = {sample_id: outcome == 1 for sample_id, outcome in outcomes.items()}
        else:
            verdicts = recorded_verdicts(some) if source == "recorded" else verbatim_verdicts(some)
        try:
            answers[name] = grouped_answers(some, verdicts, texts=texts, closed_domain=closed)
        except HcatError as error:
            raise HcatError(f"{name}: {error}") from None
    return parts, answers


def _results(answers: dict[str, GroupedAnswers], source: VerdictSource) -> None:
    evaluations = {name: evaluate_groups(grouped) for name, grouped in answers.items()}
    rows = evaluation_rows(evaluations)
    frame = pd.DataFrame(rows, columns=["", *evaluations])
    data_table(frame, hide_index=True, key="grammar-results", alt="Semantic groups by run", height="content")
    for difference in compare_groups(answers):
        for said in difference_sentences(difference):
            st.markdown(f"- {plain(said)}")
    for note in grammar_notes(evaluations, verdicts=source):
        st.caption(plain(note))


def _evaluators(runs: list[RunInfo], answers: dict[str, GroupedAnswers]) -> None:
    """Show the reliability of the metrics by which the runs are scored."""
    st.subheader("Evaluators against what is right")
    tables = {
        name: table
        for run in runs
        if (table := scores(run)) is not None
        for name in answers
        if name == run.name or name.startswith(f"{run.name}: ")
    }
    if not tables:
        st.info("These runs have no scores yet: score them to see which metric tells right from wrong here.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return
    found = evaluator_table(answers, tables)
    if not found:
        st.info(
            "The answers that have scores are all right, or all wrong, so that no evaluator can be checked by them. "
            "Most metrics leave refusals unscored."
        )
        return
    rows = [(*evaluator_cells(each), each.n, each.unscored) for each in found]
    frame = pd.DataFrame(rows, columns=list(EVALUATOR_COLUMNS))
    data_table(frame, hide_index=True, key="grammar-evaluators", alt="Precision and recall of each evaluator")
    for note in EVALUATOR_NOTES:
        st.caption(plain(note))


def _is_grouped(run: RunInfo) -> bool:
    return columns(run).sample_columns.levels("group").is_given
