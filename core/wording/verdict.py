"""Why a calibration is fit for use, is not, or is not shown to be, in a sentence."""

from __future__ import annotations

from core.calibration.calibration import Calibration
from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.checks.fitness import LEAST_CHECKED, USEFUL_AUC, Verdict, best_baseline
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate


def verdict_reason_of(calibration: Calibration) -> str:
    """The reason for the verdict of this calibration."""
    return verdict_reason(
        calibration.fit_for_use,
        calibration.diagnostics,
        calibration.threshold,
        conditional=calibration.thresholds,
    )


def verdict_reason(
    verdict: Verdict, diagnostics: Diagnostics | None, threshold: Threshold, *, conditional: Conditional | None = None
) -> str:
    """The reason in words, by what `fitness` was given; of a verdict read from a document, what the document states."""
    if verdict.reason or verdict.cause is None:
        return verdict.reason
    if diagnostics is None:
        return "No labels were left to check it with."
    if verdict.cause == "few labels for the threshold":
        return (
            f"{threshold.n} labels set the threshold; an error rate of {threshold.alpha:g} takes at least "
            f"{threshold.needed}, so every set holds every class."
        )
    if verdict.cause == "few labels for thresholds" and conditional is not None:
        short = ", ".join(f"{name} ({missing} more needed)" for name, missing in conditional.short.items())
        return f"Too few labels for an error rate of {threshold.alpha:g} within each {conditional.by}: {short}."
    if verdict.cause == "coverage below the promise":
        return (
            f"Sets cover {_percent(diagnostics.coverage)} of {diagnostics.n} held-out labels, less than the "
            f"{100 * (1 - threshold.alpha):.4g}% promised."
        )
    return _of_the_check(verdict, diagnostics)


def _of_the_check(verdict: Verdict, d: Diagnostics) -> str:
    auc = _plain(d.auc)
    name, best = best_baseline(d) or ("", d.auc)
    if verdict.cause == "same probability for all":
        return (
            f"The map gives every sample the same probability: checked on {d.n} labels, it has learned nothing that "
            "tells them apart. Take a simpler method or another metric, or label more."
        )
    if verdict.cause == "AUC not useful":
        return f"The AUC {auc} lies below {USEFUL_AUC}: it hardly tells what people pass from what they fail."
    if verdict.cause == "AUC below a trivial score":
        return f"The AUC {auc} lies below that of the trivial {name} {_plain(best)}."
    if verdict.cause == "one label for all":
        return f"People gave all {d.n} held-out samples the same label: no AUC can be measured."
    if verdict.cause == "few labels to check with":
        return f"Only {d.n} held-out labels check it; the verdict takes at least {LEAST_CHECKED}."
    if verdict.cause == "AUC not shown above chance":
        return f"The AUC {auc} is not shown to be above chance."
    if verdict.cause == "AUC not shown above a trivial score":
        return f"The AUC {auc} is not shown to beat the trivial {name} ({best.value:.2f})."
    above = f" and above that of the trivial {name} ({best.value:.2f})" if name else ""
    return (
        f"Sets cover {_percent(d.coverage)} of {d.n} held-out labels, as promised, and the AUC {auc} is above "
        f"chance{above}."
    )


def _percent(e: Estimate) -> str:
    return f"{e.value:.0%} ({e.low:.0%}–{e.high:.0%})"


def _plain(e: Estimate) -> str:
    return f"{e.value:.2f} ({e.low:.2f}–{e.high:.2f})"
