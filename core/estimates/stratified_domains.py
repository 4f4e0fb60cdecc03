"""Domains of a run whose labels were drawn from strata, from the sums of each stratum in them: as `domains`, of samples
that are independent of one another. Which strata are merged depends on the domain, so that each is put together anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from core.arrays import Codes, Floats, Ints
from core.estimates.domain_sums import OF_LABELS, PlainSums
from core.estimates.domains import LOST, DomainSums, with_products
from core.estimates.influence import (
    LEAST_IN_STRATUM,
    Influence,
    LabelledRun,
    degrees_by_stratum,
    variance_of_agreeing,
)
from core.estimates.prediction_powered import PlainLabels

_RATE = slice(OF_LABELS, OF_LABELS + 2)
_KEYS = np.arange(4)


@dataclass(frozen=True, eq=False)
class _Side:
    """One domain: the sums of its strata, once some are merged, (h,), and the products of their columns (h, 7, 7)."""

    strata: PlainSums
    products: Floats
    into: Ints

    @classmethod
    def of(cls, sums: PlainSums, products: Floats) -> _Side:
        """Of all strata, some of which are merged, and some not there."""
        into = _merged(sums.labels, sums.samples)
        return cls(sums.merged(into), _added(products, into), into)

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
        """By which the columns of a sample are multiplied for what it adds to the rate and to the correction (h, 2, 7).

        Beside its part within the stratum it stands for that, which lies apart from the domain's mean."""
        found = self.strata.coefficients(self.strata.centre) * self.shares[:, None, None]
        for place, values in enumerate(self.rates):
            found[:, place, 0] += (values - self.shares @ values) / self.strata.columns[0].sum()
        return found

    def summed(self, products: Floats) -> Floats:
        """Products of what samples add to rate and correction (2, 2), by those of their columns (h, 7, 7)."""
        a = self.coefficients
        return np.asarray((a @ products @ a.transpose(0, 2, 1)).sum(axis=0), dtype=np.float64)

    def influence(self, constant: Floats, slope: Floats) -> Influence:
        """With what stands for the samples."""
        sums, (rates, corrections) = self.strata, self.rates
        within = self.strata.coefficients(sums.centre)[:, 0, _RATE] * self.shares[:, None]
        variances = np.einsum("hi,hij,hj->h", within, self.products[:, _RATE, _RATE], within)
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
            degrees=degrees_by_stratum(sums.labels, variances),
            floor=float(floor),
        )


def _merged(labels: Ints, samples: Ints) -> Ints:
    """The stratum of each (h,) as `influence` merges them: those of fewer than two labels are one, or part of the
    largest; −1 for one without samples."""
    there = np.flatnonzero(samples > 0)
    poor = labels[there] < LEAST_IN_STRATUM
    merged = np.where(poor, len(poor), np.arange(len(poor)))
    if poor.any() and labels[there][poor].sum() < LEAST_IN_STRATUM and not poor.all():
        merged[poor] = int(np.argmax(samples[there] * ~poor))
    into = np.full(len(samples), -1, dtype=np.intp)
    into[there] = np.unique(merged, return_inverse=True)[1]
    return into


def _added(products: Floats, into: Ints) -> Floats:
    return np.stack([products[into == one].sum(axis=0) for one in range(int(into.max()) + 1)])


class StratifiedDomains:
    """Of k classes (k,) how many labels each has, and its rest; the other numbers of one are made when asked for."""

    def __init__(self, sums: PlainSums, products: Floats, strata: int) -> None:
        self._sums, self._products, self._strata = sums, products, strata
        self._all, self._all_products = sums.over_classes(strata), products.reshape(-1, strata, 7, 7).sum(axis=0)
        by_class = sums.labels.reshape(-1, strata).sum(axis=1)
        self.labels: Ints = by_class[:-1]
        self.clusters: Ints = self.labels
        self.rest_clusters: Ints = by_class.sum() - self.labels
        self._compared = lru_cache(maxsize=1)(self._sides)

    def is_certain(self, place: int) -> bool:
        """Whether both sides have two labels, and the sums are exact enough to say the rest of a class."""
        if min(self.labels[place], self.rest_clusters[place]) < LEAST_IN_STRATUM:
            return False
        rest, own = self._compared(place)
        of_own = float(own.summed(own.products)[0, 0])
        added_up = float(rest.summed(_added(self._all_products, rest.into))[0, 0]) + of_own
        return added_up == 0 or float(rest.summed(rest.products)[0, 0]) + of_own > LOST * added_up

    def sides(self, place: int) -> tuple[Influence, Influence]:
        """The rest of a class, and the class. No sample is in both."""
        rest, own = self._compared(place)
        products = np.zeros((1, 4, 4))
        products[0, :2, :2], products[0, 2:, 2:] = rest.summed(rest.products), own.summed(own.products)
        vectors = with_products(products)[0]
        return rest.influence(vectors[0], vectors[1]), own.influence(vectors[2], vectors[3])

    def plain(self, place: int) -> PlainLabels:
        """What the errors of a class are compared with."""
        return self._sums.at(self._of(place)).total().plain(0)

    def _of(self, place: int) -> slice:
        return slice(place * self._strata, (place + 1) * self._strata)

    def _sides(self, place: int) -> tuple[_Side, _Side]:
        own, products = self._sums.at(self._of(place)), self._products[self._of(place)]
        rest = self._all.less(own, clusters=self._all.clusters - own.clusters)
        return _Side.of(rest, self._all_products - products), _Side.of(own, products)


class StratifiedSums:
    """A run with strata, of samples that are independent of one another, from which the sums of any partition are
    taken."""

    def __init__(self, run: LabelledRun) -> None:
        if run.strata is None:
            raise ValueError("a run without strata has none to sum by")
        names, self._codes = np.unique(run.strata, return_inverse=True)
        self._strata, self._sums = len(names), DomainSums(replace(run, strata=None))

    def domains(self, codes: Codes, size: int) -> StratifiedDomains:
        """The classes that `codes` (N,) name from 0; a sample of −1 is in the rest of each."""
        classes = (size + 1) * self._strata
        sums, products = self._sums.by_class(np.where(codes < 0, size, codes) * self._strata + self._codes, classes)
        return StratifiedDomains(sums.at(slice(classes)), products.own, self._strata)
