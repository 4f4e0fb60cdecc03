"""Settings fixed before the numbers are looked at: margins, outcomes, reference groups; stored with author and time."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.fairness.counterfactual.comparison import Comparable
from hcat.core.capabilities.fairness.wording import absent_sentence, settled_sentence
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.errors import HcatError
from hcat.core.records.fairness import ALL_OUTCOMES, FairnessSettings, SettledFairness
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.capabilities.fairness.loader import Basis, comparable
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.loaders.workspace import workspace

LENGTH = "answer_length"
OTHER_BASIS = (
    "These groups, or this matching, are not those that were settled on. Set them with the margins below if they are "
    "to hold: the report and the command line then show the same."
)
ALL_TITLE = "all that this run has"


def margins_panel(project: ProjectInfo, run: RunInfo, basis: Basis) -> FairnessSettings | None:
    """The settings in force; None if there are none and nobody wants to look without."""
    settled = workspace().fairness.settled(project)
    newest = settled[0] if settled else None
    possible = comparable(run, basis.by)
    if newest is not None:
        st.markdown(plain(settled_sentence(newest, run_at=run.created_at, changes=len(settled))))
    else:
        st.info(
            "Say first how far two groups may lie apart. A margin that is set after the numbers are known proves "
            "little, so it is stored with your name and the time."
        )
    with st.expander("Set the margins", expanded=newest is None, icon=":material/straighten:"):
        _form(project, newest, possible, basis)
    if newest is not None:
        settings = possible.limit(newest.settings)
        if absent := absent_sentence(newest.settings, settings, own=bool(basis.by)):
            st.caption(plain(absent))
        match = possible.usual if settings.match is None else settings.match
        if basis.by and (basis.by, basis.match) != (settings.by, match):
            st.warning(OTHER_BASIS)
        return settings
    look = st.toggle("Look without a margin", key="fairness-without", help="Nothing can be shown to be equal then.")
    return FairnessSettings() if look else None


def _form(project: ProjectInfo, newest: SettledFairness | None, possible: Comparable, basis: Basis) -> None:
    current = FairnessSettings(margin=0.05) if newest is None else newest.settings
    with st.form("fairness-margins"):
        left, middle, right = st.columns(3)
        margin = left.number_input(
            "Margin of rates and scores",
            0.001,
            1.0,
            current.margin or 0.05,
            0.01,
            format="%.3f",
            help=with_glossary(
                "Of outcomes from 0 to 1: two groups count as treated alike where their pass rates, or refusals, are "
                "shown to differ by less.",
                "margin",
                "equivalence test",
            ),
        )
        length = middle.number_input(
            "Margin of answer length, in tokens", 0.5, 1000.0, current.margins.get(LENGTH, 5.0), 1.0, format="%.1f"
        )
        level = right.number_input(
            "Level of the tests", 0.001, 0.4, current.alpha, 0.01, format="%.3f", help="Over all comparisons together."
        )
        outcomes = _outcomes(current, possible)
        references = _references(current, possible)
        author = name_field("Set by", key="fairness-author")
        submitted = st.form_submit_button("Set", type="primary", icon=":material/lock:")
    if not submitted:
        return
    margins = {**current.margins, LENGTH: float(length)}
    try:
        by, match = (basis.by, basis.match) if basis.by else (current.by, current.match)
        chosen = FairnessSettings(float(margin), margins, references, outcomes, float(level), by, match)
        workspace().fairness.settle(project, chosen, author=author)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()


def _outcomes(current: FairnessSettings, possible: Comparable) -> tuple[str, ...]:
    """Those to be compared, none for the usual ones; what this run lacks and was settled on can stay."""
    return tuple(
        st.multiselect(
            "Outcomes",
            [*dict.fromkeys((ALL_OUTCOMES, *possible.outcomes, *current.outcomes))],
            [*current.outcomes],
            format_func=lambda name: ALL_TITLE if name == ALL_OUTCOMES else outcome_title(name),
            placeholder="The usual ones",
            key="fairness-outcomes",
            help="Every outcome adds comparisons, and each then needs more evidence. The usual ones: labels, the "
            "calibration, refusals, length, tone, and the metric the run is judged by.",
        )
    )


def _references(current: FairnessSettings, possible: Comparable) -> dict[str, str]:
    """The group of each attribute that the others are compared with, where it is not the usual one."""
    references = dict(current.references)
    attributes = {name: groups for name, groups in possible.groups.items() if len(groups) > 1}
    for place, (attribute, groups) in enumerate(attributes.items()):
        if place % 3 == 0:
            columns = st.columns(3)
        named = current.references.get(attribute, "")
        chosen = columns[place % 3].selectbox(
            f"Reference group of {plain(attribute)}",
            groups,
            index=groups.index(named) if named in groups else 0,
            key=f"fairness-reference-{attribute}",
            help=with_glossary("The other groups are compared with this one.", "reference group"),
        )
        if chosen != groups[0]:
            references[attribute] = str(chosen)
        else:
            references.pop(attribute, None)
    return references
