"""Words for labels and for agreement between annotators."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "criterion",
        "criterion",
        "What a person judges, such as correctness, on ordered levels. Its guideline says when to give which level.",
        "HCAT 5",
    ),
    Term("level", "level", "One of a criterion's ordered values, or one value of a dimension such as a topic."),
    Term("label", "label", "The judgement of one annotator on one sample and criterion.", "HCAT 5"),
    Term(
        "reference-rule",
        "reference rule",
        "A stated rule that derives labels from references. Its labels are not human and count only where no person "
        "labelled the sample.",
        "docs/decisions/0002-labels-of-a-rule.md",
        ("by a rule",),
    ),
    Term("annotator", "annotator", "A person who labels."),
    Term(
        "adjudication",
        "adjudication",
        "A decision, with a reason, on a sample on which annotators disagree. Calibrations and estimates use it; "
        "agreement is still measured on the labels.",
        "",
        ("decision",),
    ),
    Term(
        "consensus",
        "consensus",
        "The one level that the labels of a sample come to: an adjudication, else the majority of people on pass or "
        "fail, else that of rules.",
    ),
    Term(
        "tie",
        "tie",
        "Equal numbers of annotators on both sides, so that the sample has no consensus. Ties are mostly hard samples: "
        "leaving them out can raise a pass rate.",
        "",
        ("ties", "tied"),
    ),
    Term(
        "queue",
        "queue",
        "Samples drawn for labelling, each with the probability with which it was drawn. These probabilities keep "
        "estimates unbiased.",
        "Särndal, Swensson and Wretman 1992",
    ),
    Term(
        "gold-item",
        "gold item",
        "A sample whose right level is known, mixed into a queue unannounced to measure annotators.",
    ),
    Term(
        "hidden-repeat",
        "hidden repeat",
        "A sample that an annotator sees again without being told. It measures the annotator's consistency and enters "
        "no estimate.",
    ),
    Term(
        "blind",
        "blind",
        "A label is blind if its annotator had seen no score, verdict or label of others on that sample. Labels "
        "changed after such a look are marked as not blind.",
    ),
    Term(
        "raw-agreement",
        "raw agreement",
        "The share of pairs of labels on the same sample that are equal. Where nearly all answers pass it is high even "
        "if people guess.",
        "",
        ("agreement",),
    ),
    Term(
        "kappa",
        "Cohen's κ",
        "Agreement of two annotators beyond what their own habits would give by chance: 0 is chance, 1 is complete. "
        "Linear and quadratic weights count levels far apart more.",
        "Cohen 1960, 1968",
        ("κ",),
    ),
    Term(
        "krippendorff-alpha",
        "Krippendorff's α",
        "Agreement of any number of annotators beyond chance, with labels missing where they are. 0 is chance, 1 is "
        "complete; Krippendorff asks for 0.8, or 0.667 for tentative conclusions.",
        "Krippendorff 2004",
    ),
    Term(
        "ac1",
        "Gwet's AC1",
        "Agreement beyond chance, where chance is that of labels given at random on hard samples. It stays near raw "
        "agreement where nearly all answers pass, where κ and α fall to 0.",
        "Gwet 2008",
        ("AC1",),
    ),
    Term(
        "agreement-on-pass",
        "agreement on pass, agreement on fail",
        "Of the samples that one annotator passes (or fails), the share that another passes (or fails) too.",
        "Cicchetti and Feinstein 1990",
        ("agreement on pass", "agreement on fail"),
    ),
    Term(
        "drift",
        "drift",
        "A change in an annotator's judgement over time. The test compares the largest deviation of the running sum "
        "with random orders of the same labels.",
        "Page 1954",
    ),
    Term(
        "leniency",
        "leniency",
        "How much more often an annotator passes the same samples than the others do. Harder samples do not change it.",
        "",
        ("lenient",),
    ),
)
