"""Safety analyses of the answers of a run, computed once for each run."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.safety.analysis import filter_cost as cost_of
from hcat.core.capabilities.safety.analysis import privacy_review as review_of
from hcat.core.privacy.context_filter import FilterRule
from hcat.core.privacy.disclosure import Protected, protect
from hcat.core.privacy.leaks import RULES
from hcat.core.privacy.review import FilterCost, PrivacyReview
from hcat.core.records.project import RunInfo
from hcat.dashboard.loaders.runs import samples

NOTHING = Protected()


def privacy_review(run: RunInfo, protected: Protected = NOTHING) -> PrivacyReview:
    """The hits of every answer of the run, those on protected texts included."""
    return _review((run.artifact, RULES, protected), run)


@st.cache_resource(max_entries=8, show_spinner="Looking for personal data …")
def _review(key: tuple[str, str, Protected], _run: RunInfo) -> PrivacyReview:
    return review_of(protect(samples(_run).values(), key[2]))


def filter_cost(run: RunInfo, rule: FilterRule, protected: Protected = NOTHING) -> FilterCost:
    """The changes that the filter would make in the run."""
    return _cost((run.artifact, RULES, rule, protected), run, rule)


@st.cache_resource(max_entries=8, show_spinner="Scoring the filtered answers …")
def _cost(key: tuple[str, str, str, Protected], _run: RunInfo, _rule: FilterRule) -> FilterCost:
    return cost_of(tuple(samples(_run).values()), privacy_review(_run, key[3]), _rule)
