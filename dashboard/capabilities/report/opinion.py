"""The opinion on a system: the present one, and the form that states another."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.report.opinion import stated_opinion
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.report import RATINGS, Opinion
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace

HELP = (
    "What you conclude for the stated purpose. It stands on the first page of the report, under your name and the "
    "date; nothing derives it from numbers."
)


def opinion_panel(project: ProjectInfo) -> None:
    """The newest opinion, the earlier ones, and the form."""
    opinions = workspace().opinions.all(project)
    title = f"Opinion: {opinions[0].rating}" if opinions else "Opinion: none stated yet"
    with st.expander(title, icon=":material/gavel:", key="opinion"):
        for opinion in opinions[:1]:
            _opinion(opinion)
        _form(project, opinions[0] if opinions else None)
        if len(opinions) > 1:
            st.caption("Earlier opinions")
            for opinion in opinions[1:]:
                st.text(_signed(opinion))


def _opinion(opinion: Opinion) -> None:
    st.markdown(f"**{plain(opinion.rating.capitalize())}** · {plain(_signed(opinion))}")
    for text in (opinion.reasons, *opinion.conditions, opinion.limitations):
        if text:
            st.text(text)


def _signed(opinion: Opinion) -> str:
    when = "" if opinion.at is None else f", {opinion.at:%Y-%m-%d %H:%M} UTC"
    return f"Version {opinion.version}: {opinion.rating}, signed by {opinion.author}{when}"


def _form(project: ProjectInfo, current: Opinion | None) -> None:
    with st.form("opinion-form", border=False):
        rating = st.selectbox(
            "Rating", RATINGS, index=RATINGS.index(current.rating if current else "no opinion"), help=HELP
        )
        reasons = st.text_area("Reasons", current.reasons if current else "", max_chars=8000)
        conditions = st.text_area(
            "Conditions, one a line",
            "\n".join(current.conditions) if current else "",
            max_chars=8000,
            help="What must hold for the system to be used; only with “fit with conditions”.",
        )
        limitations = st.text_area(
            "Limitations of this opinion",
            current.limitations if current else "",
            max_chars=8000,
            help="What was not looked at. The chapter on limitations lists what follows from the data by itself.",
        )
        author = name_field("Signed by", key="opinion-author")
        if not st.form_submit_button("Sign this opinion", icon=":material/draw:"):
            return
    try:
        stated = stated_opinion(
            rating,
            author=author,
            reasons=reasons,
            conditions=tuple(conditions.splitlines()),
            limitations=limitations,
        )
        workspace().opinions.state(project, stated)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state.pop("report", None)
    st.rerun()
