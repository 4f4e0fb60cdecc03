"""Terms of policy."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
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
