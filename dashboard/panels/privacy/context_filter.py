"""A filter that holds text back before it goes out, and what that costs in the other metrics."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_number, format_with_interval
from hcat.core.privacy.context_filter import FILTER_RULES
from hcat.core.privacy.disclosure import Protected
from hcat.core.records.project import RunInfo
from hcat.core.wording.safety.privacy import FILTERS, filter_sentence
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.privacy import filter_cost, privacy_review


def filter_panel(run: RunInfo, protected: Protected) -> None:
    """What would be held back, and each metric before and after."""
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
    st.markdown(plain(filter_sentence(cost, privacy_review(run, protected).answers)))
    if not cost.metrics:
        return
    rows = [
        {
            "Metric": metric_title(each.metric),
            "Before": format_number(each.before),
            "After": format_number(each.after),
            "Difference, 95% interval": format_with_interval(each.difference, signed=True),
            "n": each.difference.n,
        }
        for each in cost.metrics
    ]
    data_table(pd.DataFrame(rows), hide_index=True, key="privacy-cost", alt="Metrics before and after the filter")
    st.caption("Paired over all answers with a score, those that stay as they are included; clusters as everywhere.")
