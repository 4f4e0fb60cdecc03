"""What judges said: beside people, with the answers on which they disagree; and the verdicts with their reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from hcat.core.agreement.judges.against_people import JudgeAgreement
from hcat.core.agreement.judges.pair_file import read_pair_file
from hcat.core.agreement.judges.pairs import pair_biases
from hcat.core.agreement.judges.rubric import Rubric
from hcat.core.agreement.judges.verdict import JudgeVerdict
from hcat.core.display.numbers import MISSING, counted, format_interval, format_number, format_with_interval
from hcat.core.errors import HcatError
from hcat.core.records.judging import JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.core.wording.judging.biases import refusal_sentence, shift_sentence, shift_title, shift_verdict
from hcat.core.wording.judging.verdicts import agreement_sentences, reasons_text, stored_usage_sentence
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import person_name
from hcat.dashboard.components.tables import data_table, selectable_table
from hcat.dashboard.loaders.judging import beside_people, biases, verdicts
from hcat.dashboard.loaders.runs import some_samples
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.panels.judges.pairs import recorded_biases
from hcat.dashboard.selection import SampleSelection

MOST_SHOWN = 100


def judge_runs(run: RunInfo, *, of_bias: bool) -> list[JudgeRun]:
    """What judges said of the run, or what checks of them came to, newest first."""
    return [each for each in workspace().judges.all(run) if (each.work == "bias") == of_bias]


def results_panel(project: ProjectInfo, run: RunInfo, people: Criterion) -> None:
    """One judgement: agreement with people, the table of both, disagreements, verdicts with reasons, what it took."""
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
    _kappa(agreement, people)
    if agreement.enough:
        _table(agreement, rubric, people)
        _disagreements(run, agreement, people, verdicts(judged))
    _verdicts(run, [each for each in verdicts(judged) if each.criterion == name])
    st.caption(stored_usage_sentence(judged))


def bias_panel(run: RunInfo) -> None:
    """One check for bias: what each change of the answers did to the scores and to the pass rate."""
    _recorded()
    checked = _pick(judge_runs(run, of_bias=True), "check")
    if checked is None:
        st.info("No judge of this run was checked for bias yet: view “Ask”, “Check for bias”.")
        return
    made = biases(checked)
    rows = [
        {
            "Change of the answer": shift_title(shift),
            "Criterion": shift.criterion,
            "Pairs": shift.n,
            "Scores move by": format_with_interval(shift.shift),
            "Pass rate moves by": format_with_interval(shift.pass_rate),
            "Bias": shift_verdict(shift),
        }
        for shift in made.shifts
    ]
    data_table(pd.DataFrame(rows), hide_index=True, alt="What changes of the answers did to scores and pass rate")
    for shift in made.shifts:
        st.markdown(f"- {plain(shift_sentence(shift))}")
    for consistency in made.refusals:
        st.markdown(f"- {plain(refusal_sentence(consistency))}")
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
            recorded_biases(pair_biases(read_pair_file(sent.getvalue(), name=sent.name)))
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


def _kappa(agreement: JudgeAgreement, people: Criterion) -> None:
    if agreement.enough:
        places = st.columns(3)
        kappa, levels = agreement.kappa, agreement.kappa_levels
        places[0].metric("κ with people", format_number(kappa.value), help="Cohen’s κ of pass and fail.")
        places[0].caption(f"95% interval {format_interval(kappa)}, n = {agreement.n}")
        places[1].metric("Same verdict", f"{agreement.same.value:.0%}")
        places[1].caption(f"95% interval {format_interval(agreement.same, percent=True)}, n = {agreement.n}")
        places[2].metric("κ on all levels", MISSING if levels is None else format_number(levels.value))
        places[2].caption(
            "People and judge have different levels" if levels is None else f"95% interval {format_interval(levels)}"
        )
    for said in agreement_sentences(agreement, people):
        st.markdown(plain(said))
    if agreement.unscored:
        st.caption(f"Labelled but not scored by the judge: {plain(reasons_text(agreement.unscored))}")


def _table(agreement: JudgeAgreement, rubric: Rubric, people: Criterion) -> None:
    criterion = rubric.criterion(agreement.criterion)
    st.subheader("Both side by side")
    frame = pd.DataFrame(
        agreement.table,
        index=pd.Index(people.levels, name=f"{people.name} by people"),
        columns=[f"judge {score}{' (passes)' if score >= criterion.passing else ''}" for score in criterion.scores],
    )
    data_table(frame, alt="How many samples have each label and each score of the judge")


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
