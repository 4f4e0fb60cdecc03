"""Why a calibration is fit for use, is not, or is not shown to be, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.calibration.calibration import Calibration
from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.checks.evidence import Discrimination, Evidence, RepeatedSplits, Spread
from core.calibration.checks.fitness import (
    LEAST_CHECKED,
    LEAST_DECIDED,
    USEFUL_AUC,
    Verdict,
)
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.display.numbers import counted
from core.types import Estimate


def verdict_reason_of(calibration: Calibration) -> str:
    """The reason for the verdict of this calibration."""
    return verdict_reason(
        calibration.fit_for_use,
        calibration.diagnostics,
        calibration.threshold,
        calibration.evidence,
        conditional=calibration.thresholds,
        from_files=tuple(name for name in calibration.metrics if f"file of {name}" in calibration.inputs),
    )


def verdict_reason(
    verdict: Verdict,
    diagnostics: Diagnostics | None,
    threshold: Threshold,
    evidence: Evidence | None,
    *,
    conditional: Conditional | None = None,
    from_files: Sequence[str] = (),
) -> str:
    """The reason in words, by what `fitness` was given; of a verdict read from a document, what the document states.

    Of metrics that come `from_files` somebody stated which way is better, of the others the registry does.
    """
    if verdict.reason or verdict.cause is None:
        return verdict.reason
    if diagnostics is None:
        return "No labels were left to check it with."
    if evidence is None:
        return "It is not evaluated here, since that repeats the fit many times; the Calibration page does."
    if verdict.cause == "few labels for the threshold":
        return (
            f"{counted(threshold.n, 'label')} set the threshold; an error rate of {threshold.alpha:g} takes at least "
            f"{threshold.needed}, so every set holds every class."
        )
    if verdict.cause == "few labels for thresholds" and conditional is not None:
        short = ", ".join(f"{name} ({missing} more needed)" for name, missing in conditional.short.items())
        return f"Too few labels for an error rate of {threshold.alpha:g} within each {conditional.by}: {short}."
    if verdict.cause == "few labels to check with":
        return f"Only {diagnostics.n} held-out labels check it; the verdict takes at least {LEAST_CHECKED}."
    if verdict.cause == "same probability for all":
        return (
            f"The map gives every sample the same probability: checked on {counted(diagnostics.n, 'label')}, it has "
            "learned nothing that tells them apart. Take a simpler method or another metric, or label more."
        )
    reason = _of_discrimination(verdict, evidence, from_files)
    if not reason and evidence.repeated is None:
        reason = "Too few labels to repeat the split at random and check each."
    return f"{reason or _of_sets(verdict, diagnostics, threshold, evidence)} {_of_direction(from_files)}".rstrip()


def _of_direction(from_files: Sequence[str]) -> str:
    """What the verdict takes for granted of metrics whose direction a person stated."""
    if not from_files:
        return ""
    return (
        f"Which way {', '.join(from_files)} is better was stated with the file. The verdict takes it as stated before "
        "anybody saw the labels: one chosen by them is a further choice, which it does not allow for."
    )


def _of_discrimination(verdict: Verdict, evidence: Evidence, from_files: Sequence[str]) -> str:
    """The reason where it lies in how passes are told from fails, else ""."""
    tells = evidence.discrimination
    auc, (name, margin) = f"{_plain(tells.auc)} {_measured_on(tells)}", tells.closest or ("", tells.auc)
    known = "stated" if set(evidence.backwards or from_files) <= set(from_files) and from_files else "registered"
    if verdict.cause == "against its direction" and tells.against_p is not None:
        return (
            f"People pass what the metric scores worse: in the direction in which it is {known} as better, its AUC "
            f"is {auc}, p = {_p(tells.against_p)}. Weaknesses and rankings by it would point the wrong way."
        )
    if verdict.cause == "direction not shown":
        return (
            f"The probability moves against the direction in which {', '.join(evidence.backwards)} is {known} as "
            "better. Take a method that keeps directions, such as combined, or label more."
        )
    if verdict.cause == "AUC not useful":
        return f"The AUC {auc} lies below {USEFUL_AUC}: it hardly tells what people pass from what they fail."
    if verdict.cause == "AUC below a trivial score":
        name = tells.beaten_by or name
        return f"The AUC {auc} lies below that of the trivial {name}: the difference is {_signed(tells.margins[name])}."
    if verdict.cause == "one label for all":
        return f"People gave all {tells.n:,} samples the same label: no AUC can be measured."
    if verdict.cause == "AUC not shown above chance":
        return f"The AUC {auc} is not shown to be above chance: {_test(tells)}."
    if verdict.cause == "AUC not shown above a trivial score":
        return f"The AUC {auc} is not shown to beat the trivial {name}: the difference is {_signed(margin)}."
    return ""


def _of_sets(verdict: Verdict, d: Diagnostics, threshold: Threshold, evidence: Evidence) -> str:
    repeated, tells = evidence.repeated, evidence.discrimination
    if repeated is None:
        return ""
    promise = f"{100 * (1 - threshold.alpha):.4g}%"
    if verdict.cause == "coverage below the promise":
        return (
            f"Over {repeated.splits} random splits, sets cover {repeated.coverage.median:.0%} of the labels that check "
            f"them (median), too few for the {promise} promised: p = {_p(repeated.coverage_p)}."
        )
    if verdict.cause == "few samples decided":
        return (
            f"Sets are not shown to decide more than {LEAST_DECIDED:.0%} of samples: {_decided(repeated)}. The others "
            "go to people."
        )
    name, margin = tells.closest or ("", tells.auc)
    above = f", and exceeds that of the trivial {name} by {_signed(margin)}" if name else ""
    return (
        f"The AUC {_plain(tells.auc)} {_measured_on(tells)} is above chance: {_test(tells)}{above}. Sets decide "
        f"more than {LEAST_DECIDED:.0%} of samples: {_decided(repeated)}. {_coverage(d, threshold, repeated)}"
    )


def _coverage(d: Diagnostics, threshold: Threshold, repeated: RepeatedSplits) -> str:
    """What labels say of the promise, which is one on average: of sets made so, and of those handed out."""
    promised = 1 - threshold.alpha
    over = repeated.coverage
    average = (
        f"Their coverage over the splits, {over.median:.0%} (from {over.low:.0%} to {over.high:.0%} in nine of ten), "
        f"does not contradict the {100 * promised:.4g}% promised on average over draws of labels"
    )
    own = f"those handed out cover {_percent(d.coverage)}, measured on {d.n} labels"
    if d.coverage.low >= promised:
        return f"{average}; {own}, so that they are shown to reach it."
    if d.coverage.high < promised:
        return f"{average}; {own}: this draw of labels gave a threshold that covers less."
    return f"{average}; {own}, so that at least {_floor(d.coverage.low)} is shown of them."


def splits_sentence(repeated: RepeatedSplits) -> str:
    """How much hangs on which label served what."""
    shown = (
        f"q̂ {_numbers(repeated.q_hat)}",
        f"coverage {_percents(repeated.coverage)}",
        f"decided {_percents(repeated.decided)}",
        f"AUC {_numbers(repeated.auc)}",
    )
    return (
        f"Over {repeated.splits} random splits of the same labels (median, and from where to where nine of ten lie): "
        f"{', '.join(shown)}. What is handed out is of one split, by the names of samples."
    )


def _numbers(spread: Spread) -> str:
    return f"{spread.median:.2f} ({spread.low:.2f}–{spread.high:.2f})"


def _percents(spread: Spread) -> str:
    return f"{spread.median:.0%} ({spread.low:.0%}–{spread.high:.0%})"


def _measured_on(tells: Discrimination) -> str:
    """Which AUC it is: the one beside the check split's other figures is of that split alone."""
    if not tells.of_score:
        return "over random splits"
    free = ", turned the way these labels show" if tells.against_p is None else ""
    return f"of the score on all {tells.n} labels{free}"


