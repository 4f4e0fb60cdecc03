"""The attestation: how much is tested, on the map, and in tables of topics, documents, passages and distributions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.display.numbers import format_percent
from hcat.core.display.palette import CATEGORICAL, MUTED
from hcat.core.importers.reading.spreadsheet import as_csv, table_rows
from hcat.core.records.corpus import CorpusInfo
from hcat.core.testgen.coverage import Coverage
from hcat.core.wording.testgen.coverage import (
    DISTRIBUTION_COLUMNS,
    FACTS,
    LEVEL_COLUMNS,
    PASSAGE_COLUMNS,
    coverage_sentences,
    distribution_rows,
    level_rows,
    passage_rows,
)
from hcat.dashboard.charts.maps import category_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.corpora import corpus_topics
from hcat.dashboard.panels.topics.passages import corpus_points
from hcat.dashboard.panels.topics.shown_map import show_map

STATUS_COLORS = {"tested": CATEGORICAL[0], "not tested": CATEGORICAL[5], "untestable": MUTED}


def summary_panel(found: Coverage) -> None:
    """The counts, and the same in words."""
    testable = len(found.passages) - found.count("untestable")
    with st.container(horizontal=True):
        st.metric("Passages tested", f"{found.count('tested'):,} of {len(found.passages):,}")
        st.metric("Share of the testable", format_percent(found.count("tested") / testable) if testable else "–")
        for title, levels in (("Topics tested", found.topics), ("Documents tested", found.documents)):
            if levels:
                st.metric(title, f"{sum(level.status == 'tested' for level in levels):,} of {len(levels):,}")
    st.markdown(plain(" ".join(coverage_sentences(found))))
    st.caption(FACTS)


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
        title="Map of passages coloured by coverage; the tables below say the same.",
        key=f"coverage-map-{corpus.id}",
        selectable=False,
    )


def tables_panel(found: Coverage, *, name: str) -> None:
    """Topics, documents, declared against realised, and every passage."""
    for title, levels in (("Topics", found.topics), ("Documents", found.documents)):
        if levels:
            st.subheader(title)
            columns = [title.removesuffix("s"), *(column.capitalize() for column in LEVEL_COLUMNS)]
            _table(pd.DataFrame(level_rows(levels), columns=columns), key=f"coverage-{title}")
    st.subheader("Declared and realised")
    st.caption("“Declared” is what the design and the shares of types asked for; “–” where nothing was declared.")
    columns = [column.capitalize() for column in DISTRIBUTION_COLUMNS]
    _table(pd.DataFrame(distribution_rows(found), columns=columns), key="coverage-distribution")
    st.subheader("Passages")
    passages = pd.DataFrame(passage_rows(found), columns=[column.capitalize() for column in PASSAGE_COLUMNS])
    shown = st.segmented_control(
        "Show", ["not tested", "untestable", "tested"], default="not tested", required=True, key="coverage-status"
    )
    _table(passages[passages["Status"] == shown], key=f"coverage-passages-{shown}")
    st.download_button(
        "Download the table of passages",
        as_csv(table_rows(passages)),
        file_name=f"coverage of {name}.csv",
        mime="text/csv",
        icon=":material/download:",
    )


def _table(rows: pd.DataFrame, *, key: str) -> None:
    data_table(rows, hide_index=True, key=key, alt=", ".join(map(str, rows.columns)))
