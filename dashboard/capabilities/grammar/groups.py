"""Step 4: the semantic groups, their table of counts, and the documents that state their answers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_yaml
from hcat.core.capabilities.grammar.wording import COUNT_COLUMNS, count_cells, counts_document
from hcat.core.display.numbers import counted, format_count
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.dashboard.capabilities.grammar.loader import FilledPlan, filled_plan
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

SHOWN = 200


def groups_panel(project: ProjectInfo, place: str, plan: GrammarPlan) -> None:
    """Ask for the number of groups, fill the templates when the button is pressed, and show the result."""
    st.subheader("4 · Semantic groups")
    left, middle, right = st.columns(3)
    most = left.number_input(
        "Groups of each SQL template (0: all)", 0, 10_000, 3, key="grammar-most", help="Drawn where there are more."
    )
    answers = middle.number_input(
        "Right answers allowed", 1, 20, 1, key="grammar-answers", help="Where the database has several, each is right."
    )
    seed = right.number_input("Seed of the draw", 0, 10_000, workspace().settings.seed, key="grammar-seed")
    wanted = (place, plan_yaml(plan), int(most) or None, int(answers), int(seed))
    if st.button("Fill the templates", type="primary", icon=":material/play_arrow:", key="grammar-fill"):
        st.session_state["grammar-filled"] = wanted
    if st.session_state.get("grammar-filled") != wanted:
        if "grammar-filled" in st.session_state:
            st.caption("The plan has changed since the templates were filled.")
        return
    try:
        filled = filled_plan(*wanted)
    except HcatError as error:
        st.error(sentence(error))
        return
    _counts(filled)
    _cases(filled)
    _keep(filled)
    _store(project, filled)


def _counts(filled: FilledPlan) -> None:
    queries = filled.queries
    st.markdown(
        f"**{format_count(len(queries.cases))} queries in {counted(queries.groups, 'semantic group')}**, from "
        f"{counted(len(queries.counts), 'SQL template')}. A group is made only where the database answers."
    )
    frame = pd.DataFrame([count_cells(count) for count in queries.counts], columns=list(COUNT_COLUMNS))
    data_table(frame, hide_index=True, height=260, key="grammar-counts", alt="What became of each SQL template")


def _cases(filled: FilledPlan) -> None:
    cases = filled.queries.cases
    rows = [(case.group, case.criterion, case.query, " | ".join(case.answers)) for case in cases[:SHOWN]]
    with st.expander("Look at the queries"):
        frame = pd.DataFrame(rows, columns=["Group", "Criterion", "Query", "Right answer"])
        data_table(frame, hide_index=True, key="grammar-cases", alt="The first queries, group by group")
        if len(cases) > SHOWN:
            st.caption(f"The first {SHOWN} are shown.")


def _keep(filled: FilledPlan) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Download the test cases", filled.test_file(), "grammar.jsonl", "application/jsonl", type="primary"
        )
        st.download_button(
            f"Download {counted(len(filled.documents), 'document')}",
            filled.document_archive(),
            "documents.zip",
            "application/zip",
            help="They state every answer: give them to the system, and its documents are known.",
        )
        link_to("collect", "Ask a system")


def _store(project: ProjectInfo, filled: FilledPlan) -> None:
    """As a test set of the project, which the page Collect can ask."""
    names = {test_set.name for test_set in workspace().test_sets.all(project)}
    with st.form(f"grammar-store-{len(names)}", border=False):
        free = next(name for number in range(1, len(names) + 2) if (name := f"grammar-{number}") not in names)
        name = st.text_input("Name of the test set", free, max_chars=200)
        if not st.form_submit_button("Store as a test set", icon=":material/save:"):
            return
    account = counts_document(filled.queries, {}, filled.sql)
    try:
        stored = workspace().test_sets.add(
            project, name, filled.test_cases(), source="semantic groups from a database", account=account
        )
    except HcatError as error:
        st.error(sentence(error))
        return
    st.success(f"Test set “{plain(stored.name)}” is stored with {counted(stored.n_cases, 'case')}.")
