"""The demo's variants are what the product makes of its test cases, and the rule has something to say on each."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hcat.core.capabilities.demo.bank import ANNOTATOR, read_handbook, read_test_cases
from hcat.core.capabilities.demo.reference_rag import ABSTENTION
from hcat.core.capabilities.demo.variants import METRICS, read_variants, variant_labels
from hcat.core.capabilities.robustness.variants.perturb import perturb
from hcat.core.capabilities.robustness.variants.registry import chosen_families
from hcat.core.metrics.registry import select
from hcat.core.records.test_case import TestCase, as_sample

STRENGTHS = {"spelling": (0.2, 0.6), "injection in query": (0.6,)}


def origins() -> list[TestCase]:
    return [case for case in read_variants() if case.variant is None]


def test_the_file_is_what_perturb_makes_of_the_origins() -> None:
    stored = [case for case in read_variants() if case.variant is not None]
    families = dict.fromkeys(case.variant.family for case in stored if case.variant)
    for family in families:
        made = perturb(origins(), chosen_families([family]), STRENGTHS.get(family, (0.2,)), seed=7).variants
        assert [*made] == [case for case in stored if case.variant and case.variant.family == family]
    assert {"spelling", "paraphrase", "misleading premise", "injection in query", "nonsense"} == {*families}


def test_origins_are_test_cases_of_the_demo() -> None:
    asked = {case.id: case for case in read_test_cases()}
    ids = {passage.id for passage in read_handbook()}
    for case in origins():
        assert (case.query, case.reference) == (asked[case.id].query, asked[case.id].reference)
        assert {*case.passages} <= ids


def test_the_rule_labels_every_variant() -> None:
    answered = [
        replace(as_sample(case), answer=ABSTENTION if case.expectation == "refuse" else case.reference)
        for case in read_variants()
    ]
    labels = variant_labels(answered, run="some")
    assert {(label.annotator, label.source, label.probability) for label in labels} == {(ANNOTATOR, "rule", 1.0)}
    assert Counter(label.level for label in labels) == {1: len(answered)}


def test_its_metrics_are_in_the_registry() -> None:
    assert [metric.name for metric in select(METRICS)]
