"""The guarantee of a calibration's prediction sets: for whom, with what probability, and what they do not promise."""

from __future__ import annotations

import math

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.conformal.guarantee import coverage_range, least_coverage
from hcat.core.calibration.conformal.mondrian import Conditional
from hcat.core.calibration.conformal.threshold import Threshold
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted

SHOWN_CELLS = 4
"""The number of classes or groups with too few labels that are named; the others are counted."""


def guarantee_of(calibration: Calibration) -> str:
    """The guarantee of the sets of this calibration."""
    return guarantee(
        calibration.threshold,
        conditional=calibration.thresholds,
        weighted=calibration.weighted,
        full=calibration.sets_by_score is not None,
    )


def guarantee(
    threshold: Threshold, *, conditional: Conditional | None = None, weighted: bool = False, full: bool = False
) -> str:
    """The guarantee of sets by these thresholds, in sentences for the screen and the report.

    `weighted` where labels were drawn with unequal probabilities: then each sample has the threshold of its own weight
    (Tibshirani et al. 2019, equation 8), or, where weights are not known of all, that of the heaviest. `full` where all
    labels make map and sets.
    """
    if conditional is not None:
        said = _by_cell(conditional, weighted=weighted, full=full)
        return f"{said} {say(_FULL)}" if full else said
    if not threshold.enough:
        return say(
            "With {labels} nothing is guaranteed at α = {threshold.alpha:g}: that takes at least "
            "{threshold.needed}. Until then every set contains every class; it never misses and never "
            "decides.",
            labels=counted(threshold.n, "label"),
            threshold=threshold,
        )
    promised = f"{1 - threshold.alpha:.4g}"
    if full:
        return f"{_of_all_labels(threshold, weighted=weighted)} {say(_FULL)}"
    if weighted:
        return say(
            "{premise} its set holds the label that people would give with probability at least "
            "{promised}, over draws of the {threshold.n} labels and of the new sample. "
            "{how_weighted}{nearly} {not_within}",
            premise=_premise(weighted=True, own=bool(threshold.by_weight)),
            promised=promised,
            threshold=threshold,
            how_weighted=_how_weighted(threshold),
            nearly=_nearly(threshold),
            not_within=say(_NOT_WITHIN),
        )
    if threshold.test_cases is not None:
        return f"{_of_clusters(threshold)} {_NOT_WITHIN}"
    low, high = coverage_range(threshold)
    most = min(1 - threshold.alpha + 1 / (threshold.n + 1), 1.0)
    return say(
        "{premise} its set holds the label that people would give with probability at least "
        "{promised}, over draws of the {threshold.n} labels and of the new sample; without ties at "
        "most {most:.4g}. These {threshold.n} labels are one draw: in 95% of such draws the threshold "
        "covers between {low:.1%} and {high:.1%} of new samples (a Beta distribution; ties only raise "
        "it). {not_within}",
        premise=_premise(weighted=False),
        promised=promised,
        threshold=threshold,
        most=most,
        low=low,
        high=high,
        not_within=say(_NOT_WITHIN),
    )


def _of_all_labels(threshold: Threshold, *, weighted: bool) -> str:
    if weighted:
        return say(
            "{premise} its set holds the label that people would give with probability at least {promised}, over draws "
            "of the {threshold.n} labels and of the new sample. {how_weighted} {not_within}",
            premise=_premise(weighted=True, own=bool(threshold.by_weight)),
            promised=f"{1 - threshold.alpha:.4g}",
            threshold=threshold,
            how_weighted=_how_weighted(threshold),
            not_within=say(_NOT_WITHIN),
        )
    low, high = coverage_range(threshold)
    return say(
        "{premise} its set holds the label that people would give with probability at least {promised}, over draws of "
        "the {threshold.n} labels and of the new sample. These labels are one draw: in about 95% of such draws the "
        "sets cover between {low:.1%} and {high:.1%} of new samples. {not_within}",
        premise=_premise(weighted=False),
        promised=f"{1 - threshold.alpha:.4g}",
        threshold=threshold,
        low=low,
        high=high,
        not_within=say(_NOT_WITHIN),
    )


def _of_clusters(threshold: Threshold) -> str:
    if not threshold.alike:
        return say(
            "The {threshold.n} labels are of {threshold.test_cases} clusters (samples that depend on one "
            "another), some with more of them than others. Then {promised:.4g} is what the threshold aims at, "
            "over labels, but no number is guaranteed for a new cluster: label as many samples of each, or "
            "one of each.",
            threshold=threshold,
            promised=1 - threshold.alpha,
        )
    low, high = coverage_range(threshold)
    return say(
        "{new_cluster} the set of a sample of it holds the label that people would give with "
        "probability at least {at_least}, over draws of clusters. The {threshold.n} labels are of "
        "{threshold.test_cases} clusters, whose samples depend on one another and may agree, so that "
        "this is less than {promised:.4g}; it takes clusters of equally many samples, as these are. These "
        "are one draw: in 95% of such draws the threshold covers between {low:.1%} and {high:.1%} of "
        "new samples (a Beta distribution, in which each cluster counts once).",
        new_cluster=say(_NEW_CLUSTER),
        at_least=_at_least(least_coverage(threshold)),
        threshold=threshold,
        promised=1 - threshold.alpha,
        low=low,
        high=high,
    )


def _at_least(bound: float) -> str:
    """A lower bound in four digits, rounded down."""
    return f"{math.floor(bound * 10_000 + 1e-9) / 10_000:.4g}"


