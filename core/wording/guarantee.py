"""What the prediction sets of a calibration promise: for whom, with what probability, and what they do not promise."""

from __future__ import annotations

import math

from core.calibration.calibration import Calibration
from core.calibration.conformal.guarantee import coverage_range, least_coverage
from core.calibration.conformal.mondrian import Conditional
from core.calibration.conformal.threshold import Threshold
from core.display.numbers import counted

SHOWN_CELLS = 4
"""So many classes or groups with too few labels are named; the others are counted."""


def guarantee_of(calibration: Calibration) -> str:
    """What is guaranteed of the sets of this calibration."""
    return guarantee(calibration.threshold, conditional=calibration.thresholds, weighted=calibration.weighted)


def guarantee(threshold: Threshold, *, conditional: Conditional | None = None, weighted: bool = False) -> str:
    """What is guaranteed of sets by these thresholds, in sentences for the screen and the report.

    `weighted` where labels were drawn with unequal probabilities: then each sample has the threshold of its own weight
    (Tibshirani et al. 2019, equation 8), or, where weights are not known of all, that of the heaviest.
    """
    if conditional is not None:
        return _by_cell(conditional, weighted=weighted)
    if not threshold.enough:
        return (
            f"With {counted(threshold.n, 'label')} nothing is guaranteed at α = {threshold.alpha:g}: that takes at "
            f"least {threshold.needed}. Until then every set contains every class; it never misses and never decides."
        )
    promised = f"{1 - threshold.alpha:.4g}"
    if weighted:
        return (
            f"{_premise(weighted=True, own=bool(threshold.by_weight))} its set holds the label that people would give "
            "with probability at least "
            f"{promised}, over draws of the {threshold.n} labels and of the new sample. "
            f"{_how_weighted(threshold)}{_nearly(threshold)} {_NOT_WITHIN}"
        )
    if threshold.test_cases is not None:
        return f"{_of_clusters(threshold)} {_NOT_WITHIN}"
    low, high = coverage_range(threshold)
    most = min(1 - threshold.alpha + 1 / (threshold.n + 1), 1.0)
    return (
        f"{_premise(weighted=False)} its set holds the label that people would give with probability at least "
        f"{promised}, over draws of the {threshold.n} labels and of the new sample; without ties at most {most:.4g}. "
        f"These {threshold.n} labels are one draw: in 95% of such draws the threshold covers between {low:.1%} and "
        f"{high:.1%} of new samples (a Beta distribution; ties only raise it). {_NOT_WITHIN}"
    )


def _of_clusters(threshold: Threshold) -> str:
    if not threshold.alike:
        return (
            f"The {threshold.n} labels are of {threshold.test_cases} clusters (samples that depend on one another), "
            f"some with more of them than others. Then {1 - threshold.alpha:.4g} is what the threshold aims at, over "
            "labels, but no number is guaranteed for a new cluster: label as many samples of each, or one of each."
        )
    low, high = coverage_range(threshold)
    return (
        f"{_NEW_CLUSTER} the set of a sample of it holds the label that people would give with probability at least "
        f"{_at_least(least_coverage(threshold))}, over draws of clusters. The {threshold.n} labels are of "
        f"{threshold.test_cases} clusters, whose samples depend on one another and may agree, so that this is less "
        f"than {1 - threshold.alpha:.4g}; it takes clusters of equally many samples, as these are. These are one "
        f"draw: in 95% of such draws the threshold covers between {low:.1%} and {high:.1%} of new samples (a Beta "
        "distribution, in which each cluster counts once)."
    )


def _at_least(bound: float) -> str:
    """A lower bound in four digits, rounded down."""
    return f"{math.floor(bound * 10_000 + 1e-9) / 10_000:.4g}"


def _nearly(threshold: Threshold) -> str:
    if threshold.test_cases is None:
        return ""
    return f" The labels are of {threshold.test_cases} clusters, whose samples may agree: then this holds only nearly."


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
_NOT_WITHIN = "Nothing is promised of a single sample, nor within a class or group."


def _how_weighted(threshold: Threshold) -> str:
    return _OWN_WEIGHT if threshold.by_weight else _WEIGHTED


def _premise(*, weighted: bool, own: bool = False) -> str:
    if own:
        return "Where the stated probabilities of drawing are right, for a random sample of the run"
    if weighted:
        return (
            "Where the stated probabilities of drawing are right and no sample weighs more than the heaviest label, "
            "for a random sample of the run"
        )
    return "For a new sample drawn as the labels were (exchangeable with them)"


def _by_cell(conditional: Conditional, *, weighted: bool) -> str:
    usable = [t for t in conditional.thresholds.values() if t.enough]
    kind = "class" if conditional.by_class else f"level of {conditional.by}"
    parts = []
    if usable and not weighted and not all(t.alike for t in usable):
        parts.append(
            f"Within each {kind} that has labels enough ({len(usable)} of {len(conditional.thresholds)}) the threshold "
            f"aims at {1 - usable[0].alpha:.4g} of labels. Some clusters have more of them than others, so that no "
            "number is guaranteed for a new cluster."
        )
    elif usable:
        fewest = min(usable, key=lambda t: t.test_cases or t.n)
        of_clusters = any(t.test_cases is not None for t in usable) and not weighted
        whose = (
            f"{_NEW_CLUSTER} the set of a sample of it"
            if of_clusters
            else f"{_premise(weighted=weighted, own=bool(fewest.by_weight))} its set"
        )
        least = _at_least(min(map(least_coverage, usable))) if of_clusters else f"{1 - fewest.alpha:.4g}"
        parts.append(
            f"{whose} holds the label that people would give with probability at least {least} "
            f"within each {kind} that has labels enough ({len(usable)} of "
            f"{len(conditional.thresholds)}), over draws of labels and of the new sample."
        )
        parts.append(f"{_how_weighted(fewest)}{_nearly(fewest)}" if weighted else _range_within(fewest, kind))
        parts.append("Nothing is promised of a single sample.")
    if conditional.short:
        parts.append(_short(conditional, kind))
    if not conditional.by_class:
        parts.append(f"A {kind} without any such label gets sets that hold every class.")
    return " ".join(parts)


def _range_within(fewest: Threshold, kind: str) -> str:
    low, high = coverage_range(fewest)
    if fewest.test_cases is not None:
        return (
            f"In the {kind} with the fewest clusters ({fewest.test_cases}, of {fewest.n} labels) in 95% of draws of "
            f"such clusters the threshold covers between {low:.1%} and {high:.1%} of its new samples. It takes "
            "clusters of equally many samples."
        )
    most = min(1 - fewest.alpha + 1 / (fewest.n + 1), 1.0)
    return (
        f"In the {kind} with the fewest labels ({fewest.n}) it is without ties at most {most:.4g}, and in 95% of draws "
        f"of such labels the threshold covers between {low:.1%} and {high:.1%} of its new samples."
    )


def _short(conditional: Conditional, kind: str) -> str:
    named = [
        f"{name} ({counted(conditional.thresholds[name].n, 'label')}, {missing} more needed)"
        for name, missing in list(conditional.short.items())[:SHOWN_CELLS]
    ]
    rest = len(conditional.short) - len(named)
    more = f" and {rest} more" if rest else ""
    what = "is in every set" if conditional.by_class else "has sets that hold every class"
    return f"A {kind} with too few labels for α {what}: {', '.join(named)}{more}."
