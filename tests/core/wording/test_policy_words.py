"""What is said of clusters, weights, looks and tries where a promise or an alarm is shown, or can't be."""

from __future__ import annotations

import numpy as np
import pytest

from core.estimates.policy.drift import Outcomes, drift
from core.estimates.policy.held_out import ClusterUnits
from core.wording.policy.drift import drift_sentence
from core.wording.policy.looks import clusters_sentence


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