def _test(tells: Discrimination) -> str:
    side = "p" if tells.of_score else "twice the median p over splits"
    relation = "at most" if tells.shown else "above"
    count = f"{tells.evaluators} metric{'' if tells.evaluators == 1 else 's'}"
    tried = count if tells.of_score else f"{tells.evaluators} combinations of metrics and methods"
    return (
        f"{side} = {_p(tells.p)} on {tells.n} labels, {relation} {_p(tells.level)}, the level that allows "
        f"for trying {tried} and for looking after every label"
    )


def _decided(repeated: RepeatedSplits) -> str:
    spread = repeated.decided
    return (
        f"over {repeated.splits} random splits {spread.median:.0%} (from {spread.low:.0%} to {spread.high:.0%} in nine "
        f"of ten; median lower bound {_floor(repeated.decided_low)}), and by those handed out "
        f"{_percent(repeated.handed_out)}"
    )


def _p(value: float) -> str:
    """Two digits, or the power of ten where that is far below what is usual."""
    return f"{value:.2g}" if value >= 0.001 else f"{value:.0e}"


def _floor(bound: float) -> str:
    """A lower bound in whole percent, rounded down."""
    return f"{int(100 * bound + 1e-9)}%"


def _percent(e: Estimate) -> str:
    return f"{e.value:.0%} ({e.low:.0%}–{e.high:.0%})"


def _plain(e: Estimate) -> str:
    return f"{e.value:.2f} ({e.low:.2f}–{e.high:.2f})"


def _signed(e: Estimate) -> str:
    return f"{e.value:+.2f} ({e.low:+.2f} to {e.high:+.2f})"
