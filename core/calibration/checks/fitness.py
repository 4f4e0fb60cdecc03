"""The verdict: is a metric fit for use on this criterion, on these labels, or not?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.calibration.checks.diagnostics import Diagnostics
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.types import Estimate

BASELINES = ("answer_length", "token_precision", "token_recall", "token_f1", "token_groundedness")
"""Trivial scores that a metric must beat."""

USEFUL_AUC = 0.6
LEAST_CHECKED = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, with the reason for it in a sentence."""

    value: Literal["yes", "not shown", "no"]
    reason: str


def fitness(
    diagnostics: Diagnostics | None,
    threshold: Threshold,
    *,
    conditional: Conditional | None = None,
    flat: bool = False,
) -> Verdict:
    """Fit for use, on held-out labels: "no" where evidence speaks against it, "yes" where nothing does and all is
    shown, else "not shown". A `flat` map tells no sample from another."""
    if diagnostics is None:
        return Verdict("not shown", "No labels were left to check it with.")
    if flat:
        return Verdict(
            "not shown",
            "The map gives every sample the same probability: "
            f"checked on {diagnostics.n} labels, it has learned nothing that tells them apart. "
            "Take a simpler method or another metric, or label more.",
        )
    against = _evidence_against(diagnostics, threshold)
    if against is not None:
        return Verdict("no", against)
    missing = _too_few_to_set(threshold, conditional) or _missing_evidence(diagnostics)
    if missing is not None:
        return Verdict("not shown", missing)
    return Verdict(
        "yes",
        f"Sets cover {_percent(diagnostics.coverage)} of {diagnostics.n} held-out labels, as promised, and the AUC "
        f"{_plain(diagnostics.auc)} is above chance{_above_baseline(diagnostics)}.",
    )


def _evidence_against(d: Diagnostics, threshold: Threshold) -> str | None:
    promised, best = 1 - threshold.alpha, _best_baseline(d)
    if d.coverage.high < promised:
        return (
            f"Sets cover {_percent(d.coverage)} of {d.n} held-out labels, less than the {100 * promised:.4g}% promised."
        )
    if d.auc.high < USEFUL_AUC:
        return f"The AUC {_plain(d.auc)} lies below {USEFUL_AUC}: it hardly tells what people pass from what they fail."
    if best is not None and d.auc.high < best[1].low:
        return f"The AUC {_plain(d.auc)} lies below that of the trivial {best[0]} {_plain(best[1])}."
    return None


def _too_few_to_set(threshold: Threshold, conditional: Conditional | None) -> str | None:
    if conditional is None:
        return (
            None
            if threshold.enough
            else (
                f"{threshold.n} labels set the threshold; an error rate of {threshold.alpha:g} takes at least "
                f"{threshold.needed}, so every set holds every class."
            )
        )
    if conditional.enough:
        return None
    short = ", ".join(f"{name} ({missing} more needed)" for name, missing in conditional.short.items())
    return f"Too few labels for an error rate of {threshold.alpha:g} within each {conditional.by}: {short}."


def _missing_evidence(d: Diagnostics) -> str | None:
    best = _best_baseline(d)
    if math.isnan(d.auc.value):
        return f"People gave all {d.n} held-out samples the same label: no AUC can be measured."
    if d.n < LEAST_CHECKED:
        return f"Only {d.n} held-out labels check it; the verdict takes at least {LEAST_CHECKED}."
    if d.auc.low <= 0.5:
        return f"The AUC {_plain(d.auc)} is not shown to be above chance."
    if best is not None and d.auc.low <= best[1].value:
        return f"The AUC {_plain(d.auc)} is not shown to beat the trivial {best[0]} ({best[1].value:.2f})."
    return None


def _best_baseline(d: Diagnostics) -> tuple[str, Estimate] | None:
    measured = [(name, auc) for name, auc in d.baselines.items() if not math.isnan(auc.value)]
    return max(measured, key=lambda item: item[1].value, default=None)


def _above_baseline(d: Diagnostics) -> str:
    best = _best_baseline(d)
    return "" if best is None else f" and above that of the trivial {best[0]} ({best[1].value:.2f})"


def _percent(e: Estimate) -> str:
    return f"{e.value:.0%} ({e.low:.0%}–{e.high:.0%})"


def _plain(e: Estimate) -> str:
    return f"{e.value:.2f} ({e.low:.2f}–{e.high:.2f})"
