"""Forecast of the resources for scoring a large run, shown before it can be started."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.jobs import forecast as forecasting
from hcat.core.records.project import RunInfo
from hcat.core.scoring import forecast as measured
from hcat.core.wording.importing import scoring_forecast_sentence
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.loaders.runs import scoring_forecast


def forecast_allows(run: RunInfo, metrics: Sequence[str]) -> bool:
    """Whether scoring may be started: a small run at once, a large one after its forecast, where there is room for it.

    The forecast is of the metrics that are chosen; others take one of their own.
    """
    if run.n < measured.FORECAST_FROM:
        return True
    asked = f"forecast-{run.id}-{'-'.join(metrics)}"
    if not st.session_state.get(asked) and not st.button(
        "Estimate time and room",
        icon=":material/timer:",
        key="forecast",
        help="The first samples are scored for some seconds. Scoring can be started then.",
    ):
        return False
    st.session_state[asked] = True
    try:
        forecast = scoring_forecast(run, metrics)
        if forecast is not None:
            st.caption(plain(scoring_forecast_sentence(forecast.totals)))
            forecasting.check_room(forecast, forecasting.room_for(forecast))
    except HcatError as error:
        st.error(sentence(error))
        return False
    return True
