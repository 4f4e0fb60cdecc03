"""Which answers of a run are to the same question, for which groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import HcatError
from core.testgen.variants.counterfactual.attribute import ATTRIBUTE, GROUP, ORIGIN_GROUP
from core.testgen.variants.counterfactual.families import ATTRIBUTES, COUNTERFACTUALS
from core.types import Sample


@dataclass(frozen=True, slots=True)
class GroupPair:
    """The answers (trials) to one question for a group and for the group that it is compared with."""

    attribute: str
    question: str
    group: str
    reference: str
    answers: tuple[Sample, ...]
    of_reference: tuple[Sample, ...]


def is_counterfactual(sample: Sample) -> bool:
    """Whether a sample is a variant for one group of people."""
    return _about(sample) is not None


def pair_groups(samples: Sequence[Sample], references: Mapping[str, str]) -> tuple[GroupPair, ...]:
    """Each group of each attribute with its reference, over the questions that were asked for both.

    The reference is the one named, else the attribute's first group, else the group with most questions. An origin that
    names people of a group itself stands for that group. HcatError for a reference of which there is no answer.
    """
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


def groups_asked(samples: Sequence[Sample]) -> dict[str, tuple[str, ...]]:
    """The groups of each attribute that questions were asked for, the one that is the reference by default first."""
    asked: dict[str, tuple[str, ...]] = {}
    for attribute, by_group in _answers(samples).items():
        usual = _reference(attribute, by_group, None)
        asked[attribute] = (usual, *(group for group in by_group if group != usual))
    return asked


def _answers(samples: Sequence[Sample]) -> dict[str, dict[str, dict[str, list[Sample]]]]:
    """By attribute, group and question."""
    origins: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.variant is None:
            origins[sample.test_case or sample.id].append(sample)
    answers: dict[str, dict[str, dict[str, list[Sample]]]] = {}
    for sample in samples:
        about = _about(sample)
        if about is None or sample.variant is None:
            continue
        (attribute, group), question = about, sample.variant.of
        by_group = answers.setdefault(attribute, {})
        by_group.setdefault(group, {}).setdefault(question, []).append(sample)
        of_origin = sample.metadata.get(ORIGIN_GROUP)
        if isinstance(of_origin, str) and question in origins:
            by_group.setdefault(of_origin, {}).setdefault(question, origins[question])
    return answers


def _about(sample: Sample) -> tuple[str, str] | None:
    """The attribute and the group that a variant says it is about, or that its family is of."""
    if sample.variant is None:
        return None
    attribute, group = sample.metadata.get(ATTRIBUTE), sample.metadata.get(GROUP)
    if isinstance(attribute, str) and isinstance(group, str):
        return attribute, group
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
