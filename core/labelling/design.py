"""Labels from several draws taken together: the probability with which a sample came into any of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Draw:
    """One way in which samples came to be labelled: in random order, over the run or within strata.

    `labelled` are the samples that it gave a label so far. `strata` maps every sample of the run to its stratum; empty
    where the whole run is one.
    """

    labelled: frozenset[str]
    strata: Mapping[str, str] = field(default_factory=dict)

    def probability(self, sample_ids: Sequence[str]) -> dict[str, float]:
        """Of each sample of the run: the share of its stratum that the draw labelled, in [0, 1].

        Queues are in random order, so given how many were labelled, each sample of a stratum is as likely as any other.
        """
        of = {sample_id: self.strata.get(sample_id, "") for sample_id in sample_ids}
        size = Counter(of.values())
        labelled = Counter(of[sample_id] for sample_id in self.labelled if sample_id in of)
        return {sample_id: labelled[stratum] / size[stratum] for sample_id, stratum in of.items()}


def union_probability(draws: Iterable[Draw], sample_ids: Sequence[str]) -> dict[str, float]:
    """The probability with which each sample of the run is labelled by at least one of several independent draws.

    1 − Π (1 − π_d): for samples that are in several frames at once, the weight 1 / probability of the union is the
    Horvitz–Thompson weight; the weights of the single draws would count such samples twice. Source: Horvitz & Thompson
    1952; Bankier 1986 for the union of samples.
    """
    each = [draw.probability(sample_ids) for draw in draws]
    return {sample_id: 1 - math.prod(1 - found[sample_id] for found in each) for sample_id in sample_ids}
