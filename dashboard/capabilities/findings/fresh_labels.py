"""Confirming a finding by fresh labels: the queue, how much of it is labelled, and the judgement."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.estimates.wording.fresh_labels import (
    NO_FURTHER_ROUND,
    SAME_DATA,
    fresh_sentence,
    no_fresh_samples,
)
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.estimates.fresh_labels import CONFIRMED, MORE_LABELS, FreshJudgement
from hcat.core.records.project import Finding, ProjectInfo
from hcat.core.types import Criterion
from hcat.dashboard.components.links import switch_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace


def fresh_labels_panel(project: ProjectInfo, finding: Finding) -> None:
    """Show the results of labels drawn since the finding, with a button that draws them, or goes on to missing ones."""
    st.markdown("**Confirmed by fresh labels?**")
    judgements = workspace().confirmations.judgements(finding)
    for judgement in judgements:
        _judgement(judgement)
    criteria = {criterion.name: criterion for criterion in workspace().criteria.all(project)}
    if finding.run_id is None or not criteria:
        return
    if not judgements:
        st.caption(SAME_DATA)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = next(iter(criteria))
        if len(criteria) > 1:
            name = st.selectbox("Criterion", list(criteria), key=f"confirm-by-{finding.id}")
        judged = {judgement.criterion: judgement for judgement in judgements}
        _draw_button(finding, criteria[name], judged.get(name))


def _judgement(judgement: FreshJudgement) -> None:
    verdict = judgement.comparison.verdict
    show = st.info if verdict == MORE_LABELS else st.success if verdict == CONFIRMED else st.warning
    show(plain(fresh_sentence(judgement)))


def _draw_button(finding: Finding, criterion: Criterion, judgement: FreshJudgement | None) -> None:
    """Plan the first draw or a further one, or go on with the one that is not labelled yet."""
    if judgement is not None and judgement.comparison.needs:
        if st.button("Label them", icon=":material/edit:", key=f"label-fresh-{finding.id}", type="primary"):
            _open_queue(finding, criterion)
        return
    try:
        sizes = workspace().confirmations.sizes(finding, criterion)
    except HcatError as error:
        st.error(sentence(error))
        return
    if nothing := no_fresh_samples(sizes):
        st.info(nothing if judgement is None else NO_FURTHER_ROUND)
        return
    title = "Plan a confirming queue" if judgement is None else "Plan a further round"
    if st.button(title, icon=":material/playlist_add_check:", key=f"queue-{finding.id}"):
        _open_queue(finding, criterion)
    how = "Their labels alone judge the finding. " if judgement is None else ""
    st.caption(
        f"{how}{counted(sizes.total, 'label')}: {sizes.of_slice} of {sizes.open_in_slice} samples of the finding that "
        f"nobody has judged, {sizes.of_rest} of {sizes.open_in_rest} of the rest."
    )


def _open_queue(finding: Finding, criterion: Criterion) -> None:
    try:
        queue = workspace().confirmations.plan(finding, criterion)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.session_state["next-run"] = workspace().runs.by_id(queue.run_id).name
    st.session_state["next-queue"], st.session_state["next-criterion"] = queue.name, criterion.name
    switch_to("labelling")
