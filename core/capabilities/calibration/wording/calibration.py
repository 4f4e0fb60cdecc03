"""Sentences on a calibration and the results of its checks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.calibration.checks.comparison import Candidate, Comparison
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.checks.exchangeability import FOUND, LEAST_LABELLED, SHOWN_FEATURES, ExchangeabilityCheck
from hcat.core.calibration.maps.boosted_trees import BoostedMap
from hcat.core.calibration.maps.combined import CombinedMap
from hcat.core.calibration.maps.isotonic import IsotonicMap
from hcat.core.calibration.maps.isotonic_steps import IsotonicStepsMap
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.calibration.maps.weights import metric_weights
from hcat.core.display.messages import say, upper_first
from hcat.core.display.numbers import counted, p_value_text

SHOWN_BETTER = 3
"""The number of evaluators better than a constant that are named; the others are counted."""

CROSS_FITTED_INTERVALS = (
    "Labels in one fold share a map and a threshold, and each label also serves another role in other folds, so they "
    "are not independent, as binomial intervals assume. No unbiased variance estimate is known for this (Bengio & "
    "Grandvalet 2004). The interval for coverage is that of the sets handed out: it adds how far one threshold strays. "
    "In simulations with 40 to 90 labels it contained their coverage in 94% to 100% of draws; with 50 and 90 labels "
    "the intervals for the AUC of the probability contained its mean in 92% and 94%."
)
"""The caveat on intervals that were cross-fitted."""


@dataclass(frozen=True, slots=True)
class Term:
    """The title of a figure, and its meaning."""

    title: str
    meaning: str


def auc_term(measured: Diagnostics) -> Term:
    """The title and meaning of the AUC: of a metric's score, or of probabilities on labels that did not fit them."""
    if measured.auc_of_score:
        return Term(
            "AUC",
            say(
                "Chance that a passed sample scores above a failed one, on all {measured.auc.n} labels; 0.5 is "
                "chance level. A map of one metric ranks samples as the metric does, so no label needs to be "
                "held out.",
                measured=measured,
            ),
        )
    return Term(
        say("AUC of the probability"),
        say(
            "Chance that a passed sample has a higher probability than a failed one, on labels that did "
            "not fit the map {in_turn}; 0.5 is chance level. The verdict takes the median over random "
            "splits instead.",
            in_turn=_in_turn(measured),
        ),
    )


def need_review_term(measured: Diagnostics) -> Term:
    """The share of undecided sets on held-out labels, apart from that among the samples of the run."""
    return Term(
        say("Undecided, cross-checked") if measured.folds > 1 else say("Undecided, held-out labels"),
        say(
            "Share of sets that name both classes or none; these need a person. Measured on labels that "
            "set nothing {in_turn}. It says how often sets made in this way stay undecided, not how many "
            "samples of this run do.",
            in_turn=_in_turn(measured),
        ),
    )


UNDECIDED_IN_RUN = Term(
    "Undecided in this run",
    "Samples of the run whose prediction set names both classes or none, by the map and the threshold that are in use "
    "here. This is a count, not an estimate.",
)


def changing_sets_note(measured: Diagnostics, undecided: int, n: int) -> str:
    """A sentence where the sets of the run decide far more, or far fewer, samples than sets made in this way usually
    do; else ""."""
    if not n or measured.undecided.low <= undecided / n <= measured.undecided.high:
        return ""
    return say(
        "The sets in use leave {undecided} of {n} samples of this run undecided ({share:.0%}); sets made in the same "
        "way from other labels leave {usual.value:.0%} ({usual.low:.0%} to {usual.high:.0%}). How many are decided "
        "depends on which labels fit the map: expect it to move with the next labels.",
        undecided=undecided,
        n=n,
        share=undecided / n,
        usual=measured.undecided,
    )


def _in_turn(measured: Diagnostics) -> str:
    return (
        say("(each in its turn of {measured.folds} folds)", measured=measured)
        if measured.folds > 1
        else say("({measured.n} of them)", measured=measured)
    )


