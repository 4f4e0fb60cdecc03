"""Verdicts of judges compared with people, with the answers on which they disagree; and the verdicts with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.capabilities.judges.against_people import JudgeAgreement
from hcat.core.capabilities.judges.pair_file import read_pair_file
from hcat.core.capabilities.judges.pairs import pair_biases
from hcat.core.capabilities.judges.verdict import JudgeVerdict
from hcat.core.capabilities.judges.view import beside_people_view, biases_view, both_levels_view, pair_biases_view
from hcat.core.capabilities.judges.wording.verdicts import stored_usage_sentence
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.judging import JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.judges.loader import beside_people, biases, verdicts
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import person_name
from hcat.dashboard.components.tables import data_table, selectable_table
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import some_samples
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection

MOST_SHOWN = 100


def judge_runs(run: RunInfo, *, of_bias: bool) -> list[JudgeRun]:
    """Judgements of the run by judges, or with `of_bias` the checks of judges for bias, newest first."""
    return [each for each in workspace().judges.all(run) if (each.work == "bias") == of_bias]


def results_panel(project: ProjectInfo, run: RunInfo, people: Criterion) -> None:
    """One judgement: agreement with people, the table of both, disagreements, verdicts with reasons, cost."""
    judged = _pick(judge_runs(run, of_bias=False), "judgement")
    if judged is None:
        st.info("No judge has said anything of this run yet. Try the rubric on ten samples first: view “Ask”.")
        return
    rubric = workspace().rubrics.by_number(project, judged.rubric, judged.rubric_version)
    if rubric is None:
        st.warning("The version of the rubric that this judge judged by is not in the project any more.")
        return
    names = judged_criteria(judged)
    name = st.segmented_control(
        "Criterion of the judge", names, default=names[0], required=True, key="judged-criterion"
    )
    agreement = beside_people(run, judged, rubric, name, people)
    show_view(beside_people_view([(name, people.name, agreement)]), key="judge-people", draw={})
    if agreement.enough:
        show_view(both_levels_view(agreement, rubric.criterion(name), people), key="judge-levels", draw={})
        _disagreements(run, agreement, people, verdicts(judged))
    _verdicts(run, [each for each in verdicts(judged) if each.criterion == name])
    st.caption(stored_usage_sentence(judged))


def bias_panel(run: RunInfo) -> None:
    """One check for bias: the effect of each change of the answers on the scores and on the pass rate."""
    _recorded()
    checked = _pick(judge_runs(run, of_bias=True), "check")
    if checked is None:
        st.info("No judge of this run was checked for bias yet: view “Ask”, “Check for bias”.")
        return
    show_view(biases_view(biases(checked), checked.n), key="judge-biases", draw={})
    st.caption("What order, length and family do to the choice between two answers is in view “Pairs”.")


def _recorded() -> None:
    """Verdicts on pairs that were recorded elsewhere, checked without asking anything."""
    with st.expander("Verdicts on pairs from a file"):
        st.caption(
            "JSON Lines with judge, pair_id, label and two decisions, one for each order, as `hcat judge pairs` and "
            "JudgeBench write them. Nothing is asked and nothing is stored."
        )
        sent = st.file_uploader("Verdicts on pairs", type=["jsonl", "gz"], key="pairs-file")
        if sent is None:
            return
        try:
            recorded = pair_biases(read_pair_file(sent.getvalue(), name=sent.name))
            show_view(pair_biases_view(recorded), key="pairs-recorded", draw={})
        except HcatError as error:
            st.error(sentence(error))


def _pick(judged: Sequence[JudgeRun], what: str) -> JudgeRun | None:
    if not judged:
        return None
    return st.selectbox(f"The {what}", judged, format_func=_title, key=f"judged-{what}")


def _title(judged: JudgeRun) -> str:
    work = {"run": "whole run", "trial": "trial", "bias": "check for bias"}[judged.work]
    return (
        f"{judged.judge}, {work} on {counted(judged.n, 'sample')}, {judged.settings.get('model')}, rubric version "
        f"{judged.rubric_version}, {judged.created_at:%Y-%m-%d %H:%M}"
    )


def _disagreements(run: RunInfo, agreement: JudgeAgreement, people: Criterion, said: Sequence[JudgeVerdict]) -> None:
    st.subheader("Disagreements")
    if not agreement.disagreements:
        st.caption("Judge and people agree on pass or fail wherever both gave a verdict.")
        return
    reasons = {each.sample_id: each.reason for each in said if each.criterion == agreement.criterion}
    shown = agreement.disagreements[:MOST_SHOWN]
    by_id = some_samples(run, [each.sample_id for each in shown])
    if name := person_name():  # whoever labels on is no longer blind on these
        workspace().annotators.unblind(run, people, [each.sample_id for each in shown], annotator=name)
    rows = [
        {
            "Sample": each.sample_id,
            "People": people.levels[each.level],
            "Judge": each.score,
            "Why, says the judge": reasons.get(each.sample_id, ""),
            "Answer": (by_id[each.sample_id].answer or "")[:200],
        }
        for each in shown
    ]
    event = selectable_table(
        pd.DataFrame(rows),
        hide_index=True,
        key="judge-disagreements",
        alt="Samples on which judge and people disagree",
    )
    st.caption(f"{counted(len(agreement.disagreements), 'sample')}, largest distance first. Select a row to open it.")
    if event.selection.rows:
        open_samples(SampleSelection(), run=run, sample_id=shown[event.selection.rows[0]].sample_id)


def _verdicts(run: RunInfo, said: Sequence[JudgeVerdict]) -> None:
    st.subheader("Verdicts")
    scored = sum(each.score is not None for each in said)
    st.markdown(f"{scored} of {counted(len(said), 'verdict')} have a score.")
    lacking = Counter(each.reason for each in said if each.score is None)
    for reason, n in lacking.most_common():
        st.markdown(f"- {n} unscored: {plain(reason)}")
    by_id = some_samples(run, [each.sample_id for each in said if each.score is not None])
    rows = [
        {"Sample": each.sample_id, "Score": each.score, "Reason": each.reason, "Trial": each.trial + 1,
         "Answer": (by_id[each.sample_id].answer or "")[:200] if each.sample_id in by_id else ""}
        for each in said if each.score is not None
    ]  # fmt: skip
    if rows:
        data_table(pd.DataFrame(rows), hide_index=True, height=300, alt="The verdicts with their reasons")


def judged_criteria(judged: JudgeRun) -> list[str]:
    """The names of the criteria that were judged."""
    names = judged.settings.get("criteria")
    return [str(name) for name in names] if isinstance(names, list) else []
