"""Samples counted by cell: a level of one dimension, or a pair of levels of two. Counts of parts of a run add up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hcat.core.arrays import Codes, Ints
from hcat.core.records.samples.columns import Levels
from hcat.core.refusals.state import ANSWER_STATES

_SEED = 20_260_102


@dataclass(frozen=True, slots=True, eq=False)
class CellCounts:
    """Counts of the cells that occur, (k,) each. `places` are those in the table of all levels or pairs of levels, `n`
    the numbers of samples, `samples` a number for the set of these (see `Rows`). `states` (5, k) are the numbers in
    each of `ANSWER_STATES`; None where states are not known."""

    places: Codes
    n: Ints
    samples: Codes
    states: Codes | None

    def at_all(self, cells: int) -> CellCounts:
        """The same with the cells that hold no sample."""
        n, samples = np.zeros(cells, dtype=np.intp), np.zeros(cells, dtype=np.int64)
        n[self.places], samples[self.places] = self.n, self.samples
        if self.states is None:
            return CellCounts(np.arange(cells), n, samples, None)
        states = np.zeros((len(self.states), cells), dtype=np.intp)
        states[:, self.places] = self.states
        return CellCounts(np.arange(cells), n, samples, states)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The values that are counted over the rows of a run (N,): a random number each, and the number of its answer's
    state. This is 5 where the state is not known; None for all. The sum of random numbers modulo 2⁶⁴ identifies a set
    of samples: equal sets of one run have one number, others almost surely not."""

    numbers: Codes
    states: Codes | None


def rows_of(size: int, states: Levels | None) -> Rows:
    """The rows of a run of this many samples, with the states of their answers; samples count by their place."""
    numbers = np.random.default_rng(_SEED).integers(np.iinfo(np.int64).max, size=size)
    if states is None:
        return Rows(numbers, None)
    number: dict[str, int] = {state: place for place, state in enumerate(ANSWER_STATES)}
    places = [*(number.get(state, len(number)) for state in states.names), len(number)]  # −1 points to the last
    return Rows(numbers, np.array(places, dtype=np.intp)[states.codes])
