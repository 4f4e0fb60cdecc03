"""A filter that holds text back before it goes out, and its cost in the other metrics."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.safety.views.privacy import filter_view
from hcat.core.capabilities.safety.wording.privacy import FILTERS
from hcat.core.privacy.context_filter import FILTER_RULES
from hcat.core.privacy.disclosure import Protected
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.safety.loader import filter_cost, privacy_review
from hcat.dashboard.components.view import show_view


def filter_panel(run: RunInfo, protected: Protected) -> None:
    """Show the spans that would be held back, and each metric before and after."""
    st.subheader("A filter before answers go out")
    st.caption("Each span that is held back is replaced by its kind in brackets (HCAT 4.3). Nothing stored is changed.")
    rule = st.segmented_control(
        "Hold back",
        FILTER_RULES,
        default=FILTER_RULES[0],
        required=True,
        format_func=lambda each: FILTERS[each].capitalize(),
        key="privacy-filter",
    )
    cost = filter_cost(run, rule, protected)
    show_view(filter_view(cost, privacy_review(run, protected).answers), key="privacy-cost", draw={})
