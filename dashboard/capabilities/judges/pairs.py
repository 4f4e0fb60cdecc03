"""The answers of two runs, compared by a judge in both orders: preferences, and other influences on them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.judges.asked_pairs import AskedPair
from hcat.core.capabilities.judges.rubric import Rubric
from hcat.core.capabilities.judges.services.pair_judgements import PairRequest
from hcat.core.capabilities.judges.view import asked_pairs_view
from hcat.core.capabilities.judges.wording.verdicts import ABOUT_PAIRS, forecast_sentence, stored_usage_sentence
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.judging import JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.judges.asking import has_model
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import selectable_table
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import SampleSelection

PAIRS = 50
"""Pairs that are proposed: each takes two requests."""


def pairs_panel(project: ProjectInfo, run: RunInfo, rubric: Rubric, people: Criterion) -> None:
    """Choose the other run and ask; then show the preferences, pair by pair."""
    st.markdown(ABOUT_PAIRS)
    under_way = is_under_way(job_panel(project, kinds=("judge pairs",)))
    others = [each for each in workspace().runs.all(project) if each.id != run.id]
    if not others:
        st.info("The project has one run. Import the answers of another system or configuration to compare with.")
    elif has_model():
        _ask(project, run, others, rubric, people, busy=under_way)
    _results(run)


def _ask(
    project: ProjectInfo, run: RunInfo, others: list[RunInfo], rubric: Rubric, people: Criterion, *, busy: bool
) -> None:
    places = st.columns(3)
    other = places[0].selectbox("Compare with", others, format_func=lambda each: plain(each.name), key="pairs-run")
    name = places[1].selectbox(
        "By", [each.name for each in rubric.criteria], format_func=lambda each: rubric.criterion(each).title,
        key="pairs-criterion",
    )  # fmt: skip
    most = places[2].number_input("Pairs at most", 10, None, PAIRS, key="pairs-most")
    with st.expander("For self-preference: who wrote the answers"):
        st.caption("Self-preference can be told where one of the answers is by a model of the judge’s own family.")
        models = st.columns(3)
        model_a = models[0].text_input(f"Model behind {plain(run.name)}", key="pairs-model-a", max_chars=200)
        model_b = models[1].text_input(f"Model behind {plain(other.name)}", key="pairs-model-b", max_chars=200)
        family = models[2].text_input(
            "The judge’s family", key="pairs-family", max_chars=200, help="A part of its models’ names, such as gpt."
        )
    request = PairRequest(
        *(run.id, other.id, rubric.name, name),
        labelled_on=people.name,
        sample=int(most),
        model_a=model_a.strip(),
        model_b=model_b.strip(),
        family=family.strip(),
    )
    try:
        ahead = workspace().pair_judgements.forecast(project, run, request)
    except HcatError as error:
        st.info(sentence(error))
        return
    st.caption(
        f"{forecast_sentence(ahead)} Labels on {plain(people.name)} say which answer is right, where they differ."
    )
    if st.button("Compare in both orders", type="primary", icon=":material/compare_arrows:", disabled=busy):
        workspace().jobs.start(project, request)
        st.rerun()


def _results(run: RunInfo) -> None:
    stored = workspace().pair_judgements.all(run)
    if not stored:
        st.caption("No answers of this run were compared yet.")
        return
    chosen = st.selectbox("Comparison", stored, format_func=_title, key="pairs-result")
    judgement, bias = workspace().pair_judgements.result(chosen)
    names = (run.name, str(chosen.settings.get("against")))
    show_view(asked_pairs_view(judgement, bias, names), key="pairs-asked", draw={})
    _pairs(run, judgement.pairs, names)
    st.caption(stored_usage_sentence(chosen))


def _pairs(run: RunInfo, pairs: tuple[AskedPair, ...], names: tuple[str, str]) -> None:
    """Every pair, those first on which the order decides."""
    chosen = {"A": names[0], "B": names[1], "tie": "neither", None: ""}
    ordered = sorted(pairs, key=lambda pair: (bool(pair.unscored), pair.verdict.a_first == pair.verdict.b_first))
    rows = [
        {
            "Sample": pair.verdict.pair,
            f"{names[0]} first": chosen[pair.verdict.a_first],
            f"{names[1]} first": chosen[pair.verdict.b_first],
            "Right, by people": chosen[pair.verdict.right],
            "Why": pair.unscored or pair.reason_a_first,
            "Why, the other way round": pair.reason_b_first,
        }
        for pair in ordered
    ]
    event = selectable_table(
        pd.DataFrame(rows),
        hide_index=True,
        key="pairs-table",
        alt="Which answer of each pair the judge prefers in either order",
    )
    st.caption(
        "The columns say whose answer is preferred. Those on which order decides come first. Select one to open."
    )
    if event.selection.rows:
        open_samples(SampleSelection(), run=run, sample_id=ordered[event.selection.rows[0]].verdict.pair)


def _title(stored: JudgeRun) -> str:
    criteria = stored.settings.get("criteria")
    criterion = ", ".join(map(str, criteria if isinstance(criteria, list) else []))
    return (
        f"{criterion}, against {stored.settings.get('against')}: {counted(stored.n, 'pair')}, "
        f"{stored.settings.get('model')}, {stored.created_at:%Y-%m-%d %H:%M}"
    )
