"""Batches that fit: where a graphics card runs out of memory, halves of a batch, and halves of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from core.errors import ModelError

Result = TypeVar("Result")


def fitting(batch: list[int], compute: Callable[[list[int]], Result]) -> Iterator[tuple[list[int], Result]]:
    """The members of a batch and what is computed of them: at once or, where memory is short, in parts.

    Other programs on the card take memory that a batch was planned with. Raises ModelError where one member alone
    does not fit.
    """
    import torch

    waiting = [batch]
    while waiting:
        members = waiting.pop()
        try:
            yield members, compute(members)
            continue
        except torch.OutOfMemoryError:
            half = len(members) // 2
        # outside of the handler, so that the error no longer holds what was computed
        if half == 0:
            raise ModelError(
                "The graphics card has no memory left for a single text: end what else uses it, or set HCAT_DEVICE=cpu."
            )
        torch.cuda.empty_cache()
        waiting += [members[half:], members[:half]]