def exchangeability_sentence(check: ExchangeabilityCheck) -> str:
    """Whether the labelled samples look like the run, and what to do where they do not; features are named as they
    are."""
    if check.verdict == "too few labels":
        return _too_few_to_compare(check)
    drawn = ", weighted by how they were drawn," if check.weighted else ""
    facts = (
        f"AUC {check.auc:.2f} (0.5 = no difference), {p_value_text('p', check.p)} (level {check.level:.2g}), "
        f"{check.labelled:,} of {counted(check.n, 'sample')}"
    )
    facts += "" if check.test_cases is None else f", compared by cluster ({check.test_cases} have a label)"
    if check.verdict == "no violation found":
        found = (
            ""
            if math.isnan(check.detectable)
            else (
                f" So many labels find a difference in {FOUND:.0%} of draws from an AUC of {check.detectable:.2f} on; "
                "smaller ones would be missed."
            )
        )
        return f"No difference was found between the labelled samples{drawn} and the run as a whole: {facts}.{found}"
    most = ", ".join(f"{each.name} ({each.difference:+.2f} SD)" for each in check.differences[:SHOWN_FEATURES])
    return (
        f"The labelled samples{drawn} differ from the run as a whole: {facts}. Coverage and pass rates are then not "
        f"guaranteed for the run. Largest differences: {most}. Label a random or stratified queue."
    )


def _too_few_to_compare(check: ExchangeabilityCheck) -> str:
    if check.labelled == check.n:
        return f"All {check.n:,} samples of the run are labelled: there are no others to compare them with."
    of = "" if check.test_cases is None else f" of {check.test_cases} clusters"
    what = "" if check.test_cases is None else " clusters"
    return (
        f"{check.labelled} labelled samples{of} are too few to tell whether they look like the run: that takes "
        f"{LEAST_LABELLED}{what}, and a score that differs between samples."
    )


def comparison_headline(comparison: Comparison) -> str:
    """The evaluators shown to beat a constant; shown first, since the others carry no information."""
    constant, best = comparison.base_rate, comparison.best
    shown = [one for one in comparison.candidates if one.beats_base_rate]
    tried = len(comparison.candidates)
    if not shown:
        return say(
            "No evaluator is shown to beat a constant. Always answering with the pass rate has a log-loss of "
            "{constant:.3f}; the best of {tried} evaluators, {best.title}, has {loss:.3f}, a gain of {gain}.",
            constant=constant.log_loss.value,
            tried=tried,
            best=best,
            loss=best.log_loss.value,
            gain=_gain(best),
        )
    named = ", ".join(f"{one.title} ({_gain(one)})" for one in shown[:SHOWN_BETTER])
    if len(shown) > SHOWN_BETTER:
        named = say("{named} and {rest} more", named=named, rest=len(shown) - SHOWN_BETTER)
    message = ONE_BEATS if len(shown) == 1 else SOME_BEAT
    return say(message, shown=len(shown), tried=tried, constant=constant.log_loss.value, named=named)


ONE_BEATS = (
    "{shown} of {tried} evaluators is shown to beat a constant, whose log-loss is {constant:.3f}; their gains: {named}."
)
SOME_BEAT = (
    "{shown} of {tried} evaluators are shown to beat a constant, whose log-loss is {constant:.3f}; their gains: "
    "{named}."
)


def comparison_sentence(comparison: Comparison) -> str:
    """The evaluators shown to beat a constant, and the simplest of them within one standard error of the best, with the
    difference."""
    headline = comparison_headline(comparison)
    return f"{headline} {_simplest(comparison)}".rstrip()


