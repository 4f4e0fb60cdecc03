"""Batches of texts of one padded length, in which a text's row does not depend on the other texts.

On a CPU a row has the same bits in a batch of any size, except small ones: some libraries multiply eight rows by a
kernel of their own, and with several threads fewer than some 200 word pieces (1e-7). On a graphics card the number of
rows determines the kernels, and so the last digits: there all batches of a length have the same number of rows. Copies
of a text fill a batch up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.devices import CPU, CUDA, kind_of

PIECES_ON_A_CPU = 4096
"""The word pieces of a batch on a CPU, padding included."""
FEWEST_PIECES = 256
"""The fewest word pieces of a batch on a CPU, padding and copies included: fewer are multiplied differently.

A short text alone takes five times as long because of it."""
LENGTH_STEP = 8
"""Padded lengths are multiples of this many word pieces."""
BYTES_A_PIECE = 256 << 10
"""The bytes of a graphics card's memory for each word piece of a batch.

A network of 24 layers of 1,024 takes 45 KB in single precision; the rest is for larger ones, for their weights and for
other programs."""
MOST_PIECES_ON_A_CARD = 8192
"""The word pieces of a batch on a card, padding included.

Many texts are read faster in larger ones, but a single text fills one up, too."""

Result = TypeVar("Result")


class Batches:
    """Batches of at most `pieces` word pieces, padding included, or one text; and at least `fewest`.

    If `filled`, all of a length have the same number of rows. If a card runs out of memory, since other programs use it
    too, this batch and all later ones are halved."""

    def __init__(self, pieces: int, *, fewest: int = 0, filled: bool = False) -> None:
        self.pieces = pieces
        self.fewest = fewest
        self.filled = filled

    def computed(
        self, lengths: Sequence[int], begin: Callable[[list[int]], Callable[[], Result]]
    ) -> Iterator[tuple[list[int], Result]]:
        """Positions of texts with their results, each position once: row i belongs to the i-th position.

        `lengths` are the texts' word pieces. `begin` takes positions that share a padded length, starts the
        computation, and returns a function that waits for the result. Copies that fill a batch up come last, so that
        there can be more rows than positions. While a card computes one batch, the next is prepared. Raises ModelError
        if a single text does not fit."""
        import torch

        begun: list[tuple[list[int], Callable[[], Result]]] = []
        for length, positions in _by_length(lengths):
            start = 0
            while start < len(positions):
                rows = max(1, self.pieces // length)
                members = positions[start : start + rows]
                wanted = rows if self.filled else min(rows, -(-self.fewest // length))
                fill = [members[0]] * (wanted - len(members))
                wait: Callable[[], Result] | None = None
                with suppress(torch.OutOfMemoryError):
                    wait = begin(members + fill)
                if wait is None:
                    self._halve(len(members) + len(fill), length)
                    continue
                start += len(members)
                yield from ((of, result()) for of, result in begun)
                begun = [(members, wait)]
        yield from ((of, result()) for of, result in begun)

    def _halve(self, rows: int, length: int) -> None:
        import torch

        if rows == 1:
            raise ModelError(
                "The graphics card has no memory left for a single text: end what else uses it, or set HCAT_DEVICE=cpu."
            )
        self.pieces = rows // 2 * length
        torch.cuda.empty_cache()


def batches_on(device: str, *, on_cpu: int = PIECES_ON_A_CPU) -> Batches:
    """Batches for a device: of `on_cpu` word pieces on a CPU; on a graphics card by its memory."""
    if kind_of(device) == CPU:
        return Batches(on_cpu, fewest=FEWEST_PIECES)
    return Batches(_pieces_of(device) if kind_of(device) == CUDA else on_cpu, filled=True)


def pieces_in(memory: int) -> int:
    """The word pieces of a batch for a card of so many bytes: a power of two, at most `MOST_PIECES_ON_A_CARD`.

    By all of its memory: if it were the free memory, the last digits of a row would depend on other programs."""
    return min(1 << (max(1, memory // BYTES_A_PIECE).bit_length() - 1), MOST_PIECES_ON_A_CARD)


def padded_length(length: int) -> int:
    """The next multiple of `LENGTH_STEP`."""
    return -(-length // LENGTH_STEP) * LENGTH_STEP


def padded(rows: Sequence[Sequence[int]], *, value: int = 0, left: bool = False) -> NDArray[np.int64]:
    """Rows of different lengths as a matrix (n, padded length of the longest), filled up with `value`.

    The filling is after a row's end, or before its beginning if `left`."""
    length = padded_length(max(len(row) for row in rows))
    matrix = np.full((len(rows), length), value, dtype=np.int64)
    for i, row in enumerate(rows):
        matrix[i, slice(length - len(row), length) if left else slice(len(row))] = row
    return matrix


def _pieces_of(device: str) -> int:
    import torch

    return pieces_in(torch.cuda.get_device_properties(device).total_memory)


def _by_length(lengths: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Positions by their padded length, the shortest first."""
    by_length: dict[int, list[int]] = {}
    for position, length in enumerate(lengths):
        by_length.setdefault(padded_length(length), []).append(position)
    return sorted(by_length.items())
