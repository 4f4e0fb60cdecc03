"""Agreement of annotators on a criterion: overall, by the levels of a dimension, and by pair."""

from __future__ import annotations

import numpy as np
import streamlit as st

from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.capabilities.agreement.summary import (
    AC1,
    ALPHA,
    KAPPA,
    LINEAR,
    ON_FAIL,
    ON_PASS,
    ORDINAL,
    PREVALENCE,
    QUADRATIC,
    RAW,
    Agreement,
    PairAgreement,
    pair_agreements,
)
from hcat.core.capabilities.agreement.view import agreement_view, levels_view, pairs_view
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.records.project import RunInfo
from hcat.core.slices.slices import input_dimensions
from hcat.core.types import Criterion, Label
from hcat.dashboard.capabilities.agreement.chart import confusion_table, level_rows, pair_matrix
from hcat.dashboard.capabilities.weaknesses.loader import default_dimension
from hcat.dashboard.components.glossary import with_terms_of
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.labels import agreement_of, annotator_ratings
from hcat.dashboard.loaders.runs import dimensions
from hcat.dashboard.loaders.workspace import workspace
from hcat.dashboard.selection import selected_customdata

MEANINGS = {
    RAW: "The share of pairs of labels on the same sample that are equal. Where nearly all answers pass it is high "
    "even if people guess.",
    KAPPA: "Agreement beyond what the annotators' own habits would give by chance: 0 is chance, 1 complete. Of more "
    "than two annotators, the mean over their pairs.",
    LINEAR: "κ in which levels two apart count twice as much as neighbours.",
    QUADRATIC: "κ in which the squared distance of levels counts.",
    ALPHA: "Agreement of any number of annotators beyond chance, with labels missing where they are. 0 is chance, 1 "
    "complete; 0.8 is Krippendorff's bar for firm conclusions, 0.667 for tentative ones.",
    ORDINAL: "α in which levels far apart count more than neighbours.",
    AC1: "Agreement beyond chance, where chance is the agreement of labels given at random on hard samples. It stays "
    "near raw agreement where nearly all answers pass, where κ and α fall to 0 (Gwet 2008).",
    PREVALENCE: "The share of labels that pass, over the samples labelled twice or more. Far from 50%, κ and α are "
    "low even for annotators who seldom differ.",
    ON_PASS: "Of the samples that one annotator passes, the share that another passes too.",
    ON_FAIL: "Of the samples that one annotator fails, the share that another fails too: with few fails this is what "
    "to look at (Cicchetti and Feinstein 1990).",
}


def annotated(run: RunInfo, criterion: Criterion) -> tuple[list[Label], Ratings]:
    """The labels of people and their table. Stops the page with a way forward where nobody labelled."""
    labels = workspace().annotators.independent_labels(run, criterion)
    table = annotator_ratings(run, criterion, labels)
    if not labels:
        st.info(f"No person has labelled {plain(criterion.name)} in this run yet.")
        link_to("labelling", "Start labelling", icon=":material/label:")
        stop_page()
    return labels, table


def overlapping(criterion: Criterion, table: Ratings) -> bool:
    """Whether any sample was labelled by two people; shows what to do if none was."""
    shared = int(((~np.isnan(table.levels)).sum(axis=1) >= 2).sum())
    if shared:
        return True
    if len(table.annotators) == 1:
        st.info(
            f"Only one person ({plain(table.annotators[0])}) has labelled {plain(criterion.name)} in this run. "
            "Agreement takes two: plan a queue with 2 labels per item, and let somebody else work through it too.",
            icon=":material/group_add:",
        )
    else:
        st.info(
            f"{len(table.annotators)} people have labelled {plain(criterion.name)} in this run, but no sample was "
            "labelled by two of them. Plan a queue with 2 labels per item: the overlap is enforced while they work.",
            icon=":material/group_add:",
        )
    link_to("labelling", "Plan a queue with overlap 2", icon=":material/playlist_add:")
    return False


