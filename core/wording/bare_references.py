"""References that state nothing, in words: what can't be verified against them, and by what to compare instead."""

from __future__ import annotations

from core.display.numbers import counted
from core.metrics.registry import METRICS
from core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER, BareReferences

BY_NUMBERS = ("factual_numbers_recall", "factual_numbers_reference")
BY_WORDS = ("token_recall",)


def bare_references_note(references: BareReferences) -> str:
    """Such as "33 of 67 references are not statements (a number: 33): …"; "" where all of them may be statements."""
    if not references.total:
        return ""
    kinds = ", ".join(f"{kind}: {n:,}" for kind, n in references.kinds.items())
    instead = []
    if references.kinds.keys() & {NUMBER, DATE}:
        instead.append(f"numbers by {_titles(BY_NUMBERS)}")
    if FEW_WORDS in references.kinds:
        instead.append(f"few words by {_titles(BY_WORDS)} or by labels")
    verb = "is not a statement" if references.total == 1 else "are not statements"
    return (
        f"{references.total:,} of {counted(references.n, 'reference')} {verb} ({kinds}). Claims can't be verified "
        f"against them: means of claim metrics leave these samples out. Compare {', '.join(instead)}."
    )


def _titles(names: tuple[str, ...]) -> str:
    return " and ".join(f"“{metric.title}”" for metric in METRICS if metric.name in names)
