"""People's labels compared with a metric: where the two disagree, how well the metric can replace people, and the pass
rate by labels of each slice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from hcat.core.capabilities.calibration.wording.fitness import fitness_sentence
from hcat.core.capabilities.weaknesses.wording import disagreement_sentence, label_rate_text, until_sentence
from hcat.core.records.project import RunInfo
from hcat.core.slices.table import WeaknessTable
from hcat.core.wording.languages import validation_note
from hcat.dashboard.capabilities.weaknesses.loader import fitness
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.loaders.runs import languages, scores

if TYPE_CHECKING:
    import pandas as pd


def beside(run: RunInfo, metric: str, table: WeaknessTable) -> None:
    """First where score and labels disagree, then one line on how well the metric can replace people."""
    if apart := disagreement_sentence(table):
        st.warning(plain(apart), icon=":material/compare_arrows:")
    if until := until_sentence(table):
        st.caption(plain(until))
    verdict = fitness(run, metric)
    if verdict is not None:
        st.markdown(plain(fitness_sentence(verdict)))
    scored = scores(run)
    models = () if scored is None else scored.provenance.models_of.get(metric, ())
    if note := validation_note(metric, languages(run), models):
        st.caption(f"This metric was {plain(note)}.")


_NOTED = ["label_pass_rate", "label_low", "label_high", "labels", "disagreement"]


def people_notes(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    """The pass rate by labels of each pair of levels in the rows; nothing where no sample has a label."""
    given = rows[rows["label_pass_rate"].notna()]
    levels = zip(given["level_1"].to_numpy(), given["level_2"].to_numpy(), strict=True)
    return dict(zip(levels, (people_note(row) for _, row in given[_NOTED].iterrows()), strict=True))


def people_note(row: pd.Series) -> str:
    """The pass rate by labels of one slice that was compared by a metric; empty where there is none."""
    rate = label_rate_text(row)
    return f"by labels {rate} pass" if rate else ""


def slice_beside(row: pd.Series) -> None:
    """The same in the panel of a slice: a warning where more pass than in the rest though the score is worse."""
    note = people_note(row)
    if not note:
        return
    if row["disagreement"]:
        st.warning(
            plain(
                f"Score and labels point apart here: the score is worse than in the rest, and {note}, more than there."
            ),
            icon=":material/compare_arrows:",
        )
    else:
        st.markdown(plain(f"{note[0].upper()}{note[1:]}."))
