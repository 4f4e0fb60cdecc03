"""Sums per domain from which pass rates and cluster contributions are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats, Ints
from hcat.core.estimates.influence import Influence, filled, variance_of_agreeing
from hcat.core.estimates.labelled_run import LabelledRun
from hcat.core.estimates.plain_labels import PlainLabels, most_of_labels
from hcat.core.statistics.cluster_products import added

OF_LABELS, COLUMNS = 3, 7
"""The first columns are of all samples, those from `OF_LABELS` of labelled ones."""
_KEYS = np.arange(4)


@dataclass(frozen=True, slots=True)
class Centre:
    """Centring values, from which differences are summed so that squares lose no digits. They are the run's mean
    prediction by design and by labels, its pass rate by labels, and the mean that replaces a missing prediction.
    `design` says whether cases were drawn with unequal probabilities."""

    prediction: float
    predicted: float
    rate: float
    fill: float
    design: bool

    @classmethod
    def of(cls, run: LabelledRun) -> Centre:
        """The centring values of a run with samples."""
        f, known, drawn = filled(run.prediction), ~np.isnan(run.prediction), run.labelled
        weights, fill = run.label_weights[drawn], float(run.prediction[known].mean()) if known.any() else 0.0
        of_labels = (f[drawn], run.passed[drawn])
        predicted, rate = (float(np.average(x, weights=weights)) if len(x) else 0.0 for x in of_labels)
        return cls(float(np.average(f, weights=run.sample_weights)), predicted, rate, fill, run.design is not None)

    def columns(self, run: LabelledRun) -> Floats:
        """The columns of each sample (7, N). For all samples: the design weight d, d · (prediction − mean), and d again
        where there is no prediction. For labelled samples: the weight w, w · (label − rate), w · (prediction − mean),
        and w again where there is no prediction."""
        columns, drawn = np.zeros((COLUMNS, len(run.passed))), run.labelled
        f, missing, design, weights = (
            filled(run.prediction),
            np.isnan(run.prediction),
            run.sample_weights,
            run.label_weights,
        )
        columns[0] = design
        columns[1] = design * (f - self.prediction)
        columns[2] = design * missing
        columns[3, drawn] = weights[drawn]
        columns[4, drawn] = weights[drawn] * (run.passed[drawn] - self.rate)
        columns[5, drawn] = weights[drawn] * (f[drawn] - self.predicted)
        columns[6, drawn] = weights[drawn] * missing[drawn]
        return columns


@dataclass(frozen=True, eq=False)
class PlainSums:
    """Sums of k domains (k,): samples, labels, passes, labelled clusters, samples with a prediction, and the deviations
    of these predictions from `Centre.fill`. Further the sums of squares of label weights; the sums of squares and of
    fourth powers of the total label weights of clusters; and the sums of `Centre.columns` (7, k)."""

    samples: Ints
    labels: Ints
    passes: Ints
    clusters: Ints
    known: Ints
    strays: Floats
    weight_squares: Floats
    cluster_squares: Floats
    cluster_fourths: Floats
    columns: Floats
    centre: Centre

    def at(self, places: slice) -> PlainSums:
        """The sums of these domains alone."""
        return replace(self, **{name: getattr(self, name)[..., places] for name in _ARRAYS})

    def over_classes(self, strata: int) -> PlainSums:
        """The sums of each stratum, where domains are the strata of classes, one class after another."""
        return replace(
            self,
            **{
                name: getattr(self, name).reshape(*getattr(self, name).shape[:-1], -1, strata).sum(axis=-2)
                for name in _ARRAYS
            },
        )

    def merged(self, into: Ints) -> PlainSums:
        """Sums of the strata that these k are merged into, −1 for none. A missing prediction is replaced by the mean
        over all of them together."""
        number = int(into.max()) + 1
        which = (into[:, None] == np.arange(number)).astype(np.intp)
        merged = replace(self, **{name: getattr(self, name) @ which for name in _ARRAYS})
        known, strays = np.full(number, self.known.sum()), np.full(number, self.strays.sum())
        return replace(merged, known=known, strays=strays)

    def total(self) -> PlainSums:
        """The sums of all domains together; except for clusters, which may be in several."""
        return replace(self, **{name: getattr(self, name).sum(axis=-1, keepdims=True) for name in _ARRAYS})

    def less(self, other: PlainSums, *, clusters: Ints, squares: Floats, fourths: Floats) -> PlainSums:
        """Sums of the rest, without each of these; clusters, which may be in both, are counted by the caller."""
        left = {name: getattr(self, name) - getattr(other, name) for name in _ARRAYS}
        return replace(self, **(left | {"clusters": clusters, "cluster_squares": squares, "cluster_fourths": fourths}))

    @cached_property
    def agreeing(self) -> Bools:
        """Whether there are labels, and all agree."""
        return np.asarray((self.labels > 0) & ((self.passes == 0) | (self.passes == self.labels)))

    @cached_property
    def rates(self) -> Floats:
        """By labels alone; exactly 0 or 1 where they agree, NaN without any."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = self.centre.rate + self.columns[4] / self.columns[OF_LABELS]
        rates = np.where(self.labels > 0, rates, np.nan)
        return np.where(self.agreeing, (self.passes > 0).astype(np.float64), rates)

    @cached_property
    def predicted(self) -> tuple[Floats, Floats]:
        """The mean prediction of all samples, and of labelled ones by their weights."""
        further = self._further
        with np.errstate(invalid="ignore", divide="ignore"):
            of_all = self.centre.prediction + (self.columns[1] + further * self.columns[2]) / self.columns[0]
            of_labels = self.centre.predicted + (self.columns[5] + further * self.columns[6]) / self.columns[OF_LABELS]
        return of_all, of_labels

    def coefficients(self, centre: Centre) -> Floats:
        """Coefficients (k, 2, 7) of a cluster's columns in its contribution to the rate by labels, and to the
        correction by predictions. 0 where there are no labels."""
        (of_all, of_labels), further = self.predicted, self._further
        with np.errstate(invalid="ignore", divide="ignore"):
            small = np.sqrt(self.clusters / (self.clusters - 1))
            alpha, beta = small / self.columns[OF_LABELS], small / self.columns[0]
            found = np.zeros((len(small), 2, COLUMNS))
            disagree = ~self.agreeing
            found[:, 0, 3], found[:, 0, 4] = -alpha * disagree * (self.rates - centre.rate), alpha * disagree
            found[:, 1, 0], found[:, 1, 1] = -beta * (of_all - centre.prediction), beta
            found[:, 1, 2], found[:, 1, 6] = beta * further, -alpha * further
            found[:, 1, 3], found[:, 1, 5] = alpha * (of_labels - centre.predicted), -alpha
        return np.where(np.isfinite(found), found, 0.0)

    def influence(self, place: int, constant: Floats, slope: Floats) -> Influence:
        """The influence of one domain, with the numbers that replace its clusters."""
        of_all, of_labels = (means[place] for means in self.predicted)
        n, correction = int(self.labels[place]), float(of_all - of_labels)
        floor = 0.0
        if self.agreeing[place]:
            weights = float(self.columns[OF_LABELS, place])
            floor = variance_of_agreeing(weights**2 / float(self.weight_squares[place]) if self.centre.design else n)
        return Influence(
            labels_only=float(self.rates[place]),
            correction=0.0 if np.isnan(correction) else correction,
            constant=constant,
            slope=slope,
            keys=_KEYS,
            n=n,
            degrees=max(float(self.clusters[place]) - 1.0, 0.0),
            floor=floor,
            plain=self.plain(place),
        )

    def plain(self, place: int) -> PlainLabels:
        """The labels of one domain that its errors are compared with: Kish's number of its labelled clusters, where
        labels do not differ."""
        total, squares, fourths, of_labels = (
            float(column[place])
            for column in (self.columns[OF_LABELS], self.cluster_squares, self.cluster_fourths, self.weight_squares)
        )
        rate, n = float(self.rates[place]), int(self.labels[place])
        of_clusters, alike, kish = _ratio(total**2, squares), _ratio(squares**2, fourths), _ratio(total**2, of_labels)
        return PlainLabels(
            n, rate, int(self.samples[place]), lambda: of_clusters, lambda: alike, most_of_labels(n, kish)
        )

    @cached_property
    def _further(self) -> Floats:
        """Difference between the mean that replaces a missing prediction in the domain and that in the run."""
        known = np.maximum(self.known, 1)
        return np.where(self.known > 0, self.strays / known, -self.centre.fill)


