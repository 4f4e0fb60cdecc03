"""Domains of a run whose labels were drawn from strata, from the sums of each stratum in them: as `domains`. Which
strata are merged depends on the domain, so that each is put together anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from core.arrays import Codes, Floats, Ints
from core.estimates.domain_sums import COLUMNS, OF_LABELS, PlainSums, RunSums
from core.estimates.domains import LOST, with_products
from core.estimates.influence import (
    LEAST_IN_STRATUM,
    Influence,
    LabelledRun,
    degrees_by_stratum,
    variance_of_agreeing,
)
from core.estimates.prediction_powered import PlainLabels
from core.statistics.stratum_products import Blocks, StratifiedClusters, StratumProducts

_RATE = slice(OF_LABELS, OF_LABELS + 2)
_KEYS = np.arange(4)


@dataclass(frozen=True, eq=False)
class _Side:
    """One domain: the sums of its strata, once some are merged (h,), what labels add to the rate of each (h, 2, 2), and
    into which of them each stratum of the run goes."""

    strata: PlainSums
    rate_products: Floats
    into: Ints

    @classmethod
    def of(cls, sums: PlainSums, rate_products: Floats) -> _Side:
        """Of all strata, some of which are merged, and some not there."""
        into = _merged(sums.clusters, sums.samples)
        added = np.stack([rate_products[into == one].sum(axis=0) for one in range(int(into.max()) + 1)])
        return cls(sums.merged(into), added, into)

    @property
    def is_merged(self) -> bool:
        """Whether strata are put together."""
        return int((self.into >= 0).sum()) > len(self.strata.labels)

    @cached_property
    def shares(self) -> Floats:
        """The part of the domain that is in each stratum."""
        sizes = self.strata.columns[0]
        return np.asarray(sizes / sizes.sum(), dtype=np.float64)

    @cached_property
    def rates(self) -> tuple[Floats, Floats]:
        """By labels, and what the predictions correct them by."""
        of_all, of_labels = self.strata.predicted
        return self.strata.rates, of_all - of_labels

    @cached_property
    def coefficients(self) -> Floats:
        """By which the columns of a sample in each stratum of the run are multiplied for what it adds to the rate and
        to the correction (strata, 2, 7); 0 where the domain has no sample.

        Beside its part within the stratum it stands for that, which lies apart from the domain's mean."""
        found = self.strata.coefficients(self.strata.centre) * self.shares[:, None, None]
        for place, values in enumerate(self.rates):
            found[:, place, 0] += (values - self.shares @ values) / self.strata.columns[0].sum()
        return np.where((self.into >= 0)[:, None, None], found[self.into], 0.0)

    def influence(self, constant: Floats, slope: Floats) -> Influence:
        """With what stands for the clusters."""
        sums, (rates, corrections) = self.strata, self.rates
        within = self.strata.coefficients(sums.centre)[:, 0, _RATE] * self.shares[:, None]
        variances = np.einsum("hi,hij,hj->h", within, self.rate_products, within)
        told = sums.columns[OF_LABELS] ** 2 / sums.weight_squares if sums.centre.design else sums.labels
        floor = sum(self.shares[h] ** 2 * variance_of_agreeing(float(told[h])) for h in np.flatnonzero(sums.agreeing))
        correction = float(self.shares @ corrections)
        return Influence(
            labels_only=float(self.shares @ rates),
            correction=0.0 if np.isnan(correction) else correction,
            constant=constant,
            slope=slope,
            keys=_KEYS,
            n=int(sums.labels.sum()),
            degrees=degrees_by_stratum(sums.clusters, variances),
            floor=float(floor),
            strata=len(sums.labels),
        )


def _merged(clusters: Ints, samples: Ints) -> Ints:
    """The stratum of each (h,) as `influence` merges them: those with labels of fewer than two clusters are one, or
    part of the largest; −1 for one without samples. Clusters are of one stratum each."""
    there = np.flatnonzero(samples > 0)
    poor = clusters[there] < LEAST_IN_STRATUM
    merged = np.where(poor, len(poor), np.arange(len(poor)))
    if poor.any() and clusters[there][poor].sum() < LEAST_IN_STRATUM and not poor.all():
        merged[poor] = int(np.argmax(samples[there] * ~poor))
    into = np.full(len(samples), -1, dtype=np.intp)
    into[there] = np.unique(merged, return_inverse=True)[1]
    return into


