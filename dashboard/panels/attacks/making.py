"""New attacks from a corpus of the project, and the poisoned copy that the system must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.display.numbers import counted
from core.errors import HcatError
from core.records.corpus import CorpusInfo
from core.records.project import ProjectInfo
from core.records.test_set import TestSetInfo
from core.testgen.attacks.registry import ATTACKS
from core.testgen.test_case import TestCase
from core.types import Progress
from core.wording.testgen.attacks import plan_sentence
from dashboard.components.links import link_to
from dashboard.components.markdown import plain, sentence
from dashboard.loaders.attacks import holds_attacks, poisoned_copy
from dashboard.loaders.test_sets import stored_cases
from dashboard.loaders.workspace import workspace

RULES = "questions written by rules"


def making_panel(project: ProjectInfo) -> None:
    """The choice of corpus, families and number, and what a clean result would then mean."""
    st.subheader("Make attacks")
    corpora = {each.name: each for each in workspace().corpora.all(project)}
    if not corpora:
        st.info("Attacks are made from the passages that the system answers from, and this project has no corpus yet.")
        link_to("corpus", "Import the documents", icon=":material/library_books:")
        return
    left, right = st.columns(2)
    corpus = left.selectbox("Corpus", list(corpora), key="attack-corpus")
    sets = {each.name: each for each in workspace().test_sets.all(project) if not holds_attacks(each)}
    source = right.selectbox(
        "Attack from",
        [RULES, *sets],
        key="attack-source",
        help="Each attack is made from an ordinary question on a passage. Rules write these in English; for another "
        "language choose a test set.",
    )
    names = list(ATTACKS)
    families = st.multiselect("Families", names, names, format_func=_title, key="attack-families-made")
    left, middle, right = st.columns([2, 1, 1])
    taken = {each.name for each in workspace().test_sets.all(project)}
    name = left.text_input("Name", _free_name(taken), key=f"attack-name-{len(taken)}", max_chars=200)
    n = int(
        middle.number_input("Seeds a family", 2, 1000, 30, key="attack-n", help="Each gives an attack and a control.")
    )
    seed = int(right.number_input("Seed", 0, 2**31 - 1, workspace().settings.seed, key="attack-seed"))
    prompt = st.text_area(
        "The system's instructions, if you know them",
        key="attack-prompt",
        height=80,
        help="By these a system prompt in an answer is recognised word for word. They are stored with the test cases.",
    )
    st.caption(f"At most {2 * n * len(families):,} questions to the system for each trial. {plan_sentence(n)}")
    if not families:
        st.caption("Choose at least one family.")
        return
    if st.button("Make attacks", type="primary", icon=":material/play_arrow:", key="make-attacks"):
        tests = () if source == RULES else stored_cases(sets[str(source)])
        request = _Request(name, families, n, seed, tests, prompt)
        _make(project, corpora[str(corpus)], request)


@dataclass(frozen=True, slots=True)
class _Request:
    """The attacks that were asked for."""

    name: str
    families: Sequence[str]
    n: int
    seed: int
    tests: tuple[TestCase, ...]
    prompt: str


def _make(project: ProjectInfo, corpus: CorpusInfo, request: _Request) -> None:
    bar = st.progress(0.0, "Reading the corpus")

    def show(progress: Progress) -> None:
        share = min(progress.done / max(progress.total, 1), 1.0)
        bar.progress(share, f"{counted(progress.done, 'question')} found")

    try:
        workspace().attacks.make(
            project,
            corpus,
            request.name,
            families=request.families,
            n=request.n,
            seed=request.seed,
            tests=request.tests,
            system_prompt=request.prompt,
            on_progress=show,
        )
    except HcatError as error:
        bar.empty()
        st.error(sentence(error))
        return
    st.rerun()


def poisoned_panel(project: ProjectInfo) -> None:
    """The test sets of attacks: what they lack, the corpus to index for them, and where to go on."""
    made = [each for each in workspace().test_sets.all(project) if holds_attacks(each)]
    if not made:
        return
    st.subheader("Test sets of attacks")
    for test_set in made:
        with st.container(border=True):
            _test_set(project, test_set)
    link_to("test_sets", "Review and freeze them", icon=":material/quiz:")
    link_to("collect", "Ask the system", icon=":material/forum:")


def _test_set(project: ProjectInfo, test_set: TestSetInfo) -> None:
    st.markdown(f"**{plain(test_set.name)}** · {counted(test_set.n_cases, 'test case')} · {plain(test_set.source)}")
    notes = test_set.account.get("notes")
    for note in notes if isinstance(notes, list) else ():
        st.caption(plain(str(note)))
    try:
        copied = poisoned_copy(project, test_set)
    except HcatError as error:
        st.warning(sentence(error))
        return
    st.download_button(
        "Download the poisoned corpus",
        copied,
        file_name=f"poisoned corpus of {test_set.name}.jsonl",
        mime="application/jsonl",
        icon=":material/download:",
        key=f"poisoned-{test_set.id}",
    )


def _title(name: str) -> str:
    return ATTACKS[name].title


def _free_name(taken: set[str]) -> str:
    """The first of "attacks", "attacks-2" … that no test set has."""
    numbers = range(1, len(taken) + 2)
    return next(name for k in numbers if (name := "attacks" if k == 1 else f"attacks-{k}") not in taken)
