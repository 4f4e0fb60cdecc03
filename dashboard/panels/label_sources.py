"""Where the labels of a criterion come from: people or a rule, how many, and how they were drawn."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.calibration.labelled import REFERENCE_RULE
from core.storage.records import ProjectInfo, RunInfo
from core.types import Criterion
from dashboard.components.links import link_to
from dashboard.loaders import workspace


def label_sources(project: ProjectInfo, run: RunInfo, criterion: Criterion) -> None:
    """One line on the labels that the calibration rests on; a warning where a rule stands in for people."""
    labels = workspace().labels(project, criterion.name, run, decisions=False)
    if not labels:
        st.info("There are no labels on this criterion yet. Thirty already show a curve.")
        link_to("labelling", "Start labelling", icon=":material/label:")
        st.stop()
    counts = Counter(label.annotator for label in labels)
    by_rule = sum(n for name, n in counts.items() if name.startswith(REFERENCE_RULE))
    people = sum(counts.values()) - by_rule
    st.markdown(f"**{len(labels)} labels**: {people} by people, {by_rule} by the reference rule.")
    if by_rule:
        st.caption(
            "The reference rule is not a person: it compares answers with the references. Its labels count only where "
            "no person labelled the sample."
        )
