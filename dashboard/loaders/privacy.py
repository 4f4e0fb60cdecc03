"""What the answers of a run tell, looked through once for each run."""

from __future__ import annotations

import streamlit as st

from core.analysis.privacy import filter_cost as cost_of
from core.analysis.privacy import privacy_review as review_of
from core.privacy.context_filter import FilterRule
from core.privacy.leaks import RULES
from core.privacy.review import FilterCost, PrivacyReview
from core.records.project import RunInfo
from dashboard.loaders.runs import samples


def privacy_review(run: RunInfo) -> PrivacyReview:
    """The hits of every answer of the run."""
    return _review((run.artifact, RULES), run)


@st.cache_resource(max_entries=8, show_spinner="Looking for personal data …")
def _review(key: tuple[str, str], _run: RunInfo) -> PrivacyReview:
    return review_of(tuple(samples(_run).values()))


def filter_cost(run: RunInfo, rule: FilterRule) -> FilterCost:
    """What the filter would change in the run."""
    return _cost((run.artifact, RULES, rule), run, rule)


@st.cache_resource(max_entries=8, show_spinner="Scoring the filtered answers …")
def _cost(key: tuple[str, str, str], _run: RunInfo, _rule: FilterRule) -> FilterCost:
    return cost_of(tuple(samples(_run).values()), privacy_review(_run), _rule)
