"""References that state nothing, in words: what can't be verified against them, and by what to compare instead."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count
from hcat.core.metrics.registry import METRICS
from hcat.core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER, BareReferences

BY_NUMBERS = ("factual_numbers_recall", "factual_numbers_reference")
_UNVERIFIED = (
    "({kinds}). Claims can't be verified against them: means of claim metrics leave these samples out. Compare "
    "{instead}."
)
ONE = f"{{bare:,}} of {{references}} is not a statement {_UNVERIFIED}"
SEVERAL = f"{{bare:,}} of {{references}} are not statements {_UNVERIFIED}"
BY_WORDS = ("token_recall",)


def bare_references_note(references: BareReferences) -> str:
    """Such as "33 of 67 references are not statements (a number: 33): …"; "" where all of them may be statements."""
    if not references.total:
        return ""
    kinds = ", ".join(f"{say(kind)}: {format_count(n)}" for kind, n in references.kinds.items())
    instead = []
    if references.kinds.keys() & {NUMBER, DATE}:
        instead.append(say("numbers by {titles}", titles=_titles(BY_NUMBERS)))
    if FEW_WORDS in references.kinds:
        instead.append(say("few words by {titles} or by labels", titles=_titles(BY_WORDS)))
    return say(
        ONE if references.total == 1 else SEVERAL,
        bare=references.total,
        references=counted(references.n, "reference"),
        kinds=kinds,
        instead=", ".join(instead),
    )


def _titles(names: tuple[str, ...]) -> str:
    return say(" and ").join(say("“{word}”", word=say(metric.title)) for metric in METRICS if metric.name in names)
