"""What a promise pays for: parts of δ that add up to at most δ."""

from __future__ import annotations

import numpy as np
import pytest

from hcat.core.capabilities.policy.held_out import HeldOutLabels
from hcat.core.capabilities.policy.looks import FIRST, UNDECLARED, Looks
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.services.looks import looks_paid_for
from hcat.core.capabilities.policy.stakes import GRID, Stakes, cluster_sums, largest_above
from hcat.core.capabilities.policy.thresholds import OtherSamples, certify
from hcat.core.errors import HcatError
from hcat.core.records.policy import PolicyLook
from hcat.core.records.preregistration import Plan

PLAN = Plan("correctness", 100, 0.9, 0.1, metrics=("token_f1",))


@pytest.mark.parametrize("beside_plan", [False, True])
def test_all_tries_together_have_no_more_than_the_whole(beside_plan: bool) -> None:
    shares = [Looks.counted(number, beside_plan=beside_plan).share for number in range(1, 2_000)]
    total = sum(shares) + (FIRST if beside_plan else 0)
    assert total == pytest.approx(1, abs=1e-3) and total <= 1
    assert shares[0] == pytest.approx(0.1 if beside_plan else 0.8)


def test_declared_looks_and_tries_share_delta() -> None:
    assert Looks.declared(None, None) == UNDECLARED and UNDECLARED.share == 1
    assert Looks.declared(3, 2).share == pytest.approx(1 / 6) and not Looks.declared(3, 2).watched
    assert Looks.declared(0, 2).share == pytest.approx(1 / 2) and Looks.declared(0, 2).watched
    assert Looks.declared(1, None).unstated == ("tries",)
    assert Looks.declared(2, 1).tested(Promise(0.1, 0.9), 5).confidence == pytest.approx(1 - 0.1 / 10)
    for looks, tries in ((-1, 1), (1, 0)):
        with pytest.raises(HcatError):
            Looks.declared(looks, tries)


def look(statement: str, labels: int, *metrics: str) -> PolicyLook:
    return PolicyLook(statement, metrics or ("token_f1",), labels, f"hash of {labels}")


def test_the_first_look_at_the_planned_labels_by_the_planned_metrics_is_the_plan() -> None:
    early, other, planned, later, again = (
        *(look("a", 60), look("b", 100, "token_recall"), look("a", 100)),
        *(look("a", 120), look("c", 100)),
    )
    looks = [early, other, planned, later, again]
    assert looks_paid_for(planned, looks, PLAN).basis == "planned"
    paid = [looks_paid_for(each, looks, PLAN) for each in (early, other, later, again)]
    assert [each.tries for each in paid] == [1, 2, 1, 3]
    assert all(each.beside_plan and each.watched for each in paid)
    assert [looks_paid_for(each, looks, None).tries for each in looks] == [1, 2, 1, 1, 3]


def test_the_largest_cluster_above_each_threshold() -> None:
    probability, clusters = np.array([0.95, 0.5, 0.95, 0.2]), np.array([0, 0, 1, 1])
    largest = dict(
        zip(GRID.tolist(), largest_above(probability, np.array([1.0, 2.0, 4.0, 1.0]), clusters), strict=True)
    )
    assert (largest[0.99], largest[0.95], largest[0.5], largest[0.2]) == (0, 4, 4, 5)
    assert largest_above(probability, None, None)[0] == 0 and largest_above(probability, None, None)[-1] == 1


def test_a_cluster_counts_for_no_more_than_the_cap() -> None:
    hits, mass = cluster_sums(np.array([True, False, True]), None, np.array([0, 0, 1]), cap=1.0)
    assert hits.tolist() == [0.5, 1.0] and mass.tolist() == [1.0, 1.0]
    assert Stakes(None, 2.0).limit == 2.0 and Stakes(5.0, 2.0).limit == 2.0 and Stakes(None).limit is None


def test_what_clusters_can_not_show_is_said_with_the_cap_that_would_do() -> None:
    clusters = np.repeat(np.arange(60), [20, *[2] * 59])
    said, failed = np.full(len(clusters), 0.9), np.zeros(len(clusters), dtype=bool)
    others = OtherSamples(np.full(50, 0.9))
    labels = HeldOutLabels(said, failed, None, clusters, largest_above(said, None, clusters))
    found = certify({"": labels}, others, Promise())
    assert found.accept_from is None and not found.promisable and found.units is not None
    assert found.units.largest == 20 and found.units.cap_needed >= 2
    capped = HeldOutLabels(said, failed, None, clusters, labels.largest, found.units.cap_needed)
    assert certify({"": capped}, others, Promise()).promisable
    one_more = HeldOutLabels(said, failed, None, clusters, labels.largest, found.units.cap_needed + 1)
    assert not certify({"": one_more}, others, Promise()).promisable
    unknown = certify({"": HeldOutLabels(said, failed, np.where(clusters % 2, 1.0, 2.0))}, others, Promise())
    assert not unknown.promisable and unknown.units is not None and np.isnan(unknown.units.largest)
