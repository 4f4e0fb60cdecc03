"""Labels from several draws combined: the probability that a sample was drawn in any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hcat.core.arrays import Floats


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of samples for labelling: in random order, over the run of n samples or within strata.

    `labelled` are the samples that it gave a label so far. `strata` maps every sample of the run to its stratum; empty
    for a single stratum. A queue also has what it has `drawn`, the `inclusion` probability with which it could draw
    each sample of the run, and what of it was `passed_over`, since another queue had it labelled before."""

    labelled: frozenset[str]
    n: int
    strata: Mapping[str, str] = field(default_factory=dict)
    inclusion: Mapping[str, float] = field(default_factory=dict)
    drawn: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()

    def probability(self, sample_ids: Sequence[str]) -> Floats:
        """The probability of each of these samples, (n,) in [0, 1]: the share of its stratum that the draw labelled.

        Queues are in random order, so given how many were labelled, each sample of a stratum is as likely as any other.
        For a queue this is the planned inclusion probability × the share of the stratum's items that were reached."""
        if self.inclusion:
            return self._planned(sample_ids)
        if not self.strata:
            return np.full(len(sample_ids), len(self.labelled) / self.n)
        size = Counter(self.strata.values())
        labelled = Counter(self.strata[sample_id] for sample_id in self.labelled)
        share = {stratum: labelled[stratum] / count for stratum, count in size.items()}
        return np.array([share[self.strata[sample_id]] for sample_id in sample_ids], dtype=np.float64)

    def _planned(self, sample_ids: Sequence[str]) -> Floats:
        open_to_it = Counter(self.strata.get(drawn, "") for drawn in self.drawn - (self.passed_over - self.labelled))
        labelled = Counter(self.strata.get(sample_id, "") for sample_id in self.labelled & self.drawn)
        reached = {stratum: labelled[stratum] / count for stratum, count in open_to_it.items()}
        inclusion = np.array([self.inclusion[sample_id] for sample_id in sample_ids], dtype=np.float64)
        # If all of a stratum was passed over, the queue would have labelled it all.
        if not self.strata:
            return inclusion * reached.get("", 1.0)
        shares = [reached.get(self.strata.get(sample_id, ""), 1.0) for sample_id in sample_ids]
        return inclusion * np.array(shares, dtype=np.float64)


def union_probability(draws: Sequence[Draw], sample_ids: Sequence[str]) -> Floats:
    """The probability (n,) with which each of these samples is labelled by at least one of several independent draws.

    1 − Π (1 − π_d): for samples that are in several frames at once, the weight 1 / probability of the union is the
    Horvitz–Thompson weight; the weights of the single draws would count such samples twice. Source: Horvitz & Thompson
    1952; Bankier 1986 for the union of samples."""
    missed = np.ones(len(sample_ids))
    for draw in draws:
        missed *= 1 - draw.probability(sample_ids)
    return 1 - missed
