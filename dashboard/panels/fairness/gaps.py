"""The gaps between groups on one outcome: forest plot with the margin, table, and what they rest on."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_count, format_estimate, format_number, format_p_value
from hcat.core.estimates.fairness.gap import Gap
from hcat.core.figures.forest import gap_forest
from hcat.core.testgen.variants.counterfactual.comparison import Fairness, OutcomeGaps
from hcat.core.wording.testgen.fairness import fairness_notes, fairness_summary, margin_sentence, matching_sentence
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.fairness import group_gaps
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.selection import selected_customdata

CHOSEN = "fairness-gap"


def pick_gaps(fairness: Fairness) -> OutcomeGaps:
    """The outcome to look at."""
    titles = {metric_title(name): name for name in fairness.names}
    chosen = st.selectbox(
        "Compare by",
        list(titles),
        key="fairness-outcome",
        bind="query-params",
        help="Labels first, then the calibration, refusals, length, tone, and the metric the run is judged by.",
    )
    return fairness.outcome(titles[str(chosen)])


def gaps_panel(fairness: Fairness, gaps: OutcomeGaps) -> None:
    """The forest of gaps, worst evidence first, and the table."""
    st.markdown(f"**{plain(fairness_summary(fairness))}**")
    forest = gap_forest(gaps.gaps, title=metric_title(gaps.outcome))
    if forest.rows:
        figure = group_gaps(forest, margin=gaps.margin, dark=is_dark())
        event = st.plotly_chart(
            figure,
            key=f"gaps-{gaps.outcome}",
            on_select="rerun",
            selection_mode="points",
            config={"displayModeBar": False},
            alt=described(figure, f"{forest.metric} by group"),
        )
        if picked := selected_customdata(event):
            st.session_state[CHOSEN] = picked[0][0]
    else:
        st.info("No question has this outcome for both groups. Choose another one above.")
    st.caption(plain(margin_sentence(gaps, title=forest.metric)))
    rows = [
        {
            "Groups": gap.title,
            "Verdict": gap.verdict,
            "Reference": format_number(gap.mean_of_reference),
            "Group": format_number(gap.mean),
            "Gap": format_estimate(gap.gap),
            "p (Holm)": format_p_value(gap.p_holm),
            "p of equivalence (Holm)": format_p_value(gap.equivalence_holm),
            "Detectable": format_number(gap.detectable),
            **_matching(gap),
        }
        for gap in gaps.gaps
    ]
    data_table(pd.DataFrame(rows), hide_index=True, alt=f"Gaps in {metric_title(gaps.outcome)}")
    for gap in gaps.gaps:
        if matched := matching_sentence(gap):
            st.caption(plain(matched))
    for note in fairness_notes(fairness):
        st.caption(plain(note))


def _matching(gap: Gap) -> dict[str, str]:
    """Columns that only groups have which were asked different questions."""
    matching = gap.matching
    if matching is None:
        return {}
    left_out = matching.left_out + matching.left_out_of_reference
    return {"Left out": format_count(left_out), "Without matching": format_estimate(matching.unmatched)}
