"""Pairing of variants with their origins in the answers of a run, or of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from hcat.core.capabilities.robustness.variants.registry import FAMILIES
from hcat.core.records.samples.outlines import Outline
from hcat.core.records.test_case import Expectation

_EXPECTATIONS: dict[str | None, Expectation] = {"stay": "stay", "change": "change", "refuse": "refuse"}


@dataclass(frozen=True, slots=True)
class VariantPair:
    """An answer to a variant, and the answers (trials) to its original test case."""

    variant: Outline
    origins: tuple[Outline, ...]
    family: str
    strength: float | None
    expectation: Expectation | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs in the order of the run, and the ids of variants whose origin has no answer here."""

    pairs: tuple[VariantPair, ...]
    without_origin: tuple[str, ...] = ()

    @property
    def families(self) -> tuple[str, ...]:
        """The families in the order in which they first occur."""
        return tuple(dict.fromkeys(pair.family for pair in self.pairs))


def pair_variants(samples: Sequence[Outline], origins: Sequence[Outline] | None = None) -> Pairing:
    """Each variant with its origins, which are named by the id of a sample or by a test case.

    Origins are searched in `origins`, another run of the same system, or otherwise among the samples themselves."""
    by_id: dict[str, Outline] = {}
    by_case: dict[str, list[Outline]] = defaultdict(list)
    for sample in samples if origins is None else origins:
        by_id[sample.id] = sample
        if sample.variant is None:
            by_case[sample.test_case or sample.id].append(sample)
    pairs: list[VariantPair] = []
    missing: list[str] = []
    for sample in samples:
        if sample.variant is None:
            continue
        name = sample.variant.of
        answers = tuple(by_case[name]) if name in by_case else (by_id[name],) if name in by_id else ()
        if not answers:
            missing.append(sample.id)
            continue
        pairs.append(
            VariantPair(sample, answers, sample.variant.family, sample.variant.strength, expectation_of(sample))
        )
    return Pairing(tuple(pairs), tuple(missing))


def expectation_of(sample: Outline) -> Expectation | None:
    """The expectation that the variant states, otherwise that of its family; None if neither is known."""
    if sample.expectation in _EXPECTATIONS:
        return _EXPECTATIONS[sample.expectation]
    family = FAMILIES.get(sample.variant.family) if sample.variant is not None else None
    return None if family is None else family.expectation
