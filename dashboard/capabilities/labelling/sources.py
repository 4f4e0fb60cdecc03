"""Sources of the labels of a criterion: people or a rule, their numbers, and how they were drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import streamlit as st

from hcat.core.display.numbers import counted
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion, Label
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.workspace import workspace


def label_sources(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    """Show one line on the labels that the calibration uses; a warning if a rule replaces people."""
    labels = workspace().labels.current(project, criterion.name, run, decisions=False)
    if not labels:
        st.info("There are no labels on this criterion yet. About 30 labels are enough for a first curve.")
        link_to("labelling", "Start labelling", icon=":material/label:")
        stop_page()
    counts = Counter(label.source for label in labels)
    by_rule, by_llm = counts["rule"], counts["llm"]
    models = f", {by_llm:,} by language models" if by_llm else ""
    people = len(labels) - by_rule - by_llm
    st.markdown(
        f"**{counted(len(labels), 'label')}**: {people:,} by people, {by_rule:,} by the reference rule{models}."
    )
    if by_llm:
        st.caption("Labels by language models do not count: a model that judges is measured against people's labels.")
    if by_rule:
        st.caption(
            "The reference rule is not a person: it compares answers with the references. Its labels count only where "
            "no person labelled the sample."
        )


def by_rule_alone(labels: Iterable[Label]) -> str:
    """A sentence with the number of labelled samples that no person judged; empty if people judged all of them."""
    judged: dict[str, bool] = {}
    for label in labels:
        if label.source != "llm":
            person = label.source in BY_PEOPLE
            judged[label.sample_id] = judged.get(label.sample_id, False) or person
    alone = sum(not person for person in judged.values())
    if not alone:
        return ""
    whose = "All" if alone == len(judged) else f"{alone} of the"
    return (
        f"{whose} {len(judged)} labelled samples have the label of the reference rule alone: no person judged them. "
        "On these, results describe people only if the rule judges as they would."
    )
