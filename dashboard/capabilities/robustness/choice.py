"""Choice of the comparison: the run of the origins, and the outcome."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.robustness.variants.comparison import Robustness
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.dashboard.capabilities.robustness.loader import has_origins, has_variants
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.workspace import workspace

COMMANDS = """hcat perturb tests.jsonl --family spelling,paraphrase --strength 0.2,0.5 --with-origins -o variants.jsonl
hcat collect variants.jsonl --target target.yaml -o run.jsonl
hcat perturb --families"""
EXAMPLE = (
    '{"query": "Waht does the card cost?", "answer": "…", '
    '"variant": {"family": "spelling", "of": "q17", "strength": 0.2}}'
)


def no_variants(project: ProjectInfo) -> None:
    """Explain the requirements of this page for a run, and name the runs of the project that meet them."""
    st.info(
        "No sample of this run is a variant of another one, so there is nothing to compare. Make variants of a test "
        "set, freeze it, and ask the system its cases: origins and variants are then answered in one run."
    )
    link_to("test_sets", "Make variants of a test set", icon=":material/checklist:")
    link_to("collect", "Ask the system", icon=":material/forum:")
    st.caption("The same on files:")
    st.code(COMMANDS, language="bash", wrap_lines=True)
    st.caption("In a run file of your own, each variant names its origin by the id of a sample or test case:")
    st.code(EXAMPLE, language="json", wrap_lines=True)
    others = [run.name for run in workspace().runs.all(project) if has_variants(run)]
    if others:
        names = ", ".join(f"“{plain(name)}”" for name in others)
        st.markdown(f"Runs of this project with variants: {names}. Choose one in the sidebar.")


def pick_origins(project: ProjectInfo, run: RunInfo) -> RunInfo | None:
    """The run that answers the origins: this one where it does, else one to choose. None, with a way forward, where no
    run of the project does."""
    if has_origins(run, run):
        return run
    runs = {each.name: each for each in workspace().runs.all(project) if each.name != run.name}
    offered = [name for name, other in runs.items() if has_origins(run, other)]
    if not offered:
        st.info(
            "This run has variants, but no run of the project answers the test cases that they were made from. Ask "
            "the same system the origins too, and import its answers."
        )
        link_to("runs", "Import a run", icon=":material/upload_file:")
        return None
    chosen = st.selectbox(
        "Origins are answered in",
        offered,
        key="origins",
        bind="query-params",
        help="Must be answers of the same system, or differences between systems look like an effect of variants.",
    )
    return runs[str(chosen)]


def pick_outcome(robustness: Robustness) -> str | None:
    """The outcome by which variants are compared; None if the run has neither labels nor scores."""
    if not robustness.names:
        st.info("The run has no scores and no labels yet: below is what the answers show by themselves.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return None
    titles = {outcome_title(name): name for name in robustness.names}
    chosen = st.selectbox(
        "Compare by",
        list(titles),
        key="outcome",
        bind="query-params",
        help="Labels first, where both variants and origins have them; then the calibration; then each metric.",
    )
    return titles[str(chosen)]
