"""The attestation: how much is tested, on the map, and in tables of topics, documents, passages and distributions."""

from __future__ import annotations

import numpy as np
import streamlit as st

from hcat.core.capabilities.coverage.coverage import Coverage, CoverageStatus
from hcat.core.capabilities.coverage.view import coverage_view, passages_view
from hcat.core.capabilities.coverage.wording import PASSAGE_COLUMNS, passage_rows
from hcat.core.display.palette import CATEGORICAL, MUTED
from hcat.core.importers.reading.spreadsheet import as_csv
from hcat.core.records.corpus import CorpusInfo
from hcat.dashboard.capabilities.topics.passages import corpus_points
from hcat.dashboard.capabilities.topics.shown_map import show_map
from hcat.dashboard.charts.maps import category_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.corpora import corpus_topics

STATUS_COLORS = {"tested": CATEGORICAL[0], "not tested": CATEGORICAL[5], "untestable": MUTED}
STATUSES: tuple[CoverageStatus, ...] = ("not tested", "untestable", "tested")


def summary_panel(found: Coverage) -> None:
    """Show the coverage of the corpus in counts, words and tables."""
    show_view(coverage_view(found), key="coverage", draw={})


def map_panel(corpus: CorpusInfo, found: Coverage) -> None:
    """The passages on the map of topics, coloured by whether they are tested."""
    topics = corpus_topics(corpus)
    if topics is None:
        st.info("Find the topics of this corpus to see coverage by topic and on a map.")
        link_to("topics", "Find topics", icon=":material/scatter_plot:")
        return
    status = {passage.id: passage.status for passage in found.passages}
    points, named = corpus_points(corpus, topics)
    numbers = np.array([list(STATUS_COLORS).index(status[name]) for name in points.ids], dtype=np.int64)
    show_map(
        points,
        ("coverage", numbers.tobytes()),
        lambda placed: category_chart(
            placed,
            numbers,
            list(STATUS_COLORS),
            title="Coverage",
            topics=named,
            noun="passage",
            absent="",
            colors=STATUS_COLORS,
        ),
        title="Map of passages coloured by coverage; the tables say the same.",
        key=f"coverage-map-{corpus.id}",
        selectable=False,
    )


def passages_panel(found: Coverage, *, name: str) -> None:
    """The passages of a status, and a file of all of them."""
    st.subheader("Passages")
    shown: CoverageStatus = st.segmented_control(
        "Show", STATUSES, default="not tested", required=True, key="coverage-status"
    )
    show_view(passages_view(found, (shown,)), key=f"coverage-passages-{shown}", draw={})
    st.download_button(
        "Download the table of passages",
        as_csv([PASSAGE_COLUMNS, *passage_rows(found)]),
        file_name=f"coverage of {name}.csv",
        mime="text/csv",
        icon=":material/download:",
    )
