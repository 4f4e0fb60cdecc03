"""Check of a policy in use against its promise. Each window is a run on which it decided, with labels of some
answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.dataset import cases_of
from hcat.core.capabilities.policy.analysis.inputs import possible_draws
from hcat.core.capabilities.policy.analysis.policy import decide_run
from hcat.core.capabilities.policy.check import ERROR, LOAD, PolicyCheck
from hcat.core.capabilities.policy.drift import ALPHA, Outcomes, drift
from hcat.core.capabilities.policy.policy import ClustersInUse, Policy
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.records.samples.by_sample import numbers_at
from hcat.core.statistics.clusters import case_codes
from hcat.core.types import Criterion

_EQUAL = 1e-9
"""Relative differences of weights below this are rounding."""


def check_policy(
    policy: Policy, windows: Sequence[Opened], criteria: Sequence[Criterion], *, alpha: float = ALPHA
) -> PolicyCheck:
    """Error and load of each run, in the order of time, against the policy's promise and forecast, each at α / 2; the
    errors on several criteria share theirs. `labelled` is that of the criterion with the fewest labels.

    The error is that of labelled accepted answers, which must be drawn from the accepted ones without a look at them.
    The load is promised to lie within the interval of the forecast. HcatError without a window.
    """
    if not windows:
        raise HcatError("a check takes at least one run that the policy decided on")
    if not 0 < alpha < 1:
        raise HcatError(f"the chance of a false alarm must lie between 0 and 1, not at {alpha:g}")
    on = [criterion_of(criteria, name) for name in policy.criteria]
    loads: list[tuple[str, Outcomes]] = []
    errors: dict[str, list[tuple[str, Outcomes]]] = {criterion.name: [] for criterion in on}
    for number, run in enumerate(windows, start=1):
        name = run.name or f"window {number}"
        decisions = decide_run(run.columns, policy)
        ids = np.array(run.columns.scores.sample_ids, dtype=np.object_)
        clusters = cases_of(ids, run.columns.clusters)
        design = run.columns.design_weights
        weights = None if design is None else numbers_at(design, ids.tolist())
        weights = None if weights is None else weights / weights.mean()
        to_people = (decisions["action"] == "person").to_numpy(dtype=bool)
        loads.append((name, Outcomes(to_people, weights, case_codes(clusters))))
        scored = np.isfinite(decisions["probability"].to_numpy(dtype=np.float64))
        accepted = (decisions["action"] == "accept").to_numpy(dtype=bool) & scored
        for criterion in on:
            errors[criterion.name].append((name, _failures(run, criterion, accepted)))
    promised = policy.forecast.shares["person"]
    least = promised.low if np.isfinite(promised.low) else 0.0
    most = promised.high if np.isfinite(promised.high) else 1.0
    known = policy.clusters or ClustersInUse()
    return PolicyCheck(
        tuple(
            drift(
                ERROR if len(on) == 1 else f"{ERROR} on {name}",
                outcomes,
                least=0.0,
                most=policy.promise.error,
                alpha=alpha / 2 / len(on),
                largest=known.accepted,
                cap=known.cap,
            )
            for name, outcomes in errors.items()
        ),
        drift(LOAD, loads, least=least, most=most, alpha=alpha / 2, largest=known.all),
        min(sum(len(outcomes.hits) for _, outcomes in of_windows) for of_windows in errors.values()),
    )


def criterion_of(criteria: Sequence[Criterion], name: str) -> Criterion:
    """The criterion of this name; HcatError where it is not among them."""
    criterion = next((each for each in criteria if each.name == name), None)
    if criterion is None:
        raise HcatError(f"the policy decides on {name!r}, too: name that criterion")
    return criterion


def _failures(run: Opened, criterion: Criterion, accepted: Bools) -> Outcomes:
    """Whether people fail the accepted answers that are labelled."""
    scores, judged = run.columns.scores, run.labels(criterion)
    taken = {name for name, chosen in zip(scores.sample_ids, accepted.tolist(), strict=True) if chosen}
    rows = np.array([name in taken for name in judged.sample_ids], dtype=bool)
    ids = np.array(judged.sample_ids, dtype=np.object_)[rows]
    clusters = case_codes(cases_of(ids, run.columns.clusters)) if len(ids) else None
    weights, largest = _weights(run, criterion, ids.tolist(), judged.weights[rows], taken)
    return Outcomes((judged.levels < criterion.passing)[rows], weights, clusters, largest)


def _weights(
    run: Opened, criterion: Criterion, ids: Sequence[str], drawn: Floats, accepted: Iterable[str]
) -> tuple[Floats | None, float | None]:
    """The weights of labels, None where all are equal, and the largest that one of an accepted answer could have had;
    None where that is not known."""
    design = run.columns.design_weights or {}
    weights, of_accepted = (drawn * np.array([design.get(name, 1.0) for name in ids])), sorted(accepted)
    chances = possible_draws(run, criterion, of_accepted)
    if chances is None and len(set(drawn.tolist())) > 1:
        return weights, None
    could = np.array([design.get(name, 1.0) for name in of_accepted])
    could = could / chances if chances is not None else could * drawn.max(initial=1.0)
    equal = not len(could) or float(could.max()) <= float(could.min()) * (1 + _EQUAL)
    return (None, 1.0) if equal else (weights, float(could.max()))
