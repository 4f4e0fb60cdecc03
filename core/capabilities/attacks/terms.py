"""Terms of attacks."""

from __future__ import annotations

from hcat.core.glossary.term import Term

TERMS = (
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
)
