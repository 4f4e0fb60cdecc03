"""Many requests to one language model, asked in batches, with a count of those that are answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.types import Progress

AT_A_TIME = 64
"""Requests of a batch at least: where none of it could succeed, the next one is not asked."""
ROUNDS = 16
"""So many times as many as may run at once, so that little time passes in waiting for the last ones of a batch."""


@dataclass
class Counted:
    """Tells how many of `total` requests are answered, over all batches and models."""

    tell: Callable[[Progress], None] | None
    total: int
    answered: int = 0

    def of_batch(self, replies: int, _: int) -> None:
        """Tell that so many requests of the batch that is asked now are answered."""
        if self.tell is not None:
            self.tell(Progress("judge", min(self.answered + replies, self.total), self.total))


def ask_in_batches(model: LanguageModel, requests: Sequence[Request], counted: Counted) -> list[Reply]:
    """The replies, in the order of the requests. Raises ModelError where no request of a batch could succeed."""
    replies: list[Reply] = []
    size = max(AT_A_TIME, ROUNDS * model.parallel)
    for start in range(0, len(requests), size):
        batch = ask_all(model, requests[start : start + size], on_reply=counted.of_batch)
        counted.answered += len(batch)
        replies += batch
    return replies
