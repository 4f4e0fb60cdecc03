"""All coefficients of agreement on one criterion: of all annotators, within slices, and of each pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from hcat.core.capabilities.agreement.alpha import krippendorff_alpha
from hcat.core.capabilities.agreement.kappa import confusion
from hcat.core.capabilities.agreement.pairwise import MINIMUM_N, mean_kappa, raw_agreement
from hcat.core.capabilities.agreement.prevalence import (
    LEAST_MINORITY,
    gwet_ac1,
    minority_labels,
    pass_prevalence,
    specific_agreement,
)
from hcat.core.capabilities.agreement.ratings import Ratings
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.records.codec import Codec
from hcat.core.records.layout import Also, JsonObject
from hcat.core.statistics.bootstrap import REPLICATES
from hcat.core.types import Criterion, Estimate


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of annotators over the `n` samples that two or more of them labelled.

    `coefficients` by name, in the order in which they are shown; weighted and ordinal ones only if the criterion has
    more than two levels. `enough` says whether n reaches the minimum for a conclusion; `minority` is the number of
    labels per annotator other than the most common level, from which κ and α are estimated."""

    n: int
    annotators: int
    coefficients: Mapping[str, Estimate]
    enough: bool
    minority: float

    @property
    def status(self) -> str:
        """Whether there is an estimate, in the words of the documents."""
        return "estimated" if self.enough else INSUFFICIENT

    def suffices_for(self, coefficient: str) -> bool:
        """Whether there is enough data for a conclusion from this coefficient."""
        return self.enough and (coefficient not in BEYOND_CHANCE or self.minority >= LEAST_MINORITY)

    @property
    def insufficient(self) -> tuple[str, ...]:
        """The coefficients without enough data for a conclusion."""
        return tuple(name for name in self.coefficients if not self.suffices_for(name))

    def document(self) -> JsonObject:
        """The parts of `hcat agreement --json`."""
        return _DOCUMENT.write_object(self)


_DOCUMENT = Codec(
    {
        Agreement: (
            "n",
            "annotators",
            Also("status", "status"),
            "coefficients",
            "minority",
            Also("insufficient", "insufficient"),
        ),
        Estimate: ("value", "low", "high", "n"),
    }
)


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Agreement on the samples of one level of a dimension."""

    level: str
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators on the samples that both labelled; `table` counts them, (levels of first, levels of second)."""

    first: str
    second: str
    agreement: Agreement
    table: tuple[tuple[int, ...], ...]


LEVEL_REPLICATES = 1000
"""Bootstrap replicates within levels, for which there are many coefficients."""
RAW, KAPPA, ALPHA = "raw agreement", "Cohen's κ", "Krippendorff's α"
LINEAR, QUADRATIC, ORDINAL = "κ, linear weights", "κ, quadratic weights", "α, ordinal"
AC1, PREVALENCE = "Gwet's AC1", "share that passes"
ON_PASS, ON_FAIL = "agreement on pass", "agreement on fail"
BEYOND_CHANCE = (KAPPA, LINEAR, QUADRATIC, ALPHA, ORDINAL)
"""Coefficients that divide by the disagreement by chance, and so need labels of more than one level."""


def agreement(
    ratings: Ratings,
    *,
    criterion: Criterion,
    rng: np.random.Generator,
    minimum_n: int = MINIMUM_N,
    replicates: int = REPLICATES,
) -> Agreement:
    """Raw agreement, κ, α, AC1, the share that passes and agreement on either side, of all annotators.

    The bootstrap draws samples, or test cases if some have several trials. κ of more than two annotators is the mean
    over their pairs. Coefficients describe the samples that were labelled twice or more, however those were drawn."""
    levels, size, cases = ratings.levels, len(criterion.levels), ratings.test_cases
    kappa = partial(
        mean_kappa, levels, rng=rng, n_levels=size, least=minimum_n, test_cases=cases, replicates=replicates
    )
    alpha = partial(krippendorff_alpha, levels, rng=rng, test_cases=cases, replicates=replicates)
    found = {
        RAW: raw_agreement(levels, rng=rng, test_cases=cases, replicates=replicates),
        KAPPA: kappa(),
    }
    if not criterion.is_binary:
        found |= {LINEAR: kappa(weighting="linear"), QUADRATIC: kappa(weighting="quadratic")}
    found[ALPHA] = alpha()
    if not criterion.is_binary:
        found[ORDINAL] = alpha(measurement="ordinal")
    found |= _other_measures(ratings, criterion, rng=rng, replicates=replicates)
    labelled = ~np.isnan(levels)
    paired = labelled.sum(axis=1) >= 2
    n = int(paired.sum())
    minority = minority_labels(levels, n_levels=size, test_cases=cases)
    return Agreement(n, int(labelled[paired].any(axis=0).sum()), found, enough=n >= minimum_n, minority=minority)


