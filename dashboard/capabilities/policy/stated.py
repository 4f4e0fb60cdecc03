"""Statements that a validator makes for a policy before looking at its effect."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from hcat.core.calibration.conformal.stage_2 import MOST_CELLS
from hcat.core.capabilities.policy.analysis.policy import PolicySpec
from hcat.core.capabilities.policy.forecast import Costs
from hcat.core.capabilities.policy.policy import Action, Failing, OtherAnswers
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.wording.policies import ACTION_TITLES
from hcat.core.records.project import CalibrationRecord, RunInfo
from hcat.core.records.samples.by_sample import distinct_levels
from hcat.dashboard.capabilities.calibration.loader import saved_calibration
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import stop_page
from hcat.dashboard.loaders.runs import columns
from hcat.dashboard.loaders.workspace import workspace

EVERYWHERE = "one threshold for all"


def required_calibration(run: RunInfo, criterion: str) -> CalibrationRecord:
    """The calibration in force on the criterion. Stops the page with a way forward where there is none."""
    record = saved_calibration(run, criterion)
    if record is None:
        st.info(
            f"A policy decides by the prediction sets of a calibration, and none on {plain(criterion)} is saved for "
            "this run. Label some 100 answers, calibrate a metric on them, and save it."
        )
        link_to("calibration", "Calibrate", icon=":material/show_chart:")
        st.caption("The same on files:")
        st.code("hcat policy fit scores.parquet labels.csv cal.json --error 0.1 -o policy.json", language="bash")
        stop_page()
    return record


def further_calibrations(run: RunInfo, criterion: str) -> list[CalibrationRecord]:
    """Those in force on other criteria that the policy is to keep, too."""
    names = [each.name for each in workspace().criteria.all(workspace().projects.of(run)) if each.name != criterion]
    saved = {name: record for name in names if (record := saved_calibration(run, name)) is not None}
    if not saved:
        return []
    chosen = st.multiselect(
        "Accept only what passes on these criteria, too",
        list(saved),
        key=f"policy-also-{criterion}",
        help="The worst criterion decides, and the promise is shown for each of them at once: the test has to succeed "
        "on every one.",
    )
    return [saved[name] for name in chosen]


def stated_policy(run: RunInfo) -> PolicySpec:
    """Promise, slices, costs and the treatment of answers that are not accepted."""
    left, middle, right = st.columns(3)
    error = left.number_input(
        "Error let through, at most (%)",
        min_value=0.5,
        max_value=50.0,
        value=10.0,
        step=0.5,
        key="policy-error",
        help="ε: the largest share of accepted answers that may fail. State it before you look at the curve: another "
        "ε chosen afterwards is another try, and each try is counted.",
    )
    confidence = middle.number_input(
        "Confidence (%)", min_value=50.0, max_value=99.9, value=90.0, step=1.0, key="policy-confidence", help="1 − δ"
    )
    groups, clustered = columns(run).groups or {}, columns(run).clusters is not None
    dimensions = [name for name, levels in groups.items() if 2 <= distinct_levels(levels) <= MOST_CELLS]
    by = right.selectbox(
        "Thresholds by",
        [EVERYWHERE, *dimensions],
        key="policy-by",
        help="A threshold for each level of a dimension; the levels share δ, so that all promises hold at once.",
    )
    spec = PolicySpec(
        Promise(error / 100, confidence / 100), None if by == EVERYWHERE else str(by), cap=_cap() if clustered else None
    )
    with st.expander("What becomes of other answers, and what things cost"):
        return replace(spec, failing=_failing(), other=_other(), costs=_costs())


def _cap() -> int | None:
    cap = st.number_input(
        "Answers of one cluster that count, at most",
        min_value=1,
        value=None,
        placeholder="all of them",
        key="policy-cap",
        help="Where few clusters hold most answers, nothing can be promised of all answers alike. With a cap, the "
        "promise is of answers counted like that. State it before you look at the curve.",
    )
    return None if cap is None else int(cap)


def _failing() -> Failing:
    left, middle, right = st.columns(3)
    action = _action(left, "Answers that fail", ("regenerate", "person", "reject"), "policy-fail")
    attempts = middle.number_input("Regenerate at most … times", 0, 10, 2, key="policy-attempts")
    after = _action(right, "Then", ("person", "reject"), "policy-after")
    return Failing(action, int(attempts), after)


def _other() -> OtherAnswers:
    left, middle, right = st.columns(3)
    return OtherAnswers(
        _action(left, "Right refusals", ("accept", "person"), "policy-right"),
        _action(middle, "Wrong refusals", ("regenerate", "person", "reject"), "policy-wrong"),
        _action(
            right, "Refusals, right or wrong unknown", ("person", "accept", "regenerate", "reject"), "policy-refusal"
        ),
    )


def _costs() -> Costs:
    fields = st.columns(4)
    names = ("A person's look costs", "One regeneration costs", "A wrong answer costs", "Answers a day")
    keys = ("person", "regeneration", "error", "day")
    values = [
        field.number_input(name, min_value=0.0, value=None, key=f"policy-cost-{key}")
        for field, name, key in zip(fields, names, keys, strict=True)
    ]
    return Costs(*(math.nan if value is None else float(value) for value in values))


def _action(place: st.delta_generator.DeltaGenerator, title: str, actions: tuple[Action, ...], key: str) -> Action:
    chosen: Action = place.selectbox(title, actions, format_func=lambda action: ACTION_TITLES[action], key=key)
    return chosen
