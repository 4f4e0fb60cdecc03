"""Words for calibrations and what measures them."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "calibration",
        "calibration",
        "A fitted map from scores to the probability that people pass an answer, with conformal prediction sets. It "
        "holds for one criterion, one run and the labels it was fitted on.",
        "HCAT 5",
    ),
    Term(
        "calibrated-probability",
        "calibrated probability",
        "The probability that people pass a sample, as a calibration gives it. Its mean over a run is an uncorrected "
        "machine mean, only as reliable as the calibration.",
        "HCAT 5.1",
        ("probability of a pass",),
    ),
    Term(
        "logistic",
        "logistic map",
        "The log-odds of a pass are a weighted sum of the scores. A small penalty keeps the weights finite; Platt's "
        "method has none.",
        "Platt 1999",
        ("logistic", "Platt"),
    ),
    Term(
        "isotonic",
        "isotonic map",
        "The probability rises (or falls) with the score as the labels alone determine, without a formula.",
        "Zadrozny and Elkan 2002",
        ("isotonic",),
    ),
    Term(
        "combined-evaluator",
        "combined evaluator",
        "One probability from several metrics, each counted only in the direction in which it is better.",
        "docs/decisions/0003-the-combined-evaluator.md",
        ("combined",),
    ),
    Term(
        "log-odds",
        "log-odds",
        "The logarithm of p / (1 − p): 0 for a probability of one half, positive where a pass is likelier than not. "
        "Contributions of metrics add up on this scale.",
    ),
    Term(
        "baseline",
        "trivial score",
        "A score that needs no model: answer length or token overlap with the reference. A metric that does not beat "
        "it is not shown to be fit for use.",
        "docs/decisions/0009-fit-for-use.md",
        ("trivial",),
    ),
    Term(
        "error-rate-alpha",
        "α (of prediction sets)",
        "The share of prediction sets that may miss the label that people would give; coverage 1 − α is guaranteed on "
        "average. It has nothing to do with Krippendorff's α.",
        "Vovk, Gammerman and Shafer 2005",
        ("α", "alpha"),
    ),
    Term(
        "q-hat",
        "q̂",
        "The threshold of the prediction sets of several metrics: a class is in the set if one minus its probability "
        "is at most q̂. It is set on labels that the map was not fitted on. Sets of one metric need none.",
        "Angelopoulos and Bates 2023",
        ("conformal threshold",),
    ),
    Term(
        "prediction-set",
        "conformal prediction set",
        "All classes that a calibration can't rule out for a sample: {pass}, {fail}, both or none. It contains the "
        "label that people would give with probability at least 1 − α, over draws of labels and of samples like them.",
        "HCAT 5.2; Vovk, Gammerman and Shafer 2005",
        ("prediction set", "conformal"),
    ),
    Term(
        "undecided",
        "undecided",
        "Said of a prediction set that names both classes or none: the sample needs human review.",
        "HCAT 5.2",
        ("human review",),
    ),
    Term(
        "empty-set",
        "empty set",
        "A prediction set that names no class: each class has a probability below 1 − q̂. The sample is unlike most of "
        "those that set the threshold and needs human review.",
        "Angelopoulos and Bates 2023",
        ("empty",),
    ),
    Term(
        "coverage",
        "coverage",
        "The share of samples whose prediction set contains the label that people give. The promise 1 − α holds on "
        "average over draws of labels, not within a topic or class.",
        "Angelopoulos and Bates 2023",
    ),
    Term(
        "cross-checking",
        "cross-checking",
        "Folds take turns: one checks the map and the sets that the others make. It measures the procedure rather than "
        "the one calibration that is handed out. Several metrics are checked so with fewer than 100 labels.",
        "Bengio and Grandvalet 2004",
    ),
    Term(
        "reliability",
        "reliability diagram",
        "Observed pass rate against predicted probability, in bins. On the diagonal both agree.",
        "DeGroot and Fienberg 1983",
        ("reliability",),
    ),
    Term(
        "ece",
        "ECE",
        "Expected calibration error: the mean gap between predicted and observed pass rate over bins. Few labels raise "
        "it, so it is also shown corrected for chance.",
        "Naeini, Cooper and Hauskrecht 2015",
        ("expected calibration error",),
    ),
    Term(
        "brier",
        "Brier score",
        "The mean squared difference between probability and label (0 or 1); 0 is best. It decomposes into "
        "reliability, resolution and uncertainty.",
        "Brier 1950; Murphy 1973",
        ("Brier",),
    ),
    Term(
        "log-loss",
        "log-loss",
        "The mean of −ln of the probability given to the label that people gave; 0 is best. Confident errors cost "
        "most.",
        "Good 1952",
    ),
    Term(
        "auc",
        "AUC",
        "The chance that a sample that people pass scores above one that they fail; 0.5 is chance level, 1 is perfect.",
        "Hanley and McNeil 1982",
    ),
    Term(
        "type-1-2",
        "type I error, type II error",
        "Type I: of what people fail, the share that the machine passes. Type II: of what people pass, the share that "
        "the machine fails.",
        "HCAT 5",
        ("type I error", "type II error"),
    ),
    Term(
        "fit-for-use",
        "fit for use",
        "The verdict on a metric or calibration for one criterion: “fit for use”, “not shown to be fit” (more labels "
        "may decide it), “not fit”, or “never compared with people”.",
        "docs/decisions/0009-fit-for-use.md",
        ("never compared with people", "not shown to be fit", "not fit"),
    ),
)
