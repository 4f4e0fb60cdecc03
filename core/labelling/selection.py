"""Drawing chosen samples and a few of the rest, so that labels of a slice leave every estimate unbiased."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.labelling.queue import IN_REST, IN_SLICE, QueueItem, QueueKind, draw_allocated

SLICE_DEFAULT, CONFIRMING_DEFAULT = 40, 60
"""The default numbers of labels of a queue for a slice, and of one that is to confirm a finding."""
REST_SHARE = 0.25
"""The share of labels of a slice's queue for the rest of the run; for a confirming queue it is one half."""
LEAST_IN_REST = 2


@dataclass(frozen=True, slots=True)
class ChosenSamples:
    """A slice, a lasso or any other selection of a run's samples, and its name."""

    title: str
    sample_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectionSizes:
    """The numbers of samples that a queue draws of a slice and of the rest, and of those there without a label."""

    of_slice: int
    of_rest: int
    open_in_slice: int
    open_in_rest: int

    @property
    def total(self) -> int:
        return self.of_slice + self.of_rest


def selection_sizes(kind: QueueKind, *, in_slice: int, in_rest: int, planned: int | None = None) -> SelectionSizes:
    """The numbers to draw of `in_slice` samples of a slice and `in_rest` others, all without a label.

    A queue of a slice takes three from the slice for each one of the rest, which is needed for estimates of the whole
    run; a confirming one equally many from both, which is best for a difference. `planned` counts both."""
    share = REST_SHARE if kind == "slice" else 0.5
    whole = planned or (SLICE_DEFAULT if kind == "slice" else CONFIRMING_DEFAULT)
    of_slice = min(in_slice, max(round(whole * (1 - share)), whole - in_rest if planned else 1, 1))
    wanted = round(of_slice * share / (1 - share)) if planned is None else whole - of_slice
    return SelectionSizes(of_slice, min(in_rest, max(wanted, LEAST_IN_REST)), in_slice, in_rest)


@dataclass(frozen=True, slots=True)
class SelectionDraw:
    """The drawn items, in order, and for each sample of the run the probability and the stratum of the draw."""

    items: tuple[QueueItem, ...]
    inclusion: Mapping[str, float]
    strata: Mapping[str, str]


def open_samples_of(
    sample_ids: Sequence[str], chosen: Collection[str], labelled: Collection[str]
) -> tuple[list[str], list[str]]:
    """The samples without a label: those that were chosen, and the rest of the run, each in order."""
    inside, without = frozenset(chosen), [sample_id for sample_id in sample_ids if sample_id not in labelled]
    return [i for i in without if i in inside], [i for i in without if i not in inside]


def draw_selection(
    sample_ids: Sequence[str],
    chosen: Collection[str],
    *,
    labelled: Collection[str],
    kind: QueueKind,
    planned: int | None,
    rng: np.random.Generator,
) -> SelectionDraw:
    """A random draw from the samples without a label, separately among those `chosen` and among the rest of the run.

    Every sample of a stratum has the probability n_h / U_h, of U_h without a label. A sample is labelled in the end if
    an earlier draw had reached it, or else this one does: 1 − (1 − π₁)(1 − n_h / U_h), which is the probability of the
    union (`hcat.core.labelling.design`), so that earlier labels count and nothing is labelled twice. A stratum that is
    completely labelled has 1. HcatError if all chosen samples have a label, or if they are the whole run."""
    inside = frozenset(chosen)
    if not inside.issuperset(sample_ids) and not inside.isdisjoint(sample_ids):
        in_slice, in_rest = open_samples_of(sample_ids, chosen, labelled)
    else:
        raise HcatError("this is all of the run or none of it: plan a random queue instead")
    if not in_slice:
        raise HcatError("people have labelled all of these samples: there is nothing left to draw")
    sizes = selection_sizes(kind, in_slice=len(in_slice), in_rest=len(in_rest), planned=planned)
    counts = {IN_SLICE: sizes.of_slice, IN_REST: sizes.of_rest}
    shares = {
        IN_SLICE: sizes.of_slice / len(in_slice),
        IN_REST: sizes.of_rest / len(in_rest) if in_rest else 1.0,
    }
    strata = {sample_id: IN_SLICE if sample_id in inside else IN_REST for sample_id in sample_ids}
    unlabelled = {sample_id: strata[sample_id] for sample_id in (*in_slice, *in_rest)}
    items = draw_allocated(unlabelled, counts, rng=rng)
    return SelectionDraw(items, {i: shares[stratum] for i, stratum in strata.items()}, strata)
