"""Domains of a run whose labels were drawn from strata, from the sums of each stratum in them: as `domains`. Which
strata are merged depends on the domain, so that each is computed separately."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from hcat.core.arrays import Codes, Floats, Ints
from hcat.core.estimates.domain_sums import COLUMNS, OF_LABELS, PlainSums, RunSums
from hcat.core.estimates.domains import LOST, with_products
from hcat.core.estimates.influence import LEAST_IN_STRATUM, Influence, degrees_by_stratum, variance_of_agreeing
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.plain_labels import PlainLabels
from hcat.core.statistics.stratum_products import Blocks, StratifiedClusters, StratumProducts

_RATE = slice(OF_LABELS, OF_LABELS + 2)
_KEYS = np.arange(4)


@dataclass(frozen=True, eq=False)
class _Side:
    """One domain: the sums of its strata after merging (h,), products of label contributions to each rate (h, 2, 2),
    and the merged stratum of each stratum of the run."""

    strata: PlainSums
    rate_products: Floats
    into: Ints

    @classmethod
    def of(cls, sums: PlainSums, rate_products: Floats) -> _Side:
        """A domain from all its strata, some of which are merged, and some without samples."""
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
        """Coefficients of the columns of a sample in each stratum of the run, in its contribution to rate and
        correction (strata, 2, 7). 0 where the domain has no sample.

        A contribution has two parts: that within the stratum, and the deviation of the stratum's value from the
        domain's mean.
        """
        found = self.strata.coefficients(self.strata.centre) * self.shares[:, None, None]
        for place, values in enumerate(self.rates):
            found[:, place, 0] += (values - self.shares @ values) / self.strata.columns[0].sum()
        return np.where((self.into >= 0)[:, None, None], found[self.into], 0.0)

    def influence(self, constant: Floats, slope: Floats, plain: PlainLabels) -> Influence:
        """The influence of the domain, with the numbers that replace its clusters, and the labels that its error is
        compared with."""
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
            plain=plain,
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
    """Domains of k classes (k,): the number of labels of each, of its labelled clusters, and of those of the rest.
    Other numbers of a class are computed when asked for."""

    def __init__(
        self,
        sums: PlainSums,
        rate_products: Floats,
        found: StratumProducts,
        whole: Blocks,
        *,
        several: bool,
        fourths_outside: Floats,
    ) -> None:
        self._sums, self._rate_products, self._found, self._whole = sums, rate_products, found, whole
        self._several, self._fourths_outside = several, fourths_outside
        self._strata = len(found.clusters) // len(found.of_class)
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
        weight = np.zeros((self._strata, 1, COLUMNS))
        weight[:, 0, OF_LABELS] = 1.0
        squares = self._of_rest(place, weight)[0], self._found.own.form(place, weight, weight)[0]
        plains = [
            replace(side.strata.total(), cluster_squares=of_side).plain(0)
            for side, of_side in zip((rest, own), squares, strict=True)
        ]
        return (
            rest.influence(vectors[0], vectors[1], plains[0]),
            own.influence(vectors[2], vectors[3], plains[1]),
        )

    def _products(self, place: int) -> Floats:
        """The products (4, 4) of what clusters add to rate and correction of the rest, and to those of the class."""
        rest, own = (side.coefficients for side in self._compared(place))
        of_own = self._found.own
        between = self._found.cross.form(place, own, rest) - of_own.form(place, own, rest)
        return np.block([[self._of_rest(place, rest), between.T], [between, of_own.form(place, own, own)]])

    def _of_rest(self, place: int, coefficients: Floats) -> Floats:
        """The products of what clusters add up to outside a class, columns of each stratum multiplied by these."""
        mixed = self._found.cross.form(place, coefficients, coefficients)
        own = self._found.own.form(place, coefficients, coefficients)
        return self._whole.form(0, coefficients, coefficients) - mixed - mixed.T + own

    def _of(self, place: int) -> slice:
        return slice(place * self._strata, (place + 1) * self._strata)

    def _sides(self, place: int) -> tuple[_Side, _Side]:
        own, products = self._sums.at(self._of(place)), self._rate_products[self._of(place)]
        rest = self._all.less(
            own,
            clusters=self._found.rest_clusters[self._of(place)],
            squares=np.full(self._strata, np.nan),  # which a cluster of several strata would count in each
            fourths=self._fourths_outside[self._of(place)],
        )
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
        return StratifiedDomains(
            sums,
            products,
            found,
            self._clusters.whole,
            several=self._clusters.several,
            fourths_outside=self._run.fourths_outside(by_stratum, domains, self._strata),
        )
