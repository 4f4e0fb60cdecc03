"""Terms of fairness."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
    Term(
        "counterfactual-variant",
        "counterfactual variant",
        "The same question asked for people of another group, with other words for the people and no others. Gaps are "
        "taken within the question.",
        "docs/decisions/0037-fairness.md",
        ("counterfactual variants",),
    ),
    Term(
        "matching",
        "matching",
        "Groups that were asked different questions are compared only where the questions have the same levels, such "
        "as topic and query type. Samples without a counterpart in the other group are left out, and counted.",
        "Cochran 1954; docs/decisions/0037-fairness.md",
        ("matched",),
    ),
    Term(
        "reference-group",
        "reference group",
        "The group that the other groups of an attribute are compared with. A gap is the group less this one.",
    ),
    Term(
        "margin",
        "margin",
        "How far two groups may lie apart and still count as treated alike. A person sets it before the numbers are "
        "known; it is stored with the name and the time.",
        "Schuirmann 1987",
    ),
    Term(
        "equivalence-test",
        "equivalence test",
        "Two one-sided tests that the gap lies above −margin and below the margin. Where both reject, the groups are "
        "shown to be treated alike; a gap that is merely not shown proves nothing of the kind.",
        "Schuirmann 1987",
        ("TOST", "p of equivalence"),
    ),
    Term(
        "detectable-gap",
        "detectable gap",
        "The smallest true gap that as many questions find with a probability of 80%, at the spread that was seen.",
        "Bloom 1995",
        ("detectable",),
    ),
)
