"""A new test set: generated from a corpus by design, or uploaded."""

from __future__ import annotations

from collections.abc import Set
from typing import get_args

import streamlit as st

from core.errors import HcatError
from core.records.corpus import CorpusInfo
from core.records.project import ProjectInfo
from core.testgen.allocation import DesignKind
from core.testgen.case_file import read_cases
from core.testgen.frame import DIMENSIONS
from core.testgen.generate import DEFAULT_SHARES, counts_by_share
from core.testgen.test_case import QueryType
from core.workspace.testgen.generation import ENDPOINT, RULES, GenerationRequest
from dashboard.components.markdown import plain, sentence
from dashboard.loaders.workspace import workspace
from dashboard.panels.test_sets.chosen import NEXT

GENERATE, UPLOAD = "Generate", "Upload"
KINDS: dict[DesignKind, str] = {
    "proportional": "In proportion to the passages",
    "equal": "The same number of each",
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
    elif busy:
        st.caption("A test set is being generated: the next can begin when it is done.")
    else:
        _generate(project, corpora, names)


def _generate(project: ProjectInfo, corpora: dict[str, CorpusInfo], names: Set[str]) -> None:
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
    shares = _shares(n)
    writer = _writer()
    if not by:
        st.error("Choose at least one kind of strata.")
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
                writer=writer,
                seed=seed,
            )
            counts_by_share(shares, n)
            workspace().jobs.start_generating(project, request)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.session_state[NEXT] = request.name
        st.rerun()


def _shares(n: int) -> dict[QueryType, float]:
    """How many of each type, as shares that need not add up to 100."""
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
