"""A new test set: generated from a corpus by design, or uploaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import get_args

import pandas as pd
import streamlit as st

from hcat.core.capabilities.test_sets.allocation import DesignKind
from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.capabilities.test_sets.frame import DIMENSIONS, frame_of
from hcat.core.capabilities.test_sets.generate import DEFAULT_SHARES, counts_by_share
from hcat.core.capabilities.test_sets.services.generation import ENDPOINT, RULES, GenerationRequest
from hcat.core.errors import HcatError
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import QueryType
from hcat.dashboard.capabilities.test_sets.next_shown import NEXT
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import downloadable
from hcat.dashboard.loaders.corpora import corpus_passages, corpus_topics
from hcat.dashboard.loaders.workspace import workspace

GENERATE, UPLOAD = "Generate", "Upload"
KINDS: dict[DesignKind, str] = {
    "proportional": "In proportion to the passages",
    "equal": "The same number of each",
    "weighted": "By weights",
}
TYPES: tuple[QueryType, ...] = get_args(QueryType)


def making_panel(project: ProjectInfo, *, busy: bool) -> None:
    """Generate or upload; one generation at a time."""
    st.subheader("New test set")
    corpora = {corpus.name: corpus for corpus in workspace().corpora.all(project)}
    ways = [GENERATE, UPLOAD] if corpora else [UPLOAD]
    way = st.segmented_control("From", ways, default=ways[0], key=f"test-set-way-{len(ways)}", required=True)
    names = {test_set.name for test_set in workspace().test_sets.all(project)}
    if way == UPLOAD:
        _upload(project, names)
    else:
        _generate(project, corpora, names, busy=busy)


def _generate(project: ProjectInfo, corpora: dict[str, CorpusInfo], names: Set[str], *, busy: bool) -> None:
    left, middle, right = st.columns([2, 2, 1])
    corpus = corpora[left.selectbox("Corpus", list(corpora), key="generate-corpus")]
    name = middle.text_input("Name", _free_name(names), key=f"generate-name-{len(names)}", max_chars=200)
    n = int(right.number_input("Test cases", 1, 10_000, 200, step=50, key="generate-n"))
    left, middle, right = st.columns([2, 2, 1])
    by = left.multiselect(
        "Strata: passages are drawn by",
        list(DIMENSIONS),
        default=["topic"],
        key="generate-by",
        help="Topics are found in the corpus. With several, cases are shared out over the first, then within it.",
    )
    kind = middle.selectbox(
        "Cases of each stratum", list(KINDS), format_func=KINDS.__getitem__, key="generate-kind",
        help="Every case keeps the probability with which it was drawn; estimates weight by it.",
    )  # fmt: skip
    seed = int(right.number_input("Seed", 0, 2**31 - 1, workspace().settings.seed, key="generate-seed"))
    weights = _weights(corpus, by[0]) if kind == "weighted" and by else {}
    minimum, per_passage = _limits()
    shares = _shares(n)
    writer = _writer()
    if not by or weights is None:
        st.error("Choose at least one kind of strata." if not by else "There is nothing to weight yet.")
        return
    if busy:  # the fields stay, or they come back with other numbers than the button
        st.caption("A test set is being generated: the next can begin when it is done.")
        return
    if st.button(f"Generate {n:,} test cases", type="primary", icon=":material/play_arrow:", key="generate"):
        try:
            request = GenerationRequest(
                name=workspace().test_sets.check_name(project, name),
                corpus=corpus.name,
                corpus_version=corpus.version,
                n=n,
                types={str(query_type): share for query_type, share in shares.items()},
                kind=kind,
                by=tuple(by),
                weights=weights,
                minimum=minimum,
                per_passage=per_passage,
                writer=writer,
                seed=seed,
            )
            counts_by_share(shares, n)
            workspace().jobs.start(project, request)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.session_state[NEXT] = request.name
        st.rerun()


def _weights(corpus: CorpusInfo, dimension: str) -> dict[str, float] | None:
    """The weight of each level of the first dimension, to be typed over; None before there are topics to weight."""
    topics = corpus_topics(corpus)
    if dimension == "topic" and topics is None:
        st.info("Find the topics of this corpus first: weights are given by their names.")
        link_to("topics", "Find topics", icon=":material/scatter_plot:")
        return None
    passages = [passage for each in corpus_passages(corpus).values() for passage in each]
    strata = frame_of(passages, by=[dimension], topics=None if topics is None else topics.strata).strata
    sizes = Counter(levels[0] for levels in strata.values())
    st.caption(f"Each {dimension} gets a share of the test cases as large as its weight: importance, or frequency.")
    frame = pd.DataFrame({"Level": list(sizes), "Passages": list(sizes.values()), "Weight": 1.0})
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=["Level", "Passages"],
        column_config={"Weight": st.column_config.NumberColumn(min_value=0.0, required=True)},
        key=f"generate-weights-{corpus.id}-{dimension}",
    )
    downloadable(edited, f"The weight of each {dimension}")
    return dict(zip(edited["Level"], edited["Weight"].astype(float), strict=True))


def _limits() -> tuple[int | None, int | None]:
    """The fewest cases of a stratum and the most of a passage; None where the design chooses."""
    left, right = st.columns(2)
    minimum = left.number_input(
        "Fewest cases of each stratum", 0, None, None, key="generate-minimum", placeholder="by the design",
        help="Without a number: one case at least of each level of the first kind of strata, where there are enough.",
    )  # fmt: skip
    per_passage = right.number_input(
        "Most cases from one passage", 1, None, None, key="generate-per-passage", placeholder="by the design",
        help="Without a number: one, or as few as the number of test cases takes.",
    )  # fmt: skip
    return minimum, per_passage


def _shares(n: int) -> dict[QueryType, float]:
    """The requested number of each type, as shares that need not add up to 100."""
    with st.expander("Query types", icon=":material/tune:"):
        columns = st.columns(4)
        shares = {
            query_type: float(
                columns[place % 4].number_input(
                    query_type.capitalize(),
                    0,
                    100,
                    round(100 * DEFAULT_SHARES[query_type]),
                    step=5,
                    key=f"share-{query_type}",
                )
            )
            for place, query_type in enumerate(TYPES)
        }
        total = sum(shares.values())
        if total:
            counts = counts_by_share(shares, n)
            st.caption(", ".join(f"{query_type} {count}" for query_type, count in counts.items() if count) + ".")
        else:
            st.error("Give at least one type a share.")
    return shares


def _writer() -> str:
    settings = workspace().settings
    if not (settings.llm_base_url and settings.llm_model):
        st.caption(
            "Rules write the queries, from the parsed sentences and tables of English passages. With a language model "
            "in the settings (HCAT_LLM_BASE_URL, HCAT_LLM_MODEL) it can write them instead."
        )
        return RULES
    titles = {RULES: "Rules (English)", ENDPOINT: f"Language model {settings.llm_model}"}
    chosen = st.segmented_control(
        "Written by", list(titles), default=RULES, format_func=titles.__getitem__, key="generate-writer", required=True
    )
    if chosen == ENDPOINT:
        st.caption("Passages of the corpus are sent to that endpoint and nowhere else.")
    return chosen or RULES


def _upload(project: ProjectInfo, names: Set[str]) -> None:
    sent = st.file_uploader(
        "Test cases: JSON Lines, one object a line with query, and what is known of reference, passages and type",
        type=["jsonl", "json"],
        key=f"test-set-upload-{len(names)}",
    )
    if sent is None:
        return
    name = st.text_input(
        "Name", sent.name.rsplit(".", 1)[0], key=f"upload-name-{sent.file_id}-{len(names)}", max_chars=200
    )
    try:
        cases = read_cases(sent.getvalue(), filename=sent.name)
        st.caption(f"{len(cases):,} test cases.")
        if st.button("Store the test set", type="primary", icon=":material/save:", key="store-test-set"):
            stored = workspace().test_sets.add(project, name, cases, source=f"file {sent.name}")
            st.session_state[NEXT] = stored.name
            st.rerun()
    except HcatError as error:
        st.error(f"Nothing was stored: {plain(error)}")


def _free_name(names: Set[str]) -> str:
    return next(name for number in range(1, len(names) + 2) if (name := f"test-set-{number}") not in names)