def _nearly(threshold: Threshold) -> str:
    if threshold.test_cases is None:
        return ""
    return say(
        " The labels are of {threshold.test_cases} clusters, whose samples may agree: then this holds only nearly.",
        threshold=threshold,
    )


_NEW_CLUSTER = "For a new cluster drawn as those of the labels were (exchangeable with them)"
_WEIGHTED = (
    "The probability of drawing is known of the labelled samples alone, so the threshold is used as if every sample "
    "weighed as much as the heaviest label: sets are wider than needed, and there is no upper bound."
)
_OWN_WEIGHT = (
    "Each sample has the threshold of its own weight, the inverse of the probability with which it could be drawn; the "
    "q̂ shown is that of the heaviest, and lighter samples have a smaller one. Samples from elsewhere count as the "
    "heaviest."
)
_FULL = (
    "All labels make map and sets together (full conformal prediction). A level is in the set unless the map, fitted "
    "again with a new sample of that level, would find this sample less believable than 1 − α of the labels. Metric "
    "and method have to be chosen without these labels."
)
_NOT_WITHIN = "Nothing is promised of a single sample, nor within a class or group."


def _how_weighted(threshold: Threshold) -> str:
    return say(_OWN_WEIGHT) if threshold.by_weight else say(_WEIGHTED)


def _premise(*, weighted: bool, own: bool = False) -> str:
    if own:
        return say("Where the stated probabilities of drawing are right, for a random sample of the run")
    if weighted:
        return say(
            "Where the stated probabilities of drawing are right and no sample weighs more than the "
            "heaviest label, for a random sample of the run"
        )
    return say("For a new sample drawn as the labels were (exchangeable with them)")


def _by_cell(conditional: Conditional, *, weighted: bool, full: bool) -> str:
    usable = [t for t in conditional.thresholds.values() if t.enough]
    kind = say("class") if conditional.by_class else say("level of {conditional.by}", conditional=conditional)
    parts = []
    if usable and not weighted and not all(t.alike for t in usable):
        parts.append(
            say(
                "Within each {kind} that has labels enough ({usable} of {thresholds}) the threshold aims at "
                "{promised:.4g} of labels. Some clusters have more of them than others, so that no number is "
                "guaranteed for a new cluster.",
                kind=kind,
                usable=len(usable),
                thresholds=len(conditional.thresholds),
                promised=1 - usable[0].alpha,
            )
        )
    elif usable:
        fewest = min(usable, key=lambda t: t.test_cases or t.n)
        of_clusters = any(t.test_cases is not None for t in usable) and not weighted
        whose = (
            say("{new_cluster} the set of a sample of it", new_cluster=say(_NEW_CLUSTER))
            if of_clusters
            else say("{premise} its set", premise=_premise(weighted=weighted, own=bool(fewest.by_weight)))
        )
        least = _at_least(min(map(least_coverage, usable))) if of_clusters else f"{1 - fewest.alpha:.4g}"
        parts.append(
            say(
                "{whose} holds the label that people would give with probability at least {least} within each "
                "{kind} that has labels enough ({usable} of {thresholds}), over draws of labels and of the new "
                "sample.",
                whose=whose,
                least=least,
                kind=kind,
                usable=len(usable),
                thresholds=len(conditional.thresholds),
            )
        )
        parts.append(
            f"{_how_weighted(fewest)}{_nearly(fewest)}" if weighted else _range_within(fewest, kind, full=full)
        )
        parts.append(say("Nothing is promised of a single sample."))
    if conditional.short:
        parts.append(_short(conditional, kind))
    if not conditional.by_class:
        parts.append(say("A {kind} without any such label gets sets that hold every class.", kind=kind))
    return " ".join(parts)


def _range_within(fewest: Threshold, kind: str, *, full: bool) -> str:
    low, high = coverage_range(fewest)
    if full:
        return say(
            "In the {kind} with the fewest labels ({fewest.n}), in about 95% of draws of such labels the sets cover "
            "between {low:.1%} and {high:.1%} of its new samples.",
            kind=kind,
            fewest=fewest,
            low=low,
            high=high,
        )
    if fewest.test_cases is not None:
        return say(
            "In the {kind} with the fewest clusters ({fewest.test_cases}, of {fewest.n} labels) in 95% of "
            "draws of such clusters the threshold covers between {low:.1%} and {high:.1%} of its new "
            "samples. It takes clusters of equally many samples.",
            kind=kind,
            fewest=fewest,
            low=low,
            high=high,
        )
    most = min(1 - fewest.alpha + 1 / (fewest.n + 1), 1.0)
    return say(
        "In the {kind} with the fewest labels ({fewest.n}) it is without ties at most {most:.4g}, and "
        "in 95% of draws of such labels the threshold covers between {low:.1%} and {high:.1%} of its "
        "new samples.",
        kind=kind,
        fewest=fewest,
        most=most,
        low=low,
        high=high,
    )


def _short(conditional: Conditional, kind: str) -> str:
    named = [
        say(
            "{name} ({labels}, {missing} more needed)",
            name=name,
            labels=counted(conditional.thresholds[name].n, "label"),
            missing=missing,
        )
        for name, missing in list(conditional.short.items())[:SHOWN_CELLS]
    ]
    rest = len(conditional.short) - len(named)
    more = say(" and {rest} more", rest=rest) if rest else ""
    what = say("is in every set") if conditional.by_class else say("has sets that hold every class")
    return say(
        "A {kind} with too few labels for α {what}: {named}{more}.",
        kind=kind,
        what=what,
        named=", ".join(named),
        more=more,
    )
