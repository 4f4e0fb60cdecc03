from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.estimates.wording.pass_rate import rate_or_insufficient, rate_with_ties, ties_sentence
from hcat.core.labelling.consensus import ConsensusLabels, resolve_labels
from hcat.core.labelling.ties import tie_bounds, with_ties_decided
from hcat.core.statistics.proportions import weighted_proportion
from hcat.core.types import Criterion, Estimate, Label

CRITERION = Criterion("correctness")


def pass_rate(judged: ConsensusLabels) -> Estimate:
    return weighted_proportion(judged.levels >= judged.criterion.passing)


def labels_of(annotator: str, levels: list[int]) -> list[Label]:
    return [Label(f"s{k}", CRITERION.name, level, annotator) for k, level in enumerate(levels)]


def test_a_headline_says_between_what_it_lies_with_the_ties() -> None:
    # 40 of 47 agreed samples pass; of 52 with the five ties, 40 (77%) to 45 (87%): the rates of the review.
    both = [1] * 40 + [0] * 7
    labels = labels_of("keller", [*both, *[0] * 5]) + labels_of("ortiz", [*both, *[1] * 5])
    rate, bounds = pass_rate(resolve_labels(labels, CRITERION)), tie_bounds(labels, CRITERION, pass_rate)
    assert bounds is not None and bounds.ties == 5
    assert (bounds.failed.value, bounds.passed.value) == (pytest.approx(40 / 52), pytest.approx(45 / 52))
    assert rate_with_ties(rate, bounds).endswith("n = 47 decided; 76.9% to 86.5% with the 5 ties")
    assert "5 more samples are tied and left out" in ties_sentence(rate, bounds)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_whatever_a_second_annotator_says_the_first_ones_rate_stays_within_the_bounds(
    pairs: list[tuple[int, int]],
) -> None:
    first, second = ([pair[place] for pair in pairs] for place in (0, 1))
    alone = float(np.mean(first))
    bounds = tie_bounds(labels_of("ann", first) + labels_of("bob", second), CRITERION, pass_rate)
    if bounds is None:
        assert first == second
        return
    assert bounds.failed.value <= alone <= bounds.passed.value
    assert bounds.failed.value < bounds.passed.value


def test_an_adjudicated_tie_is_no_tie_and_a_decided_one_keeps_its_weight() -> None:
    labels = labels_of("ann", [0, 1]) + labels_of("bob", [1, 1])
    settled = [*labels, Label("s0", CRITERION.name, 0, "lead", source="adjudication")]
    assert tie_bounds(settled, CRITERION, pass_rate) is None
    rare = [label._replace(probability=0.25) if label.sample_id == "s0" else label for label in labels]
    judged = with_ties_decided(resolve_labels(rare, CRITERION), passed=True)
    assert dict(zip(judged.sample_ids, judged.weights.tolist(), strict=True)) == {"s0": 4.0, "s1": 1.0}


def test_samples_that_only_a_language_model_judged_are_no_ties() -> None:
    labels = [*labels_of("ann", [0, 1]), *labels_of("bob", [1, 1]), Label("s9", CRITERION.name, 1, "m", source="llm")]
    assert set(with_ties_decided(resolve_labels(labels, CRITERION), passed=False).sample_ids) == {"s0", "s1"}


def test_few_labels_are_insufficient_evidence() -> None:
    assert rate_or_insufficient(Estimate(1.0, float("nan"), float("nan"), 1)) == "insufficient evidence, n = 1"
    assert rate_or_insufficient(Estimate(0.5, 0.3, 0.7, 20)) == "50.0% [30.0%, 70.0%], n = 20"
