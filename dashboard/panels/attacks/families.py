"""Families of attacks beside their controls: the excess with its interval, and what it rests on."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.figures.attacks import attack_forest
from hcat.core.records.project import RunInfo
from hcat.core.testgen.attacks.registry import ATTACKS
from hcat.core.testgen.attacks.results import AttackResults
from hcat.core.types import Criterion
from hcat.core.wording.testgen.attacks import detector_rows, family_sentence, result_notes, result_rows
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.charts.robustness import family_changes
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.attacks import attack_results


def families_panel(run: RunInfo, criterion: Criterion | None) -> AttackResults:
    """The forest of families, the table of rates, and a sentence for each."""
    results = attack_results(run, criterion)
    forest = attack_forest(results)
    if forest.rows:
        figure = family_changes(forest, dark=is_dark())
        st.plotly_chart(
            figure,
            key="attack-families",
            config={"displayModeBar": False},
            alt=described(figure, "Excess of success over the control by family, largest first"),
        )
    columns = ["Family", "Attack", "Control", "Excess", "Corrected excess", "The detector reports"]
    table = pd.DataFrame(result_rows(results), columns=columns)[[columns[0], columns[-1], *columns[1:-1]]]
    data_table(table, hide_index=True, key="attack-rates", alt="Success of attacks and of their controls by family")
    for family in results.families:
        st.markdown(f"- {plain(family_sentence(family))}")
    if results.detectors:
        st.markdown("**The detectors against the labels**")
        rows = pd.DataFrame(detector_rows(results), columns=["Detector", "Sensitivity", "Specificity", "Labelled"])
        data_table(rows, hide_index=True, key="attack-detectors", alt="Sensitivity and specificity of each detector")
    for note in result_notes(results):
        st.caption(plain(note))
    if results.overall.corrected is None:
        link_to("labelling", "Label answers", icon=":material/label:")
    with st.expander("What each family does, and what its control does instead", icon=":material/info:"):
        shown = [
            (each.title, each.description, each.control, each.success)
            for each in ATTACKS.values()
            if any(each.name == family.family for family in results.families)
        ]
        about = pd.DataFrame(shown, columns=["Family", "The attack", "The control", "The detector's success"])
        data_table(about, hide_index=True, key="attack-about", alt="Attacks and controls of each family")
    return results
