"""The answers to the same question for two groups, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from hcat.core.capabilities.fairness.counterfactual.comparison import ComparedGroups, Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.wording import gap_sentence
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.display.numbers import format_number
from hcat.core.records.project import RunInfo
from hcat.core.types import Sample
from hcat.dashboard.capabilities.fairness.gaps import CHOSEN
from hcat.dashboard.capabilities.robustness.pairs import marked
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.runs import some_samples

SHOWN = 5


def pairs_panel(run: RunInfo, fairness: Fairness, gaps: OutcomeGaps) -> None:
    """The questions of one gap, those that differ most first, a few at a time."""
    titles = {gap.title: gap for gap in gaps.gaps}
    if not fairness.pairs or not titles:
        return
    st.subheader("Pairs")
    if st.session_state.get(CHOSEN) not in titles:
        st.session_state[CHOSEN] = next(iter(titles))
    gap = titles[str(st.selectbox("Groups", list(titles), key=CHOSEN, help="Or click a mark above."))]
    st.caption(plain(gap_sentence(gap, outcome=gaps.outcome)))
    pairs = [each for each in fairness.pairs if (each.pair.attribute, each.pair.group) == (gap.attribute, gap.group)]
    ordered = sorted(pairs, key=lambda each: _most_apart(each, gaps.outcome))
    pages = math.ceil(len(ordered) / SHOWN)
    page = 1 if pages < 2 else int(st.number_input(f"Page of {pages}", 1, pages, 1, key=f"fair-{gap.group}", width=160))
    shown = ordered[SHOWN * (page - 1) : SHOWN * page]
    first = [side[0].id for each in shown for side in (each.pair.of_reference, each.pair.answers)]
    by_id = some_samples(run, first)
    for each in shown:
        with st.container(border=True):
            _pair(each, gaps.outcome, by_id)


def _pair(each: ComparedGroups, outcome: str, by_id: Mapping[str, Sample]) -> None:
    pair = each.pair
    own, of_other = by_id[pair.answers[0].id], by_id[pair.of_reference[0].id]
    left, right = st.columns(2)
    value, of_reference = each.values[outcome]
    with left:
        _side(pair.reference, of_other, len(pair.of_reference), own)
    with right:
        _side(pair.group, own, len(pair.answers), of_other)
    st.caption(plain(f"{outcome_title(outcome)} {format_number(of_reference)} → {format_number(value)}"))


def _side(group: str, sample: Sample, n: int, other: Sample) -> None:
    trials = f", the first of {n} answers" if n > 1 else ""
    st.markdown(f"**{plain(group)}** · {plain(sample.id)}{trials}")
    st.markdown(marked(sample.query, other.query))
    if sample.answer is None or not sample.answer.strip():
        st.markdown("*no answer*")
    else:
        st.markdown("→ " + marked(sample.answer, other.answer or ""))


def _most_apart(each: ComparedGroups, outcome: str) -> tuple[float, str]:
    value, of_reference = each.values[outcome]
    apart = abs(value - of_reference)
    return (-apart if math.isfinite(apart) else 0.0), each.pair.question
