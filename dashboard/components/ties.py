"""Says, wherever labels of several people meet, how much hangs on the samples on which they tie."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.estimates.wording.pass_rate import rate_with_ties, ties_sentence
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.labels import people_labels


def consensus_rate(run: RunInfo, criterion: Criterion) -> None:
    """The pass rate by people, bounded by their ties: the same as on the Overview and in the report."""
    evidence = people_labels(run, criterion)
    if evidence is None:
        return
    st.markdown(
        f"Pass rate on {plain(criterion.name)} by people: **{rate_with_ties(evidence.passes, evidence.tied)}**."
    )
    if sentence := ties_sentence(evidence.passes, evidence.tied):
        st.warning(sentence, icon=":material/balance:")
