"""Topics of a corpus: the map of its passages, and the names that people give to topics."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.test_sets.wording.test_sets import left_out_sentence
from hcat.core.capabilities.topics.view import topics_view
from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.project import ProjectInfo
from hcat.core.topics.model import NO_TOPIC
from hcat.core.topics.passage_topics import MOST_CHARACTERS, PassageTopics
from hcat.dashboard.capabilities.corpus.stored import choose_corpus
from hcat.dashboard.capabilities.runs.jobs import is_under_way, job_panel
from hcat.dashboard.capabilities.topics.choice import topic_choice
from hcat.dashboard.capabilities.topics.shown_map import MapPoints, numbered_topics, show_map
from hcat.dashboard.charts.maps import MapTopics, category_chart
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.corpora import corpus_topics, passage_text
from hcat.dashboard.loaders.workspace import workspace


def corpus_panel(project: ProjectInfo) -> None:
    """All that there is to the topics of the chosen corpus, with a way forward where there is no corpus."""
    corpus = choose_corpus(project)
    if corpus is None:
        link_to("corpus", "Import a corpus", icon=":material/library_books:")
        return
    found = corpus_topics(corpus)
    _search(project, corpus, exists=found is not None)
    if found is not None:
        passage_map(corpus, found)
        _names(corpus, found)


def passage_map(corpus: CorpusInfo, found: PassageTopics) -> None:
    """Each passage a point, with the name of its topic on the map. A click shows the passage."""
    points, topics = corpus_points(corpus, found)
    event = show_map(
        points,
        ("topic",),
        lambda placed: category_chart(
            placed, topics.numbers, topics.titles, title="Topic", topics=topics, noun="passage", absent=NO_TOPIC
        ),
        title="Map of passages coloured by topic; the table below lists the topics.",
        key=f"passages-{corpus.id}",
        selectable=False,
    )
    if event.opened is not None:
        name = points.ids[event.opened]
        st.markdown(f"**{plain(name)}**")
        st.text(points.text(name))
    left_out = left_out_sentence(corpus.n_passages - len(found.passage_ids))
    st.caption(f"Each point is a passage. Nearby passages are similar; the axes have no meaning. {left_out}")


def corpus_points(corpus: CorpusInfo, found: PassageTopics) -> tuple[MapPoints, MapTopics]:
    """The passages on the plane of their topics, and these as they are called now."""
    acting = workspace()
    titles = [found.titles[topic.id] for topic in found.model.topics]
    search = acting.corpus_topics.latest(corpus)
    points = MapPoints(
        key=("corpus", corpus.artifact, None if search is None else (search.id, search.last_name)),
        coordinates=found.model.coordinates,
        ids=found.passage_ids,
        check=lambda: acting.corpus_topics.latest(corpus),
        text=passage_text(corpus),
    )
    return points, numbered_topics(found.model.assignment, found.model.topics, titles)


def _search(project: ProjectInfo, corpus: CorpusInfo, *, exists: bool) -> None:
    if is_under_way(job_panel(project, kinds=("corpus topics",))):
        return
    if not exists:
        st.info("The topics of this corpus have not been found yet. It takes seconds to minutes.")
    choice = topic_choice()
    title = "Find topics again" if exists else "Find topics"
    if st.button(title, icon=":material/search:", type="secondary" if exists else "primary", key="search-passages"):
        workspace().jobs.start_topics(corpus, choice=choice)
        st.rerun()


def _names(corpus: CorpusInfo, found: PassageTopics) -> None:
    st.subheader("Topics and their names")
    show_view(topics_view(found.model, corpus.name, found.titles), key=f"corpus-topics-{corpus.id}", draw={})
    with st.form(f"rename-topic-{corpus.id}", border=False):
        left, right = st.columns(2, vertical_alignment="bottom")
        chosen = left.selectbox(
            "Topic",
            [topic.id for topic in found.model.topics],
            format_func=lambda number: found.titles[number],
            key="topic-named",
        )
        name = right.text_input("New name (empty: its key terms)", max_chars=MOST_CHARACTERS, key="topic-name")
        if st.form_submit_button("Rename the topic", icon=":material/edit:") and chosen is not None:
            try:
                workspace().corpus_topics.rename(corpus, chosen, name)
            except HcatError as error:
                st.error(sentence(error))
            else:
                st.rerun()
    st.caption(
        "After another search a topic keeps its name where it holds more than half of the earlier topic's passages, "
        "and these are more than half of its own."
    )
