"""Terms of judges."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
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
)
