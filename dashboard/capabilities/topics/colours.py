"""Colours of the samples on the map: by topic, label, prediction set or probability, or by a metric."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from hcat.core.calibration.conformal.level_sets import BOTH, EMPTY, UNSCORED
from hcat.core.capabilities.weaknesses.weaknesses import CALIBRATED
from hcat.core.display.palette import MUTED, REGIONS, level_colors
from hcat.core.estimates.slices import MINIMUM_N
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.labelling.consensus import consensus
from hcat.core.records.project import RunInfo
from hcat.core.topics.model import NO_TOPIC
from hcat.core.topics.run_topics import RunTopics
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.calibration.loader import decisions, saved_calibration
from hcat.dashboard.capabilities.topics.shown_map import numbered_topics
from hcat.dashboard.capabilities.weaknesses.loader import values
from hcat.dashboard.charts.maps import MapChart, MapTopics, Numbers, category_chart, number_chart
from hcat.dashboard.components.pickers import is_machine_verdict, metric_direction, metric_title
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as
from hcat.dashboard.loaders.runs import scores
from hcat.dashboard.loaders.workspace import workspace

TOPIC, LABEL, DECISION = "topic", "label", "prediction set"
NO_LABEL, NO_DECISION = "(no label)", "(unscored)"


def pick_colour(run: RunInfo) -> str:
    """The chosen colouring of the samples; only what the run has is offered."""
    table = scores(run)
    decided = table is not None and saved_calibration(run) is not None
    options = [TOPIC, LABEL, *((DECISION, CALIBRATED) if decided else ()), *(table.metrics if table else ())]
    linked = None if "colour" in st.session_state else st.query_params.get("colour")
    if linked in options:  # a name; titles, which the address holds else, the widget reads itself
        st.session_state["colour"] = linked
    chosen: str = st.selectbox("Colour by", options, key="colour", format_func=metric_title, bind="query-params")
    return chosen


def colour_state(run: RunInfo, colour: str) -> tuple[Hashable, ...]:
    """Cache key of the present data by which samples are coloured."""
    if colour == TOPIC:
        return (colour,)
    if colour == LABEL:
        criterion = _criterion(run)
        return (colour, None if criterion is None else (criterion.name, labelled_as(run, criterion.name)))
    record = saved_calibration(run) if colour in (DECISION, CALIBRATED) else None
    return (colour, scored_as(run), None if record is None else identity(record))


def colour_chart(run: RunInfo, run_topics: RunTopics, placed: PlacedPoints, colour: str) -> MapChart:
    """The map's chart in this colour."""
    model, ids = run_topics.model, pd.Index(run_topics.sample_ids)
    topics = numbered_topics(model.assignment, model.topics, [topic.title for topic in model.topics])
    if colour == TOPIC:
        return category_chart(
            placed, topics.numbers, topics.titles, title="Topic", topics=topics, noun="sample", absent=NO_TOPIC
        )
    if colour in (LABEL, DECISION):
        return _outcomes(run, placed, ids, topics, colour)
    table = scores(run)
    return number_chart(
        placed,
        values(run, colour).reindex(ids).to_numpy(dtype=np.float64),
        title=metric_title(colour),
        topics=topics,
        noun="sample",
        higher_is_better=metric_direction(colour, table) != "lower",
        machine=is_machine_verdict(run, colour),
        dark=is_dark(),
    )


def _outcomes(run: RunInfo, placed: PlacedPoints, ids: pd.Index[str], topics: MapTopics, colour: str) -> MapChart:
    """Labels or prediction sets. Of a square with too few of them none is said to be the most frequent."""
    outcomes = _labels(run) if colour == LABEL else _decisions(run)
    colors = _outcome_colors(run)
    present = set(outcomes.values())
    categories = [*(name for name in colors if name in present), *sorted(present - set(colors))]
    return category_chart(
        placed,
        _numbers(ids, outcomes, categories),
        categories,
        title=metric_title(colour),
        topics=topics,
        noun="sample",
        absent=NO_LABEL if colour == LABEL else NO_DECISION,
        colors=colors,
        least=MINIMUM_N,
    )


def _numbers(ids: pd.Index[str], outcomes: Mapping[str, str], categories: Sequence[str]) -> Numbers:
    """(n,) the place of each sample's outcome among the categories, -1 where it has none."""
    numbers = np.full(len(ids), -1, dtype=np.int64)
    place = {name: number for number, name in enumerate(categories)}
    rows = ids.get_indexer(pd.Index(list(outcomes), dtype=object))
    found = rows >= 0
    numbers[rows[found]] = np.array([place[name] for name in outcomes.values()], dtype=np.int64)[found]
    return numbers


def _labels(run: RunInfo) -> dict[str, str]:
    criterion = _criterion(run)
    if criterion is None:
        return {}
    agreed = consensus(
        workspace().labels.current(workspace().projects.of(run), criterion.name, run), passing=criterion.passing
    )
    return {label.sample_id: criterion.levels[label.level] for label in agreed.labels}


def _decisions(run: RunInfo) -> dict[str, str]:
    decided = decisions(run)
    return {} if decided is None else {str(name): str(word) for name, word in decided["decision"].items()}


def _criterion(run: RunInfo) -> Criterion | None:
    return next(iter(workspace().criteria.all(workspace().projects.of(run))), None)


def _outcome_colors(run: RunInfo) -> dict[str, str]:
    """Of labels and prediction sets: the same as in every other chart."""
    criterion = _criterion(run)
    levels = {} if criterion is None else level_colors(criterion.levels)
    return {**levels, BOTH: REGIONS["both"], EMPTY: REGIONS["empty"], UNSCORED: MUTED}
