"""Words for slices and for the conditions of weakness."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "dimension",
        "dimension",
        "An attribute by which samples are sliced, such as topic, query type or answer length.",
        "HCAT 6.2",
    ),
    Term(
        "slice",
        "slice",
        "The samples at given levels of one or two dimensions, such as the fee questions of one product.",
        "HCAT 6.2",
    ),
    Term(
        "topic",
        "topic",
        "A group of queries or contexts with similar embeddings, described by key terms.",
        "HCAT 2; Grootendorst 2022",
    ),
    Term(
        "weak",
        "weak",
        "People pass fewer answers of the slice than of the rest, with q at or below the stated level. Only people's "
        "labels can show it: alone, by PPI++ or by a calibration with enough labels of the slice.",
        "docs/decisions/0008-weak-slices.md",
    ),
    Term(
        "possibly-weak",
        "possibly weak",
        "By people's labels p is at most 0.05, but q is not small enough: among so many slices some look so by chance. "
        "Look at it, and label more before concluding.",
        "docs/decisions/0008-weak-slices.md",
    ),
    Term(
        "not-shown-weak",
        "not shown to be weak",
        "The labels do not show that people pass fewer answers of the slice. It does not say that the slice is good.",
        "docs/decisions/0008-weak-slices.md",
    ),
    Term(
        "lower-score",
        "lower score",
        "The metric is lower in the slice than in the rest, with q at or below the stated level. It says nothing about "
        "people unless the metric is fit for use; “possibly lower” has p at most 0.05 only.",
        "docs/decisions/0008-weak-slices.md",
        ("possibly lower", "not shown to be lower"),
    ),
    Term(
        "difference",
        "difference",
        "The mean of the slice minus the mean of all other samples.",
        "HCAT 6.2",
    ),
    Term(
        "hedges-g",
        "Hedges' g",
        "The difference divided by the standard deviation within slice and rest, corrected for small n. Around 0.2 is "
        "small, 0.8 large.",
        "Hedges 1981; Cohen 1988",
        ("effect (g)",),
    ),
    Term(
        "p-value",
        "p-value",
        "The chance of a difference at least as large if slice and rest did not differ. It says nothing about how many "
        "slices were looked at.",
        "Fisher 1935",
        ("p",),
    ),
    Term(
        "q-value",
        "q-value",
        "The p-value adjusted for all slices tested together. Calling slices with q ≤ 0.05 weak keeps the expected "
        "share of false ones among them at or below 5%.",
        "Benjamini and Hochberg 1995",
        ("q",),
    ),
    Term(
        "benjamini-hochberg",
        "Benjamini–Hochberg",
        "The method that turns p-values into q-values, so that the expected share of false discoveries among all "
        "slices called weak is limited.",
        "Benjamini and Hochberg 1995",
    ),
    Term(
        "shrunken-mean",
        "shrunken mean",
        "The mean of a slice, pulled towards that of the run: the fewer the samples, the more. Extreme means of small "
        "slices are mostly chance, so slices are ranked by it.",
        "Efron and Morris 1975",
        ("shrunken",),
    ),
    Term(
        "selected-interval",
        "interval for selected slices",
        "The interval of a slice's mean, wider since the slice was picked among those tested (false coverage rate).",
        "Benjamini and Yekutieli 2005",
        ("false coverage rate", "selected, low"),
    ),
    Term(
        "interaction",
        "interaction",
        "What a pair of levels shows beyond the two levels by themselves.",
        "HCAT 6.2",
    ),
    Term(
        "permutation-test",
        "permutation test",
        "The observed difference is compared with those under random reassignment of samples (or clusters) to slice "
        "and rest. It assumes no distribution of scores.",
        "Fisher 1935; Pitman 1937",
    ),
)
