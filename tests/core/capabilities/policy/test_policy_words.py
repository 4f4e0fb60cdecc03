"""What is said of clusters, weights, looks and tries where a promise or an alarm is shown, or can't be."""

from __future__ import annotations

import re
from typing import cast

import numpy as np
import pytest
from scipy import stats

from hcat.core.capabilities.policy.drift import Outcomes, drift
from hcat.core.capabilities.policy.forecast import Forecast
from hcat.core.capabilities.policy.held_out import ClusterUnits
from hcat.core.capabilities.policy.policy import Policy, Rule
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.thresholds import Certificate
from hcat.core.capabilities.policy.wording.drift import drift_sentence
from hcat.core.capabilities.policy.wording.looks import clusters_sentence
from hcat.core.capabilities.policy.wording.policies import rule_sentence


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (None, ""),
        (ClusterUnits(12.0), "This is said of clusters that weigh no more than 12 labels, as in this run."),
        (ClusterUnits(12.0, 3), "A cluster counts for at most 3 of its answers."),
        (ClusterUnits(12.0, None, False, 4.0), "count at most 4 labels of a cluster (a cap)."),
        (ClusterUnits(12.0, None, False), "One cluster counts for up to 12 labels: too few such clusters are labelled"),
        (ClusterUnits(float("nan"), None, False), "the largest weight that an answer could have is not known."),
    ],
)
def test_what_clusters_allow_to_promise(units: ClusterUnits | None, words: str) -> None:
    assert words in clusters_sentence(units) and bool(words) == bool(clusters_sentence(units))


def test_an_alarm_says_what_it_is_worth_and_which_clusters_it_allows_for() -> None:
    bad = Outcomes(np.ones(200, dtype=bool), None, np.repeat(np.arange(50), 4))
    said = drift_sentence(drift("error let through", [("week 1", bad)], least=0, most=0.1, alpha=0.025))
    assert "Alarm at week 1: as long as the promise holds, such evidence comes in at most 2.5% of series" in said
    assert "Stakes allow for clusters of up to 4." in said


def test_windows_whose_weights_are_not_known_are_left_out_and_named() -> None:
    hits, weights = np.ones(60, dtype=bool), np.tile([1.0, 9.0], 30)
    unknown, known = Outcomes(hits, weights, None, None), Outcomes(hits[:40])
    alone = drift("error let through", [("week 1", unknown)], least=0, most=0.1)
    assert alone.alarm is None and alone.windows[0].evidence == 1
    assert "1 window left out" in drift_sentence(alone) and "No evidence" not in drift_sentence(alone)
    both = drift("error let through", [("week 1", unknown), ("week 2", known)], least=0, most=0.1)
    assert both.alarm == 1 and "1 window left out" in drift_sentence(both)


def said_of(accepted: int, failed: float) -> str:
    rule = Rule(None, 0.1, Certificate(None, 0.9, 60, accepted, failed, 0.3, 0.9))
    return rule_sentence(rule, Policy("c", Promise(0.1, 0.9), (rule,), {}, cast("Forecast", None)))


def test_few_failures_are_never_too_many() -> None:
    few = said_of(25, 0.04)
    assert "of 25 labels from 0.90 on, 4.0% fail. These are too few labels to show" in few and "too many" not in few
    assert re.search(r"About \d+ labels there would show it, if no larger share of them fails", few)
    assert "20.0% fail, too many to show a share of at most 10%" in said_of(25, 0.2)


def test_the_labels_that_would_show_a_promise() -> None:
    promise = Promise(0.1, 0.9)
    assert promise.accepted_until_shown(0.0) == promise.least_accepted() == 22
    enough = promise.accepted_until_shown(0.05)
    assert enough is not None and enough > 22
    assert stats.binom.cdf(np.ceil(0.05 * enough), enough, 0.1) <= 0.1
    assert promise.accepted_until_shown(0.1) is None
