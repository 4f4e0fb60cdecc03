"""What a calibration does and what its checks found, in words."""

from __future__ import annotations

from dataclasses import dataclass

from core.calibration.checks.comparison import Comparison
from core.calibration.checks.exchangeability import LEAST_LABELLED, SHOWN_FEATURES, ExchangeabilityCheck
from core.calibration.checks.fitness import BASELINES, LEAST_CHECKED, USEFUL_AUC
from core.calibration.maps.boosted_trees import BoostedMap
from core.calibration.maps.combined import CombinedMap
from core.calibration.maps.isotonic import IsotonicMap
from core.calibration.maps.methods import ProbabilityMap
from core.calibration.maps.weights import metric_weights

CROSS_FITTED_INTERVALS = (
    "Labels in one fold share a map and a threshold, and each label also serves another role in other folds, so they "
    "are not independent, as binomial intervals assume. No unbiased variance estimate is known for this (Bengio & "
    "Grandvalet 2004). In simulations with 50 and 90 labels the 95% intervals for coverage contained the true value in "
    "99% of draws, those for AUC in 92% and 94%."
)
"""What to say beside intervals that were cross-fitted."""


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """The rule of the verdict: on what it rests, when each verdict is given, and what its terms mean."""

    basis: str
    verdicts: tuple[tuple[str, str], ...]
    terms: str


def verdict_rule(alpha: float) -> VerdictRule:
    """When `fitness` says "yes", "no" or "not shown" at this error rate, for the screen and the report."""
    return VerdictRule(
        "On labels that neither fitted the map nor set a threshold in the same round (the check split, or, below 100 "
        "labels, every label in turn):",
        (
            (
                "No",
                "the map tells samples apart, and there is evidence against it: the interval of the coverage lies "
                f"below {1 - alpha:g}; or the interval of the AUC lies below {USEFUL_AUC}, or below that of the best "
                "trivial score.",
            ),
            (
                "Yes",
                "there is no evidence against it and all of this is shown: enough labels for α set the threshold "
                "(each threshold, where each class has its own; at least one threshold, where each level of a "
                f"dimension has its own); at least {LEAST_CHECKED} labels check it; the interval of the coverage "
                f"reaches {1 - alpha:g}; the interval of the AUC lies above 0.5 and above the AUC of the best trivial "
                "score.",
            ),
            (
                "Not shown",
                "the map gives every sample the same probability, having learned nothing; and in all other cases: "
                "more labels may decide it.",
            ),
        ),
        f"Trivial scores are those of {', '.join(BASELINES)} that the run has and that are not themselves calibrated "
        "here: answer length and token overlap. Intervals are at 95%; the verdict applies to this criterion, this run "
        "and these labels alone.",
    )


def exchangeability_sentence(check: ExchangeabilityCheck) -> str:
    """Whether the labelled samples look like the run, and what to do where they do not; features are named as they
    are."""
    if check.verdict == "too few labels":
        return _too_few_to_compare(check)
    drawn = ", weighted by how they were drawn," if check.weighted else ""
    facts = f"AUC {check.auc:.2f} (0.5 = no difference), p = {check.p:.3f}, {check.labelled} of {check.n} samples"
    facts += "" if check.test_cases is None else f", compared by test case ({check.test_cases} have a label)"
    if check.verdict == "no violation found":
        return f"The labelled samples{drawn} look like the run as a whole: {facts}."
    most = ", ".join(f"{each.name} ({each.difference:+.2f} SD)" for each in check.differences[:SHOWN_FEATURES])
    return (
        f"The labelled samples{drawn} differ from the run as a whole: {facts}. Coverage and pass rates are then not "
        f"guaranteed for the run. Largest differences: {most}. Label a random or stratified queue."
    )


def _too_few_to_compare(check: ExchangeabilityCheck) -> str:
    if check.labelled == check.n:
        return f"All {check.n} samples of the run are labelled: there are no others to compare them with."
    of = "" if check.test_cases is None else f" of {check.test_cases} test cases"
    what = "" if check.test_cases is None else " test cases"
    return (
        f"{check.labelled} labelled samples{of} are too few to tell whether they look like the run: that takes "
        f"{LEAST_LABELLED}{what}, and a score that differs between samples."
    )


def comparison_sentence(comparison: Comparison) -> str:
    """Which evaluator is good enough: the simplest within one standard error of the best, and by how much."""
    best, enough = comparison.best, comparison.enough
    if enough is not best:
        gap = enough.log_loss_difference
        return (
            f"A simpler evaluator is good enough: {enough.title} has a log-loss of {enough.log_loss.value:.3f}, "
            f"{gap.value:.3f} ({gap.low:.3f} to {gap.high:.3f}) above that of the best, {best.title}: within one "
            "standard error."
        )
    simpler = next((one for one in comparison.candidates if len(one.metrics) < len(best.metrics)), None)
    if simpler is None:
        return (
            f"{best.title.capitalize()} has the smallest log-loss, {best.log_loss.value:.3f}: nothing more is needed."
        )
    gap = simpler.log_loss_difference
    facts = (
        f"{best.title} has a log-loss of {best.log_loss.value:.3f}; that of the best single metric, {simpler.title}, "
        f"is {gap.value:.3f} ({gap.low:.3f} to {gap.high:.3f}) higher"
    )
    if gap.low > 0:
        return f"The combination is worth it: {facts}."
    return (
        f"The combination does better, but this is not shown: {facts}, which is more than one standard error, but the "
        "interval includes 0. More labels may decide it."
    )


def map_description(fitted: ProbabilityMap) -> str:
    """How the map turns scores into a probability, and what keeps it from fitting noise."""
    if isinstance(fitted, CombinedMap):
        return (
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. A "
            "metric may count only in the direction in which it is better: where the labels point the other way, its "
            f"weight is 0. {_penalty(fitted)}"
        )
    if isinstance(fitted, IsotonicMap):
        way = "falls" if fitted.probabilities[0] > fitted.probabilities[-1] else "rises"
        return f"The probability {way} with the score in steps that the labels alone determine; no formula is assumed."
    if isinstance(fitted, BoostedMap):
        return (
            "Small trees of the scores are added up, each metric only in the direction in which it is better. What a "
            "metric adds depends on the others; the Samples page shows it for each sample."
        )
    if metric_weights(fitted):
        return (
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. "
            "A weight may have either sign, and a small penalty keeps weights finite."
        )
    return "Each level has its own weights for every metric; their sums are turned into probabilities of the levels."


def _penalty(fitted: CombinedMap) -> str:
    if not fitted.losses:
        return f"A penalty of {fitted.penalty:g} shrinks the weights; there were too few labels to choose it by folds."
    return (
        f"A penalty of {fitted.penalty:g} shrinks the weights; of {len(fitted.losses)} candidates it had the smallest "
        f"log-loss on labels of other folds, {min(fitted.losses):.3f}."
    )
