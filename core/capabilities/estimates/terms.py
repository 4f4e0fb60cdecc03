"""Words for pass rates, their intervals and repeated trials."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "estimate",
        "estimate",
        "A number that stands for a population, always shown with its interval and n.",
    ),
    Term(
        "interval",
        "95% interval",
        "A confidence interval: over repeated draws, 95% of such intervals contain the true value. Of twenty "
        "intervals, one misses on average.",
        "Neyman 1937",
        ("interval",),
    ),
    Term("n", "n", "How many samples, labels or clusters a number rests on."),
    Term(
        "insufficient-evidence",
        "insufficient evidence",
        "Too few samples, labels or clusters to conclude anything. Nothing was tested, so it is neither good nor bad.",
    ),
    Term(
        "pass-rate",
        "pass rate",
        "The share of answers that people pass on a criterion, or would pass if they judged all of them: of answers "
        "like these, unless it is said to be of these answers.",
    ),
    Term(
        "these-answers",
        "these answers",
        "The answers of this run and no others. Their pass rate is exact once all are labelled; before, its interval "
        "says only what the draw of labels leaves open.",
        "Särndal, Swensson and Wretman 1992",
    ),
    Term(
        "answers-like-these",
        "answers like these",
        "All answers that the system would give to such questions, of which the run is a sample. The interval of their "
        "pass rate stays wide even where all answers of the run are labelled.",
        "Särndal, Swensson and Wretman 1992",
    ),
    Term(
        "naive",
        "naive",
        "The machine's verdicts on every answer, uncorrected. It has no interval: it says what the machine decided, "
        "not how many answers people would pass.",
        "Angelopoulos et al. 2023",
        ("machine alone",),
    ),
    Term(
        "labels-only",
        "labels only",
        "People's labels alone, weighted by how the samples were drawn. Right on average, but wide.",
        "Särndal, Swensson and Wretman 1992",
    ),
    Term(
        "ppi",
        "PPI++",
        "Prediction-powered inference: the machine's verdicts on all answers, corrected by people's labels on some. It "
        "is right on average whatever the metric is worth; the better the metric, the narrower the interval.",
        "Angelopoulos, Duchi and Zrnic 2023",
        ("prediction-powered", "corrected pass rate"),
    ),
    Term(
        "lambda",
        "λ",
        "The weight of the machine's predictions in PPI++, tuned for the narrowest interval. At 0 the labels count "
        "alone, at 1 the predictions have full weight.",
        "Angelopoulos, Duchi and Zrnic 2023",
    ),
    Term(
        "hajek",
        "Hájek",
        "The weighted mean of labels: each counts one over the probability with which its sample was drawn, divided by "
        "the sum of these weights.",
        "Hájek 1971",
    ),
    Term(
        "effective-labels",
        "effective labels",
        "How many labels, drawn by simple random sampling, would be about as precise. More than were given: the "
        "machine or the draw helped; fewer: unequal probabilities, clusters, or so few fails that they show little.",
        "Kish 1965",
        ("effective n", "worth in random labels"),
    ),
    Term(
        "stratum",
        "stratified",
        "Drawn with a fixed number from each level of a dimension, so that small slices get labels too. Weights keep "
        "estimates of the whole run unbiased.",
        "Särndal, Swensson and Wretman 1992",
        ("stratum",),
    ),
    Term(
        "interim-look",
        "interim look",
        "A look at growing labels before deciding. Repeated looks make ordinary intervals too optimistic, so their "
        "number is planned or the interval allows for any number.",
        "Waudby-Smith et al. 2024",
        ("looks",),
    ),
    Term(
        "sensitivity-specificity",
        "sensitivity, specificity",
        "Sensitivity: of the labelled samples that pass, the share that the machine passes. Specificity: of those that "
        "fail, the share that it fails.",
        "Rogan and Gladen 1978",
        ("sensitivity", "specificity"),
    ),
    Term(
        "s-u",
        "S_u",
        "How often answers are good, over all test cases and trials.",
        "PROB 3",
    ),
    Term(
        "s-c",
        "S_c",
        "How close the share of good trials of each test case comes to what people expect of it: the mean of "
        "1 − |P(E=1|Q) − H|. With few trials, even a system that meets every expectation stays below 1.",
        "PROB 3",
    ),
    Term("s-t", "S_t", "The mean of S_u and S_c.", "PROB 3"),
    Term(
        "p-e-q",
        "P(E=1|Q)",
        "The share of good trials of one test case. H is the share that people expect of it.",
        "PROB 3",
    ),
    Term(
        "entropy",
        "entropy",
        "How the answers to one question spread over distinct meanings, in bits; 0 if all mean the same. Normalised "
        "entropy divides by the largest possible value with that many trials.",
        "Shannon 1948; PROB 1",
        ("normalised entropy",),
    ),
    Term(
        "variance-share",
        "share of the variance",
        "How much of the variation of judgements comes from test cases, trials or judges. The rest is what no source "
        "explains.",
        "Shrout and Fleiss 1979",
        ("variance",),
    ),
)
