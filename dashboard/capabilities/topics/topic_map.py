"""The topic map and its list of topics."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.topics.view import topics_view
from hcat.core.display.numbers import counted
from hcat.core.project.topics import Source
from hcat.core.records.project import RunInfo
from hcat.core.topics.run_topics import RunTopics
from hcat.dashboard.capabilities.labelling.picked import label_these
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.capabilities.topics.choice import topic_choice
from hcat.dashboard.capabilities.topics.colours import colour_chart, colour_state, pick_colour
from hcat.dashboard.capabilities.topics.loader import run_points_key, topics_mark
from hcat.dashboard.capabilities.topics.shown_map import MapPoints, show_map
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import MapArea, SampleSelection

CORPUS = "corpus"
SOURCE_TITLES = {"query": "Queries", "contexts": "Contexts", CORPUS: "Passages of the corpus"}


def pick_source(*, of_run: bool = True) -> Source | None:
    """Topics of the queries, of the passages retrieved for them, or of the corpus's passages: then None."""
    sources: tuple[Source, ...] = ("query", "contexts")
    options = [*sources, CORPUS] if of_run else [CORPUS]
    linked = None if "source" in st.session_state else st.query_params.get("source")
    if linked in options:  # a name; titles, which the address holds else, the widget reads itself
        st.session_state["source"] = linked
    chosen = st.segmented_control(
        "Topics of",
        options,
        default=None if "source" in st.session_state else options[0],
        required=True,
        key="source",
        bind="query-params",
        format_func=SOURCE_TITLES.__getitem__,
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


def map_panel(run: RunInfo, source: Source, run_topics: RunTopics) -> None:
    """Samples on the plane. Draw a lasso, then open what was selected; or click one."""
    colour = pick_colour(run)
    points = run_points(run, source, run_topics)
    event = show_map(
        points,
        colour_state(run, colour),
        lambda placed: colour_chart(run, run_topics, placed, colour),
        title=f"Map of samples coloured by {metric_title(colour)}; the table below lists the topics.",
        key=f"map-{source}-{run.id}",
        selectable=True,
    )
    if event.opened is not None:
        sample_id = run_topics.sample_ids[event.opened]
        open_samples(SampleSelection(sample_ids=(sample_id,)), run=run, sample_id=sample_id)
    ids = tuple(run_topics.sample_ids[row] for row in points.rows_in(event).tolist())
    area = MapArea(source, topics_mark(run, source), event.corners) if event.corners else None
    _open_selected(run, SampleSelection(sample_ids=ids, area=area))


def run_points(run: RunInfo, source: Source, run_topics: RunTopics) -> MapPoints:
    """The run's samples on the plane of its topics."""
    acting = workspace()
    return MapPoints(
        key=run_points_key(run, source),
        coordinates=run_topics.model.coordinates,
        ids=run_topics.sample_ids,
        check=lambda: acting.topics.latest(run, on=source),
        text=lambda sample_id: acting.runs.sample(run, sample_id).query,
    )


def _open_selected(run: RunInfo, selection: SampleSelection) -> None:
    ids = list(selection.sample_ids)
    if not ids:
        missed = "" if selection.area is None else "No sample is in the selection. "
        st.caption(
            f"{missed}Nearby points are similar; the axes have no meaning. Draw a lasso around samples, or click one."
        )
        return
    st.caption(f"{counted(len(ids), 'sample')} selected.")
    with st.container(horizontal=True):
        if st.button("Open the selected samples", icon=":material/article:", type="primary", key="open-selected"):
            open_samples(selection, run=run)
        label_these(run, selection, ids)


def topic_samples(run_topics: RunTopics, title: str) -> tuple[str, ...]:
    """The ids of the samples of a topic."""
    return tuple(sample_id for sample_id, level in run_topics.levels.items() if level == title)


def topic_list(run: RunInfo, run_topics: RunTopics) -> None:
    """Each topic with its size and key terms: what the map shows, to be read and chosen by keyboard too."""
    st.subheader("Topics and their key terms")
    rows = [[(topic.title,) for topic in run_topics.model.topics]]
    chosen = show_view(topics_view(run_topics.model, run.name), key="topic-list", draw={}, rows=rows)
    if chosen is None:
        st.caption("Select a row to open the samples of its topic.")
        return
    title = str(chosen[0])
    ids = topic_samples(run_topics, title)
    if st.button(f"Open the {counted(len(ids), 'sample')} of “{plain(title)}”", key="open-topic"):
        open_samples(SampleSelection(sample_ids=ids), run=run)