class RunSums:
    """A run whose samples are added up by domain: their columns, in which cluster each is, and what is counted."""

    def __init__(self, run: LabelledRun) -> None:
        self._centre = Centre.of(run)
        self.columns: Floats = self._centre.columns(run)
        self.clusters: Ints = np.asarray(run.numbered().keys, dtype=np.intp)
        self._labelled = np.flatnonzero(run.labelled)
        self._passes, self._weights = run.passed[self._labelled] == 1, self.columns[OF_LABELS, self._labelled]
        self._known = ~np.isnan(run.prediction)
        self._strays = np.where(self._known, run.prediction - self._centre.fill, 0.0)

    def by_domain(self, codes: Codes, size: int, sums: Floats, *, clusters: Ints) -> PlainSums:
        """The sums of the domains that `codes` (N,) name, with the `sums` of their columns (7, size), and with the
        number of clusters that have labels in each."""
        at = codes[self._labelled]
        pairs, weights = self._cluster_weights(codes, size)
        return PlainSums(
            samples=np.bincount(codes, minlength=size),
            labels=np.bincount(at, minlength=size),
            passes=np.bincount(at[self._passes], minlength=size),
            clusters=clusters,
            known=np.bincount(codes[self._known], minlength=size),
            strays=added(self._strays, codes, size),
            weight_squares=added(self._weights**2, at, size),
            cluster_squares=added(weights**2, pairs % size, size),
            cluster_fourths=added(weights**4, pairs % size, size),
            columns=sums,
            centre=self._centre,
        )

    def fourths_outside(self, codes: Codes, size: int, strata: int = 1) -> Floats:
        """For each domain (size,), the sum over clusters of fourth powers of the total weight of their labels outside
        it. Domain d is of stratum d % strata, and only labels of that stratum count."""
        pairs, inside = self._cluster_weights(codes, size)
        domain = pairs % size
        wholes, place = np.unique(pairs // size * strata + domain % strata, return_inverse=True)
        both = added(inside, place, len(wholes))
        of_stratum = added(both**4, wholes % strata, strata)
        return of_stratum[np.arange(size) % strata] + added(
            (both[place] - inside) ** 4 - both[place] ** 4, domain, size
        )

    def _cluster_weights(self, codes: Codes, size: int) -> tuple[Ints, Floats]:
        """Sums of the weights of the labels of a cluster in a domain, by cluster · size + domain: those that occur."""
        pairs, place = np.unique(self.clusters[self._labelled] * size + codes[self._labelled], return_inverse=True)
        return pairs, added(self._weights, place, len(pairs))

    def rate_products(self, codes: Codes, size: int) -> Floats:
        """Sums over labels of the products (size, 2, 2) of their contributions to each domain's rate, every label a
        cluster of its own."""
        at, columns = codes[self._labelled], self.columns[OF_LABELS : OF_LABELS + 2, self._labelled]
        found = np.empty((size, 2, 2))
        for i, j in ((0, 0), (0, 1), (1, 1)):
            found[:, i, j] = found[:, j, i] = added(columns[i] * columns[j], at, size)
        return found


def _ratio(above: float, below: float) -> float:
    """NaN where there are no labels."""
    return above / below if below > 0 else np.nan


_ARRAYS = (
    *("samples", "labels", "passes", "clusters", "known", "strays"),
    *("weight_squares", "cluster_squares", "cluster_fourths", "columns"),
)
