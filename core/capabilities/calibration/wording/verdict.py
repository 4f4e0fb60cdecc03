"""The reasons why a calibration is fit for use, is not, or is not shown to be, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.diagnostics import Diagnostics, coverage_shown
from hcat.core.calibration.checks.evidence import Evidence, RepeatedSplits, Spread
from hcat.core.calibration.checks.fitness import (
    LEAST_CHECKED,
    LEAST_DECIDED,
    Verdict,
)
from hcat.core.calibration.conformal.mondrian import Conditional
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.capabilities.calibration.wording.discrimination import (
    auc_tested_text,
    labels_needed_sentence,
    level_sentence,
    measured_on,
    p_text,
    percent_text,
    ranking_reason,
    signed_text,
    test_text,
)
from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted


def verdict_reason_of(calibration: Calibration) -> str:
    """The reason for the verdict of this calibration, and how many labels it would take until "yes"."""
    reason = verdict_reason(
        calibration.fit_for_use,
        calibration.diagnostics,
        calibration.threshold,
        calibration.evidence,
        conditional=calibration.thresholds,
        from_files=tuple(name for name in calibration.metrics if f"file of {name}" in calibration.inputs),
    )
    if calibration.fit_for_use.reason:
        return reason
    return f"{reason} {labels_needed_sentence(calibration.evidence)}".rstrip()


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
        return say("No labels were left to check it with.")
    if evidence is None:
        return say("It is not evaluated here, since that repeats the fit many times; the Calibration page does.")
    if verdict.cause == "few labels for the threshold":
        return say(
            "{labels} set the threshold; an error rate of {threshold.alpha:g} takes at least "
            "{threshold.needed}, so every set holds every class.",
            labels=counted(threshold.n, "label"),
            threshold=threshold,
        )
    if verdict.cause == "few labels for thresholds" and conditional is not None:
        short = ", ".join(
            say("{name} ({missing} more needed)", name=name, missing=missing)
            for name, missing in conditional.short.items()
        )
        return say(
            "Too few labels for an error rate of {threshold.alpha:g} within each {conditional.by}: {short}.",
            threshold=threshold,
            conditional=conditional,
            short=short,
        )
    if verdict.cause == "few labels to check with":
        return say(
            "Only {diagnostics.n} held-out labels check it; the verdict takes at least {least_checked}.",
            diagnostics=diagnostics,
            least_checked=LEAST_CHECKED,
        )
    if verdict.cause == "same probability for all":
        return say(
            "The map gives every sample the same probability: checked on {labels}, it has learned nothing "
            "that tells them apart. Take a simpler method or another metric, or label more.",
            labels=counted(diagnostics.n, "label"),
        )
    reason = ranking_reason(verdict, evidence, from_files)
    if not reason and evidence.repeated is None:
        reason = say("Too few labels to repeat the split at random and check each.")
    return f"{reason or _of_sets(verdict, diagnostics, threshold, evidence)} {_of_direction(from_files)}".rstrip()


def _of_direction(from_files: Sequence[str]) -> str:
    """The assumption of the verdict about metrics whose direction a person stated; "" where there are none."""
    if not from_files:
        return ""
    return say(
        "Which way {from_files} is better was stated with the file. The verdict takes it as stated "
        "before anybody saw the labels: one chosen by them is a further choice, which it does not "
        "allow for.",
        from_files=", ".join(from_files),
    )


def _of_sets(verdict: Verdict, d: Diagnostics, threshold: Threshold, evidence: Evidence) -> str:
    repeated, tells = evidence.repeated, evidence.discrimination
    if repeated is None:
        return ""
    promise = f"{100 * (1 - threshold.alpha):.4g}%"
    if verdict.cause == "coverage below the promise":
        return say(
            "Over {repeated.splits} random splits, sets cover {repeated.coverage.median:.0%} of the labels "
            "that check them (median), too few for the {promise} promised: p = {coverage_p}.",
            repeated=repeated,
            promise=promise,
            coverage_p=p_text(repeated.coverage_p),
        )
    if verdict.cause == "few samples decided":
        return say(
            "Sets are not shown to decide more than {least_decided:.0%} of samples: {decided}. The others "
            "go to people.",
            least_decided=LEAST_DECIDED,
            decided=_decided(repeated),
        )
    name, margin = tells.closest or ("", tells.auc)
    above = (
        say(" It exceeds that of the trivial {name} by {margin}.", name=name, margin=signed_text(margin))
        if name
        else ""
    )
    return say(
        "The AUC {auc} {measured_on} is above chance: {test}. {level}{above} Sets decide more than "
        "{least_decided:.0%} of samples: {decided}. {coverage}",
        auc=auc_tested_text(tells),
        measured_on=measured_on(tells),
        test=test_text(tells),
        level=level_sentence(tells),
        above=above,
        least_decided=LEAST_DECIDED,
        decided=_decided(repeated),
        coverage=_coverage(d, threshold, repeated),
    )


def _coverage(d: Diagnostics, threshold: Threshold, repeated: RepeatedSplits) -> str:
    """Measured coverage against the promise, which is one on average: of sets over the splits, and of those handed
    out."""
    promised = 1 - threshold.alpha
    over = repeated.coverage
    average = say(
        "Their coverage over the splits, {over.median:.0%} (from {over.low:.0%} to {over.high:.0%} in "
        "nine of ten), does not contradict the {promised:.4g}% promised on average over draws of labels",
        over=over,
        promised=100 * promised,
    )
    own = say("those handed out cover {coverage}, measured on {d.n} labels", coverage=percent_text(d.coverage), d=d)
    shown = coverage_shown(d.coverage, threshold.alpha)
    if shown == "reached":
        return say("{average}; {own}, so that they are shown to reach it.", average=average, own=own)
    if shown == "missed":
        return say("{average}; {own}: this draw of labels gave a threshold that covers less.", average=average, own=own)
    return say(
        "{average}; {own}, so that at least {low} is shown of them.",
        average=average,
        own=own,
        low=_floor(d.coverage.low),
    )


def splits_sentence(calibration: Calibration) -> str:
    """The spread of results over random splits of the labels, and whether the threshold that is handed out is unusual;
    "" where no splits were made."""
    if calibration.evidence is None or calibration.evidence.repeated is None:
        return ""
    repeated = calibration.evidence.repeated
    shown = (
        f"q̂ {_numbers(repeated.q_hat)}",
        say("coverage {percents}", percents=_percents(repeated.coverage)),
        say("decided {percents}", percents=_percents(repeated.decided)),
        say("AUC {numbers}", numbers=_numbers(repeated.auc)),
    )
    over = say(
        "Over {repeated.splits} random splits of the same labels (median, and from where to where nine of ten lie): "
        "{shown}.",
        repeated=repeated,
        shown=", ".join(shown),
    )
    return f"{over} {_handed_out(calibration.threshold.q_hat, repeated.q_hat, calibration)}"


def _handed_out(q_hat: float, usual: Spread, calibration: Calibration) -> str:
    if calibration.sets_by_score is not None:
        return say("What is handed out is made from all labels, and no split has a part in it.")
    one = say("What is handed out is of one split, by the names of samples.")
    if calibration.unusual_q_hat is None:
        return one
    return say(
        "{one} Its q̂ of {q_hat} is not what most splits give: its sets decide {more} samples than theirs. Label more "
        "before you rely on them.",
        one=one,
        q_hat=in_edition(f"{q_hat:.2f}"),
        more=say("fewer") if q_hat > usual.high else say("more"),
    )


def _numbers(spread: Spread) -> str:
    return in_edition(f"{spread.median:.2f} ({spread.low:.2f}–{spread.high:.2f})")


def _percents(spread: Spread) -> str:
    return in_edition(f"{spread.median:.0%} ({spread.low:.0%}–{spread.high:.0%})")


def _decided(repeated: RepeatedSplits) -> str:
    spread = repeated.decided
    return say(
        "over {repeated.splits} random splits {spread.median:.0%} (from {spread.low:.0%} to "
        "{spread.high:.0%} in nine of ten; median lower bound {decided_low}), and by those handed out "
        "{handed_out}",
        repeated=repeated,
        spread=spread,
        decided_low=_floor(repeated.decided_low),
        handed_out=percent_text(repeated.handed_out),
    )


def _floor(bound: float) -> str:
    """A lower bound in whole percent, rounded down."""
    return in_edition(f"{int(100 * bound + 1e-9)}%")
