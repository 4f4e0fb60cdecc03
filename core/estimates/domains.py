"""Every class of a partition as a domain of a run, and against all others, from sums: no class goes over the run again.

An estimate and its error follow from a few sums over the samples of a domain, and from squares and products of sums
over its clusters. These are added up for all classes in one pass. Four numbers with the same squares and products then
replace the clusters of a class and of its rest, so that each is estimated as any other run is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.estimates.domain_sums import OF_LABELS, PlainSums, RunSums
from hcat.core.estimates.influence import ROUNDING, Influence
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.statistics.cluster_products import ClusterProducts

LOST = 1e-8
"""A variance below this part of what was added and subtracted for it has lost too many digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Domains:
    """Domains of k classes (k,): the number of labels of each, of its labelled clusters, and of those of the rest."""

    labels: Ints
    clusters: Ints
    rest_clusters: Ints
    _certain: Bools
    _own: PlainSums
    _rest: PlainSums
    _clusters: Floats

    def is_certain(self, place: int) -> bool:
        """Whether the sums of a class are exact enough to say the rest."""
        return bool(self._certain[place])

    def sides(self, place: int) -> tuple[Influence, Influence]:
        """The rest of a class, and the class."""
        vectors = self._clusters[place]
        return self._rest.influence(place, vectors[0], vectors[1]), self._own.influence(place, vectors[2], vectors[3])


class DomainSums:
    """A run without strata, from which the sums of any partition are taken."""

    def __init__(self, run: LabelledRun) -> None:
        if run.strata is not None:
            raise ValueError("sums do not say what the domains of a stratified run come to")
        self._run = RunSums(run)
        self._products = ClusterProducts(self._run.columns, self._run.clusters, few=OF_LABELS)

    def domains(self, codes: Codes, size: int) -> Domains:
        """The classes that `codes` (N,) name from 0; a sample of −1 is in the rest of each."""
        found = self._products.classes(codes, size)
        clusters = np.append(found.clusters, 0)
        inside = np.where(codes < 0, size, codes)
        sums = self._run.by_domain(inside, size + 1, found.sums, clusters=clusters)
        own = sums.at(slice(size))
        rest = sums.total().less(
            own,
            clusters=found.rest_clusters,
            squares=found.rest[:, OF_LABELS, OF_LABELS],
            fourths=self._run.fourths_outside(inside, size + 1)[:size],
        )
        a, b = own.coefficients(sums.centre), rest.coefficients(sums.centre)
        products = np.empty((size, 4, 4))
        products[:, :2, :2] = b @ found.rest @ b.transpose(0, 2, 1)
        products[:, 2:, 2:] = a @ found.own @ a.transpose(0, 2, 1)
        products[:, 2:, :2] = a @ found.between @ b.transpose(0, 2, 1)
        products[:, :2, 2:] = products[:, 2:, :2].transpose(0, 2, 1)
        variance = products[:, 0, 0] + products[:, 2, 2] - 2 * products[:, 0, 2]
        added_up = np.einsum("ki,ij,kj->k", b[:, 0], self._products.products, b[:, 0]) + products[:, 2, 2]
        certain = (variance > LOST * added_up) | (added_up == 0)
        return Domains(own.labels, own.clusters, rest.clusters, certain, own, rest, with_products(products))


def with_products(products: Floats) -> Floats:
    """Four vectors of four numbers for each class, (k, 4, 4), with these products of one another (k, 4, 4).

    One that is no longer than ROUNDING is 0: its angle to others would be rounding, which may fit no vectors at all."""
    length = np.sqrt(np.maximum(np.diagonal(products, axis1=1, axis2=2), 0.0))
    length = np.where(length > ROUNDING, length, 0.0)
    unit = np.where(length > 0, length, 1.0)
    values, axes = np.linalg.eigh(products / (unit[:, :, None] * unit[:, None, :]))
    # By `length`, so that of labels that agree all is exactly 0.
    return np.asarray(length[:, :, None] * axes * np.sqrt(np.maximum(values, 0.0))[:, None, :], dtype=np.float64)