class StratifiedDomains:
    """Of k classes (k,) how many labels each has, on how many clusters, and on how many the rest has; the other numbers
    of one are made when asked for."""

    def __init__(
        self, sums: PlainSums, rate_products: Floats, found: StratumProducts, whole: Blocks, *, several: bool
    ) -> None:
        self._sums, self._rate_products, self._found, self._whole = sums, rate_products, found, whole
        self._several, self._strata = several, len(found.clusters) // len(found.of_class)
        self._all = sums.over_classes(self._strata)
        self._all_rate_products = rate_products.reshape(-1, self._strata, 2, 2).sum(axis=0)
        self.labels: Ints = sums.labels.reshape(-1, self._strata).sum(axis=1)[:-1]
        self.clusters: Ints = found.of_class
        self.rest_clusters: Ints = found.of_rest
        self._compared = lru_cache(maxsize=1)(self._sides)

    def is_certain(self, place: int) -> bool:
        """Whether both sides have labels of two clusters, and the sums are exact enough to say the rest of a class.
        They do not say how many clusters merged strata have, where some are of several strata."""
        if min(self.clusters[place], self.rest_clusters[place]) < LEAST_IN_STRATUM:
            return False
        rest, own = self._compared(place)
        if (self._found.several[place] and own.is_merged) or (self._several and rest.is_merged):
            return False
        products = self._products(place)
        added_up = self._whole.form(0, rest.coefficients, rest.coefficients)[0, 0] + products[2, 2]
        variance = products[0, 0] + products[2, 2] - 2 * products[0, 2]
        return bool(added_up == 0 or variance > LOST * added_up)

    def sides(self, place: int) -> tuple[Influence, Influence]:
        """The rest of a class, and the class."""
        rest, own = self._compared(place)
        vectors = with_products(self._products(place)[None])[0]
        return rest.influence(vectors[0], vectors[1]), own.influence(vectors[2], vectors[3])

    def plain(self, place: int) -> PlainLabels:
        """What the errors of a class are compared with."""
        weight = np.zeros((self._strata, 1, COLUMNS))
        weight[:, 0, OF_LABELS] = 1.0
        squares = self._found.own.form(place, weight, weight)[0]
        return replace(self._sums.at(self._of(place)).total(), cluster_squares=squares).plain(0)

    def _products(self, place: int) -> Floats:
        """The products (4, 4) of what clusters add to rate and correction of the rest, and to those of the class."""
        rest, own = (side.coefficients for side in self._compared(place))
        of_own, cross = self._found.own, self._found.cross
        mixed = cross.form(place, rest, rest)
        of_rest = self._whole.form(0, rest, rest) - mixed - mixed.T + of_own.form(place, rest, rest)
        between = cross.form(place, own, rest) - of_own.form(place, own, rest)
        return np.block([[of_rest, between.T], [between, of_own.form(place, own, own)]])

    def _of(self, place: int) -> slice:
        return slice(place * self._strata, (place + 1) * self._strata)

    def _sides(self, place: int) -> tuple[_Side, _Side]:
        own, products = self._sums.at(self._of(place)), self._rate_products[self._of(place)]
        rest = self._all.less(own, clusters=self._found.rest_clusters[self._of(place)])
        return _Side.of(rest, self._all_rate_products - products), _Side.of(own, products)


class StratifiedSums:
    """A run with strata, from which the sums of any partition are taken."""

    def __init__(self, run: LabelledRun) -> None:
        if run.strata is None:
            raise ValueError("a run without strata has none to sum by")
        names, self._codes = np.unique(run.strata, return_inverse=True)
        self._strata, self._run = len(names), RunSums(run)
        clusters = self._run.clusters
        self._clusters = StratifiedClusters(self._run.columns, clusters, self._codes, self._strata, few=OF_LABELS)

    def domains(self, codes: Codes, size: int) -> StratifiedDomains:
        """The classes that `codes` (N,) name from 0; a sample of −1 is in the rest of each."""
        found = self._clusters.classes(codes, size)
        by_stratum, domains = np.where(codes < 0, size, codes) * self._strata + self._codes, (size + 1) * self._strata
        clusters = np.append(found.clusters, np.zeros(self._strata, dtype=np.intp))
        sums = self._run.by_domain(by_stratum, domains, found.sums, clusters=clusters)
        products = self._run.rate_products(by_stratum, domains)
        return StratifiedDomains(sums, products, found, self._clusters.whole, several=self._clusters.several)
