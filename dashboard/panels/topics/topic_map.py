"""The topic map and its list of topics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.weaknesses import CALIBRATED
from core.calibration.conformal.level_sets import BOTH, EMPTY, UNSCORED
from core.display.numbers import counted
from core.display.palette import MUTED, REGIONS, level_colors
from core.labelling.consensus import consensus
from core.records.project import RunInfo
from core.topics.model import NO_TOPIC
from core.topics.run_topics import RunTopics
from core.wording.testgen.topics import landmarks_sentence
from core.workspace.topics import Source
from dashboard.charts.alternative import described
from dashboard.charts.maps import topic_map, value_map
from dashboard.components.links import open_samples
from dashboard.components.markdown import plain
from dashboard.components.pickers import metric_direction, metric_title
from dashboard.components.tables import selectable_table
from dashboard.components.theme import is_dark
from dashboard.loaders.calibrations import decisions
from dashboard.loaders.runs import samples, scores
from dashboard.loaders.slices import values
from dashboard.loaders.workspace import workspace
from dashboard.panels.labelling.picked import label_these
from dashboard.panels.runs.jobs import is_under_way, job_panel
from dashboard.panels.topics.choice import topic_choice
from dashboard.selection import SampleSelection, selected_customdata

TOPIC, LABEL, DECISION = "topic", "label", "prediction set"
NO_LABEL, NO_DECISION = "(no label)", "(unscored)"


CORPUS = "corpus"
_TITLES = {"query": "Queries", "contexts": "Contexts", CORPUS: "Passages of the corpus"}


def pick_source(*, of_run: bool = True) -> Source | None:
    """Topics of the queries, of what was retrieved for them, or of the corpus's passages: then None."""
    sources: tuple[Source, ...] = ("query", "contexts")
    chosen = st.segmented_control(
        "Topics of",
        [*sources, CORPUS] if of_run else [CORPUS],
        default="query" if of_run else CORPUS,
        required=True,
        key="source",
        bind="query-params",
        format_func=_TITLES.__getitem__,
    )
    return next((source for source in sources if source == chosen), None)


def search_panel(run: RunInfo, source: Source, *, exists: bool) -> None:
    """The button that searches topics, and the job that does it."""
    if is_under_way(job_panel(run, kinds=("topics",))):
        return
    if not exists:
        st.info("Topics have not been computed yet. It takes seconds to minutes; the first time, half a minute more.")
    choice = topic_choice()
    title = "Find topics again" if exists else "Find topics"
    if st.button(title, icon=":material/search:", type="secondary" if exists else "primary", key="search-topics"):
        workspace().jobs.start_topics(run, on=source, choice=choice)
        st.rerun()


def map_panel(run: RunInfo, run_topics: RunTopics) -> None:
    """Samples on the plane. Lasso or click, then open what was selected."""
    table, decided = scores(run), decisions(run)
    options = [
        TOPIC,
        LABEL,
        *(() if decided is None else (DECISION, CALIBRATED)),
        *(table.metrics if table else ()),
    ]
    colour = st.selectbox("Colour by", options, key="colour", format_func=metric_title, bind="query-params")
    ids, texts = list(run_topics.sample_ids), [samples(run)[sample_id].query for sample_id in run_topics.sample_ids]
    coordinates = np.asarray(run_topics.model.coordinates, dtype=np.float64)
    if colour in (TOPIC, LABEL, DECISION):
        groups = _groups(run, run_topics, colour, decided)
        figure = topic_map(
            coordinates,
            sample_ids=ids,
            texts=texts,
            groups=groups,
            dark=is_dark(),
            colors=None if colour == TOPIC else _outcome_colors(run),
            absent=(NO_TOPIC, NO_LABEL, NO_DECISION),
        )
    else:
        figure = value_map(
            coordinates,
            sample_ids=ids,
            texts=texts,
            values=values(run, colour).reindex(ids).to_numpy(dtype=np.float64),
            title=metric_title(colour),
            higher_is_better=metric_direction(colour, table) != "lower",
            dark=is_dark(),
        )
    event = st.plotly_chart(
        figure,
        key=f"map-{colour}",
        on_select="rerun",
        selection_mode=("lasso", "box", "points"),
        config={"displaylogo": False},
        alt=described(figure, f"Map of samples coloured by {metric_title(colour)}; the table below lists the topics"),
    )
    _open_selected(run, [str(data[0]) for data in selected_customdata(event)])