def _simplest(comparison: Comparison) -> str:
    best, enough = comparison.best, comparison.enough
    if enough is None:
        return say("So the question which of them is simple enough does not arise: label more, or take other metrics.")
    if enough is not best:
        gap = enough.log_loss_difference
        if gap.value > enough.standard_error:
            return say(
                "The best of these is {enough.title}: {best.title} does better, but is not shown to beat a constant.",
                enough=enough,
                best=best,
            )
        return say(
            "A simpler evaluator is good enough: {enough.title} has a log-loss of {loss:.3f}, {gap.value:.3f} "
            "({gap.low:.3f} to {gap.high:.3f}) above that of the best, {best.title}: within one standard error.",
            enough=enough,
            loss=enough.log_loss.value,
            gap=gap,
            best=best,
        )
    simpler = next((one for one in comparison.candidates if len(one.metrics) < len(best.metrics)), None)
    if simpler is None:
        return say(
            "{best} has the smallest log-loss, {loss:.3f}: nothing more is needed.",
            best=upper_first(best.title),
            loss=best.log_loss.value,
        )
    gap = simpler.log_loss_difference
    facts = say(
        "{best.title} has a log-loss of {loss:.3f}; that of the best single metric, {simpler.title}, is "
        "{gap.value:.3f} ({gap.low:.3f} to {gap.high:.3f}) higher",
        best=best,
        loss=best.log_loss.value,
        simpler=simpler,
        gap=gap,
    )
    if gap.low > 0:
        return say("The combination is worth it: {facts}.", facts=facts)
    return say(
        "The combination does better, but this is not shown: {facts}, which is more than one standard error, but the "
        "interval includes 0. More labels may decide it.",
        facts=facts,
    )


def _gain(candidate: Candidate) -> str:
    return say("{gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})", gain=candidate.gain)


def map_description(fitted: ProbabilityMap) -> str:
    """The form of the map from scores to a probability, and its regularisation, in sentences."""
    if isinstance(fitted, CombinedMap):
        said = say(
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. A "
            "metric may count only in the direction in which it is better: where the labels point the other way, its "
            "weight is 0."
        )
        return f"{said} {_penalty(fitted)}"
    if isinstance(fitted, IsotonicMap):
        return say(
            "The probability {way} with the score as the labels alone determine; no formula is assumed. Between the "
            "steps that pooling adjacent violators gives it is a straight line, where the plain method jumps.",
            way=_way(fitted.probabilities),
        )
    if isinstance(fitted, IsotonicStepsMap):
        return say(
            "The probability {way} with the score in steps, by pooling adjacent violators; no formula is assumed. A "
            "score between those of two labels gets the lower of their two probabilities.",
            way=_way(fitted.probabilities),
        )
    if isinstance(fitted, LogisticMap) and fitted.penalty == 0:
        return say(
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. "
            "The weights are those of the greatest likelihood, without a penalty: with few labels they tend to be too "
            "large. Labels count as 0 and 1; Platt's smoothed targets are not used."
        )
    if isinstance(fitted, BoostedMap):
        return say(
            "Small trees of the scores are added up, each metric only in the direction in which it is better. What a "
            "metric adds depends on the others; the Samples page shows it for each sample."
        )
    if metric_weights(fitted):
        return say(
            "Each score is standardised, multiplied by its weight and added up; the sum is the log-odds of a pass. "
            "A weight may have either sign, and a small penalty keeps weights finite and shrinks them where labels are "
            "few; plain logistic regression has none."
        )
    return say(
        "Each level has its own weights for every metric; their sums are turned into probabilities of the levels."
    )


def _way(probabilities: Sequence[float]) -> str:
    return say("falls") if probabilities[0] > probabilities[-1] else say("rises")


def _penalty(fitted: CombinedMap) -> str:
    if not fitted.losses:
        return say(
            "A penalty of {fitted.penalty:g} shrinks the weights; there were too few labels to choose it by folds.",
            fitted=fitted,
        )
    return say(
        "A penalty of {fitted.penalty:g} shrinks the weights; of {candidates} candidates it had the smallest log-loss "
        "on labels of other folds, {loss:.3f}.",
        fitted=fitted,
        candidates=len(fitted.losses),
        loss=min(fitted.losses),
    )
