"""Pass rates from a test set whose strata partly gave less than the design asked, and others more in their place."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np

from hcat.core.capabilities.test_sets.design import draw
from hcat.core.capabilities.test_sets.places import Place, Places, replace_passages, share_out
from hcat.core.records.test_case import TestCase

DRAWS = int(os.environ.get("HCAT_DRAWS", "400"))
SIZES = {"areas": 40, "cards": 20, "fees": 60, "loans": 120, "tables": 30}
TESTABLE = {"areas": 0.0, "cards": 1.0, "fees": 1.0, "loans": 0.5, "tables": 0.1}
RATES = {"areas": 0.0, "cards": 0.95, "fees": 0.8, "loans": 0.4, "tables": 0.1}
N = 50
"""The areas are to give 7.4 of them and can give none, the tables 5.6 and can give 3."""


def made(
    rng: np.random.Generator, testable: frozenset[str], kind: str
) -> tuple[Places, dict[str, tuple[float, float]]]:
    """The places as they were filled; the probability of each case, with and without what its stratum took over."""
    strata = {f"{topic}-{k}": (topic,) for topic, size in SIZES.items() for k in range(size)}
    design = draw(strata, N, kind=kind, per_passage=1, rng=rng)  # type: ignore[arg-type]
    places = [Place(unit.stratum, unit.id) for unit in design.units for _ in range(unit.cases)]
    work = Places(
        needed=Counter({"open": N}),
        places=places,
        reserve={levels: list(ids) for levels, ids in design.reserve.items()},
        tried=Counter(place.levels for place in places),
    )
    targets = {stratum.levels: stratum.target for stratum in design.strata}
    while work.open_places:
        for place in work.open_places:
            if place.passage in testable:
                place.case = TestCase(place.passage, "q", passages=(place.passage,))
        if not (replace_passages(work) or share_out(work, targets, rng)):
            break
    before = {s.levels: s.probability_after(work.tried[s.levels] - work.extra[s.levels]) for s in design.strata}
    after = {s.levels: work.probability(s) for s in design.strata}
    return work, {case.id: (after[p.levels], before[p.levels]) for p in work.places if (case := p.case) is not None}


def test_weights_stay_right_where_cases_are_shared_out_anew() -> None:
    """Every stratum's weights add up to its passages that can be tested, and the weighted pass rate is theirs."""
    rng = np.random.default_rng(14)
    names = [f"{topic}-{k}" for topic, size in SIZES.items() for k in range(int(size * TESTABLE[topic]))]
    testable, size = frozenset(names), Counter(name.split("-")[0] for name in names)
    rate = float(np.average([RATES[topic] for topic in size], weights=list(size.values())))
    for kind in ("proportional", "equal"):
        weight, rates, ignored = dict.fromkeys(size, 0.0), [], []
        for _ in range(DRAWS):
            work, probability = made(rng, testable, kind)
            assert len(probability) == N
            assert not work.open_places
            passes = [RATES[name.split("-")[0]] for name in probability]
            after, before = (np.array([pair[way] for pair in probability.values()]) for way in (0, 1))
            rates.append(np.average(passes, weights=1 / after))
            ignored.append(np.average(passes, weights=1 / before))
            for name, (p, _) in probability.items():
                weight[name.split("-")[0]] += 1 / p
        print(kind, {topic: (weight[topic] / DRAWS, size[topic]) for topic in size}, np.mean(rates), rate)
        for topic in size:
            assert abs(weight[topic] / DRAWS / size[topic] - 1) < 0.05, (kind, topic)
        assert abs(np.mean(rates) - rate) < 0.01, kind
        assert abs(np.mean(ignored) - rate) > 2 * abs(np.mean(rates) - rate), kind
