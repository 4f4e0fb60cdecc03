"""The calibration by the present labels: curve, regions, reliability, coverage and pass rate, on one page or in
short."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.reliability import REPLICATES
from hcat.core.calibration.checks.repeated_splits import REPEATS
from hcat.core.calibration.maps.methods import find_method
from hcat.core.capabilities.calibration.wording.calibration import auc_term
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.estimates.wording.pass_rate import ties_sentence
from hcat.core.display.numbers import counted, format_estimate, format_number
from hcat.core.errors import HcatError
from hcat.core.estimates.label_evaluation import CalibrationSpec, LabelEvaluation
from hcat.core.estimates.prediction_powered import PassRateEstimates
from hcat.core.labelling.ties import TieBounds
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Label
from hcat.dashboard.capabilities.calibration.check import calibration_check, label_counts
from hcat.dashboard.capabilities.calibration.curves import curve_panel, reliability_panel
from hcat.dashboard.capabilities.calibration.loader import pass_rate_ties
from hcat.dashboard.capabilities.calibration.replay import SECONDS_A_STEP, history_panel, is_playing, pick_label_count
from hcat.dashboard.capabilities.calibration.spec import pick_question
from hcat.dashboard.capabilities.calibration.weights import evaluator_panel
from hcat.dashboard.capabilities.estimates.chart import what_labels_bought
from hcat.dashboard.capabilities.labelling.actions import rerun_if_stale
from hcat.dashboard.capabilities.labelling.session import LIVE, REFRESH, STRIP, SUMMARY, TOOK
from hcat.dashboard.capabilities.labelling.sources import by_rule_alone
from hcat.dashboard.charts.alternative import described
from hcat.dashboard.components.estimates import Figure, estimate_figure, figure_cards, figures
from hcat.dashboard.components.links import link_to
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.person import name_field
from hcat.dashboard.components.pickers import required_scores
from hcat.dashboard.components.theme import is_dark
from hcat.dashboard.loaders.labels import label_evaluation
from hcat.dashboard.loaders.runs import scored_run
from hcat.dashboard.loaders.stored import labels_of
from hcat.dashboard.loaders.workspace import workspace

LIVE_SPEC = "live-spec"
"""Session key of the spec that the Labelling page calibrates."""
MOST_LABELS_WITH_VERDICT = 1000
"""Up to so many labels the verdict is evaluated again after each; it repeats the fit, and a curve must follow a key."""


def live_calibration(run: RunInfo, criterion: Criterion) -> None:
    """Everything that the labels say, for the Calibration page; with a slider that replays them."""
    every = SECONDS_A_STEP if is_playing() else None
    st.fragment(_whole, key=LIVE, run_every=every)(run, criterion)


@st.fragment(key=LIVE)
def live_summary(run: RunInfo, criterion: Criterion) -> None:
    """The curve and four figures, for the Labelling page; quick, and recomputed only where labels changed."""
    if scored_run(run) is None:  # stopping here would stop a card that is drawn in the same moment
        st.caption(f"Run “{plain(run.name)}” has no scores yet. Score it to see a curve here.")
        link_to("runs", "Score the run", icon=":material/play_arrow:")
        return
    with st.expander("What is calibrated", icon=":material/tune:"):
        spec = pick_question(run, criterion)
    st.session_state[LIVE_SPEC] = spec
    if spec is None:
        return
    _summary(run, spec)
    with st.container(horizontal=True, vertical_alignment="center"):
        _save_form(run, spec)
        link_to("calibration", "Open the whole calibration")


def evaluate_now(run: RunInfo, spec: CalibrationSpec, labels: Sequence[Label]) -> LabelEvaluation:
    """Evaluate the present labels, fast enough for a curve to follow a key."""
    # Each fit of these methods, and of many labels, takes as long as all else together.
    slow = find_method(spec.method).inner_folds or len(labels) > MOST_LABELS_WITH_VERDICT
    return label_evaluation(run, spec, labels, repeats=0 if slow else REPEATS)


@st.fragment(key=SUMMARY)
def _summary(run: RunInfo, spec: CalibrationSpec) -> None:
    """Show the part that depends on labels: a fragment of its own, so that the controls above are not redrawn with each
    label."""
    rerun_if_stale()
    st.button(
        "Refresh with the latest labels",
        key=REFRESH[0],
        icon=":material/refresh:",
        type="tertiary",
        on_click=lambda: st.rerun([SUMMARY, STRIP]),
    )
    begun = time.perf_counter()
    labels, known = labels_of(run, spec.criterion.name), scored_run(run)
    if known is None:
        return
    now = evaluate_now(run, spec, labels)
    st.session_state[TOOK] = time.perf_counter() - begun
    fitted = _fitted(now)
    if fitted is None:
        return
    curve_panel(now, fitted, known, spec)
    label_counts(fitted, now.judged)
    _in_short(now, fitted)
    if now.judged.ties:
        st.caption(
            f"{counted(now.judged.ties, 'tied sample')} left out of the pass rate: the Calibration page says between "
            "what it lies with them."
        )
    if said := by_rule_alone(labels):
        st.caption(said)


def _whole(run: RunInfo, criterion: Criterion) -> None:
    required_scores(run)
    spec = pick_question(run, criterion)
    known = scored_run(run)
    if spec is None or known is None:
        return
    labels = labels_of(run, criterion.name)
    so_far = workspace().labels.as_first_sampled(run, pick_label_count(labels))
    now = label_evaluation(run, spec, so_far, replicates=REPLICATES, repeats=REPEATS)
    fitted = _fitted(now)
    if fitted is not None:
        left, right = st.columns([3, 2])
        with left:
            curve_panel(now, fitted, known, spec)
        with right:
            reliability_panel(fitted)
        calibration_check(fitted, now.judged, run)
    whole = len(so_far) == len(labels) and now.judged.ties > 0
    _pass_rate(now.estimates, pass_rate_ties(run, criterion, spec.metrics, spec.method) if whole else None)
    history_panel(run, spec, labels, at=len(so_far))
    if fitted is not None:
        evaluator_panel(fitted)
        _save_form(run, spec)


def _fitted(now: LabelEvaluation) -> Calibration | None:
    """The calibration, or why there is none."""
    if now.needed:
        st.warning(sentence(now.problem), icon=":material/hourglass_empty:")
    elif now.problem:
        st.error(sentence(now.problem))
    return now.calibration


def _in_short(now: LabelEvaluation, fitted: Calibration) -> None:
    checked = fitted.diagnostics
    cells = [
        estimate_figure(
            "Pass rate, PPI++",
            format_estimate(now.estimates.ppi, percent=True),
            "Share of answers like these that people would pass.",
        ),
        Figure(
            "q̂",
            format_number(fitted.threshold.q_hat, decimals=3),
            f"α = {fitted.alpha:g}",
            "Threshold of the prediction sets: a class is in the set if 1 minus its probability is at most q̂."
            if fitted.sets_by_score is None
            else f"For {1 - fitted.alpha:.4g} of the labels, 1 minus the probability of what people said is at most "
            "q̂. The sets are drawn above.",
        ),
    ]
    if checked is not None:
        area = auc_term(checked)
        cells += [
            estimate_figure(
                "Coverage",
                format_estimate(checked.coverage, percent=True),
                "Share of prediction sets that contain the label.",
            ),
            estimate_figure(area.title, format_estimate(checked.auc), area.meaning),
        ]
    figure_cards(cells)
    verdict, reason = fitted.fit_for_use.value, plain(verdict_reason_of(fitted))
    st.caption(f"Fit for use on {plain(fitted.criterion)}: **{verdict}**. {reason}")


def _pass_rate(estimates: PassRateEstimates, tied: TieBounds | None) -> None:
    """Show the pass rate of the whole run, estimated from labels and metric; `tied` bounds the effect of ties."""
    st.markdown("**Pass rate of the whole run**")
    figure = what_labels_bought(estimates, dark=is_dark())
    st.plotly_chart(
        figure,
        config={"displayModeBar": False},
        key="pass-rate",
        alt=described(figure, "Pass rate: naive, labels only and PPI++"),
    )
    cells = (
        ("Naive", estimates.naive, "Share of machine verdicts that pass, uncorrected: right only if the machine is."),
        ("Labels only", estimates.labels_only, "From the labelled samples alone, weighted by how they were drawn."),
        (
            "PPI++",
            estimates.ppi,
            "Prediction-powered inference: the labels combined with the metric on every sample; cross-fitted.",
        ),
    )
    figures(
        [estimate_figure(title, format_estimate(rate, percent=True), meaning) for title, rate, meaning in cells]
        + [
            Figure(
                "Effective labels",
                format_number(estimates.effective_n, decimals=0),
                f"{format_number(estimates.labels_only_effective_n, decimals=0)} without the metric",
                "How many labels, drawn by simple random sampling, would be about as precise.",
            )
        ]
    )
    if tied is not None:
        st.warning(ties_sentence(estimates.ppi, tied), icon=":material/balance:")
    if estimates.note:
        st.caption(plain(estimates.note))


def _save_form(run: RunInfo, spec: CalibrationSpec) -> None:
    """Puts the calibration in force: signed, and with a reason where it is not shown to be fit."""
    with st.popover("Use this calibration …", icon=":material/save:"), st.form("save-calibration", border=False):
        name = name_field("Your name", key="calibration-author")
        reason = st.text_area(
            "Reason for using it, where it is not shown to be fit",
            key="calibration-reason",
            max_chars=2000,
            height=80,
            help="Shown beside the calibration wherever it acts, and in the report. A calibration that is fit for use "
            "needs none.",
        )
        st.caption("Overview, weaknesses, estimates and report then use it for this run. It uses all present labels.")
        if not st.form_submit_button("Save this calibration", type="primary", key="keep-calibration"):
            return
    labels = labels_of(run, spec.criterion.name)
    now = label_evaluation(run, spec, labels, replicates=REPLICATES, repeats=REPEATS)
    if not name:
        st.error("Enter your name: a calibration in force is signed.")
    elif now.calibration is None:
        st.error(sentence(now.problem))
    else:
        try:
            workspace().calibrations.save(run, now.calibration, author=name, reason=reason)
        except HcatError as error:
            st.error(plain(error))
            return
        st.toast("Saved. Overview, weaknesses, estimates and report now use this calibration.", icon=":material/check:")
        st.rerun()
