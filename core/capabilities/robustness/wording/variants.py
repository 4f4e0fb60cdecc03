"""Variants of test cases, in words: variants made, variants that could not be made, and expected effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from hcat.core.capabilities.robustness.variants.family import Family
from hcat.core.capabilities.robustness.variants.perturb import Perturbed
from hcat.core.display.numbers import counted, format_count
from hcat.core.records.test_case import Expectation
from hcat.core.types import JsonValue

EXPECTATIONS: Mapping[Expectation, str] = {
    "stay": "The right answer stays the same.",
    "change": "The right answer becomes another one.",
    "refuse": "The system should say that it can't answer.",
}


def changed_passages_note(families: Sequence[str]) -> str:
    """Note on the index that a system needs for variants that change its passages."""
    return (
        f"Variants of {', '.join(families)} change what can be retrieved, not the query alone. A system that does not "
        "hold the changed passages answers these variants as it answers their origins: index the changed corpus of "
        "each family and strength in an instance of its own, and ask that one these variants. In one index for all, a "
        "variant would be answered from the passages of another family."
    )


def unchanged_sentences(perturbed: Perturbed) -> tuple[str, ...]:
    """Sentences on the number of variants that each family could not make, by reason; the most frequent first."""
    reasons = Counter((case.family, case.reason) for case in perturbed.unchanged)
    return tuple(
        f"{family}: {counted(n, 'variant')} not made: {reason}." for (family, reason), n in reasons.most_common()
    )


def perturbed_document(perturbed: Perturbed, families: Sequence[Family], *, cases: int) -> dict[str, JsonValue]:
    """Numbers of variants and of unchanged test cases by family, as JSON."""
    return {
        "test_cases": cases,
        "variants": len(perturbed.variants),
        "families": [
            {
                **about,
                "variants": perturbed.by_family[family.name],
                "unchanged": dict(Counter(case.reason for case in perturbed.unchanged if case.family == family.name)),
            }
            for family, about in zip(families, families_document(families), strict=True)
        ],
    }


def families_document(families: Iterable[Family]) -> list[dict[str, JsonValue]]:
    """Description of each family, as JSON."""
    return [
        {
            "family": family.name,
            "kind": family.kind,
            "expectation": family.expectation,
            "strength": family.strength,
            "needs": family.needs,
            "description": family.description,
        }
        for family in families
    ]


def perturbed_rows(perturbed: Perturbed, families: Sequence[Family]) -> list[tuple[str, ...]]:
    """A row for each family: its name, the expectation, the number of variants, and the number not made."""
    unchanged = Counter(case.family for case in perturbed.unchanged)
    return [
        (
            family.name,
            family.expectation,
            format_count(perturbed.by_family[family.name]),
            format_count(unchanged[family.name]),
        )
        for family in families
    ]
