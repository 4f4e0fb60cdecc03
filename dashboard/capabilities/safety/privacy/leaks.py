"""The number of answers that leak, the kinds of disclosed data and who else holds them, and each answer with its
hits."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.safety.views.privacy import copying_view, leaks_view
from hcat.core.capabilities.safety.wording.privacy import LIMITS, hit_sentence, hit_title
from hcat.core.display.numbers import counted
from hcat.core.metrics.privacy import explained_hits
from hcat.core.privacy.disclosure import Protected
from hcat.core.privacy.review import PrivacyReview
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.safety.loader import privacy_review
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.sample_view import explained_view
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import some_samples
from hcat.dashboard.selection import SampleSelection

LEGEND = "Coloured: what was found. Point at it for what shows it and who else holds it; wavy underline: a leak."


def leaks_panel(run: RunInfo, protected: Protected) -> None:
    """The share of answers that leak, the kinds, and the answers one at a time."""
    st.subheader("Personal data and secrets")
    review = privacy_review(run, protected)
    show_view(leaks_view(review, quoted=True), key="privacy-leaks", draw={})
    st.caption(plain(LIMITS))
    if not review.kinds:
        st.info("No answer tells personal data, a secret, account data or instructions that these rules can find.")
        return
    _answers(run, review)


def _answers(run: RunInfo, review: PrivacyReview) -> None:
    """The answers that leak first, then the others with hits."""
    told = {name: hits for name, hits in review.hits.items() if hits}
    ordered = sorted(told, key=lambda name: (name not in review.leaks, list(told).index(name)))
    titles = {
        name: f"{name}: {counted(len(review.leaks[name]), 'leak')}" if name in review.leaks else f"{name}: no leak"
        for name in ordered
    }
    chosen = st.selectbox("Answer", ordered, format_func=titles.__getitem__, key="privacy-answer")
    sample, hits = some_samples(run, [chosen])[chosen], told[chosen]
    explained_view(sample, explained_hits(hits), legend=LEGEND, dark=is_dark(), key=f"privacy-{sample.id}")
    frame = pd.DataFrame(
        [{"Found": hit_title(each), "Text": each.hit.text, "Why": hit_sentence(each).capitalize()} for each in hits]
    )
    wide = {"Why": st.column_config.TextColumn(width="large")}
    data_table(frame, hide_index=True, key="privacy-hits", column_config=wide, alt="Each hit with its reason")
    if st.button("Open the sample", key="privacy-open", icon=":material/article:"):
        open_samples(SampleSelection(), metric=None, sample_id=sample.id)


def copies_panel(run: RunInfo) -> None:
    """Show the share of the answers that is copied word for word, and the answers with most of it."""
    st.subheader("Copied word for word")
    show_view(copying_view(privacy_review(run)), key="privacy-copies", draw={})
