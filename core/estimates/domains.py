"""Every class of a partition as a domain of a run, and against all others, from sums: no class goes over the run again.

An estimate and its error follow from a few sums over the samples of a domain, and from squares and products of sums
over its clusters. These are added up for all classes in one pass. Four numbers with the same squares and products then
stand for the clusters of a class and of its rest, so that each is estimated as any other run is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Bools, Codes, Floats, Ints
from core.estimates.domain_sums import OF_LABELS, Centre, PlainSums
from core.estimates.influence import ROUNDING, Influence, LabelledRun
from core.estimates.prediction_powered import PlainLabels
from core.statistics.cluster_products import ClassProducts, ClusterProducts, added

LOST = 1e-8
"""A variance below this part of what was added and subtracted for it has lost too many digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Domains:
    """Of k classes (k,) how many labels each has, on how many clusters, and on how many the rest has."""

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

    def plain(self, place: int) -> PlainLabels:
        """What the errors of a class are compared with."""
        return self._own.plain(place)


class DomainSums:
    """A run without strata, from which the sums of any partition are taken."""

    def __init__(self, run: LabelledRun) -> None:
        if run.strata is not None:
            raise ValueError("sums do not say what the domains of a stratified run come to")
        self._centre = Centre.of(run)
        columns = self._centre.columns(run)
        self._products = ClusterProducts(columns, np.asarray(run.numbered().keys, dtype=np.intp), few=OF_LABELS)
        self._labelled = np.flatnonzero(run.labelled)
        self._passes, self._weights = run.passed[self._labelled] == 1, columns[OF_LABELS, self._labelled]
        self._known = ~np.isnan(run.prediction)
        self._strays = np.where(self._known, run.prediction - self._centre.fill, 0.0)

    def domains(self, codes: Codes, size: int) -> Domains:
        """The classes that `codes` (N,) name from 0; a sample of −1 is in the rest of each."""
        sums, found = self.by_class(codes, size)
        rest, own = sums.total().less(sums, clusters=found.rest_clusters).at(slice(size)), sums.at(slice(size))
        a, b = own.coefficients(self._centre), rest.coefficients(self._centre)
        products = np.empty((size, 4, 4))
        products[:, :2, :2] = b @ found.rest @ b.transpose(0, 2, 1)
        products[:, 2:, 2:] = a @ found.own @ a.transpose(0, 2, 1)
        products[:, 2:, :2] = a @ found.between @ b.transpose(0, 2, 1)
        products[:, :2, 2:] = products[:, 2:, :2].transpose(0, 2, 1)
        variance = products[:, 0, 0] + products[:, 2, 2] - 2 * products[:, 0, 2]
        added_up = np.einsum("ki,ij,kj->k", b[:, 0], self._products.products, b[:, 0]) + products[:, 2, 2]
        certain = (variance > LOST * added_up) | (added_up == 0)
        return Domains(own.labels, own.clusters, rest.clusters, certain, own, rest, with_products(products))

    def by_class(self, codes: Codes, size: int) -> tuple[PlainSums, ClassProducts]:
        """What is added up over the classes that `codes` (N,) name from 0, and at last over the samples of −1; and the
        products of what clusters add to each class."""
        found = self._products.classes(codes, size)
        return self._plain(np.where(codes < 0, size, codes), size + 1, found), found

    def _plain(self, codes: Codes, size: int, found: ClassProducts) -> PlainSums:
        at = codes[self._labelled]
        return PlainSums(
            samples=np.bincount(codes, minlength=size),
            labels=np.bincount(at, minlength=size),
            passes=np.bincount(at[self._passes], minlength=size),
            clusters=np.append(found.clusters, 0),
            known=np.bincount(codes[self._known], minlength=size),
            strays=added(self._strays, codes, size),
            weight_squares=added(self._weights**2, at, size),
            cluster_squares=found.squares,
            columns=found.sums,
            centre=self._centre,
        )


def with_products(products: Floats) -> Floats:
    """Four vectors of four numbers for each class, (k, 4, 4), with these products of one another (k, 4, 4).

    One that is no longer than ROUNDING is 0: its angle to others would be rounding, which may fit no vectors at all."""
    length = np.sqrt(np.maximum(np.diagonal(products, axis1=1, axis2=2), 0.0))
    length = np.where(length > ROUNDING, length, 0.0)
    unit = np.where(length > 0, length, 1.0)
    values, axes = np.linalg.eigh(products / (unit[:, :, None] * unit[:, None, :]))
    # By `length`, so that of labels that agree all is exactly 0.
    return np.asarray(length[:, :, None] * axes * np.sqrt(np.maximum(values, 0.0))[:, None, :], dtype=np.float64)
