"""What held-out labels say of a calibration: the verdict and its rule, the promise, coverage, errors, truth of p."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.analysis.calibrate import predict
from hcat.core.analysis.decisions import DecisionCounts, count_decisions
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.display.numbers import (
    MISSING,
    at_least_zero,
    counted,
    format_estimate,
    format_number,
    format_percent,
)
from hcat.core.labelling.consensus import ConsensusLabels
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion, Estimate
from hcat.core.wording.calibration import (
    CROSS_FITTED_INTERVALS,
    UNDECIDED_IN_RUN,
    auc_term,
    changing_sets_note,
    exchangeability_sentence,
    need_review_term,
)
from hcat.core.wording.guarantee import guarantee_of
from hcat.core.wording.label_counts import labels_to_samples
from hcat.core.wording.verdict import splits_sentence, verdict_reason_of
from hcat.core.wording.verdicts.checklist import checklist
from hcat.core.wording.verdicts.rule import verdict_rule
from hcat.dashboard.components.estimates import Figure, estimate_figure, figures
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table, downloadable
from hcat.dashboard.loaders.calibrations import exchangeability
from hcat.dashboard.loaders.runs import columns

SHOWN_THRESHOLDS = 3
BRIER_PARTS = (
    (
        "reliability",
        "+",
        "Squared gap between predicted and observed pass rate over bins, corrected for chance: about 0 if calibrated.",
    ),
    ("resolution", "−", "How much the observed pass rate varies between bins: more is better."),
    ("uncertainty", "+", "Brier score of always predicting the overall pass rate."),
    ("within_variance", "+", "Variance of the probabilities within bins."),
    ("within_covariance", "−", "Covariance of probabilities and labels within bins (doubled)."),
)


def calibration_check(fitted: Calibration, judged: ConsensusLabels, run: RunInfo) -> None:
    """Verdict, promise and diagnostics of a calibration, and what it decides on the run."""
    label_counts(fitted, judged)
    kind = {"yes": st.success, "no": st.error}.get(fitted.fit_for_use.value, st.warning)
    reason = plain(verdict_reason_of(fitted))
    kind(f"Fit for use on {plain(fitted.criterion)}: **{fitted.fit_for_use.value}**. {reason}")
    _checklist(fitted)
    left, right = st.columns(2)
    with left.expander("How the verdict is reached", icon=":material/gavel:"):
        words = verdict_rule(fitted.alpha)
        verdicts = "\n".join(f"- **{verdict}**: {when}" for verdict, when in words.verdicts)
        conditions = "\n".join(f"- **{title}**: {meaning}" for title, meaning in words.conditions)
        st.markdown(f"{words.basis}\n\n{verdicts}\n\n{conditions}\n\n{words.terms}")
    with right.expander("What the sets promise", icon=":material/verified:"):
        st.markdown(plain(guarantee_of(fitted)))
    measured = fitted.diagnostics
    if measured is None:
        return
    counts = count_decisions(predict(columns(run), fitted))
    _figures(measured, counts)
    if conflict := changing_sets_note(measured, counts.undecided, counts.with_set):
        st.warning(conflict, icon=":material/shuffle:")
    if measured.folds > 1:
        area = ", and the AUC of a metric's own score," if measured.auc_of_score else ""
        turns = (
            "With few labels, cross-checking uses each label in turn: of {folds} folds, one checks, two set the "
            "threshold and two fit."
            if fitted.sets_by_score is None
            else "Cross-checking uses each label in turn: of {folds} folds, one checks the curve and the sets that the "
            "others make."
        ).format(folds=measured.folds)
        st.caption(
            f"{turns} All but the coverage{area} describe this procedure, not the very sets drawn above. "
            f"{CROSS_FITTED_INTERVALS}"
        )
    if splits := splits_sentence(fitted):
        st.caption(plain(splits))
    coverage_table(fitted, measured)
    _brier(measured)


def _checklist(fitted: Calibration) -> None:
    """Each condition of a yes, with what was measured; none of a calibration from before they were recorded."""
    if rows := checklist(fitted):
        frame = pd.DataFrame([map(plain, row) for row in rows], columns=["condition", "measured", "met or not"])
        title = "Conditions of “fit for use”"
        st.table(downloadable(frame, title), hide_index=True, border="horizontal", alt=title)


@st.fragment
def exchangeability_note(run: RunInfo, criterion: Criterion) -> None:
    """A warning where the labelled samples are not like the run, which all guarantees and estimates rest on."""
    exchange = exchangeability(run, criterion)
    if exchange.verdict == "violated":
        st.warning(plain(exchangeability_sentence(exchange)), icon=":material/balance:")
    else:
        st.caption(plain(exchangeability_sentence(exchange)))


def coverage_table(fitted: Calibration, measured: Diagnostics) -> None:
    """Coverage within classes or the levels of a dimension, beside the thresholds where they are by it."""
    offered = [by for by, cells in measured.cells.items() if cells]
    if not offered:
        return
    chosen = fitted.conditional if fitted.conditional in offered else BY_CLASS
    by = st.selectbox(
        "Coverage within",
        offered,
        index=offered.index(chosen) if chosen in offered else 0,
        key=f"coverage-by-{fitted.conditional}",
        help="One threshold for all guarantees coverage on average; within a class or group it can be lower.",
    )
    thresholds = {} if fitted.thresholds is None or by != fitted.conditional else fitted.thresholds.thresholds
    rows = []
    for name in dict.fromkeys([*measured.cells[by], *thresholds]):
        cell, threshold = measured.cells[by].get(name), thresholds.get(name)
        row: dict[str, str | int] = {
            plain(by): plain(name),
            "coverage": MISSING if cell is None else format_estimate(cell.coverage, percent=True),
            "undecided": MISSING if cell is None else format_estimate(cell.undecided, percent=True),
        }
        if thresholds:
            row["labels that make the sets"] = 0 if threshold is None else threshold.n
            if fitted.sets_by_score is None:
                row["q̂"] = format_number(1.0 if threshold is None else threshold.q_hat, decimals=3)
            row["labels missing"] = (
                0 if threshold is None or threshold.enough else max(threshold.needed - threshold.n, 1)
            )
        rows.append(row)
    frame = downloadable(pd.DataFrame(rows), f"Coverage within {by}")
    st.table(frame, hide_index=True, border="horizontal", alt=f"Coverage within {by}")
    by_cluster = ", by cluster" if "clustered" in measured.coverage.method else ""
    promised = f"{100 * (1 - fitted.alpha):.4g}%"
    said = (
        f"Promised: {promised}" if by == fitted.conditional else f"{promised} is promised on average, not within {by}"
    )
    st.caption(
        f"{plain(said)}. Clopper–Pearson 95% intervals{by_cluster}; with few labels they are wide"
        + (", and of the procedure, not of the sets handed out." if measured.folds > 1 else ".")
    )


def _in_turn(fitted: Calibration) -> str:
    checked = fitted.diagnostics
    if checked is None or checked.folds == 1:
        return ""
    few = "With fewer than 100 such samples, all" if fitted.sets_by_score is None else "All"
    return f"{few} {checked.n} are checked in turn, in {checked.folds} folds."


def _q_hats(fitted: Calibration) -> str:
    """The threshold, or those by which sets are made; of many, from which to which they lie."""
    if fitted.sets_by_score is not None:
        return "Prediction sets"
    if fitted.thresholds is None:
        whose = " of the heaviest samples" if fitted.threshold.by_weight else ""
        return f"Threshold of the prediction sets{whose} q̂ = {format_number(fitted.threshold.q_hat, decimals=3)}"
    q_hats = {name: t.q_hat for name, t in fitted.thresholds.thresholds.items()}
    if len(q_hats) <= SHOWN_THRESHOLDS:
        return "Thresholds of the prediction sets q̂ = " + ", ".join(
            f"{format_number(q, decimals=3)} ({plain(name)})" for name, q in q_hats.items()
        )
    ends = " to ".join(format_number(end(q_hats.values()), decimals=3) for end in (min, max))
    return f"Thresholds of the prediction sets q̂ from {ends} by {plain(fitted.thresholds.by)}"


def label_counts(fitted: Calibration, judged: ConsensusLabels) -> None:
    """How many labels serve what, q̂, and a warning where they are too few for α."""
    threshold = fitted.threshold
    said = f"{plain(labels_to_samples(judged, fitted))} {_q_hats(fitted)} at α = {fitted.alpha:g}. {_in_turn(fitted)}"
    st.caption(said.rstrip())
    if fitted.thresholds is not None and fitted.thresholds.short:
        named = ", ".join(f"{plain(name)} (+{missing})" for name, missing in fitted.thresholds.short.items())
        st.warning(
            f"Too few labels for α = {fitted.alpha:g}; sets then contain every class: {named}. In brackets: further "
            f"labels that {'the conformal split' if fitted.sets_by_score is None else 'each'} needs."
        )
    elif not threshold.enough:
        missing = max(threshold.needed - threshold.n, 1)
        st.warning(
            f"α = {fitted.alpha:g} needs {counted(threshold.needed, 'label')}"
            f"{' in the conformal split' if fitted.sets_by_score is None else ''}, {missing} more than now. Until then "
            "every set contains every class."
        )


def _figures(measured: Diagnostics, counts: DecisionCounts) -> None:
    passes_from = f"{measured.decision_threshold:g}"
    undecided, area = need_review_term(measured), auc_term(measured)
    cells: list[tuple[str, Estimate, bool, str]] = [
        ("Coverage", measured.coverage, True, "Share of prediction sets that contain the label."),
        (undecided.title, measured.undecided, True, undecided.meaning),
        (area.title, measured.auc, False, area.meaning),
        (
            "Brier score",
            measured.brier,
            False,
            "Mean squared difference between probability and label (0 or 1); 0 is best.",
        ),
        (
            "Type I error",
            measured.type_1,
            True,
            f"Of what people fail, the share the machine passes (p ≥ {passes_from}).",
        ),
        (
            "Type II error",
            measured.type_2,
            True,
            f"Of what people pass, the share the machine fails (p < {passes_from}).",
        ),
    ]
    if measured.decided is not None:
        cells.append(
            (
                "Error rate among decided samples",
                measured.decided.error,
                True,
                "Share of the sets naming exactly one class that are wrong.",
            )
        )
    if measured.ece_corrected is not None:
        meaning = (
            "Expected calibration error: mean gap between predicted and observed pass rate over bins of equal size, "
            "corrected for chance; shown as 0 where that puts it below. What strays within a bin is not seen. "
            f"Uncorrected: {format_number(measured.ece, decimals=3)}, biased upwards."
        )
        cells.append(("ECE, corrected", at_least_zero(measured.ece_corrected), False, meaning))
    shown = [
        estimate_figure(title, format_estimate(estimate, percent=percent), meaning)
        for title, estimate, percent, meaning in cells
    ]
    figures([*shown[:2], _in_this_run(counts), *shown[2:]])


def _in_this_run(counts: DecisionCounts) -> Figure:
    share = counts.undecided / counts.with_set if counts.with_set else None
    below = f"{counts.undecided:,} of {counts.with_set:,} samples"
    return Figure(UNDECIDED_IN_RUN.title, format_percent(share), below, UNDECIDED_IN_RUN.meaning)


def _brier(measured: Diagnostics) -> None:
    parts = measured.brier_parts
    with st.expander("Brier decomposition, errors of decisive sets, set sizes", icon=":material/segment:"):
        if parts is not None:
            rows = [
                {
                    "part": name.replace("_", " "),
                    "sign": sign,
                    "value": _plain(getattr(parts, name)),
                    "meaning": meaning,
                }
                for name, sign, meaning in BRIER_PARTS
            ]
            data_table(pd.DataFrame(rows), hide_index=True, key="brier-parts", alt="The parts of the Brier score")
            st.caption(
                f"With these signs they add up to the Brier score, {parts.total:.4f}, n = {measured.n}; bootstrap "
                "intervals. Reliability and resolution are corrected for chance: with few labels either can come out "
                "below 0, which reads as 0, and is left as it is so that the sum holds."
            )
        if measured.decided is not None:
            st.markdown(
                "Among samples whose set names exactly one class: type I error "
                f"{format_estimate(measured.decided.type_1, percent=True)}, type II error "
                f"{format_estimate(measured.decided.type_2, percent=True)}."
            )
        sizes = ", ".join(f"{count} of size {size}" for size, count in measured.set_sizes.items())
        st.markdown(f"Prediction sets: {sizes}.")


def _plain(estimate: Estimate) -> str:
    return f"{estimate.value:.4f} [{estimate.low:.4f}, {estimate.high:.4f}]"
