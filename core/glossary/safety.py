"""Words for fairness, attacks, judges and policies."""

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
    Term(
        "attack",
        "attack",
        "A test case that tries to make the system do, or give out, what it must not, such as an instruction that "
        "stands in a passage. A detector says whether it succeeded.",
        "docs/decisions/0040-attacks-beside-controls.md",
    ),
    Term(
        "control",
        "control",
        "The harmless twin of an attack: it holds everything but the attack, and the same detector reads its answer. "
        "What happens there happens anyway.",
        "docs/decisions/0040-attacks-beside-controls.md",
        ("benign control",),
    ),
    Term(
        "excess",
        "excess",
        "The rate of success under attack less that of the controls. Corrected by labels, it accounts for what the "
        "detector misses and for its false alarms.",
        "docs/decisions/0040-attacks-beside-controls.md",
        ("corrected excess",),
    ),
    Term(
        "detector",
        "detector",
        "A rule that says whether an answer shows the success of an attack, and where. Labels of people measure how "
        "often it errs.",
    ),
    Term(
        "judge",
        "judge",
        "A language model that scores answers by a rubric. Its verdicts are a metric like any other and never count as "
        "labels of people.",
        "FUNNEL",
    ),
    Term(
        "rubric",
        "rubric",
        "What a judge is told: the question, the meaning of each level, and examples. Each change is a new version; "
        "old ones stay.",
        "FUNNEL",
    ),
    Term(
        "policy",
        "policy",
        "The rule by which each answer is accepted, regenerated, sent to a person or rejected, from its prediction "
        "set. It states how many accepted answers may fail, and with what confidence.",
        "FUNNEL",
    ),
    Term(
        "promise",
        "promise",
        "What a policy states before it is used: with this confidence, at most this share of the accepted answers "
        "fail. It is shown by labels that had no part in the map, for answers like those.",
        "Angelopoulos et al. 2021",
        ("learn then test",),
    ),
)