def coefficients_panel(run: RunInfo, criterion: Criterion) -> None:
    """Every coefficient of all annotators together, and then one of them by the levels of a dimension."""
    agreement, _ = agreement_of(run, criterion)
    if not agreement.enough:
        st.warning(
            f"{INSUFFICIENT.capitalize()}: {agreement.n:,} of the samples were labelled twice or more, and at least "
            f"{MINIMUM_N} are needed. Label more samples in a queue with 2 labels per item.",
            icon=":material/hourglass_empty:",
        )
        return
    show_view(agreement_view(agreement, criterion.name, run.name), key="coefficients", draw={})
    st.caption(
        "All figures are for the samples that were labelled twice or more, however they were drawn; labels of "
        "disagreement queues, hidden repeats, gold items, rules and adjudications are not counted."
    )
    with st.expander("What each coefficient says"):
        for name in agreement.coefficients:
            st.markdown(f"**{plain(name)}**: {with_terms_of(name, MEANINGS[name])}")
    _by_dimension(run, criterion, agreement)


def pairs_panel(criterion: Criterion, table: Ratings) -> None:
    """Each pair of annotators in a matrix; a click, or the picker, opens the table of their levels."""
    generator = np.random.default_rng(workspace().settings.seed)
    pairs = pair_agreements(table, criterion=criterion, rng=generator)
    names = list(pairs[0].agreement.coefficients)
    coefficient = st.segmented_control(
        "Coefficient",
        names,
        default=KAPPA,
        required=True,
        key="pair-coefficient",
        help=with_terms_of(KAPPA, MEANINGS[KAPPA]),
    )
    event = st.plotly_chart(
        pair_matrix(table.annotators, pairs, coefficient, dark=is_dark()),
        key="pair-matrix",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"{coefficient} of each pair of annotators, with the number of samples in common",
    )
    st.caption(
        f"Each cell shows the coefficient and how many samples both labelled; below {MINIMUM_N} there is "
        f"{INSUFFICIENT}, and the cell has no colour. Hover for the interval; click for the levels that the two gave."
    )
    show_view(pairs_view(pairs), key="pairs", draw={})
    by_name = {f"{pair.first} and {pair.second}": pair for pair in pairs}
    for chosen in selected_customdata(event):
        if (name := f"{chosen[0]} and {chosen[1]}") in by_name and st.session_state.get("pair-clicked") != name:
            st.session_state["pair-clicked"] = st.session_state["pair"] = name
    _pair(by_name[st.selectbox("Pair", list(by_name), key="pair")], criterion)


def _pair(pair: PairAgreement, criterion: Criterion) -> None:
    left, right = st.columns([3, 2])
    with left:
        st.plotly_chart(
            confusion_table(pair, criterion.levels, dark=is_dark()),
            key="pair-table",
            config={"displayModeBar": False},
            alt="How often the two annotators gave each pair of levels",
        )
    with right:
        st.caption(
            f"Rows: what {plain(pair.first)} gave; columns: what {plain(pair.second)} gave. Off the diagonal: the "
            "samples on which they disagree."
        )


def _by_dimension(run: RunInfo, criterion: Criterion, agreement: Agreement) -> None:
    names = input_dimensions(dimensions(run))
    if not names:
        return
    st.markdown("**By the levels of a dimension**")
    left, right = st.columns(2)
    first = default_dimension(run, criterion)
    dimension = left.selectbox(
        "Dimension", names, index=names.index(first) if first in names else 0, key="agreement-dimension"
    )
    coefficient = right.selectbox(
        "Coefficient",
        list(agreement.coefficients),
        index=list(agreement.coefficients).index(ALPHA),
        key="level-coefficient",
    )
    parts = sorted(
        agreement_of(run, criterion, dimension)[1],
        key=lambda part: (not part.agreement.suffices_for(coefficient), part.agreement.coefficients[coefficient].value),
    )
    st.plotly_chart(
        level_rows(parts, agreement.coefficients[coefficient], coefficient, dark=is_dark()),
        key="agreement-levels",
        config={"displayModeBar": False},
        alt=f"{coefficient} within each level of {dimension}",
    )
    st.caption(
        "The dotted line is the coefficient of all samples. Where a level lies well below it, the guideline may say "
        "too little about such samples. Each interval is at 95% on its own, not jointly."
    )
    with st.expander("As a table"):
        show_view(levels_view(parts, dimension), key="levels", draw={})