def _open_selected(run: RunInfo, ids: list[str]) -> None:
    if not ids:
        st.caption("Nearby points are similar; the axes have no meaning. Draw a lasso around samples, or click one.")
        return
    st.caption(f"{counted(len(ids), 'sample')} selected.")
    selection = SampleSelection(sample_ids=tuple(ids))
    with st.container(horizontal=True):
        if st.button("Open the selected samples", icon=":material/article:", type="primary", key="open-selected"):
            open_samples(selection, run=run)
        label_these(run, selection, ids)


def _groups(run: RunInfo, run_topics: RunTopics, colour: str, decided: pd.DataFrame | None) -> list[str]:
    if colour == TOPIC:
        return list(run_topics.model.levels())
    if colour == DECISION and decided is not None:
        return [str(word) for word in decided["decision"].reindex(list(run_topics.sample_ids)).fillna(NO_DECISION)]
    project = workspace().projects.of(run)
    criterion = next(iter(workspace().criteria.all(project)), None)
    if criterion is None:
        return [NO_LABEL] * len(run_topics.sample_ids)
    agreed = consensus(workspace().labels.current(project, criterion.name, run), passing=criterion.passing)
    names = {label.sample_id: criterion.levels[label.level] for label in agreed.labels}
    return [names.get(sample_id, NO_LABEL) for sample_id in run_topics.sample_ids]


def _outcome_colors(run: RunInfo) -> dict[str, str]:
    """Of labels and prediction sets: the same as in every other chart."""
    criterion = next(iter(workspace().criteria.all(workspace().projects.of(run))), None)
    levels = {} if criterion is None else level_colors(criterion.levels)
    return {**levels, BOTH: REGIONS["both"], EMPTY: REGIONS["empty"], UNSCORED: MUTED}


def topic_samples(run_topics: RunTopics, title: str) -> tuple[str, ...]:
    """The ids of the samples of a topic."""
    return tuple(sample_id for sample_id, level in run_topics.levels.items() if level == title)


def topic_list(run: RunInfo, run_topics: RunTopics) -> None:
    """Each topic with its size and key terms: what the map shows, to be read and chosen by keyboard too."""
    rows = pd.DataFrame(
        {
            "Topic": [topic.title for topic in run_topics.model.topics],
            "Samples": [topic.size for topic in run_topics.model.topics],
            "Key terms": [", ".join(term.text for term in topic.terms) for topic in run_topics.model.topics],
        }
    )
    st.subheader("Topics and their key terms")
    event = selectable_table(
        rows,
        hide_index=True,
        key="topic-list",
        selection_mode="single-row",
        alt="Topics with sizes and key terms",
    )
    if event.selection.rows:
        topic = run_topics.model.topics[event.selection.rows[0]]
        ids = topic_samples(run_topics, topic.title)
        if st.button(f"Open the {counted(len(ids), 'sample')} of “{plain(topic.title)}”", key="open-topic"):
            open_samples(SampleSelection(sample_ids=ids), run=run)
    st.caption(
        f"Select a row to open the samples of its topic. {run_topics.model.method}; "
        f"{counted(run_topics.model.without_topic, 'sample')} not assigned to a topic. Terms by class-based TF-IDF. "
        f"The same run gives the same topics: every step is seeded. {landmarks_sentence(run_topics.model)}"
    )
