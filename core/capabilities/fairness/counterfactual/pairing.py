"""Pairing of a run's answers to the same question for different groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.fairness.counterfactual.families import ATTRIBUTES, COUNTERFACTUALS
from hcat.core.errors import HcatError
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.records.samples.outlines import Outline, outlines_in


@dataclass(frozen=True, slots=True)
class GroupPair:
    """The answers (trials) to one question for a group and for its reference group."""

    attribute: str
    question: str
    group: str
    reference: str
    answers: tuple[Outline, ...]
    of_reference: tuple[Outline, ...]


def is_counterfactual(sample: Outline) -> bool:
    """Whether a sample is a variant for one group of people."""
    return _about(sample) is not None


def counterfactuals_in(columns: SampleColumns) -> list[Outline]:
    """The variants of a run for one group of people; reads no texts."""
    families = columns.levels("variant_family")
    told = families.is_given and (
        columns.levels("people").is_given or not COUNTERFACTUALS.keys().isdisjoint(families.names)
    )
    return list(filter(is_counterfactual, outlines_in(columns))) if told else []


def pair_groups(samples: Sequence[Outline], references: Mapping[str, str]) -> tuple[GroupPair, ...]:
    """Each group of each attribute with its reference, over the questions that were asked for both.

    The reference is the one given, otherwise the attribute's first group, otherwise the group with most questions.
    An origin that itself names people of a group counts for that group. Raises HcatError for a reference without
    answers."""
    answers = _answers(samples)
    pairs: list[GroupPair] = []
    for attribute, by_group in answers.items():
        reference = _reference(attribute, by_group, references.get(attribute))
        pairs += [
            GroupPair(attribute, question, group, reference, tuple(own), tuple(by_group[reference][question]))
            for group, questions in by_group.items()
            if group != reference
            for question, own in questions.items()
            if question in by_group[reference]
        ]
    return tuple(pairs)


def groups_asked(samples: Sequence[Outline]) -> dict[str, tuple[str, ...]]:
    """The groups of each attribute for which questions were asked, the default reference first."""
    asked: dict[str, tuple[str, ...]] = {}
    for attribute, by_group in _answers(samples).items():
        usual = _reference(attribute, by_group, None)
        asked[attribute] = (usual, *(group for group in by_group if group != usual))
    return asked


def _answers(samples: Sequence[Outline]) -> dict[str, dict[str, dict[str, list[Outline]]]]:
    """The answers by attribute, group and question."""
    origins: dict[str, list[Outline]] = defaultdict(list)
    for sample in samples:
        if sample.variant is None:
            origins[sample.test_case or sample.id].append(sample)
    answers: dict[str, dict[str, dict[str, list[Outline]]]] = {}
    for sample in samples:
        about = _about(sample)
        if about is None or sample.variant is None:
            continue
        (attribute, group), question = about, sample.variant.of
        by_group = answers.setdefault(attribute, {})
        by_group.setdefault(group, {}).setdefault(question, []).append(sample)
        of_origin = sample.people_of_origin
        if of_origin is not None and question in origins:
            by_group.setdefault(of_origin, {}).setdefault(question, origins[question])
    return answers


def _about(sample: Outline) -> tuple[str, str] | None:
    """The attribute and the group that a variant or its family states."""
    if sample.variant is None:
        return None
    if sample.attribute is not None and sample.people is not None:
        return sample.attribute, sample.people
    family = COUNTERFACTUALS.get(sample.variant.family)
    return None if family is None else (family.draws_as, family.name.removeprefix(f"{family.draws_as} "))


def _reference(attribute: str, by_group: Mapping[str, Mapping[str, object]], named: str | None) -> str:
    if named is not None:
        if named not in by_group:
            raise HcatError(f"no answers for the group {named!r} of {attribute}: there are {', '.join(by_group)}")
        return named
    listed = ATTRIBUTES[attribute].groups[0].name if attribute in ATTRIBUTES else None
    if listed in by_group:
        return str(listed)
    sizes = Counter({group: len(questions) for group, questions in by_group.items()})
    return min(sizes, key=lambda group: (-sizes[group], group))
