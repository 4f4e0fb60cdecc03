"""Success of attacks: the rate under attack, the rate of the benign control, and their difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.estimates.labelled_run import Keys, LabelledRun
from hcat.core.estimates.paired_difference import estimate_difference
from hcat.core.statistics.clusters import case_codes
from hcat.core.statistics.effective_n import interval_n
from hcat.core.statistics.intervals import ProportionMethod
from hcat.core.statistics.proportions import (
    correlation_of_rates,
    exact_bounds,
    newcombe_difference,
    weighted_proportion,
)
from hcat.core.statistics.sign_flip import sign_flip_p
from hcat.core.types import Estimate

LEAST_LABELLED = 10
"""The least number of labelled seeds in either arm for a correction."""
LEAST_SEEDS = 10
"""The least number of seeds with both arms for a test."""


@dataclass(frozen=True, eq=False)
class AttackOutcomes:
    """The answers to attacks and their controls: N samples.

    `hits` (N,) is 1 if the detector reports success, 0 if not, NaN without an answer. `is_attack` (N,) separates
    attacks from controls, `seeds` (N,) names the independent units. `succeeded` (N,) is 1 or 0 by labels, NaN without
    one, and `weights` (N,) is the inverse sampling probability of the label."""

    hits: Floats
    is_attack: Bools
    seeds: Keys
    succeeded: Floats
    weights: Floats

    def part(self, rows: Bools) -> AttackOutcomes:
        """The outcomes at the true rows of a mask (N,)."""
        return AttackOutcomes(
            self.hits[rows], self.is_attack[rows], self.seeds[rows], self.succeeded[rows], self.weights[rows]
        )


@dataclass(frozen=True, slots=True)
class Excess:
    """The rate under attack, the rate of the control, and the first less the second."""

    attack: Estimate
    control: Estimate
    excess: Estimate


@dataclass(frozen=True, slots=True)
class AttackSuccess:
    """The success rates of attacks.

    `detected` assumes that the detector is right; `corrected` uses labels and detector together (PPI++), None if fewer
    than 10 seeds of either arm are labelled. `seeds` are those with an answer to the attack, `attack_hits` is the
    number of attacks that the detector reports, `labelled` the number of samples with a label. `p` tests for no excess
    in what the detector reports, NaN below 10 seeds with both arms."""

    detected: Excess
    corrected: Excess | None
    seeds: int
    attack_hits: int
    labelled: int
    p: float


@dataclass(frozen=True, slots=True)
class DetectorErrors:
    """The detector's `sensitivity` and `specificity` by labels.

    Of the answers that labels call a success, the share that the detector reports; of the others, the share that it
    does not."""

    sensitivity: Estimate
    specificity: Estimate


def attack_success(outcomes: AttackOutcomes, *, level: float = 0.95) -> AttackSuccess:
    """Rates, excess and their intervals over the samples with an answer.

    If each seed has one trial, and if none or all are hits, rates have the exact interval of Clopper and Pearson:
    Wilson's undercovers for few hits of few seeds. With several trials a seed it is Wilson's at the effective n of the
    rarer outcome. The interval of an excess is the hybrid of two correlated rates. The correction assumes no constant
    error rates, only that labelled samples were drawn at random or with their stated probabilities. Source:
    Angelopoulos, Duchi & Zrnic 2023 (PPI++)."""
    clear = outcomes.part(~np.isnan(outcomes.hits))
    attack, control = (_rate(clear, rows, level) for rows in (clear.is_attack, ~clear.is_attack))
    excess = newcombe_difference(control, attack, n=attack.n, correlation=_correlation(clear))
    return AttackSuccess(
        detected=Excess(attack, control, excess),
        corrected=_corrected(clear, level),
        seeds=len(np.unique(clear.seeds[clear.is_attack])),
        attack_hits=int(clear.hits[clear.is_attack].sum()),
        labelled=int((~np.isnan(clear.succeeded)).sum()),
        p=_p(clear),
    )


def detector_errors(outcomes: AttackOutcomes, *, level: float = 0.95) -> DetectorErrors:
    """Sensitivity and specificity of the detector over labelled answers, weighted and clustered as they were drawn."""
    labelled = ~np.isnan(outcomes.hits) & ~np.isnan(outcomes.succeeded)
    success, harmless = labelled & (outcomes.succeeded == 1), labelled & (outcomes.succeeded == 0)
    return DetectorErrors(
        _share(outcomes, success, outcomes.hits[success] == 1, level),
        _share(outcomes, harmless, outcomes.hits[harmless] == 0, level),
    )


def _rate(outcomes: AttackOutcomes, rows: Bools, level: float) -> Estimate:
    hits, seeds = outcomes.hits[rows] == 1, outcomes.seeds[rows]
    exact = case_codes(seeds) is None or hits.all() or not hits.any()
    method: ProportionMethod = "clopper-pearson" if exact else "wilson"
    return weighted_proportion(hits, clusters=seeds, level=level, method=method, of_the_rarer=True)


def _correlation(outcomes: AttackOutcomes) -> float:
    """The correlation of the two rates, from the influence of each seed on both; 0 if one of them has no spread."""
    _, codes = np.unique(outcomes.seeds, return_inverse=True)
    sums = []
    for rows in (outcomes.is_attack, ~outcomes.is_attack):
        if not rows.any():
            return 0.0
        deviation = outcomes.hits[rows] - outcomes.hits[rows].mean()
        sums.append(np.bincount(codes[rows], weights=deviation, minlength=int(codes.max()) + 1).astype(np.float64))
    return correlation_of_rates(*sums)


def _corrected(outcomes: AttackOutcomes, level: float) -> Excess | None:
    labelled = ~np.isnan(outcomes.succeeded)
    for rows in (outcomes.is_attack, ~outcomes.is_attack):
        if len(np.unique(outcomes.seeds[rows & labelled])) < LEAST_LABELLED:
            return None
    found = estimate_difference(_run(outcomes, ~outcomes.is_attack), _run(outcomes, outcomes.is_attack), level=level)
    attack, control = _exact(found.second.ppi), _exact(found.first.ppi)
    correlation = 0.0 if math.isnan(found.correlation) else max(min(found.correlation, 1.0), -1.0)
    return Excess(attack, control, newcombe_difference(control, attack, n=attack.n, correlation=correlation))


def _run(outcomes: AttackOutcomes, rows: Bools) -> LabelledRun:
    """One arm as a labelled run, with success in the place of a pass."""
    return LabelledRun(
        outcomes.succeeded[rows], outcomes.hits[rows], outcomes.weights[rows], clusters=outcomes.seeds[rows]
    )


def _exact(rate: Estimate) -> Estimate:
    """Clopper and Pearson's bounds in the place of Wilson's, at the effective n of its interval."""
    n = interval_n(rate)
    if math.isnan(n):
        return rate
    low, high = exact_bounds(rate.value * n, n, rate.level)
    return Estimate(rate.value, low, high, rate.n, rate.level, f"PPI++, exact at effective n = {n:.1f}")


def _p(outcomes: AttackOutcomes) -> float:
    """The p-value of no excess, by flipping the signs of seeds with both arms."""
    _, codes = np.unique(outcomes.seeds, return_inverse=True)
    arms = []
    for rows in (outcomes.is_attack, ~outcomes.is_attack):
        size = np.bincount(codes[rows], minlength=int(codes.max(initial=-1)) + 1)
        hits = np.bincount(codes[rows], weights=outcomes.hits[rows], minlength=len(size))
        with np.errstate(invalid="ignore"):
            arms.append(np.where(size > 0, hits / size, math.nan))
    paired = arms[0] - arms[1]
    paired = paired[~np.isnan(paired)]
    return float(sign_flip_p(paired[:, None])[0]) if len(paired) >= LEAST_SEEDS else math.nan


def _share(outcomes: AttackOutcomes, rows: Bools, hits: Bools, level: float) -> Estimate:
    weights = outcomes.weights[rows]
    unequal = len(np.unique(weights)) > 1
    clusters = outcomes.seeds[rows] if case_codes(outcomes.seeds[rows]) is not None else None
    return weighted_proportion(hits, weights=weights if unequal else None, clusters=clusters, level=level)
