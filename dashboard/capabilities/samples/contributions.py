"""The contribution of each metric to a sample's probability of a pass, by the calibration saved last."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.maps.contributions import AdditiveMap
from hcat.core.capabilities.calibration.wording.in_force import probability_sentence
from hcat.core.display.numbers import format_number
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.calibration.loader import probability_of, read_calibration, saved_calibration
from hcat.dashboard.capabilities.samples.contributions_chart import contribution_bars
from hcat.dashboard.components.charts import still_chart
from hcat.dashboard.components.in_force import calibration_in_force
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.pickers import metric_title, required_scores
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.components.theme import is_dark

WHY = "Why this probability"


def contributions_panel(run: RunInfo, sample_id: str) -> None:
    """A bar from the baseline through each metric to the log-odds of a pass, or why there is none."""
    record = saved_calibration(run)
    if record is None:
        st.info("No calibration is saved for this run yet, so there is no probability to explain.")
        link_to("calibration", "Calibrate and save", icon=":material/tune:")
        return
    saved, table = read_calibration(record), required_scores(run)
    calibration_in_force(run)
    if sample_id not in table.frame.index:
        st.info("This sample has no scores yet.")
        return
    probability = probability_of(run, record, sample_id)
    if math.isnan(probability.value):
        st.info("A metric that the calibration needs left this sample unscored: it has no probability.")
        return
    st.markdown(plain(probability_sentence(saved, probability)))
    if not isinstance(saved.map, AdditiveMap):
        st.info(f"The method {saved.method} has one metric only: there are no separate contributions to show.")
        return
    row = saved.contributions(table).set_index("sample_id").loc[[sample_id]].iloc[0].to_dict()
    added = [(metric_title(name), float(row[name])) for name in saved.metrics]
    figure = contribution_bars(row["baseline"], added, dark=is_dark())
    still_chart(figure, "What each metric adds to the log-odds of a pass", key=f"why-{sample_id}")
    st.caption(
        "The bars add up: baseline and metrics give the log-odds z, and the probability is 1 / (1 + e⁻ᶻ). Blue: "
        "towards a pass. Orange: towards a fail."
    )
    _scores(saved, run, sample_id)


def _scores(calibration: Calibration, run: RunInfo, sample_id: str) -> None:
    scores = {name: required_scores(run).score(sample_id, name) for name in calibration.metrics}
    rows = [
        (metric_title(name), f"unscored: {score.reason}" if score.value is None else format_number(score.value))
        for name, score in scores.items()
    ]
    data_table(pd.DataFrame(rows, columns=["Metric", "Score"]), hide_index=True, key="why-scores", alt="Its scores")
