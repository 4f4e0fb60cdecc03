"""New attacks from a corpus of the project, and the poisoned copy that the system must hold."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.attacks.registry import ATTACKS
from hcat.core.capabilities.attacks.service import AttackRequest
from hcat.core.capabilities.attacks.wording import plan_sentence
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_set import TestSetInfo
from hcat.dashboard.capabilities.attacks.loader import holds_attacks, poisoned_copy
from hcat.dashboard.components.glossary import with_glossary
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.workspace import workspace

RULES = "questions written by rules"


def making_panel(project: ProjectInfo, *, busy: bool) -> None:
    """The choice of corpus, families and number, and the meaning of a result without successes."""
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
    about = with_glossary("Each gives an attack and a control.", "attack", "control", "excess")
    n = int(middle.number_input("Seeds a family", 2, 1000, 30, key="attack-n", help=about))
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
    if busy:  # the fields stay, or they come back with other values than the button
        st.caption("Attacks are being made: the next can begin when they are done.")
        return
    if st.button("Make attacks", type="primary", icon=":material/play_arrow:", key="make-attacks"):
        version, tests = corpora[str(corpus)], sets.get(str(source))
        _start(
            project,
            AttackRequest(
                name,
                version.name,
                version.version,
                tuple(families),
                n,
                seed,
                None if tests is None else tests.name,
                None if tests is None else tests.version,
                prompt,
            ),
        )


def _start(project: ProjectInfo, request: AttackRequest) -> None:
    """In a job, so that every page can be closed meanwhile."""
    try:
        workspace().test_sets.check_name(project, request.name)
        workspace().jobs.start(project, request)
    except HcatError as error:
        st.error(sentence(error))
        return
    st.rerun()


def poisoned_panel(project: ProjectInfo) -> None:
    """The test sets of attacks: their gaps, the corpus to index for them, and the next step."""
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