def _other_measures(
    ratings: Ratings, criterion: Criterion, *, rng: np.random.Generator, replicates: int
) -> dict[str, Estimate]:
    """AC1, the share that passes, and agreement on either side, over the samples with two labels or more."""
    table = ratings.rows([bool(np.sum(~np.isnan(row)) >= 2) for row in ratings.levels])
    levels, size, passing = table.levels, len(criterion.levels), criterion.passing
    cases = table.test_cases
    side = partial(
        specific_agreement, levels, rng=rng, n_levels=size, passing=passing, test_cases=cases, replicates=replicates
    )
    return {
        AC1: gwet_ac1(levels, rng=rng, n_levels=size, test_cases=cases, replicates=replicates),
        PREVALENCE: pass_prevalence(
            levels, rng=rng, n_levels=size, passing=passing, test_cases=cases, replicates=replicates
        ),
        ON_PASS: side(side="pass"),
        ON_FAIL: side(side="fail"),
    }


def agreement_by_level(
    ratings: Ratings,
    level_of: Mapping[str, str],
    *,
    criterion: Criterion,
    rng: np.random.Generator,
    minimum_n: int = MINIMUM_N,
    replicates: int = LEVEL_REPLICATES,
) -> tuple[LevelAgreement, ...]:
    """Agreement within each level, by sample id in `level_of`; samples without one are left out.

    Levels are in the order of their first sample. Their intervals are not simultaneous."""
    names = [level_of.get(sample) for sample in ratings.samples]
    found = []
    for level in dict.fromkeys(name for name in names if name is not None):
        part = ratings.rows([name == level for name in names])
        made = agreement(part, criterion=criterion, rng=rng, minimum_n=minimum_n, replicates=replicates)
        found.append(LevelAgreement(level, made))
    return tuple(found)


def pair_agreements(
    ratings: Ratings,
    *,
    criterion: Criterion,
    rng: np.random.Generator,
    minimum_n: int = MINIMUM_N,
    replicates: int = REPLICATES,
) -> tuple[PairAgreement, ...]:
    """Every two annotators with a sample in common: raw agreement, κ, weighted κ, and their table of levels.

    With only two annotators, all of it equals `agreement`: one estimator, as many replicates."""
    size = len(criterion.levels)
    found = []
    for first, second in combinations(ratings.annotators, 2):
        both = ratings.of_both(first, second)
        a, b, cases = both.levels[:, 0], both.levels[:, 1], both.test_cases
        if not len(a):
            continue
        kappa = partial(
            mean_kappa, both.levels, rng=rng, n_levels=size, least=1, test_cases=cases, replicates=replicates
        )
        made = {
            RAW: raw_agreement(both.levels, rng=rng, test_cases=cases, replicates=replicates),
            KAPPA: kappa(),
        }
        if not criterion.is_binary:
            made |= {LINEAR: kappa(weighting="linear"), QUADRATIC: kappa(weighting="quadratic")}
        made |= _other_measures(both, criterion, rng=rng, replicates=replicates)
        counts = confusion(a, b, n_levels=size).astype(int).tolist()
        table = tuple(tuple(row) for row in counts)
        minority = minority_labels(both.levels, n_levels=size, test_cases=cases)
        of_both = Agreement(len(a), 2, made, enough=len(a) >= minimum_n, minority=minority)
        found.append(PairAgreement(first, second, of_both, table))
    return tuple(found)
