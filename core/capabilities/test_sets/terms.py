"""Words for the test items."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "project",
        "project",
        "One system under validation, with its runs, criteria, labels, calibrations and findings. A report is about "
        "one project.",
    ),
    Term(
        "run",
        "run",
        "The answers of one configuration of a system to a set of test cases. Two runs of the same test cases can be "
        "compared sample by sample.",
    ),
    Term(
        "sample",
        "sample",
        "One query, the contexts that were retrieved for it, and the answer. It is one trial of one test case.",
    ),
    Term(
        "erased-text",
        "erased text",
        "The text of a sample whose key an administrator destroyed, so that nobody can read it any more. Its scores, "
        "labels and dimensions stay.",
    ),
    Term(
        "retention",
        "retention",
        "For how many days after the import of a run a project keeps the texts of its samples.",
    ),
    Term(
        "test-case",
        "test case",
        "A query, with what is known about the right answer. Several answers to it are its trials.",
        "PROB 2",
    ),
    Term(
        "trial",
        "trial",
        "One of several answers to the same test case. Trials of one test case depend on one another and count as one "
        "cluster.",
        "PROB 2",
    ),
    Term(
        "passage",
        "passage",
        "A piece of a document: a retrieved context, or a part of the corpus that the system answers from.",
        "HCAT 2",
    ),
    Term(
        "corpus",
        "corpus",
        "The documents that the system answers from, cut into passages. Each import that changes it is a new version; "
        "the content hash names its texts.",
        "HCAT 2",
        ("corpora",),
    ),
    Term(
        "document",
        "document",
        "A file of the corpus as it was read: its text, headings, paragraphs and tables. Offsets of passages point "
        "into that text.",
    ),
    Term(
        "context",
        "context",
        "A passage that the system retrieved for a query. Contexts are in rank order, the best first.",
        "HCAT 3",
    ),
    Term(
        "reference",
        "reference",
        "An answer that is known to be right. Metrics such as answer recall compare the system's answer with it.",
        "LEGAL",
        ("reference answer",),
    ),
    Term(
        "refusal",
        "refusal",
        "An answer that declines to answer. It is correct where the corpus does not have the answer and wrong where it "
        "does; calibrations exclude it.",
        "",
        ("decline",),
    ),
    Term(
        "variant",
        "variant",
        "A test case made from another one by a stated change, such as a spelling error. It belongs to the cluster of "
        "its origin.",
        "HCAT 6.1",
    ),
    Term(
        "difficulty",
        "difficulty",
        "How hard a test case is, by definition: one point for each statement after the first that must be read "
        "together, one where fewer than 60% of the query's content words stand in its passages, one where the evidence "
        "stands in the third sentence of its passage or later. No point is easy, one is medium, more is hard.",
        "HCAT 2.5",
    ),
    Term(
        "unanswerable",
        "unanswerable",
        "A query that the corpus does not answer: a near miss asks of one thing what is stated of another, a false "
        "premise takes for granted a number that the corpus contradicts. The right answer declines or corrects.",
        "HCAT 2.5",
    ),
    Term(
        "semantic-group",
        "semantic group",
        "Questions that mean the same, such as the texts of one filled database query. They are one cluster.",
        "GRAMMAR 3",
    ),
    Term(
        "cluster",
        "cluster",
        "Samples that depend on one another: trials of one test case, a variant and its origin, the texts of one "
        "semantic group. Clusters are never divided between fitting and checking, and intervals count clusters.",
        "Liang and Zeger 1986",
        ("clustered",),
    ),
    Term(
        "finding",
        "finding",
        "A weakness that a person confirmed, with its samples, scores and chart frozen under one hash. It keeps the "
        "name of that person, a severity, a status and an owner.",
    ),
    Term(
        "preregistration",
        "pre-registration",
        "A plan that is fixed, dated and hashed before the first label on a criterion: n, threshold, α, slices, and "
        "the metrics or the rule that decides. Without one, results are exploratory: a reason to test on fresh labels.",
        "docs/decisions/0056-plans-before-labels.md",
        ("pre-registered", "exploratory"),
    ),
    Term(
        "sign-off",
        "sign-off",
        "The two signatures on a version of a report: its author submits it, and somebody who wrote nothing of it "
        "approves it or returns it. It is superseded once labels, scores, calibrations or policies under it change.",
        "docs/decisions/0051-sign-off-and-plans.md",
    ),
)
