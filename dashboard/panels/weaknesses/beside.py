"""What people say, beside what a metric says: how far it stands in for them, and their pass rate of each slice."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from core.display.numbers import format_estimate
from core.records.project import RunInfo
from core.types import Estimate
from core.wording.fitness import fitness_sentence
from core.wording.languages import validation_note
from dashboard.components.markdown import plain
from dashboard.loaders import fitness, languages

if TYPE_CHECKING:
    import pandas as pd


def beside(run: RunInfo, metric: str) -> None:
    """One line on how far the metric stands in for people."""
    verdict = fitness(run, metric)
    if verdict is not None:
        st.markdown(plain(fitness_sentence(verdict)))
    if note := validation_note(metric, languages(run)):
        st.caption(f"This metric was {plain(note)}.")


def people_notes(rows: pd.DataFrame) -> dict[tuple[str, str], str]:
    """People's pass rate of each slice of the rows, by its levels; none where nobody labelled it."""
    if "label_pass_rate" not in rows:
        return {}
    return {
        (str(row["level_1"]), str(row["level_2"])): people_note(row)
        for _, row in rows.iterrows()
        if not math.isnan(float(row["label_pass_rate"]))
    }


def people_note(row: pd.Series) -> str:
    """The pass rate by labels of a row."""
    rate = Estimate(
        float(row["label_pass_rate"]), float(row["label_low"]), float(row["label_high"]), int(row["labels"])
    )
    return f"labels: {format_estimate(rate, percent=True)} pass"
