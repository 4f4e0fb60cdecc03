"""Variants of test cases: each family in turn, at each strength, from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hcat.core.attack_detectors import ADDED
from hcat.core.capabilities.robustness.variants.family import REMOVED, Change, Family, Origin
from hcat.core.capabilities.robustness.variants.guard import touched
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.errors import HcatError
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue, OnProgress, Progress, Variant


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A test case that a family could not change, and the reason."""

    case: str
    family: str
    reason: str


@dataclass(frozen=True, slots=True)
class Perturbed:
    """The variants, and the cases that could not be changed, which have no replacement."""

    variants: tuple[TestCase, ...]
    unchanged: tuple[Unchanged, ...] = ()

    @property
    def by_family(self) -> Counter[str]:
        """Number of variants of each family."""
        return Counter(case.variant.family for case in self.variants if case.variant is not None)


class VariantWriter(Protocol):
    """Writes the variants of families without a rule: a language model."""

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """Settings of the writer for the record; never a secret."""
        ...

    def write(
        self, cases: Sequence[TestCase], family: Family, *, seed: int, on_progress: OnProgress | None = None
    ) -> Perturbed: ...


def perturb(
    cases: Sequence[TestCase],
    families: Sequence[Family],
    strengths: Sequence[float],
    *,
    seed: int,
    corpus: Sequence[CorpusPassage] = (),
    writer: VariantWriter | None = None,
    on_progress: OnProgress | None = None,
) -> Perturbed:
    """Variants of each case by each family at each strength in (0, 1]; families without grades once.

    The same seed gives the same variant of a case, whatever else is requested. `corpus` contains the passages for
    adversarial contexts; `writer` writes the families without a rule. Raises HcatError for a strength outside (0, 1],
    and for such families without a writer."""
    if not strengths or any(not 0 < strength <= 1 for strength in strengths):
        raise HcatError("a strength must lie above 0 and be at most 1")
    by_rule = [family for family in families if not family.by_model]
    by_model = [family for family in families if family.by_model]
    if by_model and writer is None:
        raise HcatError(f"{by_model[0].name} is written by a language model: name its endpoint")
    variants: list[TestCase] = []
    unchanged: list[Unchanged] = []
    for done, case in enumerate(cases if by_rule else (), start=1):
        origin = Origin(case, Sentence(case.query), corpus)
        for family in by_rule:
            _add(origin, family, strengths, seed, variants, unchanged)
        if on_progress is not None:
            on_progress(Progress("make variants", done, len(cases)))
    if writer is not None:
        for family in by_model:
            written = writer.write(cases, family, seed=seed, on_progress=on_progress)
            variants += written.variants
            unchanged += written.unchanged
    return Perturbed(tuple(variants), tuple(unchanged))


@dataclass(frozen=True, slots=True)
class PerturbedCorpus:
    """A copy of the corpus for the variants of one family at one strength, and these variants."""

    name: str
    passages: tuple[CorpusPassage, ...]
    variants: tuple[TestCase, ...]


def perturbed_corpora(corpus: Sequence[CorpusPassage], cases: Iterable[TestCase]) -> tuple[PerturbedCorpus, ...]:
    """A copy of the corpus for each family and strength whose variants add or replace passages.

    In a single copy, a variant could be answered from the passages of another family, or of a greater strength. Index
    each copy in an instance of its own, and ask that instance its variants."""
    by_copy: dict[str, list[TestCase]] = {}
    for case in cases:
        if case.variant is not None and {ADDED, REMOVED} & set(case.metadata):
            by_copy.setdefault(_name_of(case.variant), []).append(case)
    return tuple(PerturbedCorpus(name, _changed(corpus, of), tuple(of)) for name, of in by_copy.items())


def _name_of(variant: Variant) -> str:
    strength = "" if variant.strength is None else f"-{variant.strength:g}"
    return f"{variant.family.replace(' ', '-')}{strength}"


def _changed(corpus: Iterable[CorpusPassage], variants: Iterable[TestCase]) -> tuple[CorpusPassage, ...]:
    """The corpus with all passages that these variants add, and without those that they replace."""
    cases = tuple(variants)
    removed = {str(name) for case in cases for name in _items(case.metadata.get(REMOVED))}
    kept = [passage for passage in corpus if passage.id not in removed]
    new: dict[str, CorpusPassage] = {}
    for case in cases:
        for row in _items(case.metadata.get(ADDED)):
            if isinstance(row, dict):
                name, text = str(row["id"]), str(row["text"])
                new[name] = CorpusPassage(name, text, document=name, end=len(text))
    return (*kept, *new.values())


def _add(
    origin: Origin,
    family: Family,
    strengths: Sequence[float],
    seed: int,
    variants: list[TestCase],
    unchanged: list[Unchanged],
) -> None:
    seen: set[tuple[str, str]] = set()
    # The same draws at each strength: a stronger variant holds the changes of a weaker one.
    drawn_by = [seed, *bytes.fromhex(sha256_of_text(f"{origin.case.id}\n{family.draws_as or family.name}")[:16])]
    for strength in strengths if family.is_graded else (1.0,):
        change = family.make(origin, strength, np.random.default_rng(drawn_by))
        reason = _refused(origin, family, change)
        if change is None or reason is not None:
            unchanged.append(Unchanged(origin.case.id, family.name, reason or f"needs {family.needs}"))
            continue
        content = (change.query, repr(change.metadata))
        if content in seen:
            unchanged.append(Unchanged(origin.case.id, family.name, "a weaker strength gave the same variant"))
            continue
        seen.add(content)
        variants.append(variant_of(origin.case, family, strength, seed, change))


def _refused(origin: Origin, family: Family, change: Change | None) -> str | None:
    """The reason why a change can't be used; None if it can."""
    if change is None:
        return None
    query = " ".join(origin.case.query.split())
    if " ".join(change.query.split()) == query and not {ADDED, REMOVED} & set(change.metadata):
        return f"needs {family.needs}"
    if family.keeps_meaning and touched(origin.query, change.query) is not None:
        return "would have touched a number, a negation, a name or a unit"
    return None


def variant_of(case: TestCase, family: Family, strength: float, seed: int, change: Change) -> TestCase:
    """The case as changed by a family, with its origin and the expected effect."""
    refuses = family.expectation == "refuse"
    stays = family.expectation == "stay"
    # Facts of the test case on its right answer don't apply to a variant with another answer, or none.
    about = {**case.metadata} if stays else {}
    return replace(
        case,
        id=f"{case.id}~{family.name.replace(' ', '-')}" + (f"-{strength:g}" if family.is_graded else ""),
        query=change.query,
        reference=case.reference if stays else change.reference,
        passages=() if refuses else case.passages,
        nearest=case.passages if refuses else case.nearest,
        type="unanswerable" if refuses else case.type,
        variant=Variant(family.name, case.id, strength),
        expectation=family.expectation,
        key_fact=case.key_fact if stays else "",
        overlap=None,
        metadata={**about, **change.metadata, "seed": seed},
    )


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
