"""Results of generating and selecting candidates for a test set, in tables and documents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hcat.core.capabilities.test_sets.frame import LEAST_WORDS
from hcat.core.display.numbers import counted, format_count
from hcat.core.records.layout import JsonObject

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.generated import Generated
    from hcat.core.capabilities.test_sets.selection import Selection

MOST_STRATA = 10
"""Strata that lack cases which are named."""


def selection_document(selection: Selection) -> JsonObject:
    """Counts and reasons, as `hcat select --json` prints them."""
    return {
        "examined": selection.examined,
        "accepted": len(selection.accepted),
        "dropped": {**selection.reasons},
    }


def selection_sentence(selection: Selection) -> str:
    """Sentence such as "120 of 150 candidates accepted, 30 dropped"."""
    return (
        f"{format_count(len(selection.accepted))} of {counted(selection.examined, 'candidate')} accepted, "
        f"{format_count(len(selection.dropped))} dropped"
    )


def type_rows(result: Generated) -> list[tuple[str, ...]]:
    """Numbers of cases requested and made, and of candidates examined and dropped, by query type."""
    return [
        (count.type, *(format_count(n) for n in (count.asked, count.made, count.candidates, count.dropped)))
        for count in result.types
    ]


def dropped_rows(result: Generated) -> list[tuple[str, str]]:
    """Number of dropped candidates by reason."""
    return [(reason, format_count(n)) for reason, n in result.reasons.items()]


def nothing_rows(result: Generated) -> list[tuple[str, str]]:
    """Reasons for passages without a test case, with their numbers, the most frequent first."""
    reasons = Counter(why.partition(" (")[0] for why in result.untestable.values())
    return [(why, format_count(n)) for why, n in reasons.most_common()]


def generated_sentences(result: Generated) -> list[str]:
    """Sentences on the number of cases made, on strata that gave fewer than their share, on deviations from the shares
    of types, and on passages that can't be tested."""
    left_out = left_out_sentence(result.left_out)
    return [*_number_sentences(result), *_type_sentences(result), *([left_out] if left_out else [])]


def left_out_sentence(n: int) -> str:
    """Sentence that n passages are in no topic and no stratum, with the reason; empty for none."""
    if not n:
        return ""
    have, they = ("has", "it is") if n == 1 else ("have", "they are")
    return (
        f"{counted(n, 'passage')} {have} fewer than {LEAST_WORDS} words and can't be tested: {they} in no topic, and "
        "no test case is drawn there."
    )


def stratum_sentence(*, asked: int, made: int) -> str:
    """Heading for strata with too few cases: others gave cases in their place, or cases are lacking."""
    if made < asked:
        return "Fewer test cases than asked could be made. The strata that lack some, and why:"
    return "Some strata gave fewer test cases than their share, and the others were asked for more in their place:"


def _number_sentences(result: Generated) -> list[str]:
    lacking = result.asked - len(result.cases)
    strata = [f"{' × '.join(count.levels)}: {count.asked - count.made} fewer, since {count.why}"
              for count in result.strata if count.why]  # fmt: skip
    shown, more = strata[:MOST_STRATA], len(strata) - MOST_STRATA
    rest = [f"and {format_count(more)} more strata."] if more > 0 else []
    if lacking:
        return [f"{counted(lacking, 'test case')} of {result.asked} could not be made:", *shown, *rest]
    everything = f"All {counted(result.asked, 'test case')} were made."
    if not strata:
        return [everything]
    return [everything, stratum_sentence(asked=result.asked, made=len(result.cases)), *shown, *rest]


def _type_sentences(result: Generated) -> list[str]:
    fewer = [count for count in result.types if count.made < count.asked]
    if not fewer:
        return []
    named = ", ".join(f"{count.type} {count.made} of {count.asked}" for count in fewer)
    said = [f"Fewer than wanted of some types, since no further candidate was accepted at the drawn passages: {named}."]
    unwritten = [count.type for count in fewer if not count.candidates]
    if unwritten:
        said.append(
            f"Of {' and '.join(unwritten)} not one candidate could be written of these passages: this test set does "
            "not test them."
        )
    return said
