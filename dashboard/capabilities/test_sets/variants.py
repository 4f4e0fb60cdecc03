"""Variants of a test set: families and strengths are chosen, and origins and variants become a new test set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from hcat.core.attack_detectors import ADDED
from hcat.core.capabilities.fairness.counterfactual.families import ATTRIBUTES
from hcat.core.capabilities.robustness.variants.by_model.families import LANGUAGES, MODEL_TRANSLATION
from hcat.core.capabilities.robustness.variants.family import REMOVED
from hcat.core.capabilities.robustness.variants.registry import BY_MODEL, CHOICES, FAMILIES, chosen_families
from hcat.core.capabilities.robustness.wording.robustness import MEANINGS
from hcat.core.capabilities.robustness.wording.variants import changed_passages_note
from hcat.core.capabilities.test_sets.services.generation import VariantsRequest
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.records.passages import passages_jsonl
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase, test_cases_jsonl
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import Progress
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import changed_corpora, stored_cases
from hcat.dashboard.capabilities.test_sets.next_shown import NEXT, NEXT_VIEW
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

DEFAULT = ("spelling", "paraphrase", "misleading premise", "outside the corpus")
STRENGTHS = (0.1, 0.2, 0.3, 0.5, 0.8, 1.0)


def variants_panel(project: ProjectInfo, test_set: TestSetInfo) -> None:
    """The choice of families and strengths; of a test set with variants, the passages that its system must contain to
    answer them."""
    cases = stored_cases(test_set)
    if any(case.variant is not None for case in cases):
        st.info(
            "This test set holds variants and the cases that they were made from. Further variants are made of the "
            "test set that these came from."
        )
        _changed_corpus(project, test_set, cases)
        return
    st.markdown(
        "Each family changes the queries in its own way. The new test set holds these cases and their variants, so "
        "that one run answers both, and the page Robustness compares them in pairs. Counterfactual families ask the "
        "same for people of different groups, whom the page Fairness compares."
    )
    if not test_set.frozen:
        st.warning("This version is open for review. Freeze it first, so that no variant is made of a rejected case.")
    families = st.multiselect("Families", _families(), list(DEFAULT), format_func=_title, key="variant-families")
    with st.expander("What each family does", icon=":material/info:"):
        _families_table()
    left, middle, right = st.columns([2, 2, 1])
    strengths = left.multiselect(
        "Strengths",
        STRENGTHS,
        [0.3],
        key="variant-strengths",
        help="How much is changed, from 0 to 1. With several, Robustness shows how the answers change with strength.",
    )
    names = {each.name for each in workspace().test_sets.all(project)}
    name = middle.text_input("Name", _free_name(test_set.name, names), key=f"variant-name-{len(names)}", max_chars=200)
    seed = int(right.number_input("Seed", 0, 2**31 - 1, workspace().settings.seed, key="variant-seed"))
    languages = _languages(families)
    if not families or not strengths or not languages:
        st.caption("Choose at least one family and one strength, and for translations a language.")
        return
    most = len(cases) * sum(len(strengths) if each.is_graded else 1 for each in chosen_families(families))
    st.caption(
        f"At most {counted(most, 'variant')} of {counted(len(cases), 'case')}: fewer where a family finds nothing to "
        "change."
    )
    if st.button("Make variants", type="primary", icon=":material/play_arrow:", key="make-variants"):
        chosen = (tuple(families), tuple(sorted(strengths)))
        _make(project, VariantsRequest(name, test_set.name, test_set.version, *chosen, seed, tuple(languages)))


def _make(project: ProjectInfo, request: VariantsRequest) -> None:
    """By rule at once; a language model takes its time, so that it writes in a process of its own."""
    bar = None
    try:
        if any(family in BY_MODEL for family in request.families):
            workspace().test_sets.check_name(project, request.name)
            workspace().jobs.start(project, request)
        else:
            bar = st.progress(0.0, "Making variants")
            workspace().generation.perturb(project, request, on_progress=partial(_show, bar))
    except HcatError as error:
        if bar is not None:
            bar.empty()
        st.error(sentence(error))
        return
    st.session_state[NEXT] = request.name
    st.session_state[NEXT_VIEW] = "Asked and made"
    st.rerun()


def _show(bar: DeltaGenerator, progress: Progress) -> None:
    bar.progress(progress.done / max(progress.total, 1), f"{progress.done:,} of {counted(progress.total, 'case')}")


def _families() -> list[str]:
    """Those by rule, and those of the language model in the settings where there is one."""
    settings = workspace().settings
    if settings.llm_base_url and settings.llm_model:
        return [*CHOICES, *BY_MODEL]
    st.caption(
        "Rules make the variants. With a language model in the settings (HCAT_LLM_BASE_URL, HCAT_LLM_MODEL) it can "
        "also word queries otherwise and translate them."
    )
    return list(CHOICES)


def _languages(families: list[str]) -> list[str]:
    """The languages of translations, where any are chosen."""
    if any(family in BY_MODEL for family in families):
        st.caption(
            f"The language model {plain(workspace().settings.llm_model or '')} is sent the queries and nothing else. "
            "What it writes is kept only where its numbers, negations, names and units are those of the query."
        )
    if MODEL_TRANSLATION.name not in families:
        return list(LANGUAGES)
    return st.multiselect("Languages", list(LANGUAGES), list(LANGUAGES), key="variant-languages")


def _changed_corpus(project: ProjectInfo, test_set: TestSetInfo, cases: tuple[TestCase, ...]) -> None:
    """Variants that change passages need a system that contains these."""
    changing = {case.variant.family for case in cases if case.variant and {ADDED, REMOVED} & set(case.metadata)}
    if not changing:
        return
    st.warning(plain(changed_passages_note(sorted(changing))))
    copies = changed_corpora(project, test_set)
    if not copies:
        return
    copy = copies[st.selectbox("Changed corpus for", list(copies), key="variant-copy")]
    for title, content in (
        ("Download this corpus", passages_jsonl(copy.passages)),
        ("Download its variants", test_cases_jsonl(copy.variants)),
    ):
        name = f"{title.rpartition(' ')[2]} of {test_set.name}, {copy.name}.jsonl"
        st.download_button(title, content, file_name=name, mime="application/jsonl", icon=":material/download:")


def _families_table() -> None:
    rows = [
        (each.title, each.kind, MEANINGS[each.expectation], each.description, each.strength)
        for each in FAMILIES.values()
    ]
    columns = ["Family", "Kind", "The right answer", "What it does", "Strength"]
    data_table(
        pd.DataFrame(rows, columns=columns), hide_index=True, key="variant-table", alt="The families of variants"
    )


def _title(name: str) -> str:
    return f"{ATTRIBUTES[name].title} (counterfactual)" if name in ATTRIBUTES else FAMILIES[name].title


def _free_name(of: str, names: set[str]) -> str:
    """The first of "NAME-variants", "NAME-variants-2" … that no test set has."""
    wanted = f"{of[:180]}-variants"
    return next(
        name
        for number in range(1, len(names) + 2)
        if (name := wanted if number == 1 else f"{wanted}-{number}") not in names
    )
